/** Renders `server.ts`, which gives the runtime's functions for servers the types of this document. */
import { banner } from "./source-text.ts";

/** @param runtime what the names of the runtime's modules begin with */
export function renderServer(runtime: string): string {
  return `${banner}
import { type HandlerMaker, type Handlers as HandlersOf, handlerMaker as handlerMakerOf } from "${runtime}/server";
import type { contract } from "./contract.ts";
import type { operations, received } from "./types.ts";

/** The types of each operation. */
export type Spec = {
  readonly [Operation in keyof operations]: {
    readonly documented: operations[Operation];
    readonly received: Operation extends keyof received["operations"]
      ? received["operations"][Operation]
      : operations[Operation];
    readonly security: (typeof contract)["operations"][Operation]["security"];
  };
};

/** A handler for every operation. With \`satisfies\`, a missing or an extra handler is a compile error. */
export type Handlers<Context> = HandlersOf<Context, Spec>;

/** Returns the function that makes a handler of an operation. */
export function handlerMaker<Context>(): HandlerMaker<Context, Spec> {
  return handlerMakerOf();
}
`;
}
