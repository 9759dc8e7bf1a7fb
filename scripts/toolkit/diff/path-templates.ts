/** Compares path templates: whether they match the same URLs, or one matches URLs of another. */
import { entriesOf } from "../openapi/document.ts";
import { placeAt, type SchemaPlace } from "../openapi/schema/schema-view.ts";

export function pathsIn({ value }: SchemaPlace): string[] {
  return entriesOf(value).flatMap(([path]) => (path.startsWith("/") ? [path] : []));
}

/** Removes the names of the path's parameters, because URLs do not contain them. */
function routeOf(path: string): string {
  return path.replaceAll(/\{[^{}]*\}/g, "{}");
}

interface PathPair {
  readonly old: string | undefined;
  readonly now: string | undefined;
}

/**
 * Pairs the paths of two documents: first equal ones, then those that differ only in the names of their parameters. The
 * names keep two templates of one document apart.
 *
 * @param bases the paths of the servers, if they count as a part of the paths
 */
export function pairedPaths(before: unknown, after: unknown, bases = ["", ""]): PathPair[] {
  const [olds = [], nows = []] = [before, after].map((document, index) =>
    pathsIn(placeAt(document, "/paths")).map((path) => ({ path, whole: (bases[index] ?? "") + path })),
  );
  const pairs = new Map<string, string>();
  const taken = new Set<string>();
  for (const keyOf of [(path: string): string => path, routeOf]) {
    const left = nows.filter(({ path }) => !taken.has(path));
    const byKey = new Map(left.map(({ path, whole }) => [keyOf(whole), path]));
    for (const { path, whole } of olds) {
      const found = byKey.get(keyOf(whole));
      if (found === undefined || pairs.has(path) || taken.has(found)) continue;
      pairs.set(path, found);
      taken.add(found);
    }
  }
  return [
    ...olds.map(({ path }) => ({ old: path, now: pairs.get(path) })),
    ...nows.flatMap(({ path }) => (taken.has(path) ? [] : [{ old: undefined, now: path }])),
  ];
}

/**
 * True if the new path takes over URLs that an older template matched. Concrete paths match first (OpenAPI 3.1, section
 * 4.8.8.2).
 */
export function takesFrom(path: string, old: string): boolean {
  const [segments, olds] = [path.split("/"), old.split("/")];
  if (segments.length !== olds.length) return false;
  const isTemplate = (segment: string): boolean => segment.includes("{");
  const pairs = segments.map((segment, index) => [segment, olds[index] ?? ""] as const);
  return (
    pairs.every(([now, was]) => now === was || isTemplate(now) || isTemplate(was)) &&
    pairs.some(([now, was]) => !isTemplate(now) && isTemplate(was))
  );
}

/** Maps the older names of path parameters to the newer ones. */
export function renamedParameters(old: string, now: string): Map<string, string> {
  const newer = templateNames(now);
  return new Map(templateNames(old).map((name, index) => [name, newer[index] ?? name]));
}

function templateNames(path: string): string[] {
  return [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name ?? "");
}
