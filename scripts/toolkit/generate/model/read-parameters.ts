import type { Shape, Writing } from "#specbind/contract";
import { formats } from "../../json-schema/formats.ts";
import {
  entriesOf,
  follow,
  isObject,
  type Json,
  type JsonObject,
  pointerTo,
  valueAt,
} from "../../openapi/document.ts";
import { type DeclaredParameter, defaultStyles, isIgnored, isSendable } from "../../openapi/parameters.ts";
import { admits } from "../../openapi/schema/evaluate.ts";
import { type HasFormat, nodesOf } from "../../openapi/schema/schema-node.ts";
import type { Parameter, Response } from "../model.ts";
import { isSensitive } from "../sensitive.ts";
import { shapeOf } from "../shapes.ts";
import { pascal } from "./names.ts";
import { kindOf, readExample, readFields } from "./read-media-types.ts";
import type { ModelScope } from "./scope.ts";

const styles = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  querystring: ["form"],
  header: ["simple"],
  cookie: ["form"],
} as const;

function readWriting(
  scope: ModelScope,
  pointer: string,
  name: string,
  value: JsonObject,
  location: Parameter["in"],
  fallback: string,
) {
  const [media] = entriesOf(value.content);
  const place =
    media === undefined ? pointerTo(pointer, "schema") : pointerTo(pointer, "content", media[0], "schema");
  const schema = media === undefined ? value.schema : isObject(media[1]) ? media[1].schema : undefined;
  const fallbackStyle = defaultStyles[location];
  const style = value.style === undefined ? fallbackStyle : String(value.style);
  const known: readonly string[] = styles[location];
  const reject = (at: string, message: string): undefined => scope.report("parameter", at, message);
  if (schema === undefined)
    return media === undefined
      ? undefined
      : reject(
          pointer,
          "without a `schema`, the value cannot be checked; add one, such as `schema: { type: string }`",
        );
  if (location === "querystring") {
    const problem = querystringProblem(scope.document, media);
    if (problem !== undefined) return reject(pointer, problem);
  }
  if (!known.includes(style))
    return reject(
      pointerTo(pointer, "style"),
      `\`style: ${style}\` is not possible ${location === "header" ? "for a header" : `with \`in: ${location}\``}; use ${known.join(", ")}`,
    );
  if (!isSendable(location, name))
    return reject(
      value.name === undefined ? pointer : pointerTo(pointer, "name"),
      `a ${location} cannot have the name ${JSON.stringify(name)}, because HTTP does not allow all of its characters; rename it`,
    );
  scope.reportReserved(pointer, value);
  if (value.allowEmptyValue === true && !admitsEmptyText(scope.document, schema))
    scope.report(
      "allow-empty-value",
      pointerTo(pointer, "allowEmptyValue"),
      "`allowEmptyValue` has no effect, because the schema rejects an empty string; change the schema, or remove this line",
    );
  const explode = value.explode ?? style === "form";
  scope.named.push({ name, pointer: place });
  if (isSensitive(value)) scope.sensitive.add(name);
  return {
    name,
    required: value.required === true || location === "path",
    type: shapeOf(scope.document, schema),
    style: style === fallbackStyle ? undefined : (style as Writing["style"]),
    explode: explode === (style === "form") ? undefined : explode === true,
    mediaType: media?.[0],
    fields:
      location === "querystring" && media
        ? readFields(scope, pointerTo(pointer, "content", media[0]), media[1] as JsonObject, media[0])
        : undefined,
    schema: scope.names.use(place, "parameter", fallback),
  };
}

function querystringProblem(document: JsonObject, media: [string, Json] | undefined): string | undefined {
  const [mediaType = "", value] = media ?? [];
  if (!["json", "form"].includes(kindOf(mediaType)))
    return "only two media types are read in a query: application/x-www-form-urlencoded and application/json; write one of them in `content`";
  if (!isObject(value) || ![shapeOf(document, value.schema)].flat().every(isOfObject))
    return "a `querystring` is read as an object; write `type: object` in its schema";
  if (value.encoding !== undefined) return "the `encoding` of a `querystring` is not read; remove it";
  return undefined;
}

function isOfObject(shape: Shape): boolean {
  return typeof shape === "object" && "properties" in shape;
}

/** False if the evaluator cannot decide. */
function admitsEmptyText(document: JsonObject, schema: Json): boolean {
  const hasFormat: HasFormat = (format) => (formats[format]?.applies === "string" ? undefined : true);
  return admits(nodesOf(document, "request", hasFormat)(schema), "") === true;
}

export function readParameters(
  scope: ModelScope,
  declared: readonly DeclaredParameter[],
  operationName: string,
): Parameter[] {
  const parameters = new Map<string, Parameter>();
  for (const parameter of declared) {
    const { name, in: location, pointer, value } = parameter;
    if (isIgnored(parameter)) {
      scope.note(
        "ignored-header",
        pointer,
        `OpenAPI ignores a parameter for the header ${name}; describe it under ${/^authorization$/i.test(name) ? "`security`" : "`content`"}, and remove it here`,
      );
      continue;
    }
    if (location === "path" && value.required !== true)
      scope.report(
        "optional-path-parameter",
        pointerTo(pointer, "required"),
        "path parameters are always required; write `required: true`",
      );
    const fallback = `${operationName}${pascal(location)}${pascal(name)}`;
    const writing = readWriting(scope, pointer, name, value, location, fallback);
    if (writing === undefined) continue;
    const { mediaType, required, schema } = writing;
    const place = mediaType === undefined ? pointer : pointerTo(pointer, "content", mediaType);
    const hasExample = ["example", "examples"].some(
      (key) => valueAt(scope.document, pointerTo(place, key)) !== undefined,
    );
    const example =
      required || hasExample
        ? readExample(scope, place, valueAt(scope.document, schema.pointer), true)
        : undefined;
    parameters.set(`${location} ${name}`, { in: location, ...writing, example });
  }
  return [...parameters.values()];
}

export function readHeaders(
  scope: ModelScope,
  pointer: string,
  value: Json | undefined,
  name: string,
): Response["headers"] {
  return entriesOf(value).flatMap(([header]) => {
    const place = follow(scope.document, pointerTo(pointer, header));
    if (!isObject(place.value)) return [];
    // OpenAPI ignores definitions of this header.
    if (header.toLowerCase() === "content-type") return [];
    const writing = readWriting(
      scope,
      place.pointer,
      header,
      place.value,
      "header",
      `${name}${pascal(header)}`,
    );
    return writing === undefined ? [] : [writing];
  });
}
