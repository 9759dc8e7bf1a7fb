/** Renders `operations.ts` for callers. It contains no validators, so that a client stays small. */
import type { Shape } from "#specbind/contract";
import type { Model, Operation, Parameter } from "./model.ts";
import { banner, quoted } from "./source-text.ts";

/** @param runtime what the names of the runtime's modules begin with */
export function renderOperations(
  { operations, credentials, secretKeyPrefixes }: Model,
  runtime: string,
): string {
  const hasSchemes = Object.keys(credentials).length > 0;
  return `${banner}
import type { CredentialDescription, OperationDescription } from "${runtime}/contract";

/** Keys with these prefixes are secret and must not be used in a page or an app. */
export const secretKeyPrefixes: readonly string[] = ${quoted(secretKeyPrefixes)};

/** The credentials, keyed by security scheme. Empty if all of them are bearer tokens. */
export const credentials = ${quoted(credentials)} as const satisfies { readonly [scheme: string]: CredentialDescription };

const json = ["application/json"] as const;

export const operations = {
${operations.map((each) => renderOperation(each, hasSchemes)).join("")}} as const satisfies { readonly [operationId: string]: OperationDescription };
`;
}

function renderOperation(operation: Operation, hasSchemes: boolean): string {
  const { id, method, path, twin, parameters, content, responses } = operation;
  const lines = [`  ${id}: {`, `    method: ${quoted(method)},`, `    path: ${quoted(path)},`];
  if (twin !== undefined) lines.push(`    twin: ${quoted(twin.method)},`);
  const written = parameters.filter((each) => each.in !== "path" || isNoPlainText(each));
  if (written.length > 0)
    lines.push("    parameters: [", ...written.map((parameter) => `      ${describe(parameter)},`), "    ],");
  if (content !== undefined) {
    const mediaTypes = namesOf(content.mediaTypes);
    const fallback = content.default === undefined ? "" : `, default: ${quoted(content.default)}`;
    lines.push(`    content: { required: ${content.required}, mediaTypes: ${mediaTypes}${fallback} },`);
  }
  if (hasSchemes) {
    const alternatives = operation.security.map((all) => all.map(({ scheme }) => scheme));
    lines.push(`    security: ${quoted(alternatives)},`);
  }
  const streams = streamsOf(operation);
  if (streams.length > 0) lines.push(`    streams: ${quoted(streams)},`);
  lines.push("    responses: {");
  for (const { status, mediaTypes } of responses) {
    lines.push(`      ${/^\d+$/.test(status) ? status : quoted(status)}: ${namesOf(mediaTypes)},`);
  }
  lines.push("    },", "  },", "");
  return lines.join("\n");
}

export function streamsOf({ responses }: Operation): string[] {
  const all = responses.flatMap(({ mediaTypes }) => mediaTypes.filter(({ isStream }) => isStream));
  return [...new Set(all.map(({ mediaType }) => mediaType))];
}

function namesOf(mediaTypes: readonly { readonly mediaType: string }[]): string {
  const names = quoted(mediaTypes.map(({ mediaType }) => mediaType));
  // The short form saves bytes in pages, because nearly every status has this media type.
  return names === '["application/json"]' ? "json" : names;
}

export function isNoPlainText({ in: place, name, type, style, mediaType }: Parameter): boolean {
  if (place === "querystring") return true;
  if (place !== "path" && place !== "query") return false;
  return style !== undefined || mediaType !== undefined || !isScalar(type) || !isPlainName[place](name);
}

/** False for names that openapi-fetch treats as a style or does not encode. */
const isPlainName = {
  path: (name: string) => !/^[.;]|\*$/.test(name),
  query: (name: string) => encodeURIComponent(name) === name,
};

function isScalar(type: Shape): boolean {
  return typeof type === "string" || (Array.isArray(type) && type.every(isScalar));
}

function describe({ in: place, name, style, explode, mediaType }: Parameter): string {
  return quoted({ in: place, name, style, explode, mediaType });
}
