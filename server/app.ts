/** The application as a function of what it depends on. Nothing is read, opened or listened to here. */
import { Hono } from "hono";
import type { BaseLogger } from "pino";
import { contract } from "../generated/contract.ts";
import document from "../generated/openapi.json" with { type: "json" };
import type { CallerAddress } from "./caller-address.ts";
import { bindContract, Call, type ContractEnv, type Receive, type Resource } from "./contract/bind.ts";
import type { PlainResponse, ResponsePolicy } from "./contract/check-response.ts";
import { docsResources, type ScalarScript } from "./docs-page.ts";
import { errorCodeOf, errorResponse } from "./errors.ts";
import type { Exchange } from "./exchange.ts";
import { checks, createHandlers, type HandlerDependencies } from "./handlers.ts";
import type { Metrics } from "./metrics.ts";
import type { OutageLog } from "./outage-log.ts";
import { authenticateApiKey } from "./principal.ts";
import type { Readiness } from "./readiness.ts";
import { loggable } from "./redaction.ts";
import { refusalResponse } from "./refusals.ts";
import { requestIdOf } from "./request-id.ts";
import { type ApiKeyKind, StoreUnavailableError } from "./store/store.ts";
import type { Tracing } from "./tracing.ts";

export interface AppDependencies extends HandlerDependencies {
  readonly log: BaseLogger;
  readonly readiness: Readiness;
  readonly outages: Pick<OutageLog, "failed">;
  readonly callerAddress: CallerAddress;
  /** From whose pages browsers may call what a publishable key may call. */
  readonly corsOrigins: "*" | readonly string[];
  readonly responsePolicy: ResponsePolicy;
  readonly maxContentBytes: number;
  /** The script of `/docs`, if it is installed. */
  readonly scalar: ScalarScript | undefined;
  readonly metrics?: Metrics | undefined;
  readonly tracing?: Tracing | undefined;
}

/** Seconds after which a caller may try again when the store was out of reach. */
const retryAfterSeconds = 1;
/** The kinds of key that may sit in a page. */
const kindsForPages: readonly ApiKeyKind[] = ["publishable"];
/** Asked every few seconds by machines: logged only where somebody looks for them. */
const probes = ["/healthz", "/readyz"];

/** The operations of the spec, and beside them `/healthz`, `/readyz`, `/openapi.json` and `/docs`, which need no key. */
export function createApp(dependencies: AppDependencies): Hono<ContractEnv> {
  const { log, store, callerAddress, corsOrigins, responsePolicy, readiness, outages, metrics, tracing } =
    dependencies;
  const app = new Hono<ContractEnv>();

  const receive: Receive = async (c, answer) => {
    const started = performance.now();
    const header = (name: string) => c.req.header(name);
    const requestId = requestIdOf(header("x-request-id"), header("authorization"));
    const address = callerAddress(c.env?.incoming?.socket?.remoteAddress, () => header("x-forwarded-for"));
    const call = new Call(requestId, address);
    const tell = ({ status }: Response): Exchange => {
      const { method } = c.req;
      const operation = call.operation ?? "unmatched";
      const seconds = (performance.now() - started) / 1000;
      const code = errorCodeOf(call.answer?.body);
      const ms = Math.round(seconds * 1_000_000) / 1000;
      const level = probes.includes(operation) ? "debug" : "info";
      log[level]({ request_id: requestId, method, operation, status, code, address, ms }, "answered");
      const exchange = { operation, status, code, seconds };
      metrics?.answered(exchange);
      return exchange;
    };
    if (tracing !== undefined) return tracing.request(c.req.method, header, () => answer(call), tell);
    const response = await answer(call);
    tell(response);
    return response;
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

  const openapi = JSON.stringify(document);

  bindContract(app, {
    contract,
    handlers: createHandlers(dependencies),
    checks,
    authenticate: { apiKey: authenticateApiKey(store) },
    refuse: refusalResponse,
    fail,
    resources: {
      "/healthz": () => ({ status: 200, body: '{"status":true}' }),
      "/readyz": (requestId) => readinessOf(readiness, requestId),
      "/openapi.json": () => ({ status: 200, body: openapi }),
      ...docsResources(document.info.title, dependencies.scalar),
    },
    crossOrigin:
      corsOrigins.length === 0
        ? undefined
        : {
            origins: corsOrigins,
            roles: kindsForPages,
            requestHeaders: ["X-Request-Id", "traceparent", "tracestate"],
          },
    receive,
    onViolation: (violation, requestId) => {
      metrics?.violated(violation.operationId ?? "unmatched", responsePolicy);
      log.error({ request_id: requestId, ...violation }, "a response breaks the spec");
    },
    responsePolicy,
    maxContentBytes: dependencies.maxContentBytes,
  });
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
