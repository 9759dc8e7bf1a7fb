import { propertyName, quote } from "../json-schema/code.ts";

/** How a language writes literals. */
export interface Notation {
  readonly indent: string;
  readonly width: number;
  readonly name: (name: string) => string;
  readonly scalar: (value: unknown) => string;
}

/** An expression in a literal. */
export class Code {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export const javascript: Notation = {
  indent: "  ",
  width: 80,
  name: propertyName,
  scalar: (value) => JSON.stringify(value),
};

/** For generated files. A text of the spec cannot end the line. Statuses are keys without quotes. */
export const generated: Notation = {
  ...javascript,
  width: 110,
  scalar: (value) => (typeof value === "string" ? quote(value) : JSON.stringify(value)),
  name: (name) => (/^[1-9]\d\d$/.test(name) ? name : propertyName(name)),
};

/** Leaves out undefined properties. A short literal is on one line. */
export function literal(value: unknown, notation: Notation, indent = ""): string {
  if (value instanceof Code) return value.text;
  if (typeof value !== "object" || value === null) return notation.scalar(value);
  const isList = Array.isArray(value);
  const deeper = indent + notation.indent;
  const parts = Object.entries(value).flatMap(([name, part]) => {
    if (part === undefined) return [];
    return (isList ? "" : `${notation.name(name)}: `) + literal(part, notation, deeper);
  });
  const line = parts.join(", ");
  const flat = isList ? `[${line}]` : line === "" ? "{}" : `{ ${line} }`;
  if (flat.length <= notation.width - indent.length && !flat.includes("\n")) return flat;
  const lines = parts.map((part) => `${deeper}${part},\n`).join("");
  return isList ? `[\n${lines}${indent}]` : `{\n${lines}${indent}}`;
}
