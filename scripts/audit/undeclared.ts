/** Finds what an exchange holds beyond its spec where the spec leaves room for more: nobody who reads the spec knows of it. */
import type { OperationContract, ParameterContract } from "../../generated/contract.ts";
import { matchType } from "../../server/contract/media-type.ts";
import { objectIn } from "../../server/contract/shape.ts";
import { rawPairs } from "../../server/contract/styles.ts";
import { documentedResponse } from "../conformance/exchange.ts";
import { isObject, pointerTo } from "../generate/document.ts";

/** The names of a query that are no parameter's. */
export function undeclaredQuery({ parameters, security }: OperationContract, query: string): string[] {
  const credentials = security.flat().flatMap(({ sent }) => (typeof sent === "object" ? [sent.name] : []));
  const declared = parameters.filter((parameter) => parameter.in === "query");
  const names = new Set(rawPairs(query).map(([name]) => name));
  return [...names].filter(
    (name) => !credentials.includes(name) && !declared.some((parameter) => isWrittenAs(parameter, name)),
  );
}

function isWrittenAs(
  { name, type, style = "form", explode = style === "form" }: ParameterContract,
  sent: string,
) {
  if (sent === name || (style === "deepObject" && sent.startsWith(`${name}[`))) return true;
  const object = explode ? objectIn(type) : undefined;
  return object !== undefined && (object.others !== undefined || Object.hasOwn(object.properties, sent));
}

/** The pointers of an answer's properties that its schema does not name. */
export function undeclaredProperties(
  { responses }: OperationContract,
  { status, mediaType, value }: { status: number; mediaType: string; value: unknown },
): string[] {
  const mediaTypes = documentedResponse(responses, status)?.mediaTypes ?? {};
  const found = matchType(mediaType, Object.keys(mediaTypes));
  const project = found && mediaTypes[found.key]?.project;
  return project === undefined ? [] : lostIn(value, project(value), "");
}

function lostIn(whole: unknown, part: unknown, pointer: string): string[] {
  if (Array.isArray(whole) && Array.isArray(part))
    return part.flatMap((item, index) => lostIn(whole[index], item, pointerTo(pointer, index)));
  if (!isObject(whole) || !isObject(part)) return [];
  return Object.entries(whole).flatMap(([name, value]) => {
    const place = pointerTo(pointer, name);
    return Object.hasOwn(part, name) ? lostIn(value, part[name], place) : [place];
  });
}
