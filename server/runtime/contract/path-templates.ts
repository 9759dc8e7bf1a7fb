import type { ParameterContract } from "#specbind/contract";

/**
 * Returns the raw texts of the path's parameters, by name. `path` may have a prefix before the template. In a segment
 * with several parameters, each one is as long as possible, unless its type or the style of the next one ends it.
 */
export function pathReader(
  template: string,
  parameters: readonly Pick<ParameterContract, "in" | "name" | "type" | "style">[] = [],
): (path: string) => { readonly [name: string]: string } {
  const pieces = piecesOf(template);
  const names = pieces.flatMap(({ text, isParameter }) => (isParameter ? [text] : []));
  const parameterOf = (index: number) => {
    const piece = pieces[index];
    return piece?.isParameter
      ? parameters.find((each) => each.in === "path" && each.name === piece.text)
      : undefined;
  };
  const groups = pieces.map(({ text, isParameter }, index) => {
    if (!isParameter) return escaped(text);
    const [before, own, after] = [index - 1, index, index + 1].map(parameterOf);
    const first = before && escaped(firstOf[own?.style ?? ""] ?? "");
    if (first) return `(${first}[^/]*)`;
    return after !== undefined || (own !== undefined && !mayBeText(own.type)) ? "([^/]+?)" : "([^/]+)";
  });
  const expression = new RegExp(`${groups.join("")}$`);
  return (path) => {
    const found = expression.exec(path);
    return Object.fromEntries(names.map((name, index) => [name, found?.[index + 1] ?? ""]));
  };
}

/** What a parameter of these styles begins with (RFC 6570, sections 3.2.5 and 3.2.7). */
const firstOf: { readonly [style: string]: string } = { label: ".", matrix: ";" };

function mayBeText(type: ParameterContract["type"]): boolean {
  return ![type].flat().every((each) => each === "integer" || each === "number" || each === "boolean");
}

export function matchesPath(template: string, path: string): boolean {
  return new RegExp(`^${patternOf(template)}$`).test(path);
}

function patternOf(template: string): string {
  return piecesOf(template)
    .map(({ text, isParameter }) => (isParameter ? "([^/]+)" : escaped(text)))
    .join("");
}

/** A parameter whose name may contain characters of Hono's syntax gets the number of its segment. */
export function routePath(template: string): string {
  return template
    .split("/")
    .map((segment, index) => {
      const pieces = piecesOf(segment);
      const [only] = pieces;
      if (pieces.every(({ isParameter }) => !isParameter) && !/[:*?]/.test(segment)) return segment;
      if (pieces.length === 1 && only?.isParameter)
        return /^[\w-]+$/.test(only.text) ? `:${only.text}` : `:p${index}`;
      const pattern = pieces.map(({ text, isParameter }) => (isParameter ? "[^/]+" : escaped(text)));
      return `:p${index}{${pattern.join("")}}`;
    })
    .join("/");
}

/** Sorts fixed text before a parameter (OpenAPI 3.1, Paths Object: concrete paths match first). */
export function byConcreteness(left: string, right: string): number {
  const [a, b] = [left.split("/"), right.split("/")];
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const difference = openness(a[index] ?? "") - openness(b[index] ?? "");
    if (difference !== 0) return difference;
  }
  return 0;
}

function openness(segment: string): number {
  const pieces = piecesOf(segment);
  if (pieces.every(({ isParameter }) => !isParameter)) return 0;
  return pieces.length === 1 ? 2 : 1;
}

function piecesOf(template: string): { readonly text: string; readonly isParameter: boolean }[] {
  return template
    .split(/(\{[^{}]+\})/)
    .filter((text) => text !== "")
    .map((text) =>
      text.startsWith("{") ? { text: text.slice(1, -1), isParameter: true } : { text, isParameter: false },
    );
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}
