/** Whether a recording holds credentials: browsers leave them out of what they export, unless they are told otherwise. */
import type { Contract } from "../../generated/contract.ts";
import { headerOf } from "../conformance/exchange.ts";
import type { RecordedExchange } from "./har.ts";

/** True where a request has something in a place where any operation looks for a credential. */
export function carriesCredential({ operations }: Contract, { request, url }: RecordedExchange): boolean {
  const requirements = Object.values(operations).flatMap(({ security }) => security.flat());
  return requirements.some(({ sent }) => {
    if (sent === "unknown") return false;
    if (typeof sent !== "object") return headerOf(request.headers, "authorization") !== undefined;
    if (sent.in === "query") return url.searchParams.has(sent.name);
    return headerOf(request.headers, sent.in === "header" ? sent.name : "cookie") !== undefined;
  });
}
