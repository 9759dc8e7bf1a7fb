/** Adds the first example of each operation as `x-codeSamples`. Scalar's own samples do not have the body of a GET. */
import { examplesAt } from "#specbind/document-examples";
import {
  copyOf,
  follow,
  isObject,
  itemPointers,
  type Json,
  type JsonObject,
  pointerTo,
  valueAt,
} from "../../openapi/document.ts";
import { kindOf } from "../model/read-content.ts";
import type { Model, Operation, Parameter } from "../model.ts";
import { clientCall } from "./client-call.ts";
import { curlSample, javascriptSample, pythonSample } from "./http-samples.ts";
import { sampleRequest } from "./sample-request.ts";
import { sampleValue } from "./sample-value.ts";

const extension = "x-codeSamples";

/** @param spec the document as callers see it. @returns a copy that keeps existing samples */
export function withCodeSamples(document: JsonObject, spec: JsonObject, { operations }: Model): JsonObject {
  const copy = copyOf(document);
  for (const operation of operations)
    for (const { method, pointer } of [operation, operation.twin ?? []].flat()) {
      const object = valueAt(copy, pointer);
      if (!isObject(object) || object[extension] !== undefined) continue;
      const samples = samplesOf(spec, operation, method);
      if (samples.length > 0) object[extension] = samples;
    }
  return copy;
}

function samplesOf(document: JsonObject, operation: Operation, method: string): Json[] {
  const { id, path, security } = operation;
  const baseUrl = baseUrlOf(document);
  const parameters = operation.parameters.flatMap((parameter) => {
    const value = parameterValue(document, operation, parameter);
    return value === undefined ? [] : [{ ...parameter, value }];
  });
  const body = bodyOf(document, operation);
  const request = sampleRequest({ method, baseUrl, path, parameters, security: security[0] ?? [], body });
  const samples: Json[] = [];
  const add = (lang: string, label: string, source: string | undefined) => {
    if (source !== undefined) samples.push({ lang, label, source });
  };
  add("shell", "curl", request && curlSample(request));
  const module = valueAt(document, "/info/x-client-package");
  // The client has no function for a twin.
  const isOfClient = typeof module === "string" && method === operation.method;
  if (isOfClient && (body === undefined || kindOf(body.mediaType) === "json")) {
    const sent = operation.content?.required ? body?.value : undefined;
    const call = clientCall({ operationId: id, parameters, body: sent });
    add(
      "typescript",
      "TypeScript",
      `import { createClient, unwrap } from ${JSON.stringify(module)};

const client = createClient({
  baseUrl: ${JSON.stringify(baseUrl)},
  apiKey: process.env.API_KEY ?? "",
});

const result = await unwrap(${call});
console.log(JSON.stringify(result, null, 2));`,
    );
  }
  add("javascript", "JavaScript", request && javascriptSample(request));
  add("python", "Python", request && pythonSample(request));
  return samples;
}

function baseUrlOf(document: JsonObject): string {
  const template = String(valueAt(document, "/servers/0/url") ?? "/");
  const url = template.replaceAll(/\{([^{}]*)\}/g, (_, name: string) =>
    String(valueAt(document, pointerTo("/servers/0/variables", name, "default")) ?? name),
  );
  const host = "https://api.example.com";
  if (URL.canParse(url)) return url;
  return URL.canParse(url, host) ? new URL(url, host).href : host;
}

/** An optional parameter is shown only if it has an example. */
function parameterValue(
  document: JsonObject,
  { pointer, path }: Operation,
  { in: location, name, required, schema }: Parameter,
): Json | undefined {
  const at = (place: string, key: string) => valueAt(document, pointerTo(place, key));
  const place = [pointer, pointerTo("/paths", path)]
    .flatMap((holder) => itemPointers(document, pointerTo(holder, "parameters")))
    .map((each) => follow(document, each).pointer)
    .find((each) => at(each, "in") === location && at(each, "name") === name);
  if (place === undefined) return undefined;
  const [mediaType] = Object.keys(at(place, "content") ?? {});
  const described = mediaType === undefined ? place : pointerTo(place, "content", mediaType);
  if (!required && at(described, "examples") === undefined && at(described, "example") === undefined)
    return undefined;
  const [first] = examplesAt(document, described);
  return first === undefined ? sampleValue(document, valueAt(document, schema.pointer)) : first.value;
}

/** The body in the first media type. An optional body is shown only if it has an example. */
function bodyOf(document: JsonObject, { pointer, content }: Operation) {
  const [media] = content?.mediaTypes ?? [];
  if (content === undefined || media === undefined) return undefined;
  const { mediaType, schema } = media;
  const place = follow(document, pointerTo(pointer, "requestBody")).pointer;
  const [first] = examplesAt(document, pointerTo(place, "content", mediaType));
  if (first !== undefined) return { mediaType, value: first.value };
  if (!content.required) return undefined;
  return { mediaType, value: sampleValue(document, schema && valueAt(document, schema.pointer)) };
}
