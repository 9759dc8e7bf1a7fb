/** Compares which credentials an operation accepts. */
import { entriesOf, isObject, type Json, valueAt } from "../openapi/document.ts";
import { below, isEqual, nodeAt, resolved, type SpecNode, textsOf } from "./facts.ts";
import type { Pair, ReportChange } from "./pair.ts";
import type { Spec } from "./spec.ts";

interface RequiredScheme {
  readonly name: string;
  readonly scheme: SpecNode;
  readonly scopes: readonly string[];
}

/** All credentials of an alternative are needed together. */
type Alternative = readonly RequiredScheme[];

export function securityChanges(before: Spec, after: Spec, operation: Pair, report: ReportChange): void {
  const olds = alternativesOf(before, operation.old);
  const nows = alternativesOf(after, operation.now);
  const at = securityOf(operation.now, after) ?? operation.now;
  for (const old of olds) {
    if (nows.some((now) => isMetBy(now, old))) continue;
    const message = `callers with ${labelOf(old)} are no longer let in by that alone`;
    report(at, message, ["major", "calls that were let in are refused"], "request");
  }
  for (const now of nows) {
    if (olds.some((old) => isMetBy(now, old) && isMetBy(old, now))) continue;
    report(at, `callers with ${labelOf(now)} are let in`, ["minor", "callers may use it"], "request");
  }
}

function securityOf(operation: SpecNode, spec: Spec): SpecNode | undefined {
  return [below(operation, "security"), nodeAt(spec, "/security")].find(({ value }) => Array.isArray(value));
}

function alternativesOf(spec: Spec, operation: SpecNode): Alternative[] {
  const security = securityOf(operation, spec);
  if (!Array.isArray(security?.value) || security.value.length === 0) return [[]];
  return security.value.map((requirement) =>
    entriesOf(requirement).map(([name, scopes]) => ({
      name,
      scheme: resolved(below(nodeAt(spec, "/components/securitySchemes"), name)),
      scopes: textsOf(scopes),
    })),
  );
}

function isMetBy(asked: Alternative, held: Alternative): boolean {
  return asked.every((need) =>
    held.some(
      (own) =>
        acceptsCredential(need.scheme, own.scheme) &&
        need.scopes.every((scope) => own.scopes.includes(scope)),
    ),
  );
}

/** Ignores the names of the schemes. */
function acceptsCredential(now: SpecNode, old: SpecNode): boolean {
  const [is, was] = [now.value, old.value];
  if (!isObject(is) || !isObject(was)) return isEqual(is, was) && now.pointer === old.pointer;
  const keywords = ["type", "in", "name", "scheme", "openIdConnectUrl"];
  const text = (value: Json | undefined, keyword: string) =>
    keyword === "scheme" || (keyword === "name" && is.in === "header") ? String(value).toLowerCase() : value;
  if (!keywords.every((keyword) => text(is[keyword], keyword) === text(was[keyword], keyword))) return false;
  return entriesOf(was.flows).every(([flow, old]) => {
    const kept = valueAt(is, `/flows/${flow}`);
    if (!isObject(kept) || !isObject(old)) return false;
    return (
      ["authorizationUrl", "tokenUrl", "refreshUrl"].every((keyword) => kept[keyword] === old[keyword]) &&
      entriesOf(old.scopes).every(([scope]) => isObject(kept.scopes) && Object.hasOwn(kept.scopes, scope))
    );
  });
}

function labelOf(alternative: Alternative): string {
  if (alternative.length === 0) return "no credentials";
  return alternative
    .map(({ name, scopes }) => (scopes.length === 0 ? name : `${name} (${scopes.join(", ")})`))
    .join(" and ");
}
