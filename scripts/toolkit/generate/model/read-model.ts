import { isDeepStrictEqual } from "node:util";
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
import { operationsIn } from "../../openapi/grammar.ts";
import type { LoadedSpec } from "../../openapi/load.ts";
import { parameterAt, parametersAt } from "../../openapi/parameters.ts";
import { isTwin, twinOf } from "../../openapi/twins.ts";
import type { Model, Operation, Response } from "../model.ts";
import { sensitiveNames } from "../sensitive.ts";
import { operationIds, pascal } from "./names.ts";
import { reportAmbiguous } from "./path-segments.ts";
import { readErrorCodes } from "./read-error-codes.ts";
import { readMediaTypes, readRequestBody } from "./read-media-types.ts";
import { readHeaders, readParameters } from "./read-parameters.ts";
import { readCredentials, readSecretPrefixes, readSecurity } from "./read-security.ts";
import { ModelScope } from "./scope.ts";

/** A path segment has the characters that RFC 3986 allows, and parameters. */
const segmentForm = /^(?:\{[^{}]+\}|[\w.~!$&'()*+,;=:@-]|%[\dA-Fa-f]{2})*$/;
/** Dialects without additional keywords. */
const dialectForm =
  /^https:\/\/(?:json-schema\.org\/draft\/2020-12\/schema$|spec\.openapis\.org\/oas\/3\.1\/)/;

/** Names that Redocly does not recognise. If they are not declared, Redocly does not report them. */
function unusualNames(path: string): string[] {
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]) => name);
  return names.filter((name) => !/^[\w.-]+$/.test(name));
}

/**
 * Pointers to all schemas of components, including those inside parameters, bodies and responses. Reports parts that
 * cannot be enforced, even if no operation uses the component.
 */
export function componentSchemas(spec: LoadedSpec): string[] {
  const scope = new ModelScope(spec);
  const { document } = scope;
  const pointersOf = (section: string): string[] => {
    const place = pointerTo("/components", section);
    return entriesOf(valueAt(document, place)).map(([name]) => pointerTo(place, name));
  };
  const parameters = pointersOf("parameters").flatMap((pointer) => parameterAt(document, pointer) ?? []);
  readParameters(scope, parameters, "Any");
  for (const pointer of pointersOf("requestBodies")) readRequestBody(scope, pointer, "Any");
  for (const pointer of pointersOf("responses")) {
    const { pointer: place, value } = follow(document, pointer);
    if (!isObject(value)) continue;
    readHeaders(scope, pointerTo(place, "headers"), value.headers, "Any");
    readMediaTypes(scope, pointerTo(place, "content"), value.content, "response", "Any");
  }
  return [...pointersOf("schemas"), ...scope.names.uses.map(({ pointer }) => pointer)];
}

/** Parameters that the contract cannot enforce are reported and left out of the model. */
export function modelOf(spec: LoadedSpec): Model {
  const scope = new ModelScope(spec);
  const { document } = scope;
  const { jsonSchemaDialect } = document;
  if (jsonSchemaDialect !== undefined && !dialectForm.test(String(jsonSchemaDialect)))
    scope.report(
      "schema-dialect",
      "/jsonSchemaDialect",
      "schemas are only read as JSON Schema 2020-12, the default of OpenAPI 3.1; remove this line",
    );
  const ids = operationIds(document);
  const operations = entriesOf(document.paths).flatMap(([path, item]) =>
    path.startsWith("x-") ? [] : readPath(scope, ids, path, item),
  );
  const unmatched = readResponses(
    scope,
    "/x-unmatched-responses",
    document["x-unmatched-responses"],
    "Unmatched",
  );
  const clientPackage = valueAt(document, "/info/x-client-package");
  const secrets = scope.sensitive.union(sensitiveNames(document, scope.named));
  return {
    clientPackage: typeof clientPackage === "string" ? clientPackage : undefined,
    operations,
    unmatched,
    errorCodes: readErrorCodes(document, operations),
    credentials: readCredentials(document, operations),
    secretKeyPrefixes: readSecretPrefixes(scope, "/components/securitySchemes"),
    schemas: scope.names.uses,
    sensitive: [...secrets].toSorted(),
  };
}

/** @param holders the pointers of the operation, of its path and of the document. The first one with servers counts */
function baseUrlOf(document: JsonObject, holders: readonly string[]): string {
  const place = holders
    .map((holder) => pointerTo(holder, "servers", 0))
    .find((server) => valueAt(document, server) !== undefined);
  const template = String(valueAt(document, `${place}/url`) ?? "/");
  const url = template.replaceAll(/\{([^{}]*)\}/g, (_, name: string) =>
    String(valueAt(document, pointerTo(`${place}/variables`, name, "default")) ?? name),
  );
  const host = "https://api.example.com";
  if (URL.canParse(url)) return url;
  return URL.canParse(url, host) ? new URL(url, host).href : host;
}

function readPath(
  scope: ModelScope,
  ids: ReadonlyMap<string, string>,
  path: string,
  item: Json,
): Operation[] {
  const place = pointerTo("/paths", path);
  const unroutable = path.split("/").filter((segment) => !segmentForm.test(segment));
  for (const segment of unroutable)
    scope.report(
      "path-segment",
      place,
      `path segment \`${segment}\` has characters that are not allowed in a URL; ${urlFix(segment)}`,
    );
  noteServers(scope, place);
  return operationsIn(item).flatMap(({ pointer: at, method, operation }): Operation[] => {
    if (isTwin(operation)) return [];
    const pointer = place + at;
    const id = ids.get(pointer) ?? "";
    const name = pascal(id);
    const parameters = readParameters(scope, parametersAt(scope.document, place, pointer), name);
    const ofOperation = operation.security === undefined ? "/security" : pointerTo(pointer, "security");
    const security = readSecurity(scope, ofOperation, operation.security ?? scope.document.security);
    reportParameters(scope, pointer, path, parameters, security);
    noteServers(scope, pointer);
    const isAmbiguous = reportAmbiguous(scope, place, path, parameters);
    return [
      {
        id,
        pointer,
        method,
        path,
        twin: twinOf(scope.document, pointer),
        baseUrl: baseUrlOf(scope.document, [pointer, place, ""]),
        isRouted: unroutable.length === 0 && !isAmbiguous,
        security,
        parameters,
        requestBody: readRequestBody(scope, pointerTo(pointer, "requestBody"), name),
        responses: readResponses(scope, pointerTo(pointer, "responses"), operation.responses, name),
      },
    ];
  });
}

function urlFix(segment: string): string {
  const outside = segment.replaceAll(/\{[^{}]+\}/g, "");
  if (/[{}]/.test(outside)) return "write a parameter between two braces, such as `{id}`";
  const forbidden = /\{[^{}]+\}|[^\w.~!$&'()*+,;=:@%-]|%(?![\dA-Fa-f]{2})/gu;
  const encoded = segment.replaceAll(forbidden, (each) =>
    each.startsWith("{") ? each : encodeURIComponent(each.toWellFormed()),
  );
  return `write \`${encoded}\``;
}

function noteServers(scope: ModelScope, holder: string): void {
  const own = valueAt(scope.document, pointerTo(holder, "servers"));
  if (listOf(own).length === 0 || isDeepStrictEqual(own, scope.document.servers)) return;
  scope.note(
    "servers",
    pointerTo(holder, "servers"),
    "only code samples use these URLs: a client sends every request to its own `baseUrl`, so make another client for them",
  );
}

/** Reports what parameters of an operation lack, and what they exclude. */
function reportParameters(
  scope: ModelScope,
  pointer: string,
  path: string,
  parameters: Operation["parameters"],
  security: Operation["security"],
): void {
  const declared = parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name);
  for (const name of unusualNames(path))
    if (!declared.includes(name))
      scope.report(
        "parameter",
        pointer,
        `the path has \`{${name}}\`, but no parameter has this name; add \`{ name: ${name}, in: path, required: true, schema: { type: string } }\` to \`parameters\``,
      );
  const inQuery = security
    .flat()
    .find(({ credential }) => typeof credential === "object" && credential.in === "query");
  if (inQuery !== undefined && parameters.some((parameter) => parameter.in === "querystring"))
    scope.report(
      "parameter",
      pointer,
      `a \`querystring\` is the whole query, so it leaves no place for an API key; write \`in: header\` in the security scheme \`${inQuery.scheme}\``,
    );
}

function readResponses(
  scope: ModelScope,
  pointer: string,
  value: Json | undefined,
  operationName: string,
): Response[] {
  return entriesOf(value).flatMap(([status]) => {
    if (status.startsWith("x-")) return [];
    const place = follow(scope.document, pointerTo(pointer, status));
    if (!isObject(place.value)) return [];
    const name = scope.names.response(place.pointer, `${operationName}${pascal(status).replace(/^N/, "")}`);
    const { headers, content } = place.value;
    return [
      {
        name,
        status,
        headers: readHeaders(scope, pointerTo(place.pointer, "headers"), headers, name),
        mediaTypes: readMediaTypes(scope, pointerTo(place.pointer, "content"), content, "response", name),
      },
    ];
  });
}
