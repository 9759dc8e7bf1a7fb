import { describe, expect, it } from "vitest";
import type { Contract } from "#specbind/contract";
import { createTracing } from "../observability/tracing.ts";
import { developmentAuthenticators } from "./development-key.ts";
import type { Program } from "./serve.ts";
import { defaultSettings, readServerConfig } from "./server-settings.ts";
import { serviceApp } from "./service-app.ts";
import { ConfigError, type Environment } from "./settings.ts";

const contract: Contract = {
  format: 1,
  validators: 1,
  operations: {
    listBooks: {
      method: "GET",
      path: "/books",
      security: [[{ scheme: "token", roles: ["reader"] }]],
      parameters: [],
      responses: {
        200: {
          headers: [],
          mediaTypes: { "application/json": { validate: () => true, project: (value) => value } },
        },
      },
    },
  },
  unmatched: {},
  sensitive: ["pin"],
};
const key = "some-long-key";
const document = { info: { title: "Books" }, servers: [{ url: "https://books.test/v1" }] };

function started(environment: Environment = {}, others: Partial<Program> = {}, of = contract) {
  const lines: object[] = [];
  const note = (fields: object | string, message?: string) => lines.push([fields, message]);
  const program: Program = {
    config: readServerConfig(defaultSettings, { DEVELOPMENT_KEY: key, ...environment }),
    log: { isLevelEnabled: () => true, info: note, warn: note, error: note, fatal: note },
    write: (line) => lines.push(JSON.parse(line)),
    metrics: undefined,
    tracing: undefined,
    findScript: () => Promise.resolve(undefined),
    isProduction: false,
    isRestart: false,
    isReady: () => true,
    ...others,
  };
  const app = serviceApp(program, {
    contract: of,
    documents: { "/openapi.json": document },
    authenticate: developmentAuthenticators(contract, program.config.DEVELOPMENT_KEY, "developer"),
    handlers: {
      listBooks(request: { readonly query: object }) {
        if (request.query) throw new Error("the PIN 4711 is wrong");
        return { status: 200, body: [] };
      },
    },
  });
  const ask = async (path: string, headers: Record<string, string> = { Authorization: `Bearer ${key}` }) => {
    const { status, headers: sent, body } = await app.request(path, { headers });
    return { status, type: sent.get("content-type"), text: await new Response(body).text() };
  };
  return { ask, lines };
}

describe("the app of a program", () => {
  it("serves the operations at the root and below the document's base path, and logs each request", async () => {
    const { ask, lines } = started({ TRUSTED_PROXIES: "" });
    expect((await ask("/books", {})).status).toBe(401);
    expect((await ask("/v1/books", {})).status).toBe(401);
    expect(lines.filter((line) => "msg" in line)).toMatchObject([
      { operation: "listBooks", status: 401, code: "credential_missing", msg: "request completed" },
      { operation: "listBooks", status: 401, code: "credential_missing" },
    ]);
  });

  it("warns about the development key only if an operation needs a credential", () => {
    const open = { ...contract.operations.listBooks, security: [] };
    const warnings = ({ lines }: ReturnType<typeof started>) =>
      lines.filter((line) => String(line).startsWith("DEVELOPMENT_KEY may call every operation"));
    expect(warnings(started())).toHaveLength(1);
    expect(warnings(started({ DEVELOPMENT_KEY: "" }))).toHaveLength(0);
    expect(warnings(started({}, {}, { ...contract, operations: { listBooks: open as never } }))).toHaveLength(
      0,
    );
  });

  it("serves its document and pages about its state", async () => {
    let isReady = true;
    const { ask } = started({}, { isReady: () => isReady });
    expect(JSON.parse((await ask("/openapi.json")).text)).toEqual(document);
    expect(await ask("/docs")).toMatchObject({ status: 200, text: expect.stringContaining("<title>Books") });
    expect((await ask("/healthz")).status).toBe(200);
    expect((await ask("/readyz")).status).toBe(200);
    isReady = false;
    expect((await ask("/readyz")).status).toBe(503);
    expect((await started({ DOCS: "off" }).ask("/docs")).status).toBe(404);
  });

  it("logs an unexpected error without the secrets of the request", async () => {
    const { ask, lines } = started();
    expect(await ask("/books?pin=4711")).toMatchObject({ status: 500, type: "application/problem+json" });
    expect(JSON.stringify(lines)).toContain("the PIN [redacted] is wrong");
    expect(JSON.stringify(lines)).not.toContain("4711");
  });

  it("runs a request in a span, and reports the request's result to it", async () => {
    const spans: unknown[] = [];
    const span = {
      updateName: (name: string) => spans.push(name),
      setAttribute: (name: string, value: unknown) => spans.push([name, value]),
      setStatus: () => spans.push("failed"),
      recordException: ({ message }: { message: string }) => spans.push(message),
      spanContext: () => ({ traceId: "t", spanId: "s" }),
      end: () => spans.push("ended"),
    };
    const tracing = createTracing(
      () => ({
        api: {
          ROOT_CONTEXT: {},
          SpanKind: { SERVER: 1, CLIENT: 2 },
          SpanStatusCode: { ERROR: 2 },
          trace: {
            getSpan: (context: { span?: typeof span }) => context.span,
            setSpan: (_, value) => ({ span: value }),
          },
        },
        tracer: { startSpan: () => span },
        propagator: { extract: (context) => context },
        shutdown: () => Promise.resolve(),
      }),
      { isSecret: () => false, onError: () => {} },
    );
    const { ask, lines } = started({}, { tracing });
    await ask("/books?pin=4711");
    expect(spans).toEqual([
      "the PIN [redacted] is wrong",
      "listBooks",
      ["http.response.status_code", 500],
      ["error.type", "internal_error"],
      "failed",
      "ended",
    ]);
    expect(lines.at(-1)).toMatchObject({ trace_id: "t", span_id: "s" });
  });
});

describe("the development key", () => {
  const of = (credential: Contract["operations"][string]["security"][number][number]["credential"]) => {
    const requirement = { scheme: "of/books", roles: ["reader"], ...(credential && { credential }) };
    const operations = { listBooks: { ...contract.operations.listBooks, security: [[requirement]] } };
    return (sent: string, accepted: string | undefined = key) =>
      developmentAuthenticators({ operations } as never, accepted, "developer")["of/books"]?.(
        sent,
        undefined,
      );
  };
  const developer = { principal: "developer", roles: ["reader"] };

  it("is accepted as a token, as a key and as any user's password, with all roles", () => {
    expect(of(undefined)(key)).toEqual(developer);
    expect(of({ in: "query", name: "key" })(key)).toEqual(developer);
    expect(of("basic")(`anna:${key}`)).toEqual(developer);
  });

  it("is the only accepted credential, and without it there is none", () => {
    expect(of(undefined)("other")).toBeUndefined();
    expect(of("basic")(`${key}:anna`)).toBeUndefined();
    expect(
      developmentAuthenticators(contract, undefined, "developer").token?.("undefined", undefined),
    ).toBeUndefined();
  });

  it("is not passed to the functions of a service, which get every other credential", () => {
    const own = { token: (token: string) => ({ principal: token, roles: [] }) };
    const { token } = developmentAuthenticators(contract, key, "developer", own);
    expect([token?.(key, undefined), token?.("ann", undefined)]).toMatchObject([
      { principal: "developer" },
      { principal: "ann" },
    ]);
  });

  it.each<[what: string, environment: Environment, problem: string]>([
    ["is short", { DEVELOPMENT_KEY: "secret" }, "DEVELOPMENT_KEY must have at least 8 characters"],
    [
      "is set in production",
      { DEVELOPMENT_KEY: key, NODE_ENV: "production" },
      "DEVELOPMENT_KEY gives access to every operation; remove it if NODE_ENV is production",
    ],
  ])("prevents the start if it %s, and the message does not contain it", (_, environment, problem) => {
    expect(() => readServerConfig(defaultSettings, environment)).toThrow(new ConfigError([problem]));
  });
});
