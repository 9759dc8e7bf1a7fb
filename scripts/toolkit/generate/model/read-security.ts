import { nearestWord } from "#specbind/nearest-word";
import {
  entriesOf,
  follow,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  pointerTo,
  valueAt,
} from "../../openapi/document.ts";
import { isSendable } from "../../openapi/parameters.ts";
import type { Credentials, Operation, SecurityRequirement } from "../model.ts";
import type { ModelScope } from "./scope.ts";

/** An unsupported scheme becomes a requirement that no caller can satisfy, so a waiver never opens an operation. */
export function readSecurity(
  scope: ModelScope,
  pointer: string,
  value: Json | undefined,
): SecurityRequirement[][] {
  return listOf(value).map((alternative, index) =>
    entriesOf(alternative).map(([scheme, roles]) => {
      const place = pointerTo(pointer, index, scheme);
      const definition = follow(scope.document, pointerTo("/components/securitySchemes", scheme)).value;
      const credential = credentialOf(definition);
      if (credential !== "unknown" && credential !== "certificate")
        scope.sensitive.add(typeof credential === "object" ? credential.name : "Authorization");
      if (definition === undefined) scope.report("security", place, unknownScheme(scope.document, scheme));
      // Missing fields were reported before.
      else if (
        credential === "unknown" &&
        isObject(definition) &&
        definition.type !== undefined &&
        !isIncompleteKey(definition)
      )
        scope.report(
          "security",
          place,
          definition.type === "apiKey"
            ? `no request can have the key of the security scheme \`${scheme}\`, because HTTP does not allow all characters of its \`name\`; rename it`
            : `the security scheme \`${scheme}\` is not supported; use another \`type\`, or \`type: http\` with \`scheme: bearer\` or \`scheme: basic\``,
        );
      return { scheme, credential, roles: listOf(roles).map(String) };
    }),
  );
}

function unknownScheme(document: JsonObject, scheme: string): string {
  if (/^[^#]+[/#]|^[/.]/.test(scheme))
    return `a URL of another document is not supported here; write the name of a scheme, such as \`key\`, and define it with \`key: { $ref: "${scheme}" }\` in \`components/securitySchemes\``;
  const name = scheme.replace(/^.*\//, "");
  const defined = valueAt(document, "/components/securitySchemes");
  const nearest = nearestWord(name, isObject(defined) ? Object.keys(defined) : []);
  const fix =
    nearest === undefined
      ? `define it in \`components/securitySchemes\`, such as \`${name}: { type: http, scheme: bearer }\``
      : `did you mean \`${nearest}\`?`;
  return `there is no security scheme \`${scheme}\`; ${fix}`;
}

/** OAuth tokens are bearer tokens too, but they change, so a client needs a function that returns them. */
export function readCredentials(document: JsonObject, operations: readonly Operation[]): Credentials {
  const all = operations
    .flatMap(({ security }) => security.flat())
    .filter(({ credential }) => credential !== "unknown");
  const isKey = ({ scheme, credential }: SecurityRequirement): boolean =>
    credential === "bearer" &&
    valueAt(document, pointerTo("/components/securitySchemes", scheme, "type")) === "http";
  return all.every(isKey)
    ? {}
    : Object.fromEntries(all.map(({ scheme, credential }) => [scheme, credential]));
}

export function readSecretPrefixes(scope: ModelScope, pointer: string): string[] {
  return entriesOf(valueAt(scope.document, pointer)).flatMap(([scheme]) => {
    const { pointer: place, value } = follow(scope.document, pointerTo(pointer, scheme));
    const prefix = isObject(value) ? value["x-secret-prefix"] : undefined;
    if (prefix === undefined) return [];
    if (typeof prefix === "string" && prefix !== "") return [prefix];
    scope.report(
      "secret-prefix",
      pointerTo(place, "x-secret-prefix"),
      "`x-secret-prefix` must be a string; write one such as `sk_`",
    );
    return [];
  });
}

const keyPlaces: readonly unknown[] = ["header", "query", "cookie"];

function isIncompleteKey({ type, in: place, name }: JsonObject): boolean {
  return type === "apiKey" && (typeof name !== "string" || !keyPlaces.includes(place));
}

/** OAuth 2.0 and OpenID Connect use bearer tokens (RFC 6750). */
function credentialOf(definition: Json | undefined): SecurityRequirement["credential"] {
  if (!isObject(definition)) return "unknown";
  const { type, name } = definition;
  if (type === "mutualTLS") return "certificate";
  if (type === "oauth2" || type === "openIdConnect") return "bearer";
  const place = String(definition.in);
  if (type === "apiKey" && !isIncompleteKey(definition) && isSendable(place, String(name)))
    return { in: place, name: String(name) };
  const scheme = String(definition.scheme).toLowerCase();
  return type === "http" && (scheme === "bearer" || scheme === "basic") ? scheme : "unknown";
}
