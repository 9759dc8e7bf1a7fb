/**
 * Generated from the OpenAPI document by specbind. Edit the document, not this file.
 * @noformat
 */
/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
// biome-ignore-all assist: generated

import { type HandlerMaker, type Handlers as HandlersOf, handlerMaker as handlerMakerOf } from "#specbind/server";
import type { contract } from "./contract.ts";
import type { operations, received } from "./types.ts";

/** The types of each operation that has a route. */
export type Spec = {
  readonly [Operation in keyof operations & keyof (typeof contract)["operations"]]: {
    readonly documented: operations[Operation];
    readonly received: Operation extends keyof received["operations"]
      ? received["operations"][Operation]
      : operations[Operation];
    readonly security: (typeof contract)["operations"][Operation]["security"];
  };
};

/** A handler for every operation. With `satisfies`, a missing or an extra handler is a compile error. */
export type Handlers<Context> = HandlersOf<Context, Spec>;

/** Returns the function that makes a handler of an operation. */
export function handlerMaker<Context>(): HandlerMaker<Context, Spec> {
  return handlerMakerOf();
}
