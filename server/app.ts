import {
  type AnyHandlers,
  type Authenticate,
  andThen,
  type PlainResponse,
  requestIdOf,
  type SettledExchange,
} from "#specbind/server";
import { loggable, type ServiceProgram, serviceApp } from "#specbind/server/node";
import type { OutageLog, Readiness } from "#specbind/server/observability";
import { contract } from "../generated/contract.ts";
import { documents } from "../generated/documents.ts";
import { findApiKey, hasExpired, type KeyUses } from "./domain/api-keys.ts";
import { errorCodeOf, errorResponse } from "./errors.ts";
import { handlerDependencies, type ServiceParts } from "./handler-dependencies.ts";
import { checks, createHandlers } from "./handlers.ts";
import type { Principal } from "./principal.ts";
import { rejectionResponse } from "./rejections.ts";
import { type ApiKeyKind, StoreUnavailableError, UnstorableTextError } from "./store/store.ts";

export interface AppDependencies
  extends ServiceParts,
    Pick<ServiceProgram, "write" | "findScript" | "tracing"> {
  readonly keyUses: Pick<KeyUses, "note">;
  readonly readiness: Readiness;
  readonly outages: Pick<OutageLog, "failed">;
  /** Only tests set this. */
  readonly observed?: {
    readonly onSettled: (exchange: SettledExchange) => void;
    readonly handlers: (handlers: AnyHandlers<Principal>) => AnyHandlers<Principal>;
  };
}

/** `Retry-After` while the store is unavailable. */
const retryAfterSeconds = 1;

export function createApp(dependencies: AppDependencies) {
  const { config, store, clock, keyUses, readiness, observed } = dependencies;
  const handlers = createHandlers(handlerDependencies(dependencies));
  // Every request looks up its key, so that a revocation or an expiry takes effect immediately.
  const authenticate: Authenticate<Principal> = (credential) =>
    andThen(findApiKey(store, credential), (key) => {
      if (key === undefined || hasExpired(key, clock)) return undefined;
      keyUses.note(key.id);
      return { principal: key, roles: [key.kind], operations: key.operations };
    });
  return serviceApp<Principal>(
    { ...dependencies, isReady: readiness.isReady },
    {
      contract,
      documents,
      changelog: new URL("../CHANGELOG.md", import.meta.url),
      handlers: observed?.handlers(handlers) ?? handlers,
      checks,
      authenticate: { apiKey: authenticate },
      requestIdOf,
      reject: rejectionResponse,
      fail: (error, requestId, secrets) => failureResponse(dependencies, error, requestId, secrets),
      errorCodeOf,
      crossOrigin: {
        pages: [
          { origins: config.CORS_ORIGINS, roles: ["publishable"] satisfies ApiKeyKind[] },
          { origins: config.CORS_SECRET_ORIGINS, roles: ["publishable", "secret"] satisfies ApiKeyKind[] },
        ],
        requestHeaders: ["X-Request-Id", "traceparent", "tracestate"],
      },
      onSettled: (exchange) => observed?.onSettled(exchange),
      unavailable,
    },
  );
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

function unavailable(requestId: string) {
  return errorResponse("unavailable", requestId, { headers: { "Retry-After": retryAfterSeconds } });
}
