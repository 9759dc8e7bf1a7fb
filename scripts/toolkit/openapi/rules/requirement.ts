/** How the rules for objects are written. */
import { isObject, type JsonObject, pointerTo } from "../document.ts";
import type { Kind } from "../grammar.ts";
import type { OpenApiVersion } from "../redocly.ts";

export interface Requirement {
  readonly kinds: readonly Kind[];
  /** Paths from objects of these kinds to the objects of the rule. `*` means each item. Default: the objects themselves. */
  readonly paths?: readonly string[];
  /** Default: all versions. */
  readonly only?: readonly OpenApiVersion[];
  readonly message: string;
  /** Pointers to the wrong parts, relative to the object. */
  readonly wrong: (object: JsonObject, where: Where) => readonly string[];
}

export interface Where {
  readonly document: JsonObject;
  readonly pointer: string;
  /** The pointers of the schemas that occur in `allOf` of other schemas. */
  extended(): ReadonlySet<string>;
}

type Test = (object: JsonObject) => boolean;
type Wrong = Requirement["wrong"];

/** The object itself is wrong. */
export function self(test: Test): Wrong {
  return (object) => (test(object) ? [""] : []);
}

export function fields(names: readonly string[], test: Test): Wrong {
  return (object) =>
    names.filter((name) => object[name] !== undefined && test(object)).map((name) => `/${name}`);
}

export function texts(names: readonly string[], isValid: (value: string) => boolean): Wrong {
  return (object) =>
    names
      .filter((name) => typeof object[name] === "string" && !isValid(object[name]))
      .map((name) => `/${name}`);
}

/** Keys that are not extensions. */
export function keys(isValid: (key: string) => boolean): Wrong {
  return (object) =>
    Object.keys(object).flatMap((key) => (key.startsWith("x-") || isValid(key) ? [] : [pointerTo("", key)]));
}

/** Objects in a map. */
export function values(
  test: (value: JsonObject, key: string) => boolean,
  ...below: readonly string[]
): Wrong {
  return (map) =>
    Object.entries(map).flatMap(([key, value]) =>
      isObject(value) && test(value, key) ? [pointerTo("", key, ...below)] : [],
    );
}

export const servers = {
  kinds: ["document", "pathItem", "operation", "link"],
  paths: ["servers/*", "server"],
} as const;
