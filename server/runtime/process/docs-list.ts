/** The operations of a document as HTML, for a reference page that has no script. */
import { entriesOf, follow, isObject, type Json, pointerTo } from "../shared/document.ts";

/** @param document OpenAPI 3.1 with local references only */
export function operationList(document: object): string {
  const { paths }: { paths?: unknown } = document;
  return entriesOf(paths)
    .flatMap(([path]) => {
      const at = pointerTo("/paths", path);
      const { pointer, value } = follow(document, at);
      const { additionalOperations } = isObject(value) ? value : {};
      const shared = itemsAt(document, pointerTo(pointer, "parameters"));
      return [
        ...entriesOf(value).map(([method]) => [method.toUpperCase(), pointerTo(pointer, method)] as const),
        ...entriesOf(additionalOperations).map(
          ([method]) => [method, pointerTo(pointer, "additionalOperations", method)] as const,
        ),
      ].flatMap(([method, place]) => operation(document, `${method} ${path}`, place, shared));
    })
    .join("\n");
}

function operation(document: object, name: string, at: string, shared: readonly Json[]): string[] {
  const { value } = follow(document, at);
  if (!isObject(value) || !isObject(value.responses)) return [];
  const body = follow(document, pointerTo(at, "requestBody")).value;
  const lines = [
    ...[...shared, ...itemsAt(document, pointerTo(at, "parameters"))].map((each) => parameter(each)),
    ...(isObject(body) ? [`body: ${code(Object.keys(Object(body.content)).join(", "))}${about(body)}`] : []),
    ...Object.keys(value.responses).map(
      (status) => `${code(status)}${about(follow(document, pointerTo(at, "responses", status)).value)}`,
    ),
  ];
  const items = lines.map((line) => `<li>${line}</li>\n`).join("");
  return [
    `<h2>${code(name)}</h2>\n<p>${escaped(String(value.summary ?? value.description ?? ""))}</p>\n<ul>\n${items}</ul>`,
  ];
}

function parameter(value: Json): string {
  const { name, in: place, required } = isObject(value) ? value : {};
  return `${code(String(name))} in ${escaped(String(place))}${required === true ? ", required" : ""}${about(value)}`;
}

function itemsAt(document: object, list: string): Json[] {
  const { value } = follow(document, list);
  return Array.isArray(value)
    ? value.map((_, index) => follow(document, pointerTo(list, index)).value ?? null)
    : [];
}

function about(value: Json | undefined): string {
  const { description } = isObject(value) ? value : {};
  return typeof description === "string" ? `: ${escaped(description)}` : "";
}

function code(text: string): string {
  return `<code>${escaped(text)}</code>`;
}

export function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
