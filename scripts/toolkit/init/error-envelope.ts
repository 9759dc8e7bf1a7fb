/** Makes the code of the errors that no handler of a new project returns, in the form of the document's other errors. */
import { statusOf } from "#specbind/client/mock";
import { type Contract, responseFor } from "#specbind/contract";
import { type PublicError, problemDetails } from "#specbind/server";
import { bodyKindOf } from "../conformance/media-types.ts";
import { modelOf } from "../conformance/operation-model.ts";
import { Code, javascript, literal } from "../generate/literal.ts";
import { generatedValues } from "../mock/generated-values.ts";
import { isObject, type Json, type JsonObject, pointerTo, valueAt } from "../openapi/document.ts";

const sample = {
  status: 404,
  code: "route_not_found",
  message: "No operation has this path.",
  requestId: "f81d4fae-7dec-41d0-a765-00a0c91e6bf6",
} as const satisfies PublicError;
type Field = keyof typeof sample;

/** The fields of an error for properties with usual names, by the type of the property. */
const fields: readonly (readonly [type: string, name: RegExp, field: Field])[] = [
  ["number", /^(http)?_?(error)?_?(status|code|statuscode|status_code)$/i, "status"],
  ["string", /message|detail|description|reason|^title$|^error$|^msg$/i, "message"],
  ["string", /code$|^type$/i, "code"],
  ["string", /(request|trace|correlation)_?id/i, "requestId"],
];

/** Each seed makes another value, which may lack the optional properties. */
const seeds = [1, 2, 3, 4, 5, 6, 7, 8];

/**
 * Returns the code of a function `errorEnvelope` and the media type of its errors. Returns undefined if the document's
 * errors are problem details, as the runtime's are, or if no property of its errors has a usual name.
 */
export function errorEnvelopeOf(
  document: JsonObject,
  contract: Contract,
): { readonly mediaType: string; readonly code: string } | undefined {
  const usual = usualError(document);
  if (usual === undefined) return undefined;
  const { id, status, mediaType } = usual;
  const checked = responseFor(contract.operations[id]?.responses ?? {}, statusOf(status))?.mediaTypes[
    mediaType
  ];
  const accepts = (body: unknown): boolean => checked?.validate?.(body, []) ?? true;
  const isProblem = accepts(problemDetails(sample).body);
  if (isProblem && mediaType === "application/problem+json") return undefined;
  for (const seed of seeds) {
    const body = generatedValues(document, contract, seed).response(id, status)?.body;
    const made = isObject(body) ? filled(structuredClone(body), accepts) : undefined;
    if (made !== undefined) return { mediaType, code: ofBody(mediaType, made) };
  }
  return isProblem ? { mediaType, code: ofProblems(mediaType) } : undefined;
}

/** The JSON body that most errors of the document have. */
function usualError(document: JsonObject) {
  const errors = modelOf(document).operations.flatMap(({ id, responses }) =>
    responses
      .filter(({ status }) => /^[45]|^default$/.test(status))
      .flatMap(({ status, mediaTypes }) => {
        const json = mediaTypes.find(({ mediaType }) => bodyKindOf(mediaType) === "json");
        return json === undefined || json.mediaType.includes("*") ? [] : [{ id, status, ...json }];
      }),
  );
  const groups = Map.groupBy(errors, ({ mediaType, at }) =>
    JSON.stringify([mediaType, valueAt(document, pointerTo(at, "schema"))]),
  );
  return [...groups.values()].toSorted((one, other) => other.length - one.length)[0]?.[0];
}

/** Replaces values by fields of the error, and removes what is optional. Returns undefined if neither text nor code has a place. */
function filled(body: JsonObject, accepts: (body: unknown) => boolean) {
  const used = new Set<Field>();
  const visit = (holder: JsonObject): object => {
    const code: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(holder)) {
      const tried = (other: Json | undefined): boolean => {
        if (other === undefined) delete holder[key];
        else holder[key] = other;
        if (!accepts(body)) holder[key] = value;
        return holder[key] === other;
      };
      const field = fields.find(([type, name]) => typeof value === type && name.test(key))?.[2];
      if (field !== undefined && tried(sample[field])) {
        used.add(field);
        code[key] = new Code(field);
        continue;
      }
      const isList = Array.isArray(value);
      const inner = isList ? value[0] : value;
      if (isObject(inner) && (!isList || tried([inner]))) {
        const before = used.size;
        const inside = visit(inner);
        if (used.size > before || !tried(undefined)) code[key] = isList ? [inside] : inside;
      } else if (!tried(undefined)) code[key] = value;
    }
    return code;
  };
  const code = visit(body);
  return used.has("message") || used.has("code") ? { code, used } : undefined;
}

function ofBody(mediaType: string, { code, used }: { code: object; used: ReadonlySet<Field> }): string {
  const names = [...new Set<string>(["status", ...used, "headers"])].join(", ");
  return `/** The errors that no handler returns, in the form of the document's other errors. */
const errorEnvelope: ErrorEnvelope = ({ ${names} }) => ({
  status,
  headers: { "Content-Type": ${JSON.stringify(mediaType)}, ...headers },
  body: ${literal(code, javascript, "  ")},
});
`;
}

function ofProblems(mediaType: string): string {
  return `/** The errors that no handler returns: problem details (RFC 9457) with the media type of the document's other errors. */
const errorEnvelope: ErrorEnvelope = (error) => {
  const { headers, ...response } = problemDetails(error);
  return { ...response, headers: { ...headers, "Content-Type": ${JSON.stringify(mediaType)} } };
};
`;
}
