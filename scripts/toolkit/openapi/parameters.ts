/** The parameters of an operation (OpenAPI 3.1, Parameter Object). */
import { follow, isObject, itemPointers, type JsonObject, pointerTo } from "./document.ts";

/** Each location of parameters with its default style. `querystring` exists since OpenAPI 3.2 and has no style. */
export const defaultStyles = {
  path: "simple",
  query: "form",
  querystring: "form",
  header: "simple",
  cookie: "form",
} as const;
export type ParameterLocation = keyof typeof defaultStyles;

export interface DeclaredParameter {
  readonly name: string;
  readonly in: ParameterLocation;
  readonly pointer: string;
  readonly value: JsonObject;
}

/**
 * The parameters of a path item, then those of its operation, which replace parameters of the same name and location.
 */
export function parametersAt(document: unknown, ...holders: readonly string[]): DeclaredParameter[] {
  const pointers = holders.flatMap((holder) => itemPointers(document, pointerTo(holder, "parameters")));
  return pointers.flatMap((pointer) => parameterAt(document, pointer) ?? []);
}

export function parameterAt(document: unknown, at: string): DeclaredParameter | undefined {
  const { pointer, value } = follow(document, at);
  if (!isObject(value) || typeof value.name !== "string" || !isLocation(value.in)) return undefined;
  return { name: value.name, in: value.in, pointer, value };
}

export function isLocation(value: unknown): value is ParameterLocation {
  return typeof value === "string" && Object.hasOwn(defaultStyles, value);
}

/** OpenAPI ignores definitions of these headers. */
export function isIgnored({ in: location, name }: Pick<DeclaredParameter, "in" | "name">): boolean {
  return location === "header" && ["accept", "content-type", "authorization"].includes(name.toLowerCase());
}

/** RFC 9110, section 5.1, and RFC 6265, section 4.1.1. Servers accept more names of cookies than the latter. */
const nameForms: { readonly [location: string]: RegExp } = {
  header: /^[\w!#$%&'*+.^`|~-]+$/,
  cookie: /^[^\s=;,]+$/,
};

/** False for names that cannot be sent. */
export function isSendable(location: string, name: string): boolean {
  return nameForms[location]?.test(name) ?? true;
}
