/** Reads the parameters of a request, and checks a response, as the bytes that were sent. */
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { isObject, type Json, pointerTo } from "../openapi/document.ts";
import { evaluate, isValid, messageOf, violationsIn } from "../openapi/schema/evaluate.ts";
import { alternativeOf, type SchemaNode } from "../openapi/schema/schema-node.ts";
import { readBody, readQuerystring } from "./bodies.ts";
import { type Headers, type HttpRequest, type HttpResponse, headerOf, type Problem } from "./exchange.ts";
import { bodyKindOf, matchingMediaType, parseMediaType } from "./media-types.ts";
import type { OperationModel, ParameterModel, ResponseModel } from "./operation-model.ts";
import { matchPath, pathOf, queryOf } from "./routes.ts";
import { pairsIn, type Reading, readPairs, readText } from "./styles.ts";
import { OperationTime } from "./time-budget.ts";

/** Reads a parameter's value from a request, without validation. Returns undefined if the parameter is absent. */
export function readParameter(
  operation: Pick<OperationModel, "path" | "parameters">,
  { target, headers }: Pick<HttpRequest, "target" | "headers">,
  parameter: ParameterModel,
): Reading | undefined {
  const { in: place, name } = parameter;
  if (place === "path") {
    const text = matchPath(operation.path, pathOf(target))?.get(name);
    return text === undefined ? undefined : readText(parameter, text);
  }
  if (place === "header") {
    const text = headerOf(headers, name);
    return text === undefined ? undefined : readText(parameter, text);
  }
  if (place === "querystring") {
    const query = queryOf(target) ?? "";
    const read = readQuerystring(parameter, query);
    const isAbsent = query === "" && !("value" in read && isValid(parameter.node, read.value));
    return isAbsent && !(parameter.required && "value" in read) ? undefined : read;
  }
  const others = operation.parameters.filter((each) => each.in === place && each !== parameter);
  const pairs = place === "query" ? pairsIn(queryOf(target), "&") : pairsIn(headerOf(headers, "cookie"), ";");
  return readPairs(parameter, pairs, others);
}

/** @param permitted headers that a response may have without a declaration. If undefined, it may have any header */
export function responseProblems(
  responses: readonly ResponseModel[],
  method: string,
  { status, headers, body }: HttpResponse,
  permitted?: readonly string[],
  time = new OperationTime(),
): Problem[] {
  const documented = responseFor(responses, status);
  if (documented === undefined) return [problemOf("status", `${status} is not documented`)];
  const ofHeaders = documented.headers.flatMap((header) => {
    const text = headerOf(headers, header.name);
    const pointer = pointerTo("", header.name);
    if (text !== undefined)
      return readingProblems("header", pointer, header.node, readText(header, text), time);
    return header.required ? [{ in: "header", pointer, message: "is required" }] : [];
  });
  return [
    ...ofHeaders,
    ...repeated(headers, documented),
    ...cookieProblems(headers),
    ...(status === 204 && headerOf(headers, "content-length") !== undefined
      ? [headerProblem("Content-Length", "is not allowed with status 204")]
      : []),
    ...(method === "HEAD" ? [] : bodyProblems(documented, { status, headers, body }, time)),
    ...(permitted === undefined
      ? []
      : undeclared(headers, [...permitted, ...documented.headers.map(({ name }) => name)])),
  ];
}

function headerProblem(name: string, message: string): Problem {
  return { in: "header", pointer: pointerTo("", name), message };
}

/** Headers that are not lists (RFC 9110, section 5.3). */
const singleHeaders = ["content-type", "content-length", "location", "etag", "last-modified", "retry-after"];

function repeated(headers: Headers, documented: ResponseModel): Problem[] {
  const single = documented.headers.filter(({ node }) => alternativeOf(node, "array") === undefined);
  const names = [...singleHeaders, ...single.map(({ name }) => name.toLowerCase())];
  const sent = headers.map(([name]) => name.toLowerCase()).filter((name) => name !== "set-cookie");
  const twice = new Set(sent.filter((name, at) => names.includes(name) && sent.indexOf(name) !== at));
  return [...twice].map((name) => headerProblem(name, "occurs twice"));
}

/** RFC 6265, section 4.1.1. */
const cookie =
  /^[\w!#$%&'*+.^`|~-]+=("?)[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*\1(?:; *(?:max-age=-?\d+|expires=\w{3}, \d\d[ -]\w{3}[ -]\d{4} \d\d:\d\d:\d\d GMT|(?!max-age|expires)[^;]+))*$/i;

function cookieProblems(headers: Headers): Problem[] {
  return headers
    .filter(([name, value]) => name.toLowerCase() === "set-cookie" && !cookie.test(value))
    .map(() => headerProblem("Set-Cookie", "is not a cookie"));
}

/** Decodes the content codings of a body. Undefined if it does not have them, or if one is unknown. */
function decoded(headers: Headers, body: Uint8Array): Uint8Array | undefined {
  const codings = (headerOf(headers, "content-encoding") ?? "").toLowerCase().split(/ *, */);
  try {
    return codings.reduceRight((bytes, coding) => decoders[coding]?.(bytes) ?? bytes, body);
  } catch {
    return undefined;
  }
}

const decoders: { readonly [coding: string]: (bytes: Uint8Array) => Uint8Array } = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

function bodyProblems(
  { mediaTypes }: ResponseModel,
  { status, headers, body }: HttpResponse,
  time: OperationTime,
): Problem[] {
  const contentType = headerOf(headers, "content-type");
  if (mediaTypes.length === 0)
    return body.byteLength === 0 ? [] : [problemOf("content", "is not documented")];
  if (contentType === undefined) return [problemOf("media type", "is missing")];
  const found = matchingMediaType(contentType, mediaTypes);
  const { essence } = parseMediaType(contentType);
  if (found === undefined) {
    const documented = mediaTypes.map(({ mediaType }) => mediaType).join(", ");
    return [problemOf("media type", `${essence} is not documented, only ${documented}`)];
  }
  const bytes = decoded(headers, body);
  if (bytes === undefined) return [problemOf("content", "does not have its content coding")];
  // JSON is UTF-8 (RFC 8259, section 8.1).
  if (bodyKindOf(essence) === "json" && !isUtf8(contentType))
    return [problemOf("media type", "has a charset other than UTF-8")];
  const read = readBody(found, contentType, bytes);
  if ("problem" in read) return [problemOf("content", `cannot be read as ${essence}`)];
  if (bodyKindOf(essence) === "json" && hasNameTwice(bytes, read.value))
    return [problemOf("content", "has a name twice")];
  // RFC 9457, section 3.1.2.
  const named =
    essence === "application/problem+json" && isObject(read.value) ? read.value.status : undefined;
  if (typeof named === "number" && named !== status)
    return [{ in: "body", pointer: "/status", message: `is not the status of the response, ${status}` }];
  return readingProblems("body", "", found.node, read, time);
}

/** Readers differ in which of the values they use (RFC 8259, section 4). */
function hasNameTwice(bytes: Uint8Array, value: Json): boolean {
  const tokens = Buffer.from(bytes)
    .toString()
    .matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g);
  const namesIn = (held: Json): number =>
    typeof held !== "object" || held === null
      ? 0
      : Object.values(held).reduce<number>(
          (sum, each) => sum + namesIn(each),
          Array.isArray(held) ? 0 : Object.keys(held).length,
        );
  return [...tokens].filter(([, colon]) => colon !== undefined).length > namesIn(value);
}

function isUtf8(contentType: string): boolean {
  return /^utf-?8$/.test(parseMediaType(contentType).parameters.get("charset") ?? "utf-8");
}

function problemOf(place: Problem["in"], message: string): Problem {
  return { in: place, pointer: "", message };
}

function readingProblems(
  place: Problem["in"],
  pointer: string,
  node: SchemaNode,
  read: Reading,
  time: OperationTime,
): Problem[] {
  if ("problem" in read) return [{ in: place, pointer, message: read.problem }];
  const visits = time.measureOrSkip(() => evaluate(node, read.value)) ?? [];
  return violationsIn(visits).map((violation) => ({
    in: place,
    pointer: pointer + violation.pointer,
    message: messageOf(violation),
  }));
}

/** The response for the status, else for its class, else `default` (OpenAPI 3.1, Responses Object). */
export function responseFor(responses: readonly ResponseModel[], status: number): ResponseModel | undefined {
  const keys = [String(status), `${Math.trunc(status / 100)}XX`, "default"];
  const found = keys.map((key) => responses.find((each) => each.status === key));
  return found.find((each) => each !== undefined);
}

/** Headers that need no declaration: those of HTTP itself (RFC 9110, RFC 9112), and of browsers (Fetch standard). */
const headersOfHttp = [
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "date",
  "keep-alive",
  "transfer-encoding",
  "vary",
  "x-content-type-options",
];

function undeclared(headers: Headers, declared: readonly string[]): Problem[] {
  const known = new Set([...headersOfHttp, ...declared].map((name) => name.toLowerCase()));
  return [...new Set(headers.map(([name]) => name))]
    .filter((name) => !known.has(name.toLowerCase()))
    .map((name) => ({ in: "header", pointer: pointerTo("", name), message: "is not declared" }));
}
