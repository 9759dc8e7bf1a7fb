import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import packageJson from "../../../package.json" with { type: "json" };
import { temporaryFolder } from "../../../scripts/testing/temporary-folder.ts";
import { openStore } from "../../store/open.ts";
import { startCollector } from "../../testing/collector.ts";
import { send } from "../../testing/http.ts";
import { startServer } from "../../testing/program.ts";
import { startService } from "../../testing/service.ts";
import { makeTenant } from "../../testing/tenants.ts";
import { startTracing } from "../../tracing.ts";

const folder = temporaryFolder();
let key: string;
beforeAll(async () => {
  const store = await openStore(databaseUrl());
  const { tenant, secretKey } = await makeTenant(store);
  key = secretKey;
  await store.webhooks.create({ tenant_id: tenant.id, url: "no url", events: [] });
  await store.close();
});

function databaseUrl(): string {
  return `file:${join(folder, "commerce.db")}`;
}

/** Sends requests to a traced server, stops it, and returns its log entries. */
async function traced(
  settings: Record<string, string>,
  requests: readonly { readonly path: string; readonly headers?: Record<string, string> }[],
) {
  await using program = await startServer(databaseUrl(), settings);
  for (const request of requests) await send(program.url, { method: "GET", key, ...request });
  program.child.kill("SIGTERM");
  expect(await program.ended).toEqual({ status: 0, signal: null });
  return program
    .output()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const parentId = "00f067aa0ba902b7";
const webhook = "/v1/webhooks/1";

afterEach(() => {
  delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
});

describe("a traced server", () => {
  it("makes a span in the caller's trace for each request and each store call", async () => {
    await using collector = await startCollector();
    await traced({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }, [
      { path: webhook, headers: { traceparent: `00-${traceId}-${parentId}-01` } },
    ]);
    expect(collector.received.map(({ url, headers }) => [url, headers["content-type"]])).toEqual([
      ["/v1/traces", "application/json"],
    ]);
    const { spans, resource } = collector.collected();
    const [request] = spans.filter(({ kind }) => kind === 2);
    expect(request).toMatchObject({
      name: "getWebhook",
      traceId,
      parentSpanId: parentId,
      status: { code: 0 },
    });
    expect(request?.attributes).toEqual([
      { key: "http.request.method", value: { stringValue: "GET" } },
      { key: "http.response.status_code", value: { intValue: 200 } },
    ]);
    expect(
      spans
        .filter(({ kind }) => kind === 3)
        .map(({ name, traceId, parentSpanId }) => ({ name, traceId, parentSpanId })),
    ).toEqual(
      ["store apiKeys.findActiveByHash", "store webhooks.find"].map((name) => ({
        name,
        traceId,
        parentSpanId: request?.spanId,
      })),
    );
    expect(Object.fromEntries(resource.map(({ key, value }) => [key, value.stringValue]))).toEqual({
      "service.name": packageJson.name,
      "service.version": packageJson.version,
    });
  });

  it("exports the valid members of the caller's trace state, but nothing of it if it contains a key", async () => {
    await using collector = await startCollector();
    const allowed = ["a=1", "rojo=00f067aa0ba902b7,1t@vendor=b c~", `a=${"v".repeat(256)}`];
    const forbidden = ["sk_secret", "a=", "A=1", "a=b=c", "a=é", `a=${key}`, `a=1,${key}`];
    const traceparent = `00-${traceId}-${parentId}-01`;
    await traced(
      { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
      [...allowed, ...forbidden, "a=1,sk_secret"].map((tracestate) => ({
        path: "/nowhere",
        headers: { traceparent, tracestate },
      })),
    );
    const requests = collector.collected().spans.filter(({ kind }) => kind === 2);
    expect(requests.map(({ traceState }) => traceState || undefined)).toEqual([
      ...allowed,
      ...forbidden.map(() => undefined),
      "a=1",
    ]);
  });

  it("begins a trace if the caller sends none, and logs its id", async () => {
    await using collector = await startCollector();
    const entries = await traced(
      { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SERVICE_NAME: "shop-api" },
      [{ path: "/nowhere", headers: { traceparent: "00-broken-01" } }, { path: "/v1/webhooks/2" }],
    );
    const { spans, resource } = collector.collected();
    const requests = spans.filter(({ kind }) => kind === 2);
    expect(requests.map(({ name, status, parentSpanId }) => [name, status.code, parentSpanId])).toEqual([
      ["unmatched", 0, undefined],
      ["getWebhook", 2, undefined],
    ]);
    const attributes = requests.map(
      ({ attributes }) => attributes.find(({ key }) => key === "error.type")?.value,
    );
    expect(attributes).toEqual([{ stringValue: "route_not_found" }, { stringValue: "internal_error" }]);
    expect(requests[0]?.traceId).not.toBe(requests[1]?.traceId);
    const ids = requests.map(({ traceId, spanId }) => ({ trace_id: traceId, span_id: spanId }));
    const logLines = entries.filter(({ msg }) => msg === "request completed");
    expect(logLines.map(({ trace_id, span_id }) => ({ trace_id, span_id }))).toEqual(ids);
    expect(entries.find(({ msg }) => msg === "a response violates the spec")).toMatchObject(ids[1] ?? {});
    expect(resource).toContainEqual({ key: "service.name", value: { stringValue: "shop-api" } });
  });

  it("makes no span if the caller does not sample its trace, and samples the configured share of new traces", async () => {
    await using collector = await startCollector();
    await traced({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: "0" }, [
      { path: webhook },
      { path: webhook, headers: { traceparent: `00-${traceId}-${parentId}-00` } },
      { path: webhook, headers: { traceparent: `00-${traceId}-${parentId}-01` } },
    ]);
    const requests = collector.collected().spans.filter(({ kind }) => kind === 2);
    expect(requests.map(({ traceId }) => traceId)).toEqual([traceId]);
  });

  it("sends the collector's required headers, only to the URL for traces", async () => {
    await using collector = await startCollector();
    const settings = {
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9",
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/own/place`,
      OTEL_EXPORTER_OTLP_HEADERS: "x-collector-key=collector-secret",
    };
    const entries = await traced(settings, [{ path: webhook }]);
    expect(collector.received.map(({ url, headers }) => [url, headers["x-collector-key"]])).toEqual([
      ["/own/place", "collector-secret"],
    ]);
    expect(JSON.stringify(entries)).not.toContain("collector-secret");
  });

  it("works and stops normally while the collector rejects traces, and logs that once, without a trace id", async () => {
    await using collector = await startCollector(400);
    // Sends more than one batch, so that some are rejected while requests are running.
    const requests = Array.from({ length: 600 }, () => ({ path: webhook }));
    const entries = await traced({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }, requests);
    expect(collector.received.length).toBeGreaterThan(2);
    const logLines = entries.filter(({ msg }) => msg === "request completed");
    expect(logLines.map(({ status }) => status)).toEqual(requests.map(() => 200));
    expect(entries.filter(({ msg }) => msg === "traces could not be sent")).toEqual([
      {
        level: 40,
        time: expect.any(Number),
        fault: "400 Bad Request",
        faults: 1,
        msg: "traces could not be sent",
      },
    ]);
  });
});

it("a request that fails has a span that contains its error without secrets", async () => {
  await using collector = await startCollector();
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
  const tracing = startTracing({
    serviceName: "test",
    serviceVersion: "0",
    sampledShare: 1,
    isSecret: () => false,
    onError: (message) => expect.fail(message),
  });
  await using service = await startService({
    tracing,
    wrapStore: (store) => ({
      ...store,
      webhooks: {
        ...store.webhooks,
        find: async () => {
          throw new TypeError(`no row for ${service.acme.secretKey}`);
        },
      },
    }),
  });
  await service.send({ method: "GET", path: webhook, key: service.acme.secretKey });
  await tracing.stop();
  const [span] = collector.collected().spans;
  expect(span).toMatchObject({
    name: "getWebhook",
    status: { code: 2 },
    events: [
      {
        name: "exception",
        attributes: expect.arrayContaining([
          { key: "exception.type", value: { stringValue: "TypeError" } },
          { key: "exception.message", value: { stringValue: "no row for [redacted]" } },
        ]),
      },
    ],
  });
  expect(collector.received[0]?.body).not.toContain(service.acme.secretKey);
  expect(service.logged.find(({ msg }) => msg === "the request failed")).toMatchObject({
    trace_id: span?.traceId,
    error: { type: "TypeError", message: "no row for [redacted]" },
  });
});
