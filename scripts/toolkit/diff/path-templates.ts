/** Compares path templates: whether they match the same URLs, or one matches URLs of another. */
import { entriesOf } from "../openapi/document.ts";
import type { SchemaPlace } from "../openapi/schema/schema-view.ts";

export function pathsIn({ value }: SchemaPlace): string[] {
  return entriesOf(value).flatMap(([path]) => (path.startsWith("/") ? [path] : []));
}

/** Removes the names of the path's parameters, because URLs do not contain them. */
export function routeOf(path: string): string {
  return path.replaceAll(/\{[^{}]*\}/g, "{}");
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
