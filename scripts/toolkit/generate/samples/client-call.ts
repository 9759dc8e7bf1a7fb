import { propertyName } from "../../json-schema/code.ts";
import type { Json } from "../../openapi/document.ts";

interface ClientCall {
  readonly operationId: string;
  readonly parameters: readonly { readonly in: string; readonly name: string; readonly value: Json }[];
  /** Undefined if no body is sent, or if the client sends the default itself. */
  readonly body: Json | undefined;
}

export function clientCall({ operationId, parameters, body }: ClientCall): string {
  const init: { [name: string]: Json } = {};
  const params: { [place: string]: Json } = {};
  for (const { in: place, name, value } of parameters)
    if (place === "querystring") params.query = value;
    else params[place] = { ...Object(params[place]), [name]: value };
  if (parameters.length > 0) init.params = params;
  if (body !== undefined) init.body = body;
  const lines = Object.entries(init).map(([name, value]) => `  ${name}: ${literal(value, "  ")},\n`);
  return `client.${operationId}(${lines.length === 0 ? "" : `{\n${lines.join("")}}`})`;
}

const lineWidth = 80;

export interface Notation {
  readonly indent: string;
  readonly name: (name: string) => string;
  readonly scalar: (value: string | number | boolean | null) => string;
}

const javascript: Notation = { indent: "  ", name: propertyName, scalar: (value) => JSON.stringify(value) };

/** A short literal is on one line. */
export function literal(value: Json, indent = "", notation = javascript): string {
  if (typeof value !== "object" || value === null) return notation.scalar(value);
  const isList = Array.isArray(value);
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  const parts = (deeper: string) =>
    isList
      ? value.map((item) => literal(item, deeper, notation))
      : Object.entries(value).map(
          ([name, item]) => `${notation.name(name)}: ${literal(item, deeper, notation)}`,
        );
  const flat = parts("");
  const line = isList ? `[${flat.join(", ")}]` : flat.length === 0 ? "{}" : `{ ${flat.join(", ")} }`;
  if (line.length <= lineWidth - indent.length && !line.includes("\n")) return line;
  const deeper = indent + notation.indent;
  return `${open}\n${parts(deeper)
    .map((part) => `${deeper}${part},\n`)
    .join("")}${indent}${close}`;
}
