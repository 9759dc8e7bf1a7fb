import { entriesOf, follow, isObject, type Json, pointerTo, valueAt } from "../../openapi/document.ts";
import { operationsIn } from "../../openapi/grammar.ts";
import type { LoadedSpec } from "../../openapi/load.ts";
import { parameterAt, parametersAt } from "../../openapi/parameters.ts";
import { isTwin, twinOf } from "../../openapi/twins.ts";
import type { Model, Operation, Response } from "../model.ts";
import { sensitiveNames } from "../sensitive.ts";
import { operationIds, pascal } from "./names.ts";
import { readContent, readContentTypes } from "./read-content.ts";
import { readHeaders, readParameters } from "./read-parameters.ts";
import { readSecretPrefixes, readSecurity } from "./read-security.ts";
import { ModelScope } from "./scope.ts";
import { reportUnenforced } from "./unenforced.ts";

/** A path segment has the characters that RFC 3986 allows, and parameters. Two parameters need text between them. */
const segmentForm = /^(?:\{[^{}]+\}(?!\{)|[\w.~!$&'()*+,;=:@-]|%[\dA-Fa-f]{2})*$/;
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
  for (const pointer of pointersOf("requestBodies")) readContent(scope, pointer, "Any");
  for (const pointer of pointersOf("responses")) {
    const { pointer: place, value } = follow(document, pointer);
    if (!isObject(value)) continue;
    readHeaders(scope, pointerTo(place, "headers"), value.headers, "Any");
    readContentTypes(scope, pointerTo(place, "content"), value.content, "response", "Any");
  }
  return [...pointersOf("schemas"), ...scope.names.uses.map(({ pointer }) => pointer)];
}

/** Parts that the contract cannot enforce are reported and left out of the model. */
export function modelOf(spec: LoadedSpec): Model {
  const scope = new ModelScope(spec);
  const { document } = scope;
  const { jsonSchemaDialect } = document;
  if (jsonSchemaDialect !== undefined && !dialectForm.test(String(jsonSchemaDialect)))
    scope.report(
      "schema-dialect",
      "/jsonSchemaDialect",
      "schemas are only read as draft 2020-12; remove this and write them in that draft",
    );

  reportUnenforced(scope);
  const ids = operationIds(document);
  const operations = entriesOf(document.paths).flatMap(([path, item]) => {
    if (path.startsWith("x-") || !isObject(item)) return [];
    const place = pointerTo("/paths", path);
    const unroutable = path.split("/").filter((segment) => !segmentForm.test(segment));
    for (const segment of unroutable)
      scope.report(
        "path-segment",
        place,
        /\}\{/.test(segment)
          ? `path segment \`${segment}\` is ambiguous; put text between its parameters`
          : `path segment \`${segment}\` has characters that are not allowed in a URL; percent-encode them`,
      );
    return operationsIn(item).flatMap(({ pointer: at, method, operation }): Operation[] => {
      if (isTwin(operation)) return [];
      const pointer = place + at;
      const id = ids.get(pointer) ?? "";
      const name = pascal(id);
      const security = operation.security === undefined ? "/security" : pointerTo(pointer, "security");
      const parameters = readParameters(scope, parametersAt(document, place, pointer), name);
      const declared = parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name);
      for (const template of unusualNames(path))
        if (!declared.includes(template))
          scope.report(
            "parameter",
            pointer,
            `the path parameter \`{${template}}\` is not declared; declare it under \`parameters\`, with \`in: path\``,
          );
      const requirements = readSecurity(scope, security, operation.security ?? document.security);
      const sentInQuery = requirements
        .flat()
        .find(({ sent }) => typeof sent === "object" && sent.in === "query");
      if (sentInQuery !== undefined && parameters.some((parameter) => parameter.in === "querystring"))
        scope.report(
          "parameter",
          pointer,
          `a \`querystring\` is the whole query, so the query cannot contain the API key of scheme ${sentInQuery.scheme}; send the key in a header`,
        );
      return [
        {
          id,
          pointer,
          method,
          path,
          twin: twinOf(document, pointer),
          isRouted: unroutable.length === 0,
          security: requirements,
          parameters,
          content: readContent(scope, pointerTo(pointer, "requestBody"), name),
          responses: readResponses(scope, pointerTo(pointer, "responses"), operation.responses, name),
        },
      ];
    });
  });
  const unmatched = readResponses(
    scope,
    "/x-unmatched-responses",
    document["x-unmatched-responses"],
    "Unmatched",
  );

  const secrets = scope.sensitive.union(sensitiveNames(document, scope.named));
  return {
    operations,
    unmatched,
    secretKeyPrefixes: readSecretPrefixes(scope, "/components/securitySchemes"),
    schemas: scope.names.uses,
    sensitive: [...secrets].toSorted(),
  };
}

function readResponses(
  scope: ModelScope,
  pointer: string,
  value: Json | undefined,
  operationName: string,
): Response[] {
  return entriesOf(value).flatMap(([status]) => {
    if (status.startsWith("x-")) return [];
    const own = pointerTo(pointer, status);
    const place = follow(scope.document, own);
    if (!/^(?:[2-5](?:\d\d|XX)|default)$/.test(status)) {
      scope.report(
        "response-status",
        own,
        `a response cannot have the status \`${status}\`; use a status from 200 to 599, a range such as 4XX, or default`,
      );
      return [];
    }
    if (!isObject(place.value)) return [];
    const hasNoBody = ["204", "205", "304"].includes(status);
    const isWrong = hasNoBody && entriesOf(place.value.content).length > 0;
    if (isWrong)
      scope.report(
        "media-type",
        pointerTo(own, "content"),
        `a response with the status ${status} has no body (RFC 9110); remove \`content\`, or use another status`,
      );
    // Other statuses may share the response and keep its content.
    const named = isWrong ? own : place.pointer;
    const name = scope.names.response(named, `${operationName}${pascal(status).replace(/^N/, "")}`);
    return [
      {
        name,
        status,
        headers: readHeaders(scope, pointerTo(place.pointer, "headers"), place.value.headers, name),
        mediaTypes: hasNoBody
          ? []
          : readContentTypes(
              scope,
              pointerTo(place.pointer, "content"),
              place.value.content,
              "response",
              name,
            ),
      },
    ];
  });
}
