/** The app of a program: a contract with the program's log, metrics, traces, settings and additional paths. */
import { pathToFileURL } from "node:url";
import type { Awaitable } from "../contract/awaitable.ts";
import type { Resources } from "../contract/bind.ts";
import type { PlainResponse } from "../contract/response.ts";
import { callerAddressBehind, callerCertificateBehind } from "../http/caller-address.ts";
import { type ContractAppOptions, contractApp } from "../http/contract-app.ts";
import { codeOfProblem } from "../http/error-responses.ts";
import { basePathOf, publishedDocuments } from "../http/published-document.ts";
import { createRequestLog } from "../observability/log.ts";
import { loggable } from "../observability/redaction.ts";
import { docsResources } from "./docs-page.ts";
import type { Program } from "./serve.ts";
import type { ServerSettings } from "./server-settings.ts";

export interface ServiceAppOptions<Principal> extends ContractAppOptions<Principal> {
  /** Keyed by the path that publishes it. Generated code has it. */
  readonly documents: { readonly [path: string]: object };
  /** The code of an error response, for the log, metrics and traces. Default: the code of problem details. */
  readonly errorCodeOf?: (body: unknown) => string | undefined;
  /** Shown on the reference page. Default: `CHANGELOG.md` in the current folder. */
  readonly changelog?: URL;
  /** The response of `/readyz` if requests cannot be served. */
  readonly unavailable?: (requestId: string) => PlainResponse;
}

/** The parts of a program that its app uses. */
export interface ServiceProgram
  extends Pick<Program, "log" | "write" | "findScript">,
    Partial<Pick<Program, "metrics" | "tracing">> {
  /** False if requests cannot be served, such as after a signal to stop. */
  readonly isReady: () => Awaitable<boolean>;
  readonly config: ServerSettings & Partial<Pick<Program["config"], "DEVELOPMENT_KEY">>;
}

/**
 * Serves the operations, also below the document's base path, `/healthz`, `/readyz`, `/docs` and the documents.
 * `onSettled` is called after the log, metrics and traces.
 */
export function serviceApp<Principal>(
  program: ServiceProgram,
  {
    documents,
    errorCodeOf = codeOfProblem,
    changelog = pathToFileURL("CHANGELOG.md"),
    unavailable = () => ({ status: 503, body: { status: false } }),
    onSettled,
    ...options
  }: ServiceAppOptions<Principal>,
) {
  const { config, log, write, metrics, tracing } = program;
  const callerAddress = callerAddressBehind(config.TRUSTED_PROXIES);
  const requestLog = createRequestLog(log, write, tracing?.logFields);
  const needsCredentials = Object.values(options.contract.operations).some(
    ({ security }) => security.length > 0,
  );
  if (needsCredentials && config.DEVELOPMENT_KEY !== undefined)
    log.warn(
      "DEVELOPMENT_KEY may call every operation; look up credentials before other people can reach this server",
    );
  return contractApp({
    around: tracing?.request,
    addressOf: (request) => callerAddress(request.peer, () => request.header("x-forwarded-for")),
    ...(config.CLIENT_CERT_HEADER && { certificateOf: callerCertificateBehind(config.TRUSTED_PROXIES) }),
    basePath: basePathOf(Object.values(documents).at(-1) ?? {}),
    resources: resourcesOf(program, documents, changelog, unavailable),
    onError(error, requestId, secrets) {
      const shown = loggable(error, secrets);
      tracing?.failed(shown);
      log.error({ request_id: requestId, error: shown }, "the request failed");
    },
    onSettled(exchange) {
      const code = exchange.response.status < 400 ? undefined : errorCodeOf(exchange.response.body);
      requestLog(exchange, code);
      metrics?.settled(exchange, code);
      tracing?.settled(exchange, code);
      onSettled?.(exchange);
    },
    onViolation(violation, requestId) {
      metrics?.violated(violation.operationId ?? "unmatched", config.RESPONSE_VALIDATION);
      log.error({ request_id: requestId, ...violation }, "a response violates the spec");
    },
    responsePolicy: config.RESPONSE_VALIDATION,
    maxContentBytes: config.MAX_CONTENT_BYTES,
    ...options,
  });
}

function resourcesOf(
  { config, findScript, isReady }: ServiceProgram,
  documents: ServiceAppOptions<never>["documents"],
  changelog: URL,
  unavailable: (requestId: string) => PlainResponse,
): Resources {
  const { info }: { info?: { title?: string } } = Object.values(documents).at(-1) ?? {};
  return {
    "/healthz": () => ({ status: 200, body: '{"status":true}' }),
    "/readyz": async (requestId) => {
      if (await isReady()) return { status: 200, body: '{"status":true}' };
      const { status, headers = {}, body } = unavailable(requestId);
      return { status, headers, body: JSON.stringify(body) };
    },
    ...publishedDocuments(documents),
    ...(config.DOCS && docsResources({ title: info?.title ?? "API", findScript, documents, changelog })),
  };
}
