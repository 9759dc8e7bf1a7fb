/** JSON as people write it: a list or an object that is short stands on one line. */
import type { Json } from "../document.ts";

const lineWidth = 48;

export function jsonText(value: Json, indent = ""): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  const deeper = `${indent}  `;
  const parts = isList
    ? value.map((item) => jsonText(item, deeper))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${jsonText(item, deeper)}`);
  const space = isList || parts.length === 0 ? "" : " ";
  const line = `${open}${space}${parts.join(", ")}${space}${close}`;
  if (line.length + indent.length <= lineWidth && !line.includes("\n")) return line;
  return `${open}\n${parts.map((part) => deeper + part).join(",\n")}\n${indent}${close}`;
}
