/** Spans of requests and of calls of the store, with OpenTelemetry's packages that the application passes in. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { SettledExchange } from "../contract/pipeline.ts";
import { rarely } from "./log.ts";
import { type ObserveCall, whenEnded } from "./observed-store.ts";
import type { LoggableError } from "./redaction.ts";

export type Tracing = ReturnType<typeof createTracing>;

export interface TracingOptions {
  readonly serviceName: string;
  readonly serviceVersion: string;
  /** Share of exported traces, among those that begin here, from 0 to 1. For other traces, the caller decides. */
  readonly sampledShare: number;
  /** Returns true for a text that must not be sent to the collector, although it has the form of a trace header. */
  readonly isSecret?: (text: string) => boolean;
  /** Called outside any request, at most once a minute. `count` is the number of failures since the last call. */
  readonly onError: (message: string, count: number) => void;
}

/** What the application makes of OpenTelemetry's packages. */
export interface OpenTelemetry<Context, Span extends RequestSpan> {
  /** The part of `@opentelemetry/api` that is used. */
  readonly api: {
    readonly ROOT_CONTEXT: Context;
    readonly SpanKind: { readonly SERVER: number; readonly CLIENT: number };
    readonly SpanStatusCode: { readonly ERROR: number };
    readonly trace: {
      getSpan(context: Context): Span | undefined;
      setSpan(context: Context, span: Span): Context;
    };
  };
  readonly tracer: {
    startSpan(
      name: string,
      options: { kind: number; attributes?: Record<string, string> },
      context: Context,
    ): Span;
  };
  readonly propagator: { extract(context: Context, carrier: Header, getter: HeaderGetter): Context };
  readonly shutdown: () => Promise<void>;
}

/** Reads a header of the current request. */
type Header = (name: string) => string | undefined;

interface HeaderGetter {
  keys(): string[];
  get(header: Header, name: string): string | undefined;
}

interface RequestSpan {
  updateName(name: string): unknown;
  setAttribute(name: string, value: string | number): unknown;
  setStatus(status: { code: number }): unknown;
  recordException(exception: { name: string; message: string; stack: string }): void;
  spanContext(): { traceId: string; spanId: string };
  end(): void;
}

/** @param start gets the function that reports errors of OpenTelemetry's packages */
export function createTracing<Context, Span extends RequestSpan>(
  start: (report: (error: unknown) => void) => OpenTelemetry<Context, Span>,
  { isSecret = () => false, onError }: Pick<TracingOptions, "isSecret" | "onError">,
) {
  const current = new AsyncLocalStorage<Context>();
  // Leaves the current context, because spans may be sent during a request that they do not belong to.
  const report = rarely<string>((message, count) => current.exit(() => onError(message, count)));
  const { api, tracer, propagator, shutdown } = start((error) => report(errorText(error)));
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = api;
  const currentSpan = (): Span | undefined => trace.getSpan(current.getStore() ?? ROOT_CONTEXT);

  return {
    /** Runs `work` in a span that continues the caller's trace. */
    async request(method: string, header: Header, work: () => Promise<void>): Promise<void> {
      const parent = propagator.extract(ROOT_CONTEXT, header, {
        keys: () => ["traceparent", "tracestate"],
        get(carrier, name) {
          const text = carrier(name);
          // The propagator drops what is not valid, but a key has the form of a valid member.
          return text === undefined || isSecret(text) ? undefined : text;
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
        await shutdown();
      } catch (error) {
        report(errorText(error));
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
