/** Metrics, traces, readiness, and the log of outages of a store. */
export type { Metrics } from "./observability/metrics.ts";
export { type MethodsOf, observeStore } from "./observability/observed-store.ts";
export { createOutageLog, type OutageLog } from "./observability/outage-log.ts";
export { createReadiness, type Readiness } from "./observability/readiness.ts";
export type { Tracing } from "./observability/tracing.ts";
