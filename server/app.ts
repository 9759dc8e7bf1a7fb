/** The application as a function of what it depends on. Nothing is read, opened or listened to here. */
import { Hono } from "hono";
import type { BaseLogger } from "pino";
import { contract } from "../generated/contract.ts";
import document from "../generated/openapi.json" with { type: "json" };
import { bindContract, type ContractEnv } from "./contract/bind.ts";
import type { ResponsePolicy } from "./contract/check-response.ts";
import { errorResponse } from "./errors.ts";
import { createHandlers, type HandlerDependencies } from "./handlers.ts";
import { authenticateApiKey } from "./principal.ts";
import { refusalResponse } from "./refusals.ts";
import { requestIdOf } from "./request-id.ts";
import { StoreUnavailableError } from "./store/store.ts";

export interface AppDependencies extends HandlerDependencies {
  readonly log: BaseLogger;
  readonly responsePolicy: ResponsePolicy;
  readonly maxContentBytes: number;
}

/** Seconds after which a caller may try again when the store was out of reach. */
const retryAfterSeconds = 1;

/** The operations of the spec, and beside them `/healthz` and `/openapi.json`, which need no key. */
export function createApp(dependencies: AppDependencies): Hono<ContractEnv> {
  const { log, store } = dependencies;
  const app = new Hono<ContractEnv>();

  app.use(async (c, next) => {
    const started = performance.now();
    c.set("requestId", requestIdOf(c.req.header("x-request-id")));
    await next();
    log.info(
      {
        request_id: c.get("requestId"),
        method: c.req.method,
        operation: c.get("operationId"),
        status: c.res.status,
        ms: Math.round((performance.now() - started) * 1000) / 1000,
      },
      "answered",
    );
  });

  const openapi = JSON.stringify(document);
  app.get("/healthz", (c) => plainJson('{"status":true}', c.get("requestId")));
  app.get("/openapi.json", (c) => plainJson(openapi, c.get("requestId")));

  const fail = (error: unknown, requestId: string) => {
    if (error instanceof StoreUnavailableError) {
      log.error({ request_id: requestId, err: error }, "the store is unavailable");
      return errorResponse("unavailable", requestId, { headers: { "Retry-After": retryAfterSeconds } });
    }
    log.error({ request_id: requestId, err: error }, "the request failed");
    return errorResponse("internal_error", requestId);
  };

  bindContract(app, {
    contract,
    handlers: createHandlers(dependencies),
    authenticate: { apiKey: authenticateApiKey(store) },
    refuse: refusalResponse,
    fail,
    addressOf: (c) => c.env?.incoming?.socket?.remoteAddress,
    onViolation: (violation, requestId) => {
      log.error({ request_id: requestId, ...violation }, "a response breaks the spec");
    },
    responsePolicy: dependencies.responsePolicy,
    maxContentBytes: dependencies.maxContentBytes,
  });
  return app;
}

function plainJson(text: string, requestId: string): Response {
  return new Response(text, {
    headers: { "Content-Type": "application/json", "X-Request-Id": requestId, "Cache-Control": "no-store" },
  });
}
