/** Writes path and query parameters in the styles of OpenAPI (OpenAPI 3.1, section 4.8.12.6; RFC 6570). */
import type { ParameterDescription } from "../generated/operations.ts";

type Values = Readonly<Record<string, unknown>>;
type Parameters = readonly ParameterDescription[];

const separators: { readonly [style: string]: string } = { spaceDelimited: "%20", pipeDelimited: "|" };

/** The query without its question mark. What is undefined is left out. */
export function writeQuery(parameters: Parameters, values: Values): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .flatMap(([name, value]) => queryPairs(name, value, describe(parameters, "query", name)))
    .join("&");
}

function describe(parameters: Parameters, place: string, name: string): Partial<ParameterDescription> {
  return parameters.find((each) => each.in === place && each.name === name) ?? {};
}

function queryPairs(name: string, value: unknown, how: Partial<ParameterDescription>): string[] {
  const { style = "form", explode = style === "form", mediaType } = how;
  const key = encodeURIComponent(name);
  if (mediaType !== undefined) return [`${key}=${encodeURIComponent(ofMediaType(value, mediaType))}`];
  if (style === "deepObject" && isObject(value)) return deepPairs(key, value);
  if (Array.isArray(value))
    return explode
      ? value.map((item) => `${key}=${escaped(item)}`)
      : [`${key}=${value.map(escaped).join(separators[style] ?? ",")}`];
  if (!isObject(value)) return [`${key}=${escaped(value)}`];
  const entries = present(value);
  if (!explode)
    return [
      `${key}=${entries
        .flat()
        .map(escaped)
        .join(separators[style] ?? ",")}`,
    ];
  return entries.flatMap(([property, item]) =>
    (Array.isArray(item) ? item : [item]).map((each) => `${encodeURIComponent(property)}=${escaped(each)}`),
  );
}

function deepPairs(key: string, value: Values): string[] {
  return present(value).flatMap(([property, item]) => {
    const below = `${key}[${encodeURIComponent(property)}]`;
    if (Array.isArray(item)) return item.map((each) => `${below}=${escaped(each)}`);
    return isObject(item) ? deepPairs(below, item) : [`${below}=${escaped(item)}`];
  });
}

/** The path of a template with its parameters filled in. */
export function writePath(template: string, parameters: Parameters, values: Values): string {
  return template.replaceAll(/\{([^{}]+)\}/g, (unfilled, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined ? unfilled : pathText(name, value, describe(parameters, "path", name));
  });
}

function pathText(name: string, value: unknown, how: Partial<ParameterDescription>): string {
  const { style = "simple", explode = false, mediaType } = how;
  if (mediaType !== undefined) return encodeURIComponent(ofMediaType(value, mediaType));
  const parts = partsOf(value, explode);
  if (style === "label") return `.${parts.join(explode ? "." : ",")}`;
  if (style !== "matrix") return parts.join(",");
  const key = encodeURIComponent(name);
  if (!explode) return `;${key}=${parts.join(",")}`;
  return parts.map((part) => (isObject(value) ? `;${part}` : `;${key}=${part}`)).join("");
}

function partsOf(value: unknown, explode: boolean): string[] {
  if (Array.isArray(value)) return value.map(escaped);
  if (!isObject(value)) return [escaped(value)];
  return explode
    ? present(value).map(([property, item]) => `${encodeURIComponent(property)}=${escaped(item)}`)
    : present(value).flat().map(escaped);
}

function ofMediaType(value: unknown, mediaType: string): string {
  return /^[^;]*[/+]json *(?:;|$)/i.test(mediaType) ? JSON.stringify(value) : String(value);
}

function present(value: Values): [string, unknown][] {
  return Object.entries(value).filter(([, item]) => item !== undefined);
}

function escaped(value: unknown): string {
  return encodeURIComponent(String(value));
}

function isObject(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
