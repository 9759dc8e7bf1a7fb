/** Makes requests and responses if a document has no valid example. The same seed makes the same values. */
import fc from "fast-check";
import { statusOf, streamOf } from "#specbind/client/mock";
import {
  type Contract,
  type OperationContract,
  type ResponseContract,
  responseFor,
  type Validate,
} from "#specbind/contract";
import { bodyKindOf } from "#specbind/media-type";
import { writeBody } from "../conformance/bodies.ts";
import type { HttpRequest } from "../conformance/exchange.ts";
import {
  type MediaTypeModel,
  modelOf,
  type OperationModel,
  type ResponseModel,
  usualMediaType,
} from "../conformance/operation-model.ts";
import { type ParameterValues, writeRequest } from "../conformance/requests.ts";
import { writeText } from "../conformance/styles.ts";
import { sample } from "../conformance/values/arbitraries.ts";
import { bounded, hasFormat } from "../conformance/values/keywords.ts";
import { noValueMessage } from "../conformance/values/least-size.ts";
import { valuesOf } from "../conformance/values/values.ts";
import { type Json, type JsonObject, listOf, pointerTo, valueAt } from "../openapi/document.ts";
import { isValid } from "../openapi/schema/evaluate.ts";
import { type NodeOf, nodesOf, type SchemaNode } from "../openapi/schema/schema-node.ts";
import type { Direction } from "../openapi/schema/schema-view.ts";

interface GeneratedResponse {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json | Uint8Array | undefined;
}

export interface GeneratedValues {
  /** @param key a status, a class such as `4XX`, or `default`. @returns undefined if no value is found */
  response(operationId: string, key: string): GeneratedResponse | undefined;
  /** A valid request for each operation, with the document's examples. Undefined if no valid request is found. */
  requests(credentialFor: CredentialFor): ReadonlyMap<OperationModel, HttpRequest | undefined>;
}

export type CredentialFor = (security: OperationModel["security"]) => string | undefined;

/** The numbers of values to try. Some combinations of keywords are only checked, so a value may be invalid. */
const tries = [1, 8, 40];
/** Optional parts are made until a value contains about this number of values, and then only required ones. */
const sizes = [200, 0];

/**
 * @param json an OpenAPI 3.1 document with local references only
 * @param report is called with the schema and the reason if no value is found
 */
export function generatedValues(
  json: object,
  contract: Contract,
  seed: number,
  report = (_message: string): void => {},
): GeneratedValues {
  const document = json as JsonObject;
  const { operations } = modelOf(document);
  const make = makerOf(document, seed, report);
  return {
    response(operationId, key) {
      const operation = operations.find(({ id }) => id === operationId);
      const response = operation?.responses.find(({ status }) => status === key);
      const checked = responseFor(contract.operations[operationId]?.responses ?? {}, statusOf(key));
      // The header shows clients that this is not an example.
      const headers = { "X-Mock-Generated": `seed=${seed}` };
      return response && responseOf({ make, document, response, checked, headers });
    },
    requests: (credentialFor) =>
      new Map(
        operations.map((operation) => [
          operation,
          requestOf(make, operation, contract.operations[operation.twinOf ?? operation.id], credentialFor),
        ]),
      ),
  };
}

/** Makes a value for a schema. Returns undefined if none is found. */
type Make = (
  { node, at }: { readonly node: SchemaNode; readonly at: string },
  direction: Direction,
  validate: Validate | undefined,
) => Json | undefined;

function makerOf(document: JsonObject, seed: number, report: (message: string) => void): Make {
  const legible = {
    request: legibleNodes(document, "request"),
    response: legibleNodes(document, "response"),
  };
  return ({ node, at }, direction, validate) => {
    const whole = { allOf: [...node.parts, ...node.unions.map(({ schema }) => schema)] };
    for (const size of sizes)
      for (const values of [valuesOf(legible[direction](whole), [], size), valuesOf(node, [], size)])
        for (const numRuns of values === undefined ? [] : tries) {
          const found = sample(values ?? fc.constant(null), { seed, numRuns });
          const valid = found.find((value) => validate?.(value, []) ?? true);
          if (valid !== undefined) return valid;
        }
    report(noValueMessage(node, `#${pointerTo(at, "schema")}`));
    return undefined;
  };
}

function requestOf(
  make: Make,
  operation: OperationModel,
  checked: OperationContract | undefined,
  credentialFor: CredentialFor,
): HttpRequest | undefined {
  const parameters: { -readonly [P in keyof ParameterValues]: ParameterValues[P] } = {};
  for (const parameter of operation.parameters) {
    const { in: place, name, examples, required } = parameter;
    const own = checked?.parameters.find((each) => each.in === place && each.name === name);
    const example = examples.find((value) => own?.validate(value, []));
    const value = example ?? (required ? make(parameter, "request", own?.validate) : undefined);
    if (value === undefined && required) return undefined;
    if (value !== undefined) parameters[place] = { ...parameters[place], [name]: value };
  }
  const mediaType = usualMediaType(operation);
  const { validate } = checked?.requestBody?.mediaTypes[mediaType?.mediaType ?? ""] ?? {};
  const example = [...(mediaType?.examples.values() ?? [])].find((each) => validate?.(each, []) ?? true);
  const isBodySent = operation.body?.required || ["POST", "PUT", "PATCH", "QUERY"].includes(operation.method);
  const value = example ?? (mediaType && isBodySent ? make(mediaType, "request", validate) : undefined);
  if (value === undefined && operation.body?.required) return undefined;
  const sendable = operation.security.find((each) =>
    each.every(({ credential }) => credential !== "unknown"),
  );
  const key = credentialFor(operation.security);
  const credentials = (key === undefined ? [] : (sendable ?? [])).map((requirement) => ({
    requirement,
    text: requirement.credential === "basic" ? `user:${key}` : String(key),
  }));
  const body = mediaType && value !== undefined ? writeBody(asJson(mediaType), value) : undefined;
  return writeRequest(operation, { parameters, body, credentials });
}

function responseOf({
  make,
  document,
  response,
  checked,
  headers: fixed,
}: {
  readonly make: Make;
  readonly document: JsonObject;
  readonly response: ResponseModel;
  readonly checked: ResponseContract | undefined;
  readonly headers: GeneratedResponse["headers"];
}): GeneratedResponse | undefined {
  const headers: Record<string, string> = { ...fixed };
  for (const { required, ...style } of response.headers) {
    const own = checked?.headers.find(({ name }) => name === style.name);
    // The server sets this header.
    if (!required || style.name.toLowerCase() === "x-request-id") continue;
    const value = make(style, "response", own?.validate);
    if (value !== undefined) headers[style.name] = writeText(style, value);
  }
  const isJson = ({ mediaType }: MediaTypeModel) => bodyKindOf(mediaType) === "json";
  const mediaType = response.mediaTypes.find(isJson) ?? response.mediaTypes[0];
  if (mediaType === undefined) return { headers, body: undefined };
  const itemSchema = valueAt(document, pointerTo(mediaType.at, "itemSchema"));
  if (itemSchema !== undefined) {
    const node = nodesOf(document, "response", hasFormat)(itemSchema);
    const item = make({ node, at: mediaType.at }, "response", undefined);
    if (item === undefined) return undefined;
    const body = streamOf(mediaType.mediaType, [item]);
    return { headers: { "Content-Type": mediaType.mediaType, ...headers }, body };
  }
  const value = make(mediaType, "response", checked?.mediaTypes[mediaType.mediaType]?.validate);
  if (value === undefined) return undefined;
  const written = writeBody(asJson(mediaType), value);
  const kind = bodyKindOf(written.mediaType);
  const body = kind === "json" ? value : kind === "text" ? String(value) : written.bytes;
  return { headers: { "Content-Type": written.mediaType, ...headers }, body };
}

/** Any media type may be JSON. */
function asJson<Described extends { readonly mediaType: string }>(described: Described): Described {
  return described.mediaType === "*/*" ? { ...described, mediaType: "application/json" } : described;
}

/** Schemas that allow only examples, short words and small numbers. A value may violate another part of the schema. */
function legibleNodes(document: JsonObject, direction: Direction): NodeOf {
  const nodeOf = nodesOf(document, direction, hasFormat);
  return nodesOf(document, direction, hasFormat, (part) => bounded(legible(part, nodeOf)));
}

function legible(part: JsonObject, nodeOf: NodeOf): JsonObject {
  const { example, examples, default: usual } = part;
  const listed = [example, ...listOf(examples), usual].flatMap((each) => (each === undefined ? [] : [each]));
  const known = listed.filter((value) => isValid(nodeOf(part), value));
  if (known.length > 0) return { ...part, enum: known };
  const types = [part.type ?? []].flat();
  if (types.includes("string")) return { ...wordOf(part), ...part };
  if (types.includes("array")) return { minItems: Math.min(1, Number(part.maxItems ?? 1)), ...part };
  return types.includes("integer") || types.includes("number") ? { ...numberOf(part), ...part } : part;
}

/** Longer strings are not words. */
const mostOfWord = 100;

function wordOf({ minLength, maxLength, format, contentEncoding }: JsonObject): JsonObject {
  if (contentEncoding === "base64") return { pattern: "^([a-z]{4})+$" };
  if (format !== undefined) return {};
  const least = Math.max(Number(minLength ?? 0), Math.min(Number(maxLength ?? 4), 4));
  if (least > mostOfWord) return {};
  return { pattern: `^[a-z]{${least},${Math.min(Number(maxLength ?? Infinity), least + 4)}}$` };
}

function numberOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonObject): JsonObject {
  const isBounded = [minimum, maximum, exclusiveMinimum, exclusiveMaximum].some((each) => each !== undefined);
  return isBounded ? {} : { minimum: 1, maximum: 1000, multipleOf: 0.5 };
}
