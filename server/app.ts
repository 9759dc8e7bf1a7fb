import {
  type AnyHandlers,
  type Authenticate,
  andThen,
  type ContractAppOptions,
  contractApp,
  type PlainResponse,
  publishedDocuments,
  type Resource,
  type Resources,
  requestIdOf,
  type SettledExchange,
} from "#specbind/server";
import {
  callerAddressBehind,
  createRequestLog,
  type DocsPage,
  docsResources,
  loggable,
} from "#specbind/server/node";
import type { OutageLog, Readiness, Tracing } from "#specbind/server/observability";
import { contract } from "../generated/contract.ts";
import { documents as generatedDocuments } from "../generated/documents.ts";
import document from "../generated/openapi.json" with { type: "json" };
import { findApiKey, hasExpired, type KeyUses } from "./domain/api-keys.ts";
import { errorCodeOf, errorResponse } from "./errors.ts";
import { handlerDependencies, type ServiceParts } from "./handler-dependencies.ts";
import { checks, createHandlers } from "./handlers.ts";
import type { Principal } from "./principal.ts";
import { rejectionResponse } from "./rejections.ts";
import { type ApiKeyKind, StoreUnavailableError, UnstorableTextError } from "./store/store.ts";

export interface AppDependencies extends ServiceParts {
  readonly keyUses: Pick<KeyUses, "note">;
  /** Writes a line of the log. Only the lines of requests need it. */
  readonly write: (line: string) => void;
  readonly readiness: Readiness;
  readonly outages: Pick<OutageLog, "failed">;
  readonly findScript: DocsPage["findScript"];
  readonly tracing?: Tracing | undefined;
  /** Only tests set this. */
  readonly observed?: {
    readonly onSettled: (exchange: SettledExchange) => void;
    readonly handlers: (handlers: AnyHandlers<Principal>) => AnyHandlers<Principal>;
  };
}

const changelog = new URL("../CHANGELOG.md", import.meta.url);
/** `Retry-After` while the store is unavailable. */
const retryAfterSeconds = 1;

export const createApp = (dependencies: AppDependencies) =>
  contractApp({ ...bindingOf(dependencies), resources: resourcesOf(dependencies) });

/** How requests to the operations of the spec are handled. */
function bindingOf(dependencies: AppDependencies): ContractAppOptions<Principal> {
  const { config, log, write, store, clock, keyUses, metrics, tracing, observed } = dependencies;
  const requestLog = createRequestLog(log, write, tracing?.logFields);
  const callerAddress = callerAddressBehind(config.TRUSTED_PROXIES);
  const handlers = createHandlers(handlerDependencies(dependencies));
  // Every request looks up its key, so that a revocation or an expiry takes effect immediately.
  const authenticate: Authenticate<Principal> = (credential) =>
    andThen(findApiKey(store, credential), (key) => {
      if (key === undefined || hasExpired(key, clock)) return undefined;
      keyUses.note(key.id);
      return { principal: key, roles: [key.kind], operations: key.operations };
    });
  return {
    contract,
    around: tracing?.request,
    handlers: observed?.handlers(handlers) ?? handlers,
    checks,
    authenticate: { apiKey: authenticate },
    requestIdOf,
    addressOf: (request) => callerAddress(request.peer, () => request.header("x-forwarded-for")),
    reject: rejectionResponse,
    fail: (error, requestId, secrets) => failureResponse(dependencies, error, requestId, secrets),
    crossOrigin: {
      pages: [
        { origins: config.CORS_ORIGINS, roles: ["publishable"] satisfies ApiKeyKind[] },
        { origins: config.CORS_SECRET_ORIGINS, roles: ["publishable", "secret"] satisfies ApiKeyKind[] },
      ],
      requestHeaders: ["X-Request-Id", "traceparent", "tracestate"],
    },
    onSettled(exchange) {
      const { status, body } = exchange.response;
      const code = status < 400 ? undefined : errorCodeOf(body);
      requestLog(exchange, code);
      metrics?.settled(exchange, code);
      tracing?.settled(exchange, code);
      observed?.onSettled(exchange);
    },
    onViolation(violation, requestId) {
      metrics?.violated(violation.operationId ?? "unmatched", config.RESPONSE_VALIDATION);
      log.error({ request_id: requestId, ...violation }, "a response violates the spec");
    },
    responsePolicy: config.RESPONSE_VALIDATION,
    maxContentBytes: config.MAX_CONTENT_BYTES,
  };
}

function failureResponse(
  { log, readiness, outages, tracing }: AppDependencies,
  error: unknown,
  requestId: string,
  secrets: readonly string[],
): PlainResponse {
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
}

/** These paths are not in the spec and need no key. */
function resourcesOf({ config, readiness, findScript }: AppDependencies): Resources {
  const documents = publishedDocuments(generatedDocuments);
  const { title } = document.info;
  return {
    "/healthz": () => ({ status: 200, body: '{"status":true}' }),
    "/readyz": (requestId) => readinessOf(readiness, requestId),
    ...documents,
    ...(config.DOCS && docsResources({ title, findScript, documents, changelog })),
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
