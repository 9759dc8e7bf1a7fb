/**
 * Renders `server.ts`, which gives the runtime's functions for servers the types of this document, and `documents.ts`,
 * which a server imports to publish it.
 */
import { banner } from "./source-text.ts";
import type { Callback } from "./webhooks/webhook-spec.ts";

/** @param runtime what the names of the runtime's modules begin with */
export function renderServer(runtime: string, callbacks: readonly Callback[]): string {
  const hasCallbacks = callbacks.length > 0;
  return `${banner}
import { type HandlerMaker, type Handlers as HandlersOf, handlerMaker as handlerMakerOf } from "${runtime}/server";
import type { contract } from "./contract.ts";${hasCallbacks ? '\nimport type { Callbacks } from "./sender.ts";' : ""}
import type { operations, received } from "./types.ts";

/** The types of each operation that has a route. */
export type Spec = {
  readonly [Operation in keyof operations & keyof (typeof contract)["operations"]]: {
    readonly documented: operations[Operation];
    readonly received: Operation extends keyof received["operations"]
      ? received["operations"][Operation]
      : operations[Operation];
    readonly security: (typeof contract)["operations"][Operation]["security"];${
      hasCallbacks
        ? `
    /** Sends the operation's callbacks to the URLs that the request contains. */
    readonly callbacks: Operation extends keyof Callbacks ? Callbacks[Operation] : never;`
        : ""
    }
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

/** @param hasOpenApi31 true if the document is OpenAPI 3.2 */
export function renderDocuments(hasOpenApi31: boolean): string {
  const [imports, documents] = hasOpenApi31
    ? [
        `\nimport openApi31 from "./openapi-3.1.json" with { type: "json" };`,
        `"/openapi.json": openApi31, "/openapi-3.2.json": document`,
      ]
    : ["", `"/openapi.json": document`];
  return `${banner}
import document from "./openapi.json" with { type: "json" };${imports}

/** The document as OpenAPI 3.1 and, if it is OpenAPI 3.2, as it is. Keyed by the path that publishes it. */
export const documents: { readonly [path: string]: object } = { ${documents} };
`;
}
