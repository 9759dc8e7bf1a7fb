/** Tracing with OpenTelemetry. The exporter itself reads standard variables, such as OTEL_EXPORTER_OTLP_HEADERS. */
import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Context,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { setGlobalErrorHandler, W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import {
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { andThen, attempt, type SettledExchange } from "./contract/pipeline.ts";
import { withoutApiKeys } from "./domain/api-keys.ts";
import { rarely } from "./log.ts";
import type { ObserveCall } from "./observed-store.ts";
import type { LoggableError } from "./redaction.ts";

export interface Tracing {
  /** Runs `work` in a span that continues the caller's trace. */
  request(
    method: string,
    header: (name: string) => string | undefined,
    work: () => Promise<void>,
  ): Promise<void>;
  settled(exchange: SettledExchange, code: string | undefined): void;
  readonly observeStoreCall: ObserveCall;
  /** The error must not contain secrets. */
  failed(error: LoggableError): void;
  logFields(): { trace_id?: string; span_id?: string };
  stop(): Promise<void>;
}

export interface TracingOptions {
  readonly serviceName: string;
  readonly serviceVersion: string;
  /** Of the traces that begin here, the share that is exported, from 0 to 1. For other traces, the caller decides. */
  readonly sampledShare: number;
  /** Called outside any request, at most once a minute. `count` is the number of failures since the last call. */
  readonly onError: (message: string, count: number) => void;
}

const propagator = new W3CTraceContextPropagator();

export function startTracing(options: TracingOptions): Tracing {
  const current = new AsyncLocalStorage<Context>();
  const ignore = (): void => {};
  // Leaves the current context, because spans may be sent during a request that they do not belong to.
  const onError = rarely<string>((message, count) => current.exit(() => options.onError(message, count)));
  setGlobalErrorHandler((error) => onError(errorText(error)));
  diag.setLogger(
    { error: onError, warn: onError, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      "service.name": options.serviceName,
      "service.version": options.serviceVersion,
    }).merge(detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] })),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.sampledShare) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  const tracer = provider.getTracer(options.serviceName, options.serviceVersion);
  const currentSpan = (): Span | undefined => trace.getSpan(current.getStore() ?? ROOT_CONTEXT);

  return {
    async request(method, header, work) {
      const parent = propagator.extract(ROOT_CONTEXT, header, {
        keys: () => ["traceparent", "tracestate"],
        get: (carrier, name) => (name === "tracestate" ? validTraceState(carrier(name)) : carrier(name)),
      });
      const attributes = { "http.request.method": method };
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
      try {
        await current.run(trace.setSpan(parent, span), work);
      } finally {
        span.end();
      }
    },
    settled({ operation, reply: { status } }, code) {
      const span = currentSpan();
      span?.updateName(operation);
      span?.setAttribute("http.response.status_code", status);
      if (code !== undefined) span?.setAttribute("error.type", code);
      // A 4xx is not an error of the server (OpenTelemetry, semantic conventions for HTTP spans).
      if (status >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
    },
    observeStoreCall(method, call) {
      const context = current.getStore();
      if (context === undefined) return call();
      const span = tracer.startSpan(`store ${method}`, { kind: SpanKind.CLIENT }, context);
      return attempt(
        () =>
          andThen(call(), (result) => {
            span.end();
            return result;
          }),
        (error) => {
          span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
          throw error;
        },
      );
    },
    failed({ type, message, stack }) {
      currentSpan()?.recordException({ name: type, message, stack });
    },
    logFields() {
      const context = currentSpan()?.spanContext();
      return context === undefined ? {} : { trace_id: context.traceId, span_id: context.spanId };
    },
    async stop() {
      try {
        await provider.shutdown();
      } catch (error) {
        onError(errorText(error));
      }
    },
  };
}

const traceStateKey = "(?:[a-z][a-z0-9_*/-]{0,255}|[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13})";
const traceStateMember = new RegExp(`^[ \\t]*(${traceStateKey})=[ -+\\--<>-~]{0,255}[!-+\\--<>-~][ \\t]*$`);
const maxTraceStateMembers = 32;
const maxTraceStateLength = 512;

/**
 * Returns undefined if W3C Trace Context does not allow the text (section 3.3.1). Text that contains an API key
 * gives undefined too, so that the key is not exported.
 */
function validTraceState(text: string | undefined): string | undefined {
  if (text === undefined || text.length > maxTraceStateLength || text !== withoutApiKeys(text))
    return undefined;
  const members = text.split(",");
  const keys = members.map((member) => traceStateMember.exec(member)?.[1]);
  const isValid = members.every((member, index) => keys[index] !== undefined || member.trim() === "");
  const present = keys.filter((key) => key !== undefined);
  const isUnique = new Set(present).size === present.length;
  return isValid && isUnique && members.length <= maxTraceStateMembers ? text : undefined;
}

/** Returns text such as `connect ECONNREFUSED 127.0.0.1:4318` or `400 Bad Request`. */
function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? String(error.code) : "";
  return error.message.includes(code) ? error.message : `${code} ${error.message}`.trim();
}
