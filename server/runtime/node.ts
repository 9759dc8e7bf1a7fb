/** What a server needs to run in production on Node. */
export { callerAddressBehind, callerCertificateBehind } from "./http/caller-address.ts";
export { type Limits, type Listening, listen } from "./http/listen.ts";
export type { TlsServerOptions } from "./http/tls-options.ts";
export {
  createLogDestination,
  createRequestLog,
  standardOutput,
} from "./observability/log.ts";
export { loggable } from "./observability/redaction.ts";
export { developmentAuthenticators } from "./process/development-key.ts";
export {
  type DocsPage,
  docsHtml,
  docsResources,
  pageScript,
  reference,
  scalarSettings,
  scriptFinder,
} from "./process/docs-page.ts";
export { type ServiceAppOptions, type ServiceProgram, serviceApp } from "./process/service-app.ts";
export { explainListenError, startErrors } from "./process/start-errors.ts";
export { endOnCrash, endOnSignal, stopOnSignal } from "./process/stopping.ts";
