import { Hono } from "hono";
import type { Logger } from "pino";
import {
  type AnyHandlers,
  type Authenticate,
  andThen,
  type Binding,
  bindContract,
  type ContractEnv,
  type PlainResponse,
  publishedDocuments,
  type Resource,
  type Resources,
  requestIdOf,
  type SettledExchange,
  serveContract,
} from "#specbind/server";
import {
  callerAddressBehind,
  createRequestLog,
  type DocsPage,
  docsResources,
  loggable,
} from "#specbind/server/node";
import type { Metrics, OutageLog, Readiness, Tracing } from "#specbind/server/observability";
import { contract } from "../generated/contract.ts";
import document from "../generated/openapi.json" with { type: "json" };
import { documents as generatedDocuments } from "../generated/server.ts";
import type { Config } from "./config.ts";
import { findApiKey, hasExpired, type KeyUses } from "./domain/api-keys.ts";
import { type BoundedWork, boundWork } from "./domain/bounded-work.ts";
import type { Clock } from "./domain/clock.ts";
import { createLoginLimits } from "./domain/login-limits.ts";
import type { TotpKeys } from "./domain/totp-keys.ts";
import { errorCodeOf, errorResponse } from "./errors.ts";
import { checks, createHandlers, type HandlerDependencies } from "./handlers.ts";
import type { Principal } from "./principal.ts";
import { rejectionResponse } from "./rejections.ts";
import { type ApiKeyKind, type Store, StoreUnavailableError, UnstorableTextError } from "./store/store.ts";

export interface AppDependencies {
  readonly config: Config;
  readonly store: Store;
  readonly clock: Clock;
  readonly totpKeys: TotpKeys;
  readonly keyUses: Pick<KeyUses, "note">;
  readonly log: Logger;
  /** Writes a line of the log. Only the lines of requests need it. */
  readonly write: (line: string) => void;
  readonly readiness: Readiness;
  readonly outages: Pick<OutageLog, "failed">;
  readonly findScript: DocsPage["findScript"];
  readonly metrics?: Metrics | undefined;
  readonly tracing?: Tracing | undefined;
  /** Only tests set this. */
  readonly observed?: {
    readonly onSettled: (exchange: SettledExchange) => void;
    readonly handlers: (handlers: AnyHandlers<Principal>) => AnyHandlers<Principal>;
  };
  /** Only tests set this. */
  readonly passwordWork?: BoundedWork | undefined;
}

/** The service's own metrics, with their help. */
export const counters = {
  login_failure_alarms_total:
    "Windows in which more logins of a tenant failed than LOGIN_FAILURES_PER_TENANT. The log contains the tenant's id.",
} as const;

const changelog = new URL("../CHANGELOG.md", import.meta.url);
/** `Retry-After` while the store is unavailable. */
const retryAfterSeconds = 1;

/** `/healthz`, `/readyz`, `/docs` and the published documents are not in the spec and need no key. */
export function createApp(dependencies: AppDependencies): Hono<ContractEnv> {
  const { config, log, write, store, readiness, outages, keyUses, clock, metrics, tracing } = dependencies;
  const app = new Hono<ContractEnv>();

  const requestLog = createRequestLog(log, write, tracing?.logFields);
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
    if (error instanceof UnstorableTextError)
      return errorResponse("request_invalid", requestId, { message: "A text must not contain U+0000." });
    log.error({ request_id: requestId, error: shown }, "the request failed");
    return errorResponse("internal_error", requestId);
  };

  // Every request looks up its key, so that a revocation or an expiry takes effect immediately.
  const authenticate: Authenticate<Principal> = (credential) =>
    andThen(findApiKey(store, credential), (key) => {
      if (key === undefined || hasExpired(key, clock)) return undefined;
      keyUses.note(key.id);
      return { principal: key, roles: [key.kind], operations: key.operations };
    });

  const callerAddress = callerAddressBehind(config.TRUSTED_PROXIES);
  const handlers = createHandlers(handlerDependencies(dependencies));
  const binding: Binding<Principal> = {
    contract,
    handlers: dependencies.observed?.handlers(handlers) ?? handlers,
    checks,
    authenticate: { apiKey: authenticate },
    requestIdOf,
    addressOf: (request) => callerAddress(request.peer, () => request.header("x-forwarded-for")),
    reject: rejectionResponse,
    fail,
    crossOrigin: {
      pages: [
        { origins: config.CORS_ORIGINS, roles: ["publishable"] satisfies ApiKeyKind[] },
        { origins: config.CORS_SECRET_ORIGINS, roles: ["publishable", "secret"] satisfies ApiKeyKind[] },
      ],
      requestHeaders: ["X-Request-Id", "traceparent", "tracestate"],
    },
    onSettled,
    onViolation: (violation, requestId) => {
      metrics?.violated(violation.operationId ?? "unmatched", config.RESPONSE_VALIDATION);
      log.error({ request_id: requestId, ...violation }, "a response violates the spec");
    },
    responsePolicy: config.RESPONSE_VALIDATION,
    maxContentBytes: config.MAX_CONTENT_BYTES,
  };
  const documents = publishedDocuments(generatedDocuments);
  const resources: Resources = {
    "/healthz": () => ({ status: 200, body: '{"status":true}' }),
    "/readyz": (requestId) => readinessOf(readiness, requestId),
    ...documents,
    ...(config.DOCS &&
      docsResources({
        title: document.info.title,
        findScript: dependencies.findScript,
        documents,
        changelog,
      })),
  };
  if (tracing !== undefined)
    app.use((c, next) => tracing.request(c.req.method, (name) => c.req.header(name), next));
  serveContract(app, bindContract(binding, resources));
  return app;
}

function handlerDependencies({
  config,
  store,
  clock,
  totpKeys,
  log,
  metrics,
  passwordWork = boundWork({ concurrency: config.PASSWORD_CONCURRENCY, waiting: config.PASSWORD_QUEUE }),
}: AppDependencies): HandlerDependencies {
  // The audit log is complete at every LOG_LEVEL.
  const auditLog = log.child({}, { level: "info" });
  const onManyFailures = (tenant_id: string) => {
    metrics?.increase("login_failure_alarms_total" satisfies keyof typeof counters);
    const { LOGIN_FAILURES_PER_TENANT: most, LOGIN_WINDOW_SECONDS: seconds } = config;
    log.warn(
      { tenant_id, most, seconds },
      "many logins of a tenant fail; until they stop, logins of other tenants go first",
    );
  };
  return {
    store,
    clock,
    totpKeys,
    passwordWork,
    lifetimes: { authSeconds: config.AUTH_KEY_SECONDS, refreshSeconds: config.REFRESH_KEY_SECONDS },
    sessionsPerUser: config.SESSIONS_PER_USER,
    definitionsPerTenant: config.DEFINITIONS_PER_TENANT,
    loginLimits: createLoginLimits(
      { store, clock, onManyFailures },
      {
        attemptsPerAccount: config.LOGIN_ATTEMPTS_PER_ACCOUNT,
        attemptsPerAddress: config.LOGIN_ATTEMPTS_PER_ADDRESS,
        windowSeconds: config.LOGIN_WINDOW_SECONDS,
        codesPerDay: config.TOTP_ATTEMPTS_PER_DAY,
        failuresPerTenant: config.LOGIN_FAILURES_PER_TENANT,
      },
    ),
    onLogin: (login) => auditLog.info({ audit: "login", ...login }, "a login was tried"),
  };
}

async function readinessOf(readiness: Readiness, requestId: string): Promise<Resource> {
  if (await readiness.isReady()) return { status: 200, body: '{"status":true}' };
  const { status, headers, body } = unavailable(requestId);
  return { status, headers, body: JSON.stringify(body) };
}

function unavailable(requestId: string) {
  return errorResponse("unavailable", requestId, { headers: { "Retry-After": retryAfterSeconds } });
}
