/** Rules about the credentials that an operation accepts. */
import { isDeepStrictEqual } from "node:util";
import { entriesOf, isObject, type Json, valueAt } from "../../openapi/document.ts";
import { placeAt, placeBelow, type SchemaPlace } from "../../openapi/schema/schema-view.ts";
import { resolved, textsOf } from "../facts.ts";
import { breaking, compatible, type Rule, raiseMinor } from "./rule.ts";

export const securityRules: readonly Rule[] = [
  {
    id: "security-removed",
    description: "Credentials that were enough for an operation are no longer enough.",
    remedy: "Keep the alternative in `security`.",
    check: ({ old, now }) => {
      const nows = alternativesOf(now);
      return alternativesOf(old)
        .filter((was) => !nows.some((is) => isMetBy(is, was)))
        .map((was) => {
          const isKept = nows.some((is) => labelOf(is) === labelOf(was));
          const message = isKept
            ? `the security scheme of ${labelOf(was)} changed`
            : `${labelOf(was)} alone is no longer accepted`;
          return breaking(securityOf(now) ?? now, message, "calls that were accepted are rejected");
        });
    },
  },
  {
    id: "security-added",
    description: "An operation accepts more credentials than before.",
    remedy: raiseMinor,
    check: ({ old, now }) => {
      const olds = alternativesOf(old);
      return alternativesOf(now)
        .filter((is) => !olds.some((was) => isMetBy(was, is)))
        .map((is) => {
          const isKept = olds.some((was) => labelOf(was) === labelOf(is));
          const message = isKept
            ? `the security scheme of ${labelOf(is)} changed`
            : `${labelOf(is)} alone is accepted`;
          return compatible(securityOf(now) ?? now, message, "callers may use it");
        });
    },
  },
];

interface RequiredScheme {
  readonly name: string;
  readonly scheme: SchemaPlace;
  readonly scopes: readonly string[];
}

/** A caller needs all credentials of an alternative. */
type Alternative = readonly RequiredScheme[];

function securityOf(operation: SchemaPlace): SchemaPlace | undefined {
  const places = [placeBelow(operation, "security"), placeAt(operation.document, "/security")];
  return places.find(({ value }) => Array.isArray(value));
}

function alternativesOf(operation: SchemaPlace): Alternative[] {
  const security = securityOf(operation);
  if (!Array.isArray(security?.value) || security.value.length === 0) return [[]];
  return security.value.map((requirement) =>
    entriesOf(requirement).map(([name, scopes]) => ({
      name,
      scheme: resolved(placeBelow(placeAt(operation.document, "/components/securitySchemes"), name)),
      scopes: textsOf(scopes),
    })),
  );
}

function isMetBy(required: Alternative, given: Alternative): boolean {
  return required.every((need) =>
    given.some(
      (own) =>
        acceptsCredential(need.scheme, own.scheme, need.scopes) &&
        need.scopes.every((scope) => own.scopes.includes(scope)),
    ),
  );
}

/** Compares the schemes without their names. @param scopes those that the operation requires */
function acceptsCredential(now: SchemaPlace, old: SchemaPlace, scopes: readonly string[]): boolean {
  const [is, was] = [now.value, old.value];
  if (!isObject(is) || !isObject(was)) return isDeepStrictEqual(is, was) && now.pointer === old.pointer;
  const keywords = ["type", "in", "name", "scheme", "openIdConnectUrl"];
  const text = (value: Json | undefined, keyword: string) =>
    keyword === "scheme" || (keyword === "name" && is.in === "header") ? String(value).toLowerCase() : value;
  if (!keywords.every((keyword) => text(is[keyword], keyword) === text(was[keyword], keyword))) return false;
  return entriesOf(was.flows).every(([flow, old]) => {
    const kept = valueAt(is, `/flows/${flow}`);
    if (!isObject(kept) || !isObject(old)) return false;
    const isOffered = (scope: string): boolean => isObject(kept.scopes) && Object.hasOwn(kept.scopes, scope);
    return (
      ["authorizationUrl", "tokenUrl", "deviceAuthorizationUrl", "refreshUrl"].every(
        // A flow may get a URL in addition.
        (keyword) => old[keyword] === undefined || kept[keyword] === old[keyword],
      ) && entriesOf(old.scopes).every(([scope]) => !scopes.includes(scope) || isOffered(scope))
    );
  });
}

function labelOf(alternative: Alternative): string {
  if (alternative.length === 0) return "a call without credentials";
  return alternative
    .map(({ name, scopes }) => (scopes.length === 0 ? name : `${name} (${scopes.join(", ")})`))
    .join(" and ");
}
