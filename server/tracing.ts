/** Sends traces to a collector. The exporter itself reads standard variables, such as OTEL_EXPORTER_OTLP_HEADERS. */
import { DiagLogLevel, diag, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
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
import { createTracing, type Tracing, type TracingOptions } from "#specbind/server/tracing";

export function startTracing(options: TracingOptions): Tracing {
  const { serviceName, serviceVersion, sampledShare } = options;
  return createTracing((report) => {
    const ignore = (): void => {};
    setGlobalErrorHandler(report);
    diag.setLogger(
      { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore },
      { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
    );
    const provider = new TracerProvider({
      resource: resourceFromAttributes({
        "service.name": serviceName,
        "service.version": serviceVersion,
      }).merge(detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] })),
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampledShare) }),
      spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
    });
    return {
      api: { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace },
      tracer: provider.getTracer(serviceName, serviceVersion),
      propagator: new W3CTraceContextPropagator(),
      shutdown: () => provider.shutdown(),
    };
  }, options);
}
