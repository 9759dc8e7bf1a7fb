/** The calls that are shown of an operation: each of its examples as a command and as source text, and what it answers. */
import { follow, isObject, type Json, type JsonObject, pointerTo, valueAt } from "../document.ts";
import { type Example, examplesAt } from "../examples.ts";
import { kindOf } from "../model/content.ts";
import type { Media, Operation, Parameter } from "../model.ts";
import { clientCall } from "./client-call.ts";
import { curlCommand } from "./curl.ts";
import { sampleValue } from "./sample-value.ts";

export interface Sample {
  readonly title: string | undefined;
  readonly curl: string;
  /** Undefined where the document names no client, or the content is one that no literal stands for. */
  readonly client: string | undefined;
  /** Its value is undefined where the answer has no content, or no example of it. */
  readonly answer: { readonly status: string; readonly value: Json | undefined } | undefined;
}

/** What every sample of a document shares. */
export interface SampleSource {
  readonly document: JsonObject;
  readonly baseUrl: string;
  /** What the client is imported as. */
  readonly clientPackage: string | undefined;
}

/** The Parameter Objects of an operation, those of its path too, by place and name. */
export function parameterPlaces(document: JsonObject, { pointer }: Operation): ReadonlyMap<string, string> {
  const places = new Map<string, string>();
  for (const holder of [pointer.replace(/\/[^/]*$/, ""), pointer]) {
    const list = valueAt(document, pointerTo(holder, "parameters"));
    for (const index of Array.isArray(list) ? list.keys() : []) {
      const place = follow(document, pointerTo(holder, "parameters", index));
      if (isObject(place.value)) places.set(`${place.value.in} ${place.value.name}`, place.pointer);
    }
  }
  return places;
}

export function placeOf(places: ReadonlyMap<string, string>, { in: place, name }: Parameter): string {
  return places.get(`${place} ${name}`) ?? "";
}

export function samplesOf(source: SampleSource, operation: Operation): Sample[] {
  const { document } = source;
  const places = parameterPlaces(document, operation);
  const parameters = operation.parameters.flatMap((parameter) => {
    const examples = parameterExamples(document, placeOf(places, parameter), parameter);
    return examples.length === 0 ? [] : [{ parameter, examples }];
  });
  const content = contentExamples(document, operation);
  const lists = [...parameters.map(({ examples }) => examples), ...(content ? [content.examples] : [])];
  const count = Math.max(1, ...lists.map((list) => list.length));
  return Array.from({ length: count }, (_, index): Sample => {
    const chosen = parameters.map(({ parameter, examples }) => ({
      parameter,
      example: nth(examples, index),
    }));
    const body = content && nth(content.examples, index);
    const given = [
      ...(body && operation.content?.required ? [body] : []),
      ...chosen.map(({ example }) => example),
    ];
    const summaries = [...given, ...(body ? [body] : [])].flatMap(({ summary }) => summary ?? []);
    const values = chosen.map(({ parameter, example }) => ({ parameter, value: example.value }));
    const isWritable = content === undefined || kindOf(content.media.mediaType) === "json";
    return {
      title: summaries[0],
      curl: curlCommand({
        method: operation.method,
        baseUrl: source.baseUrl,
        path: operation.path,
        parameters: values,
        security: operation.security[0] ?? [],
        content: content && body && { media: content.media, value: body.value },
      }),
      client: isWritable ? clientSample(source, operation, values, body?.value) : undefined,
      answer: answerOf(document, operation, body?.name, index),
    };
  });
}

function nth(examples: readonly Example[], index: number): Example {
  const example = examples[Math.min(index, examples.length - 1)];
  if (example === undefined) throw new Error("there is no example");
  return example;
}

/** A parameter that may be left out is shown where it has an example of its own. */
function parameterExamples(document: JsonObject, place: string, parameter: Parameter): Example[] {
  const own = valueAt(document, place);
  const isShown = isObject(own) && (own.examples ?? own.example) !== undefined;
  if (!parameter.required && !isShown) return [];
  const examples = examplesAt(document, place);
  if (examples.length > 0) return examples;
  const value = sampleValue(document, valueAt(document, parameter.schema.pointer));
  return [{ name: "sample", value, summary: undefined }];
}

/** Of the first media type. Content that may be left out is shown where the spec has an example of it. */
function contentExamples(
  document: JsonObject,
  { pointer, content }: Operation,
): { media: Media; examples: Example[] } | undefined {
  const [media] = content?.mediaTypes ?? [];
  if (content === undefined || media === undefined) return undefined;
  const place = follow(document, pointerTo(pointer, "requestBody")).pointer;
  const examples = examplesAt(document, pointerTo(place, "content", media.mediaType));
  if (examples.length > 0) return { media, examples };
  if (!content.required) return undefined;
  const value = sampleValue(document, media.schema && valueAt(document, media.schema.pointer));
  return { media, examples: [{ name: "sample", value, summary: undefined }] };
}

function clientSample(
  { clientPackage, baseUrl }: SampleSource,
  { id, content }: Operation,
  values: readonly { readonly parameter: Parameter; readonly value: Json }[],
  body: Json | undefined,
): string | undefined {
  if (clientPackage === undefined) return undefined;
  const parameters = values.map(({ parameter, value }) => ({
    in: parameter.in,
    name: parameter.name,
    value,
  }));
  const call = clientCall({ operationId: id, parameters, body: content?.required ? body : undefined });
  return `import { createClient, unwrap } from ${JSON.stringify(clientPackage)};

const client = createClient({
  baseUrl: ${JSON.stringify(baseUrl)},
  apiKey: process.env.API_KEY ?? "",
});

const answer = await unwrap(${call});
console.log(JSON.stringify(answer, null, 2));`;
}

/** The success that has the name of the request's example; else the one of the same rank, or the first. */
function answerOf(
  document: JsonObject,
  { pointer, responses }: Operation,
  name: string | undefined,
  index: number,
): Sample["answer"] {
  const success = responses.find(({ status }) => /^2/.test(status));
  const [media] = success?.mediaTypes ?? [];
  if (success === undefined) return undefined;
  if (media === undefined) return { status: success.status, value: undefined };
  const place = follow(document, pointerTo(pointer, "responses", success.status)).pointer;
  const examples = examplesAt(document, pointerTo(place, "content", media.mediaType));
  const example = examples.find((each) => each.name === name) ?? examples[index] ?? examples[0];
  return example && { status: success.status, value: example.value };
}
