/** Path templates: which route of Hono one is, and what a request's path says for its parameters. */

interface Piece {
  /** Text, or the name of a parameter where `isParameter`. */
  readonly text: string;
  readonly isParameter: boolean;
}

function piecesOf(segment: string): Piece[] {
  return segment
    .split(/(\{[^{}]+\})/)
    .filter((text) => text !== "")
    .map((text) =>
      text.startsWith("{") ? { text: text.slice(1, -1), isParameter: true } : { text, isParameter: false },
    );
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}

/** Parameters are numbered by their segment, for a name may hold what Hono takes for its own. */
export function routePath(template: string): string {
  return template
    .split("/")
    .map((segment, index) => {
      const pieces = piecesOf(segment);
      const [only] = pieces;
      if (pieces.every(({ isParameter }) => !isParameter) && !/[:*?]/.test(segment)) return segment;
      if (pieces.length === 1 && only?.isParameter) return `:p${index}`;
      const pattern = pieces.map(({ text, isParameter }) => (isParameter ? "[^/]+" : escaped(text)));
      return `:p${index}{${pattern.join("")}}`;
    })
    .join("/");
}

/** The raw texts of a path's parameters, by name. `path` ends in what the template describes. */
export function pathReader(template: string): (path: string) => { readonly [name: string]: string } {
  const { names, pattern } = patternOf(template);
  const expression = new RegExp(`${pattern}$`);
  return (path) => textsIn(path, expression, names) ?? Object.fromEntries(names.map((name) => [name, ""]));
}

/** As {@link pathReader}, but undefined where the whole path is not what the template describes. */
export function pathMatcher(
  template: string,
): (path: string) => { readonly [name: string]: string } | undefined {
  const { names, pattern } = patternOf(template);
  const expression = new RegExp(`^${pattern}$`);
  return (path) => textsIn(path, expression, names);
}

function patternOf(template: string): { names: readonly string[]; pattern: string } {
  const names: string[] = [];
  const segments = template.split("/").map((segment) =>
    piecesOf(segment)
      .map(({ text, isParameter }) => {
        if (!isParameter) return escaped(text);
        names.push(text);
        return "([^/]+)";
      })
      .join(""),
  );
  return { names, pattern: segments.join("/") };
}

function textsIn(path: string, expression: RegExp, names: readonly string[]) {
  const found = expression.exec(path);
  return found === null
    ? undefined
    : Object.fromEntries(names.map((name, index) => [name, found[index + 1] ?? ""]));
}

/** Sorts templates so that text comes before a parameter in its place (OpenAPI 3.1, Paths Object: concrete paths first). */
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
