/** Commands to paste, made of the spec's examples. */
import type { OperationExamples } from "../../client/mock/examples.ts";
import { credentialFor } from "../../client/mock/keys.ts";
import type { OperationContract } from "../../generated/contract.ts";

/** One line for a POSIX shell. */
export function curlLine(url: string, operation: OperationContract, examples: OperationExamples): string {
  let path = operation.path;
  const query = new URLSearchParams();
  const headers: string[] = [];
  for (const { in: place, name, value } of examples.parameters) {
    if (place === "path") path = path.replaceAll(`{${name}}`, encodeURIComponent(String(value)));
    else if (place === "query") query.append(name, String(value));
    else if (place === "header") headers.push(`${name}: ${value}`);
    else if (place === "cookie") headers.push(`Cookie: ${name}=${value}`);
  }
  const credential = credentialFor(operation.security);
  if (credential !== undefined) headers.push(`Authorization: Bearer ${credential}`);
  const [content] = examples.contents.values();
  const [mediaType] = Object.keys(operation.content?.mediaTypes ?? {});
  if (content !== undefined) headers.push(`Content-Type: ${mediaType}`);
  return [
    "curl",
    ...(operation.method === "GET" && content === undefined ? [] : ["-X", operation.method]),
    quoted(`${url}${path}${query.size > 0 ? `?${query}` : ""}`),
    ...headers.flatMap((header) => ["-H", quoted(header)]),
    ...(content === undefined ? [] : ["-d", quoted(JSON.stringify(content))]),
  ].join(" ");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
