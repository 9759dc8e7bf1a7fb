/** The app of a program: a contract with the program's log, metrics, traces, settings and additional paths. */
import { pathToFileURL } from "node:url";
import { callerAddressBehind } from "../http/caller-address.ts";
import { type ContractAppOptions, contractApp } from "../http/contract-app.ts";
import { codeOfProblem } from "../http/error-responses.ts";
import { basePathOf, publishedDocuments } from "../http/published-document.ts";
import { createRequestLog } from "../observability/log.ts";
import { loggable } from "../observability/redaction.ts";
import { docsResources } from "./docs-page.ts";
import type { Program } from "./serve.ts";

export interface ServiceAppOptions<Principal> extends ContractAppOptions<Principal> {
  /** Keyed by the path that publishes it. Generated code has it. */
  readonly documents: { readonly [path: string]: object };
}

/** Serves the operations, also below the document's base path, `/healthz`, `/readyz`, `/docs` and the documents. */
export function serviceApp<Principal>(
  program: Program,
  { documents, ...options }: ServiceAppOptions<Principal>,
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
    basePath: basePathOf(Object.values(documents).at(-1) ?? {}),
    resources: resourcesOf(program, documents),
    onError(error, requestId, secrets) {
      const shown = loggable(error, secrets);
      tracing?.failed(shown);
      log.error({ request_id: requestId, error: shown }, "the request failed");
    },
    onSettled(exchange) {
      const code = codeOfProblem(exchange.response.body);
      requestLog(exchange, code);
      metrics?.settled(exchange, code);
      tracing?.settled(exchange, code);
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
  { config, findScript, isReady }: Program,
  documents: ServiceAppOptions<never>["documents"],
) {
  const published = publishedDocuments(documents);
  const { info }: { info?: { title?: string } } = Object.values(documents).at(-1) ?? {};
  const changelog = pathToFileURL("CHANGELOG.md");
  return {
    "/healthz": () => ({ status: 200, body: '{"status":true}' }),
    "/readyz": () =>
      isReady() ? { status: 200, body: '{"status":true}' } : { status: 503, body: '{"status":false}' },
    ...published,
    ...(config.DOCS &&
      docsResources({ title: info?.title ?? "API", findScript, documents: published, changelog })),
  };
}
