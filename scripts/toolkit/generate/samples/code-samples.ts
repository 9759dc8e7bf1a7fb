/** Adds the first example of each operation as `x-codeSamples`. Scalar's own samples do not have the body of a GET. */
import { copyOf, isObject, type Json, type JsonObject, valueAt } from "../../openapi/document.ts";
import { kindOf } from "../model/read-media-types.ts";
import type { Model, Operation } from "../model.ts";
import { clientCall } from "./client-call.ts";
import { curlSample, javascriptSample, pythonSample } from "./http-samples.ts";
import { sampleRequest } from "./sample-request.ts";

const extension = "x-codeSamples";

/** @returns a copy that keeps existing samples */
export function withCodeSamples(document: JsonObject, model: Model): JsonObject {
  const copy = copyOf(document);
  for (const operation of model.operations)
    for (const { method, pointer } of [operation, operation.twin ?? []].flat()) {
      const object = valueAt(copy, pointer);
      if (!isObject(object) || object[extension] !== undefined) continue;
      const samples = samplesOf(model, operation, method);
      if (samples.length > 0) object[extension] = samples;
    }
  return copy;
}

function samplesOf({ clientPackage }: Model, operation: Operation, method: string): Json[] {
  const { id, path, baseUrl, security, requestBody } = operation;
  const parameters = operation.parameters.flatMap((parameter) =>
    parameter.example === undefined ? [] : [{ ...parameter, value: parameter.example }],
  );
  const [media] = requestBody?.mediaTypes ?? [];
  const value = requestBody?.example;
  const body = media === undefined || value === undefined ? undefined : { mediaType: media.mediaType, value };
  const request = sampleRequest({ method, baseUrl, path, parameters, security: security[0] ?? [], body });
  const samples: Json[] = [];
  const add = (lang: string, label: string, source: string | undefined) => {
    if (source !== undefined) samples.push({ lang, label, source });
  };
  add("shell", "curl", request && curlSample(request));
  // The client has no function for a twin.
  const isOfClient = clientPackage !== undefined && method === operation.method;
  if (isOfClient && (body === undefined || kindOf(body.mediaType) === "json")) {
    const sent = requestBody?.required ? value : undefined;
    const call = clientCall({ operationId: id, parameters, body: sent });
    add(
      "typescript",
      "TypeScript",
      `import { createClient, unwrap } from ${JSON.stringify(clientPackage)};

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
