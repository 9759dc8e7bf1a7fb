/** Metrics for Prometheus. No label contains text from a caller, so the number of series is limited. */
import type { SettledExchange } from "../contract/pipeline.ts";
import type { ResponsePolicy } from "../contract/response.ts";
import { type ListenOptions, listen } from "../http/listen.ts";
import { type ObserveCall, whenEnded } from "./observed-store.ts";

export type Metrics = ReturnType<typeof createMetrics>;

/** The part of the package prom-client that is used. */
export interface PromClient<Registry extends MetricsRegistry = MetricsRegistry> {
  readonly Registry: new () => Registry;
  readonly Counter: new (
    options: MetricOptions<Registry>,
  ) => {
    inc(labels: Labels, value?: number): void;
  };
  readonly Histogram: new (
    options: MetricOptions<Registry> & { buckets: number[] },
  ) => {
    observe(labels: Labels, value: number): void;
  };
  readonly collectDefaultMetrics: (options: {
    register: Registry;
    eventLoopMonitoringPrecision: number;
  }) => void;
}

interface MetricsRegistry {
  readonly contentType: string;
  metrics(): Promise<string>;
}

interface MetricOptions<Registry> {
  name: string;
  help: string;
  labelNames?: string[];
  registers: Registry[];
}

type Labels = Record<string, string | number>;

/** The resolution of the event loop's lag, which is also its lowest value. A finer resolution costs processor time. */
const loopResolutionMs = 50;
const requestSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const storeSeconds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];

/**
 * @param operations start with 0 violations, so that the first violation is visible as an increase
 * @param counters names of the service's counters, with their help
 */
export function createMetrics<Registry extends MetricsRegistry>(
  { Counter, collectDefaultMetrics, Histogram, Registry }: PromClient<Registry>,
  operations: readonly string[],
  policy: ResponsePolicy,
  counters: Readonly<Record<string, string>> = {},
) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: loopResolutionMs });
  const requests = new Counter({
    name: "http_requests_total",
    help: "Requests, by operation, status and error code.",
    labelNames: ["operation", "status", "code"],
    registers,
  });
  const durations = new Histogram({
    name: "http_request_duration_seconds",
    help: "Duration from a request's header to its response, by operation.",
    labelNames: ["operation"],
    buckets: requestSeconds,
    registers,
  });
  const violations = new Counter({
    name: "contract_violations_total",
    help: "Responses that violated the spec, by operation and response policy.",
    labelNames: ["operation", "policy"],
    registers,
  });
  const dropped = new Counter({
    name: "http_connections_dropped_total",
    help: "Connections that were closed because there were too many.",
    registers,
  });
  const logLinesLost = new Counter({
    name: "log_lines_lost_total",
    help: "Log lines that were lost because their reader was too slow.",
    registers,
  });
  const ofService = new Map(
    Object.entries(counters).map(([name, help]) => [name, new Counter({ name, help, registers })]),
  );
  const storeCalls = new Histogram({
    name: "store_call_duration_seconds",
    help: "Duration of store calls, by method and success.",
    labelNames: ["method", "outcome"],
    buckets: storeSeconds,
    registers,
  });
  for (const operation of operations) violations.inc({ operation, policy }, 0);

  const observeStoreCall: ObserveCall = (method, call) => {
    const started = performance.now();
    return whenEnded(call, (hasFailed) => {
      const outcome = hasFailed ? "error" : "ok";
      storeCalls.observe({ method, outcome }, (performance.now() - started) / 1000);
    });
  };

  return {
    settled({ operation, reply: { status }, seconds }: SettledExchange, code = ""): void {
      requests.inc({ operation, status, code });
      durations.observe({ operation }, seconds);
    },
    violated(operation: string, policy: ResponsePolicy): void {
      violations.inc({ operation, policy });
    },
    dropped: () => dropped.inc({}),
    /** Increases one of the service's counters. */
    increase: (counter: string) => ofService.get(counter)?.inc({}),
    logLineLost: () => logLinesLost.inc({}),
    observeStoreCall,
    text: () => registry.metrics(),
    serve: (options: MetricsOptions) => serveMetrics(registry, options),
  };
}

type MetricsOptions = Pick<ListenOptions, "host" | "port" | "limits" | "reject">;

/** Uses a separate port, so that the operator can keep it private. @throws Error of the system if it cannot listen */
async function serveMetrics(registry: MetricsRegistry, options: MetricsOptions) {
  const fetch = async ({ method, url }: Request): Promise<Response> => {
    const headers = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };
    if (new URL(url).pathname !== "/metrics") return new Response(null, { status: 404, headers });
    if (method !== "GET" && method !== "HEAD")
      return new Response(null, { status: 405, headers: { ...headers, Allow: "GET, HEAD" } });
    return new Response(await registry.metrics(), {
      headers: { ...headers, "Content-Type": registry.contentType },
    });
  };
  const server = await listen({ fetch }, { ...options, onMalformed: () => {} });
  return { url: `${server.url}/metrics`, close: () => void server.stop(0) };
}
