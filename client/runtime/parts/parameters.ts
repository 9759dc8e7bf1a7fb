/** Writes path and query parameters in the styles of OpenAPI (OpenAPI 3.1, section 4.8.12.6; RFC 6570). */
import { serializeArrayParam, serializeObjectParam } from "openapi-fetch";
import type { ParameterDescription } from "#specbind/contract";
import { isJson } from "../../../server/runtime/shared/media-type.ts";
import { isObject, isParameter, ownValue, type Values } from "../check-call.ts";
import type { ParameterPart } from "../parts.ts";
import { serialise } from "./bodies.ts";

type Descriptions = readonly ParameterDescription[];
type ListStyle = Parameters<typeof serializeArrayParam>[2]["style"];

export const styledParameters: ParameterPart = ({ path, parameters = [] }, params) => {
  const [, fixed] = /\?([^#]*)/.exec(path) ?? [];
  const whole = parameters.find((each) => each.in === "querystring");
  const writeWhole = (values: Values): string => {
    if (params.query === undefined) return "";
    const text = serialise(values, whole?.mediaType);
    return typeof text === "string" ? encodeURIComponent(text) : String(text);
  };
  return [
    path.replace(/[?#].*/, ""),
    {
      // openapi-fetch ignores the style of path parameters.
      pathSerializer: (template, values) => writePath(template, parameters, values),
      querySerializer: whole ? writeWhole : (values) => writeQuery(parameters, values, fixed),
    },
    (operation, place, name) => (whole && place === "query") || isParameter(operation, place, name),
  ];
};

/** Returns the query without its question mark. Leaves out undefined values. */
export function writeQuery(parameters: Descriptions, values: Values, fixed = ""): string {
  const texts = present(values).map(([name, value]) =>
    queryText(name, value, describe(parameters, "query", name)),
  );
  return [fixed, ...texts].filter((text) => text !== "").join("&");
}

export function writePath(template: string, parameters: Descriptions, values: Values): string {
  return template.replaceAll(/\{([^{}]+)\}/g, (unfilled, name: string) => {
    const value = ownValue(values, name);
    return value === undefined ? unfilled : pathText(name, value, describe(parameters, "path", name));
  });
}

function describe(parameters: Descriptions, place: string, name: string): Partial<ParameterDescription> {
  return parameters.find((each) => each.in === place && each.name === name) ?? {};
}

function queryText(name: string, value: unknown, how: Partial<ParameterDescription>): string {
  const { style = "form", explode = style === "form", mediaType } = how;
  const key = encodeURIComponent(name);
  if (mediaType !== undefined) return `${key}=${encodeURIComponent(ofMediaType(value, mediaType))}`;
  if (isObject(value) && style === "deepObject") return deepText(key, value);
  if (isObject(value) && explode) return writeQuery([], value);
  return listText(key, value, style, explode);
}

function deepText(key: string, value: unknown): string {
  if (!isObject(value)) return listText(key, value, "form", true);
  return present(value)
    .map(([property, item]) => deepText(`${key}[${encodeURIComponent(property)}]`, item))
    .join("&");
}

function pathText(name: string, value: unknown, how: Partial<ParameterDescription>): string {
  const { style = "simple", explode = false, mediaType } = how;
  if (mediaType !== undefined) return encodeURIComponent(ofMediaType(value, mediaType));
  const key = encodeURIComponent(name);
  if (!isObject(value) || !explode) return listText(key, value, style, explode);
  const properties = present(value).map(([property, item]) => [encodeURIComponent(property), String(item)]);
  // Every style of a path parameter is also allowed for objects.
  return serializeObjectParam(key, Object.fromEntries(properties), { style: style as "simple", explode });
}

/** Writes a single value as a list of one item, and an object without `explode` as a list of names and values. */
function listText(key: string, value: unknown, style: string, explode: boolean): string {
  const items = isObject(value) ? present(value).flat() : [value].flat();
  // The generator rejects other styles. `deepObject` is written as `form` unless the value is an object.
  return serializeArrayParam(key, items.map(String), { style: style as ListStyle, explode });
}

function ofMediaType(value: unknown, mediaType: string): string {
  return isJson(mediaType) ? JSON.stringify(value) : String(value);
}

function present(value: Values): [string, unknown][] {
  return Object.entries(value).filter(([, item]) => item !== undefined);
}
