/** Finds the operation of a request by its method and path (OpenAPI 3.1, Paths Object). */
import type { HttpRequest } from "./exchange.ts";
import type { OperationModel, ServiceModel } from "./operation-model.ts";

/**
 * HEAD is matched as GET (RFC 9110, section 9.3.2). The most concrete path is used, even if it does not have the
 * method.
 */
export function operationFor(
  { operations }: ServiceModel,
  { method, target }: Pick<HttpRequest, "method" | "target">,
): OperationModel | undefined {
  const asPath = pathOf(target);
  const matching = operations.filter(({ path }) => isAt(path, asPath));
  const [first] = matching.toSorted((left, right) =>
    opennessOf(left.path) < opennessOf(right.path) ? -1 : 1,
  );
  const asked = method === "HEAD" ? "GET" : method;
  return matching.find((each) => each.path === first?.path && each.method === asked);
}

export function hasPath({ operations }: ServiceModel, target: string): boolean {
  const asPath = pathOf(target);
  return operations.some(({ path }) => isAt(path, asPath));
}

/** The text before the first parameter excludes most templates of a large document faster than the expression. */
function isAt(template: string, path: string): boolean {
  return (
    path.startsWith(template.slice(0, template.indexOf("{"))) && matcherOf(template).expression.test(path)
  );
}

/** Returns one digit for each segment: 0 for literal text, 1 for text with parameters, 2 for a single parameter. */
function opennessOf(template: string): string {
  return template.replaceAll(/[^/]+/g, (segment) =>
    /^\{[^{}]*\}$/.test(segment) ? "2" : segment.includes("{") ? "1" : "0",
  );
}

interface PathMatcher {
  readonly names: readonly string[];
  readonly expression: RegExp;
}

const matchers = new Map<string, PathMatcher>();

/** A document with many operations matches each request against all templates. */
function matcherOf(template: string): PathMatcher {
  const known = matchers.get(template);
  if (known !== undefined) return known;
  const pieces = template.split(/\{([^{}]+)\}/);
  const names = pieces.filter((_, index) => index % 2 === 1);
  const pattern = pieces
    .map((piece, index) => (index % 2 === 1 ? "([^/]+)" : piece.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")))
    .join("");
  const matcher = { names, expression: new RegExp(`^${pattern}$`) };
  matchers.set(template, matcher);
  return matcher;
}

/** Returns the encoded values of the path parameters, or undefined if the path does not match. */
export function matchPath(template: string, path: string): ReadonlyMap<string, string> | undefined {
  const { names, expression } = matcherOf(template);
  const texts = expression.exec(path)?.slice(1);
  return texts && new Map(names.map((name, index) => [name, texts[index] ?? ""]));
}

export function pathOf(target: string): string {
  return target.split(/[?#]/, 1)[0] ?? "";
}

export function queryOf(target: string): string {
  return target.replace(/#.*$/s, "").replace(/^[^?]*\??/, "");
}
