import { Hono } from "hono";
import type { BaseLogger } from "pino";
import { contract } from "../generated/contract.ts";
import document from "../generated/openapi.json" with { type: "json" };
import type { CallerAddress } from "./caller-address.ts";
import { bindContract, type Resource, type Resources } from "./contract/bind.ts";
import { type ContractEnv, serveContract } from "./contract/hono.ts";
import {
  type AnyHandlers,
  type Authenticate,
  andThen,
  type Binding,
  type SettledExchange,
} from "./contract/pipeline.ts";
import type { PlainResponse, ResponsePolicy } from "./contract/response.ts";
import { docsResources, type ScalarScript } from "./docs-page.ts";
import { findApiKey } from "./domain/api-keys.ts";
import { errorCodeOf, errorResponse } from "./errors.ts";
import { checks, createHandlers, type HandlerDependencies } from "./handlers.ts";
import { type RequestLog, requestIdOf } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import type { OutageLog } from "./outage-log.ts";
import type { Principal } from "./principal.ts";
import type { Readiness } from "./readiness.ts";
import { loggable } from "./redaction.ts";
import { refusalResponse } from "./refusals.ts";
import { type ApiKeyKind, StoreUnavailableError } from "./store/store.ts";
import type { Tracing } from "./tracing.ts";

export interface AppDependencies extends HandlerDependencies {
  readonly log: BaseLogger;
  readonly requestLog: RequestLog;
  readonly readiness: Readiness;
  readonly outages: Pick<OutageLog, "failed">;
  readonly callerAddress: CallerAddress;
  /** Origins whose pages may call everything that a publishable key may call. */
  readonly corsOrigins: "*" | readonly string[];
  readonly responsePolicy: ResponsePolicy;
  readonly maxContentBytes: number;
  readonly scalar: ScalarScript | undefined;
  readonly metrics?: Metrics | undefined;
  readonly tracing?: Tracing | undefined;
  /** For tests. */
  readonly observed?: {
    readonly onSettled: (exchange: SettledExchange) => void;
    readonly handlers: (handlers: AnyHandlers<Principal>) => AnyHandlers<Principal>;
  };
}

/** `Retry-After` while the store is unavailable. */
const retryAfterSeconds = 1;
const kindsForPages: readonly ApiKeyKind[] = ["publishable"];

/** `/healthz`, `/readyz`, `/openapi.json` and `/docs` are not in the spec and need no key. */
export function createApp(dependencies: AppDependencies): Hono<ContractEnv> {
  const {
    log,
    requestLog,
    store,
    callerAddress,
    corsOrigins,
    responsePolicy,
    readiness,
    outages,
    metrics,
    tracing,
  } = dependencies;
  const app = new Hono<ContractEnv>();

  const onSettled = (exchange: SettledExchange): void => {
    const { status, body } = exchange.response;
    const code = status < 400 ? undefined : errorCodeOf(body);
    requestLog(exchange, code);
    metrics?.settled(exchange, code);
    tracing?.settled(exchange, code);
    dependencies.observed?.onSettled(exchange);
  };

  const fail = (error: unknown, requestId: string, secrets: readonly string[]): PlainResponse => {
    const shown = loggable(error, secrets);
    tracing?.failed(shown);
    if (error instanceof StoreUnavailableError) {
      readiness.doubt();
      outages.failed(shown, requestId);
      return unavailable(requestId);
    }
    log.error({ request_id: requestId, error: shown }, "the request failed");
    return errorResponse("internal_error", requestId);
  };

  // Every request looks up its key, so that a revocation takes effect at once.
  const authenticate: Authenticate<Principal> = (credential) =>
    andThen(findApiKey(store, credential), (key) => key && { principal: key, roles: [key.kind] });

  const handlers = createHandlers(dependencies);
  const binding: Binding<Principal> = {
    contract,
    handlers: dependencies.observed?.handlers(handlers) ?? handlers,
    checks,
    authenticate: { apiKey: authenticate },
    requestIdOf,
    addressOf: (request) => callerAddress(request.peer, () => request.header("x-forwarded-for")),
    refuse: refusalResponse,
    fail,
    crossOrigin:
      corsOrigins.length === 0
        ? undefined
        : {
            origins: corsOrigins,
            roles: kindsForPages,
            requestHeaders: ["X-Request-Id", "traceparent", "tracestate"],
          },
    onSettled,
    onViolation: (violation, requestId) => {
      metrics?.violated(violation.operationId ?? "unmatched", responsePolicy);
      log.error({ request_id: requestId, ...violation }, "a response breaks the spec");
    },
    responsePolicy,
    maxContentBytes: dependencies.maxContentBytes,
  };
  const openapi = JSON.stringify(document);
  const resources: Resources = {
    "/healthz": () => ({ status: 200, body: '{"status":true}' }),
    "/readyz": (requestId) => readinessOf(readiness, requestId),
    "/openapi.json": () => ({ status: 200, body: openapi }),
    ...docsResources(document.info.title, dependencies.scalar),
  };
  if (tracing !== undefined)
    app.use((c, next) => tracing.request(c.req.method, (name) => c.req.header(name), next));
  serveContract(app, bindContract(binding, resources));
  return app;
}

async function readinessOf(readiness: Readiness, requestId: string): Promise<Resource> {
  if (await readiness.isReady()) return { status: 200, body: '{"status":true}' };
  const { status, headers, body } = unavailable(requestId);
  return { status, headers, body: JSON.stringify(body) };
}

function unavailable(requestId: string) {
  return errorResponse("unavailable", requestId, { headers: { "Retry-After": retryAfterSeconds } });
}
