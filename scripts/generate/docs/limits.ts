/** What a schema says of values by itself: of which types they are, and what they must keep to. */
import type { Json, JsonObject } from "../document.ts";
import { type Html, html, joined } from "./html.ts";

export function typesOf({ type, properties, items, ...schema }: JsonObject): string[] {
  if (type !== undefined) return (Array.isArray(type) ? type : [type]).map(String);
  if (properties !== undefined) return ["object"];
  if (items !== undefined) return ["array"];
  const values = schema.const === undefined ? schema.enum : [schema.const];
  if (!Array.isArray(values)) return [];
  return [
    ...new Set(
      values.map((value) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value)),
    ),
  ];
}

/** What a value must keep to, and what it is where it is left out. */
export function limitsOf(schema: JsonObject): Html[] {
  const value = (of: Json) =>
    html`<code>${typeof of === "string" && of !== "" ? of : JSON.stringify(of)}</code>`;
  const { enum: values, pattern, multipleOf, uniqueItems, default: fallback, examples } = schema;
  const example = Array.isArray(examples) ? examples[0] : schema.example;
  return [
    ...(schema.const === undefined ? [] : [html`always ${value(schema.const)}`]),
    ...(Array.isArray(values) ? [html`one of ${joined(values.map(value), ", ")}`] : []),
    ...rangeOf(schema.minLength, schema.maxLength, "character"),
    ...rangeOf(schema.minItems, schema.maxItems, "item"),
    ...rangeOf(schema.minProperties, schema.maxProperties, "property", "properties"),
    ...boundsOf(schema),
    ...(typeof multipleOf === "number" ? [html`a multiple of ${multipleOf}`] : []),
    ...(typeof pattern === "string" ? [html`matches <code>${pattern}</code>`] : []),
    ...(uniqueItems === true && typesOf(schema).includes("array") ? [html`no item twice`] : []),
    ...(fallback === undefined ? [] : [html`default ${value(fallback)}`]),
    ...(example === undefined || (typeof example === "object" && example !== null)
      ? []
      : [html`such as ${value(example)}`]),
  ];
}

function rangeOf(least: Json | undefined, most: Json | undefined, one: string, many = `${one}s`): Html[] {
  const units = (count: number) => `${count} ${count === 1 ? one : many}`;
  const hasLeast = typeof least === "number" && least > 0;
  if (hasLeast && typeof most === "number")
    return [least === most ? html`${units(least)}` : html`${least} to ${units(most)}`];
  if (hasLeast) return [html`at least ${units(least)}`];
  return typeof most === "number" ? [html`at most ${units(most)}`] : [];
}

function boundsOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonObject): Html[] {
  const bound = (text: string, limit: Json | undefined) =>
    typeof limit === "number" ? [html`${text} ${limit}`] : [];
  return [
    ...bound("at least", minimum),
    ...bound("more than", exclusiveMinimum),
    ...bound("at most", maximum),
    ...bound("less than", exclusiveMaximum),
  ];
}
