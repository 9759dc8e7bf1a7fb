/** Serves a contract by Hono, which routes the requests and adapts them to Node. */
import { type Context, Hono } from "hono";
import { type Awaitable, andThen } from "./awaitable.ts";
import type { Contracted, Respond } from "./bind.ts";
import type { Answer } from "./check-response.ts";
import { type ContentBindings, readContent } from "./content.ts";
import { routePath } from "./paths.ts";
import type { RequestView } from "./request-view.ts";

export interface ContractEnv {
  Bindings: ContentBindings;
}

type Handler = (c: Context<ContractEnv>) => Awaitable<Response>;

/** Adds a route for every method of every path, and the responses to requests that match none. */
export function serveContract(app: Hono<ContractEnv>, { paths, unmatched }: Contracted): void {
  const methods = [...new Set(paths.flatMap(({ byMethod }) => Object.keys(byMethod)))];
  // A second route that matches would lead every request through Hono's chain of handlers.
  const rest = new Hono<ContractEnv>();
  for (const { template, byMethod, otherMethod } of paths) {
    const path = routePath(template);
    const refuse = handlerOf(otherMethod);
    for (const method of methods)
      app.on(method, path, byMethod[method] === undefined ? refuse : handlerOf(byMethod[method]));
    rest.all(path, refuse);
  }
  rest.notFound(handlerOf(unmatched));
  app.notFound((c) => rest.fetch(c.req.raw, c.env));
}

function handlerOf(respond: Respond): Handler {
  return (c) => andThen(respond(new HonoRequest(c)), responseOf);
}

function responseOf({ status, headers, body }: Answer): Response {
  // To TypeScript, bytes over a shared buffer are no body.
  return new Response((body ?? null) as BodyInit | null, { status, headers });
}

class HonoRequest implements RequestView {
  readonly #c: Context<ContractEnv>;

  constructor(c: Context<ContractEnv>) {
    this.#c = c;
  }

  get method(): string {
    return this.#c.req.method;
  }

  get path(): string {
    return this.#c.req.path;
  }

  get query(): string {
    return new URL(this.#c.req.url).search.slice(1);
  }

  header(name: string): string | undefined {
    const rawHeaders = this.#c.env?.incoming?.rawHeaders;
    return rawHeaders === undefined ? this.#c.req.header(name) : joined(rawHeaders, name);
  }

  body(maxBytes: number): Awaitable<Uint8Array> {
    return readContent((name) => this.header(name), this.#c.env, this.#c.req.raw, maxBytes);
  }

  get peer(): string | undefined {
    return this.#c.env?.incoming?.socket?.remoteAddress;
  }

  get signal(): AbortSignal {
    return this.#c.req.raw.signal;
  }
}

/** Node's own `headers` keep the first of some names only. */
function joined(rawHeaders: readonly string[], name: string): string | undefined {
  let value: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const each = rawHeaders[index] as string;
    if (each.length !== name.length || each.toLowerCase() !== name.toLowerCase()) continue;
    const next = rawHeaders[index + 1] as string;
    value = value === undefined ? next : `${value}${name === "cookie" ? "; " : ", "}${next}`;
  }
  return value;
}
