import { Hono } from "hono";
import { cors } from "hono/cors";
import { createMock, type MockDependencies } from "#specbind/client/mock";
import { methodsOf } from "#specbind/contract";
import { type ContractEnv, serveContract } from "#specbind/server";

interface MockAppDependencies
  extends Pick<
    MockDependencies,
    "contract" | "document" | "authenticate" | "reject" | "generate" | "log" | "onSettled"
  > {
  /** Also serves the operations below this path. */
  readonly basePath?: string;
}

/** @param log receives notes about examples, and a line for each request */
export function createMockApp({
  log,
  basePath = "",
  onSettled,
  ...source
}: MockAppDependencies): Hono<ContractEnv> {
  const app = new Hono<ContractEnv>();
  // Pages of any origin may call every operation and read all headers.
  const allowMethods = ["HEAD", ...new Set(Object.values(source.contract.operations).flatMap(methodsOf))];
  const openToPages = cors({ origin: "*", exposeHeaders: ["*"], allowMethods });
  app.use((c, next) => {
    if (c.req.method === "OPTIONS" && !c.req.header("access-control-request-method")) return next();
    // Preflights get their response from Hono.
    c.res.headers.set("X-Content-Type-Options", "nosniff");
    return openToPages(c, next);
  });
  const mock = createMock({
    ...source,
    log,
    onSettled(exchange) {
      const { request, reply } = exchange;
      log(`${request?.method} ${request?.path} ${reply.status}`);
      onSettled?.(exchange);
    },
  });
  const based = mock.paths.map((path) => ({ ...path, template: basePath + path.template }));
  serveContract(app, { ...mock, paths: basePath === "" ? mock.paths : [...based, ...mock.paths] });
  return app;
}
