/** Path templates: which are the same for callers, and which takes the calls of another. */
import { entriesOf } from "../openapi/document.ts";
import type { SchemaPlace } from "../openapi/schema-view.ts";

export function pathsIn({ value }: SchemaPlace): string[] {
  return entriesOf(value).flatMap(([path]) => (path.startsWith("/") ? [path] : []));
}

/** A path without the names of its parameters, which callers never write. */
export function routeOf(path: string): string {
  return path.replaceAll(/\{[^{}]*\}/g, "{}");
}

/** Whether the new path takes calls of an older path. Concrete paths match first (OpenAPI 3.1, section 4.8.8.2). */
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

/** The newer names of path parameters, by the older ones. */
export function renamedParameters(old: string, now: string): Map<string, string> {
  const newer = templateNames(now);
  return new Map(templateNames(old).map((name, index) => [name, newer[index] ?? name]));
}

function templateNames(path: string): string[] {
  return [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name ?? "");
}
