/** Renders `operations.ts` for callers. It contains no validators, so that a client stays small. */
import type { Shape } from "#specbind/contract";
import { Code, generated, literal } from "./literal.ts";
import type { Model, Operation, Parameter } from "./model.ts";
import { banner, format } from "./source-text.ts";

/** @param runtime what the names of the runtime's modules begin with */
export function renderOperations(
  { operations, credentials, secretKeyPrefixes }: Model,
  runtime: string,
): string {
  const hasSchemes = Object.keys(credentials).length > 0;
  const described = operations.map((operation) => [operation.id, describe(operation, hasSchemes)]);
  return `${banner}
import type { CredentialDescription, Format, OperationDescription } from "${runtime}/contract";

/** A compile error here means that the installed runtime has another version than the generator. */
export const format: Format = ${format};

/** Keys with these prefixes are secret and must not be used in a page or an app. */
export const secretKeyPrefixes: readonly string[] = ${literal(secretKeyPrefixes, generated)};

/** The credentials, keyed by security scheme. Empty if all of them are bearer tokens. */
export const credentials = ${literal(credentials, generated)} as const satisfies { readonly [scheme: string]: CredentialDescription };

const json = ["application/json"] as const;

export const operations = ${literal(Object.fromEntries(described), generated)} as const satisfies { readonly [operationId: string]: OperationDescription };
`;
}

function describe(operation: Operation, hasSchemes: boolean): object {
  const { method, path, twin, requestBody, responses, security } = operation;
  const written = operation.parameters.filter((each) => each.in !== "path" || isNoPlainText(each));
  const parameters = written.map(({ in: place, name, style, explode, mediaType }) => ({
    in: place,
    name,
    style,
    explode,
    mediaType,
  }));
  const streams = streamsOf(operation);
  return {
    method,
    path,
    twin: twin?.method,
    parameters: parameters.length > 0 ? parameters : undefined,
    requestBody: requestBody && {
      required: requestBody.required,
      mediaTypes: namesOf(requestBody.mediaTypes),
      default: requestBody.default,
    },
    security: hasSchemes ? security.map((all) => all.map(({ scheme }) => scheme)) : undefined,
    streams: streams.length > 0 ? streams : undefined,
    responses: Object.fromEntries(responses.map((each) => [each.status, namesOf(each.mediaTypes)])),
  };
}

export function streamsOf({ responses }: Operation): string[] {
  const all = responses.flatMap(({ mediaTypes }) => mediaTypes.filter(({ isStream }) => isStream));
  return [...new Set(all.map(({ mediaType }) => mediaType))];
}

/** The short form saves bytes in pages, because nearly every status has this media type. */
function namesOf(mediaTypes: readonly { readonly mediaType: string }[]): string[] | Code {
  const names = mediaTypes.map(({ mediaType }) => mediaType);
  return names.join(", ") === "application/json" ? new Code("json") : names;
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
