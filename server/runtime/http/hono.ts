/** Serves a contract with Hono. */
import { type Context, Hono } from "hono";
import { matchedRoutes } from "hono/route";
import type { H, RouterRoute } from "hono/types";
import type { StatusCode } from "hono/utils/http-status";
import { type Awaitable, andThen } from "../contract/awaitable.ts";
import type { Contracted } from "../contract/bind.ts";
import { routePath } from "../contract/path-templates.ts";
import type { Respond } from "../contract/pipeline.ts";
import type { Reply } from "../contract/response.ts";
import { discardStream } from "../contract/streams.ts";
import { type ContractEnv, HonoRequest } from "./hono-request.ts";

export type { ContractEnv } from "./hono-request.ts";

export function serveContract(app: Hono<ContractEnv>, { paths, unmatched }: Contracted): void {
  const methods = methodsIn(paths);
  // Other methods have a separate app. If two routes matched a request, Hono would use its slower handler chain for
  // every request.
  const rest = new Hono<ContractEnv>();
  for (const { template, byMethod, otherMethod } of paths) {
    const path = routePath(template);
    const reject = handlerOf(otherMethod);
    for (const method of methods)
      app.on(method, path, byMethod[method] === undefined ? reject : handlerOf(byMethod[method]));
    rest.all(path, reject);
  }
  rest.notFound(handlerOf(unmatched));
  app.notFound((c) => rest.fetch(c.req.raw, c.env));
}

/**
 * Returns the routes of a contract that is mounted in another app. `route()` of Hono copies the routes of an app, but not
 * its `notFound`. So the last route is for all other paths below the prefix.
 */
export function mountedRoutes({ paths, unmatched }: Contracted): RouterRoute[] {
  const methods = methodsIn(paths);
  const known: RouterRoute[] = [];
  const others: RouterRoute[] = [];
  for (const { template, byMethod, otherMethod } of paths) {
    const reject = mountedHandlerOf(otherMethod);
    // Hono joins a prefix and "/" to the prefix. With "", the prefix gets a slash at its end.
    for (const path of template === "/" ? ["/", ""] : [routePath(template)]) {
      for (const method of methods)
        known.push(
          routeOf(method, path, byMethod[method] === undefined ? reject : mountedHandlerOf(byMethod[method])),
        );
      others.push(routeOf("ALL", path, reject));
    }
  }
  const respond = mountedHandlerOf(unmatched);
  const last: H = (c, next) => (isLeftToTheHost(c) ? next() : respond(c, next));
  return [...known, ...others, routeOf("ALL", "/*", last)];
}

function methodsIn(paths: Contracted["paths"]): string[] {
  return [...new Set(paths.flatMap(({ byMethod }) => Object.keys(byMethod)))];
}

function routeOf(method: string, path: string, handler: H): RouterRoute {
  return { basePath: "/", path, method, handler };
}

/** True if the contract is mounted at `/`, or if a later route below its prefix matches, too. */
function isLeftToTheHost(c: Context): boolean {
  const routes = matchedRoutes(c);
  const prefix = (routes[c.req.routeIndex]?.path ?? "/*").slice(0, -"/*".length);
  const later = routes.slice(c.req.routeIndex + 1);
  return prefix === "" || later.some(({ path }) => path === prefix || path.startsWith(`${prefix}/`));
}

/** The response also has the headers that middleware of the host has set. */
export function mountedHandlerOf(respond: Respond): H {
  return (c) =>
    andThen(respond(new HonoRequest(c, true)), (reply) =>
      c.newResponse(bodyFor(c.req.method, reply), reply.status as StatusCode, reply.headers),
    );
}

function handlerOf(respond: Respond): (c: Context<ContractEnv>) => Awaitable<Response> {
  return (c) =>
    andThen(respond(new HonoRequest(c)), (reply) => {
      const { status, headers } = reply;
      return new Response(bodyFor(c.req.method, reply), { status, headers });
    });
}

function bodyFor(method: string, { body }: Reply): string | ReadableStream | null {
  if (method === "HEAD" && body instanceof ReadableStream) {
    // Hono removes the body of a response to HEAD, but does not cancel it.
    discardStream(body);
    return null;
  }
  // Bytes of a shared buffer and a Blob are bodies, too, but not in the types of TypeScript and Hono.
  return (body ?? null) as string | ReadableStream | null;
}
