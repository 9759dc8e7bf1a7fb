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
import type { SettledExchange } from "../contract/pipeline.ts";
import { rarely } from "./log.ts";
import { type ObserveCall, whenEnded } from "./observed-store.ts";
import type { LoggableError } from "./redaction.ts";

export type Tracing = ReturnType<typeof startTracing>;

export interface TracingOptions {
  readonly serviceName: string;
  readonly serviceVersion: string;
  /** Share of exported traces, among those that begin here, from 0 to 1. For other traces, the caller decides. */
  readonly sampledShare: number;
  /** Returns true for a text that must not be sent to the collector, although it has the form of a trace header. */
  readonly isSecret: (text: string) => boolean;
  /** Called outside any request, at most once a minute. `count` is the number of failures since the last call. */
  readonly onError: (message: string, count: number) => void;
}

const propagator = new W3CTraceContextPropagator();

export function startTracing(options: TracingOptions) {
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
    /** Runs `work` in a span that continues the caller's trace. */
    async request(
      method: string,
      header: (name: string) => string | undefined,
      work: () => Promise<void>,
    ): Promise<void> {
      const parent = propagator.extract(ROOT_CONTEXT, header, {
        keys: () => ["traceparent", "tracestate"],
        get(carrier, name) {
          const text = carrier(name);
          // The propagator drops what is not valid, but a key has the form of a valid member.
          return text === undefined || options.isSecret(text) ? undefined : text;
        },
      });
      const attributes = { "http.request.method": method };
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
      try {
        await current.run(trace.setSpan(parent, span), work);
      } finally {
        span.end();
      }
    },
    settled({ operation, reply: { status } }: SettledExchange, code: string | undefined): void {
      const span = currentSpan();
      span?.updateName(operation);
      span?.setAttribute("http.response.status_code", status);
      if (code !== undefined) span?.setAttribute("error.type", code);
      // A 4xx is not an error of the server (OpenTelemetry, semantic conventions for HTTP spans).
      if (status >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
    },
    observeStoreCall: ((method, call) => {
      const context = current.getStore();
      if (context === undefined) return call();
      const span = tracer.startSpan(`store ${method}`, { kind: SpanKind.CLIENT }, context);
      return whenEnded(call, (hasFailed) => {
        if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      });
    }) satisfies ObserveCall,
    /** The error must not contain secrets. */
    failed({ type, message, stack }: LoggableError): void {
      currentSpan()?.recordException({ name: type, message, stack });
    },
    logFields(): { trace_id?: string; span_id?: string } {
      const context = currentSpan()?.spanContext();
      return context === undefined ? {} : { trace_id: context.traceId, span_id: context.spanId };
    },
    async stop(): Promise<void> {
      try {
        await provider.shutdown();
      } catch (error) {
        onError(errorText(error));
      }
    },
  };
}

/** Returns text such as `connect ECONNREFUSED 127.0.0.1:4318` or `400 Bad Request`. */
function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? String(error.code) : "";
  return error.message.includes(code) ? error.message : `${code} ${error.message}`.trim();
}
