import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "../../../generated/contract.ts";
import type { Program } from "../../../scripts/testing/program.ts";
import { temporaryFolder } from "../../../scripts/testing/temporary-folder.ts";
import { openStore } from "../../store/open.ts";
import { type Call, RawConnection, send } from "../../testing/http.ts";
import { startServer } from "../../testing/program.ts";
import { populate } from "../../testing/tenants.ts";

const folder = temporaryFolder();
let key: string;
let publishableKey: string;
/** Most tests share this server, because its start takes longer than their requests. */
let server: Measured;
beforeAll(async () => {
  ({ secretKey: key, publishableKey } = await populate(databaseUrl()));
  server = await measured({ LOGIN_FAILURES_PER_TENANT: "1" });
});
afterAll(() => server[Symbol.asyncDispose]());

function databaseUrl(): string {
  return `file:${join(folder, "commerce.db")}`;
}

interface Measured extends AsyncDisposable {
  readonly program: Program;
  readonly metricsUrl: string;
  call(call: Partial<Call>): Promise<number>;
  /** The values of all series, keyed by name with labels, such as `x_total{a="b"}`. */
  scrape(): Promise<Map<string, number>>;
  readonly url: string;
}

async function measured(settings: Record<string, string> = {}): Promise<Measured> {
  const program = await startServer(databaseUrl(), { METRICS_PORT: "0", ...settings });
  const { url, metricsUrl = "" } = program;
  return {
    program,
    url,
    metricsUrl,
    call: async (call) => (await send(url, { method: "GET", path: "/v1/webhooks/1", key, ...call })).status,
    scrape: async () => seriesOf(await (await fetch(metricsUrl)).text()),
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}

/** Parses Prometheus' text format, version 0.0.4. Every line is a comment or a series with its value. */
function seriesOf(text: string): Map<string, number> {
  const series = new Map<string, number>();
  for (const line of text.trimEnd().split("\n")) {
    if (/^# (HELP|TYPE) \w+ /.test(line) || line === "") continue;
    const [, name, value] = /^([a-z_]\w*(?:\{.*\})?) (\S+)$/.exec(line) ?? [];
    if (name === undefined || (value !== "Nan" && value !== "+Inf" && Number.isNaN(Number(value))))
      throw new Error(`no series: ${line}`);
    series.set(name, Number(value));
  }
  return series;
}

/** Returns the series of the shared server that `work` changes, each with its increase. */
async function increases(work: () => Promise<unknown>): Promise<Map<string, number>> {
  const before = await server.scrape();
  await work();
  const changes = [...(await server.scrape())].map(
    ([name, value]) => [name, value - (before.get(name) ?? 0)] as const,
  );
  return new Map(changes.filter(([, increase]) => increase !== 0));
}

const named = (series: Map<string, number>, name: string) =>
  Object.fromEntries([...series].filter(([each]) => each.startsWith(`${name}{`)));

describe("/metrics", () => {
  it("counts requests by operation, status and error code, and requests to unknown routes under one name", async () => {
    const counted = await increases(async () => {
      await server.call({});
      await server.call({});
      await server.call({ path: "/v1/webhooks/2" });
      await server.call({ path: "/v1/webhooks/x" });
      await server.call({ key: "sk_wrong" });
      await server.call({ key: publishableKey });
      await server.call({ path: "/healthz" });
      await (await fetch(`${server.url}/docs`)).text();
      for (let count = 0; count < 30; count += 1) await server.call({ path: `/${count}`, method: "PUT" });
      await server.call({ path: "/", method: "DELETE" });
      using connection = await RawConnection.open(server.url);
      connection.write("GARBAGE\r\n\r\n");
      await connection.response();
    });
    expect(named(counted, "http_requests_total")).toEqual({
      'http_requests_total{operation="getWebhook",status="200",code=""}': 2,
      'http_requests_total{operation="getWebhook",status="404",code="webhook_not_found"}': 1,
      'http_requests_total{operation="getWebhook",status="422",code="request_invalid"}': 1,
      'http_requests_total{operation="getWebhook",status="401",code="api_key_invalid"}': 1,
      'http_requests_total{operation="getWebhook",status="403",code="api_key_kind_forbidden"}': 1,
      'http_requests_total{operation="/healthz",status="200",code=""}': 1,
      'http_requests_total{operation="/docs",status="200",code=""}': 1,
      'http_requests_total{operation="unmatched",status="404",code="route_not_found"}': 30,
      'http_requests_total{operation="unmatched",status="405",code="method_not_allowed"}': 1,
      'http_requests_total{operation="unmatched",status="400",code="malformed_request"}': 1,
    });
  });

  it("reports once that many logins of a tenant fail, with a log line that contains the tenant's id", async () => {
    const failed = async (mobile: string) => {
      const user = { uuid: "u", type: "customer", dial_code: "91", mobile, password: "wrong" };
      expect(await server.call({ method: "POST", path: "/v1/users/login", body: { user } })).toBe(401);
      return (await server.scrape()).get("login_failure_alarms_total");
    };
    expect([await failed("1111"), await failed("2222"), await failed("3333")]).toEqual([0, 1, 1]);
    await server.program.printed("many logins of a tenant fail");
    expect(server.program.output()).toMatch(/"tenant_id":"[0-9a-f-]{36}".*many logins of a tenant fail/);
  });

  it("contains the durations of requests and of store calls", async () => {
    const increased = await increases(() => server.call({}));
    const request = 'http_request_duration_seconds_count{operation="getWebhook"}';
    const find = 'store_call_duration_seconds_count{method="webhooks.find",outcome="ok"}';
    const keys = 'store_call_duration_seconds_count{method="apiKeys.findActiveByHash",outcome="ok"}';
    expect([request, find, keys].map((name) => increased.get(name))).toEqual([1, 1, 1]);
    const most = 'http_request_duration_seconds_bucket{le="+Inf",operation="getWebhook"}';
    expect(increased.get(most)).toBe(1);
    expect(increased.get(find.replace("_count", "_sum"))).toBeGreaterThan(0);
    const series = await server.scrape();
    const boundsOf = (name: string) => [
      ...new Set(
        [...series.keys()].flatMap((key) =>
          key.startsWith(name) ? (/le="([\d.]+)"/.exec(key)?.[1] ?? []) : [],
        ),
      ),
    ];
    expect(boundsOf("http_request_duration_seconds_bucket").join(" ")).toBe(
      "0.001 0.0025 0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10",
    );
    expect(boundsOf("store_call_duration_seconds_bucket").join(" ")).toBe(
      "0.0001 0.00025 0.0005 0.001 0.0025 0.005 0.01 0.05 0.1 0.5 1 5",
    );
  });

  it.each<[string, number, number]>([
    ["enforce", 500, 1],
    ["off", 200, 0],
  ])(
    "counts violations of every operation from the start, with the policy %s",
    async (policy, status, count) => {
      await using server = await measured({ RESPONSE_VALIDATION: policy });
      const store = await openStore(databaseUrl());
      const [tenant] = await store.tenants.list();
      // The store accepts any URL, but the spec allows only valid URLs in responses.
      const webhook = { tenant_id: tenant?.id ?? "", url: "no url", events: [] };
      const { id } = await store.webhooks.create(webhook);
      await store.close();
      expect(await server.call({ path: `/v1/webhooks/${id}` })).toBe(status);
      expect(named(await server.scrape(), "contract_violations_total")).toEqual(
        Object.fromEntries(
          Object.keys(contract.operations).map((id) => [
            `contract_violations_total{operation="${id}",policy="${policy}"}`,
            id === "getWebhook" ? count : 0,
          ]),
        ),
      );
    },
  );

  it("has a separate port that serves nothing else, and is missing on the public port", async () => {
    const { origin } = new URL(server.metricsUrl);
    expect(origin).not.toBe(server.url);
    const response = await fetch(server.metricsUrl);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/plain; version=0.0.4; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    expect((await fetch(`${origin}/healthz`)).status).toBe(404);
    const rejected = await fetch(server.metricsUrl, { method: "POST" });
    expect([rejected.status, rejected.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
  });

  it("limits the open requests of a connection to its port", async () => {
    using connection = await RawConnection.open(server.metricsUrl);
    connection.write("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n".repeat(101));
    expect(await connection.response()).toBeUndefined();
    expect((await fetch(server.metricsUrl)).status).toBe(200);
  });

  it("stops with the server", async () => {
    await using server = await measured();
    await fetch(server.metricsUrl);
    server.program.child.kill("SIGTERM");
    expect(await server.program.ended).toEqual({ status: 0, signal: null });
    await expect(fetch(server.metricsUrl)).rejects.toThrow("fetch failed");
  });
});

it("a server without METRICS_PORT listens on one port only", async () => {
  await using program = await startServer(databaseUrl());
  expect(program.output()).not.toContain("metrics");
});
