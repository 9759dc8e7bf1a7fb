/** A contract for the routes of a Hono app that does not mount the contract. */
import type { Env } from "hono";
import { matchedRoutes } from "hono/route";
import type { H } from "hono/types";
import { assertFormat, type OperationContract } from "#specbind/contract";
import type { HandlerMaker, OperationTable } from "../contract/handlers.ts";
import { operationResponder } from "../contract/pipeline.ts";
import { type AppContext, bindingOf, type ContractAppOptions } from "./contract-app.ts";
import { mountedHandlerOf } from "./hono.ts";

type Options<Principal, AppEnv extends Env> = Omit<
  ContractAppOptions<Principal, AppEnv>,
  "handlers" | "basePath" | "around" | "resources" | "crossOrigin"
>;

/**
 * Returns a function that makes the handler of a route: `app.post("/orders", validated("createOrder", handle))`. The path
 * of the route must end like the path of the operation.
 * @throws Error of the returned function, if a security scheme of the operation has no authenticator. The first request
 *   of a route with another path throws one, too
 */
export function validatedRoutes<
  Operations extends OperationTable,
  Principal = undefined,
  AppEnv extends Env = Env,
>(options: Options<Principal, AppEnv>): HandlerMaker<AppContext<Principal, AppEnv>, Operations, H> {
  const { contract } = options;
  for (const format of [contract.format, contract.validators]) assertFormat(format);
  return (id, handle) => {
    const name = String(id);
    const operation = contract.operations[name];
    if (operation === undefined) throw new Error(`the contract has no operation ${name}`);
    // The type of `handle` has been compared with the operation.
    const binding = bindingOf({ ...options, handlers: { [name]: handle as never } });
    const respond = mountedHandlerOf(operationResponder(binding, name, operation));
    let isChecked = false;
    const handler: H = (c, next) => {
      // A handler does not learn the path of its route before the first request.
      if (!isChecked) assertRoute(matchedRoutes(c)[c.req.routeIndex]?.path ?? "", name, operation);
      isChecked = true;
      return respond(c, next);
    };
    return handler as never;
  };
}

function assertRoute(route: string, id: string, { path }: OperationContract): void {
  const wanted = path === "/" ? [] : path.split("/").slice(1);
  const ending = route.split("/").slice(-wanted.length);
  const isRight = wanted.every((segment, index) =>
    segment.includes("{") ? /^[:*]/.test(ending[index] ?? "") : segment === ending[index],
  );
  if (!isRight) throw new Error(`the route ${route} must end like ${path}, the path of ${id}`);
}
