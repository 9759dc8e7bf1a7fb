/** Metrics, traces, readiness, and the log of outages of a store. */
export type { Metrics } from "./process/metrics.ts";
export { type MethodsOf, observeStore } from "./process/observed-store.ts";
export { createOutageLog, type OutageLog } from "./process/outage-log.ts";
export { createReadiness, type Readiness } from "./process/readiness.ts";
export type { Tracing } from "./process/tracing.ts";
