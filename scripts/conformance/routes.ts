/** Finds the operation of a request by its method and path (OpenAPI 3.1, Paths Object). */
import type { Problem, SentRequest } from "./exchange.ts";
import type { OperationModel, ServiceModel } from "./operation-model.ts";

type Match =
  | { readonly operation: OperationModel; readonly problem?: undefined }
  | { readonly operation?: undefined; readonly problem: Problem };

/**
 * HEAD is matched as GET (RFC 9110, section 9.3.2). The most concrete path is used, even if it does not have the
 * method.
 */
export function matchRequest(
  { operations }: Pick<ServiceModel, "operations">,
  { method, target }: Pick<SentRequest, "method" | "target">,
): Match {
  const matching = operations.filter(({ path }) => matchPath(path, pathOf(target)) !== undefined);
  const [first] = matching.toSorted((left, right) =>
    opennessOf(left.path) < opennessOf(right.path) ? -1 : 1,
  );
  const asked = method === "HEAD" ? "GET" : method;
  const operation = matching.find((each) => each.path === first?.path && each.method === asked);
  if (operation !== undefined) return { operation };
  const problem: Problem = first
    ? { in: "method", pointer: "", message: "is not documented for this path" }
    : { in: "path", pointer: "", message: "is not documented" };
  return { problem };
}

/** Returns one digit for each segment: 0 for literal text, 1 for text with parameters, 2 for a single parameter. */
function opennessOf(template: string): string {
  return template.replaceAll(/[^/]+/g, (segment) =>
    /^\{[^{}]*\}$/.test(segment) ? "2" : segment.includes("{") ? "1" : "0",
  );
}

const expressions = new Map<string, RegExp>();

/** Returns the encoded values of the path parameters, or undefined if the path does not match. */
export function matchPath(template: string, path: string): ReadonlyMap<string, string> | undefined {
  const pieces = template.split(/\{([^{}]+)\}/);
  const names = pieces.filter((_, index) => index % 2 === 1);
  const pattern = pieces
    .map((piece, index) => (index % 2 === 1 ? "([^/]+)" : piece.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")))
    .join("");
  const expression = expressions.get(template) ?? new RegExp(`^${pattern}$`);
  expressions.set(template, expression);
  const texts = expression.exec(path)?.slice(1);
  return texts && new Map(names.map((name, index) => [name, texts[index] ?? ""]));
}

export function pathOf(target: string): string {
  return target.split(/[?#]/, 1)[0] ?? "";
}

export function queryOf(target: string): string {
  return target.replace(/#.*$/s, "").replace(/^[^?]*\??/, "");
}
