/** Contracts next to the routes of a Hono app that exists already, over real sockets. */
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { bearerAuth } from "hono/bearer-auth";
import { bodyLimit } from "hono/body-limit";
import { compress } from "hono/compress";
import { cors } from "hono/cors";
import { etag } from "hono/etag";
import { HTTPException } from "hono/http-exception";
import { logger } from "hono/logger";
import { requestId } from "hono/request-id";
import { secureHeaders } from "hono/secure-headers";
import { timeout } from "hono/timeout";
import { timing } from "hono/timing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { RawConnection, send } from "../../testing/http.ts";
import { type ContractAppOptions, contractApp } from "./contract-app.ts";
import { contract, options } from "./testing/library.ts";
import { validatedRoutes } from "./validated-routes.ts";

const running: ReturnType<typeof serve>[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const server of running.splice(0)) await new Promise((resolve) => server.close(resolve));
});

/** Serves an app as its own project does, and returns its URL. */
async function started(app: { fetch: Parameters<typeof serve>[0]["fetch"] }): Promise<string> {
  const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
  running.push(server);
  await new Promise((resolve) => server.once("listening", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function ask(url: string, path: string, init?: RequestInit) {
  const response = await fetch(url + path, init);
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json");
  return {
    status: response.status,
    headers: response.headers,
    body: isJson && text !== "" ? JSON.parse(text) : text,
  };
}

const library = (change: Partial<ContractAppOptions<string>> = {}) => contractApp({ ...options, ...change });
const add = (body = '"Dune"', headers: Record<string, string> = {}): RequestInit => ({
  method: "POST",
  body,
  headers: { "Content-Type": "application/json", Authorization: "Bearer writer", ...headers },
});
const notFound = { status: 404, body: { code: "route_not_found" } };

describe("a contract below a prefix", () => {
  const host = new Hono()
    .get("/", (c) => c.text("home"))
    .route(
      "/v1",
      library({ basePath: "/v1", resources: { "/healthz": () => ({ status: 200, body: '"well"' }) } }),
    )
    .get("/v1/old", (c) => c.text("old"))
    .get("/v1of", (c) => c.text("other"))
    .notFound((c) => c.text("the host has no such page", 404));

  it("is served next to the host's routes, without a second prefix", async () => {
    const url = await started(host);
    expect(await ask(url, "/v1/books")).toMatchObject({ status: 200, body: [] });
    expect(await ask(url, "/v1/books", add())).toMatchObject({ status: 201, body: { addedBy: "writer" } });
    const rename = { method: "PUT", body: '"Emma"', headers: { "Content-Type": "application/json" } };
    expect((await ask(url, "/v1/books/7", rename)).body).toEqual({ isbn: "7", title: "Emma" });
    expect((await ask(url, "/v1/healthz")).body).toBe("well");
    expect(await ask(url, "/v1")).toMatchObject({ status: 200, body: "welcome" });
    expect(await ask(url, "/v1/")).toMatchObject({ status: 200, body: "welcome" });
    expect(await ask(url, "/v1/v1/books")).toMatchObject(notFound);
    expect((await ask(url, "/")).body).toBe("home");
    expect((await ask(url, "/v1of")).body).toBe("other");
    expect((await ask(url, "/v1/old")).body).toBe("old");
  });

  it("responds to unknown paths below the prefix, and the host to all others", async () => {
    const url = await started(host);
    expect(await ask(url, "/v1/shelves")).toMatchObject(notFound);
    expect(await ask(url, "/v1/old", { method: "POST" })).toMatchObject(notFound);
    expect(await ask(url, "/books")).toMatchObject({ status: 404, body: "the host has no such page" });
  });

  it.each(["DELETE", "PATCH", "OPTIONS", "PROPFIND"])(
    "rejects %s with the methods of the path",
    async (method) => {
      const { status, headers, body } = await ask(await started(host), "/v1/books", { method });
      expect([status, headers.get("allow"), body.code]).toEqual([
        405,
        "GET, HEAD, POST",
        "method_not_allowed",
      ]);
    },
  );

  it("responds to HEAD without a body", async () => {
    expect(await ask(await started(host), "/v1/books", { method: "HEAD" })).toMatchObject({
      status: 200,
      body: "",
    });
  });

  it("asks once for the body of a caller that waits for it", async () => {
    const head =
      "POST /v1/books HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer writer\r\nConnection: close\r\n";
    const body = "Content-Type: application/json\r\nContent-Length: 6\r\nExpect: 100-continue\r\n\r\n";
    using connection = await RawConnection.open(await started(host));
    connection.write(`${head}${body}"Dune"`);
    await connection.restIsReset();
    expect(connection.unread.match(/^HTTP\/1\.1 \d+/gm)).toEqual(["HTTP/1.1 100", "HTTP/1.1 201"]);
  });

  it("reads a body that a GET has", async () => {
    const { welcome, ...others } = contract.operations;
    const requestBody = contract.operations.addBook?.requestBody;
    const operations = { ...others, welcome: { ...welcome, requestBody } } as typeof contract.operations;
    const handlers = {
      ...options.handlers,
      welcome: ({ body }: { body: string }) => ({ status: 200, body }),
    };
    const app = new Hono().route("/v1", library({ contract: { ...contract, operations }, handlers }));
    const call = { method: "GET", path: "/v1", body: "hello" };
    expect((await send(await started(app), { ...call, body: '"hello"' })).body).toBe("hello");
  });
});

it("a contract at / leaves unknown paths to the host, but not unknown methods", async () => {
  const host = new Hono()
    .route("/", library())
    .get("/later", (c) => c.text("later"))
    .notFound((c) => c.text("the host has no such page", 404));
  const url = await started(host);
  expect((await ask(url, "/books")).body).toEqual([]);
  expect((await ask(url, "/later")).body).toBe("later");
  expect(await ask(url, "/shelves")).toMatchObject({ status: 404, body: "the host has no such page" });
  expect(await ask(url, "/books", { method: "DELETE" })).toMatchObject({ status: 405 });
});

it("`around` is called only for requests below the prefix", async () => {
  const seen: string[] = [];
  const around: ContractAppOptions<string>["around"] = (method, header, next) => {
    seen.push(`${method} ${header("x-trace")}`);
    return next();
  };
  const url = await started(new Hono().route("/v1", library({ around })));
  expect((await ask(url, "/v1/books", { headers: { "X-Trace": "7" } })).body).toEqual([]);
  await ask(url, "/books");
  expect(seen).toEqual(["GET 7"]);
});

it("several contracts can be mounted, also below the same prefix and in an app that is mounted itself", async () => {
  const part = (name: keyof typeof contract.operations, path: string) =>
    contractApp({
      ...options,
      contract: { ...contract, operations: { [name]: { ...contract.operations[name], path } } as never },
    });
  const api = new Hono().route("/v1", part("welcome", "/one")).route("/v1", part("listBooks", "/two"));
  const url = await started(
    new Hono()
      .route("/api", api)
      .route("/v2", library())
      .get("/api/v1", (c) => c.text("of the host")),
  );
  expect((await ask(url, "/api/v1/one")).body).toBe("welcome");
  expect((await ask(url, "/api/v1/two")).body).toEqual([]);
  expect((await ask(url, "/v2/books")).body).toEqual([]);
  expect((await ask(url, "/api/v1")).body).toBe("of the host");
  for (const path of ["/api/v1/three", "/v2/three"]) expect(await ask(url, path)).toMatchObject(notFound);
});

describe("middleware of the host", () => {
  /** All calls go through the middleware to the same mounted contract. */
  const behind = (...middleware: MiddlewareHandler[]) => {
    const host = new Hono();
    for (const each of middleware) host.use(each);
    return started(host.route("/v1", library()));
  };

  it("logger sees each request and its status", async () => {
    const lines: string[] = [];
    await ask(await behind(logger((line) => void lines.push(line))), "/v1/shelves");
    expect(lines).toEqual(["<-- GET /v1/shelves", expect.stringContaining("--> GET /v1/shelves")]);
    expect(lines[1]).toContain("404");
  });

  it("cors responds to preflights and adds its headers to responses and errors", async () => {
    const url = await behind(cors({ origin: "https://shop.example", allowMethods: ["POST"] }));
    const origin = { Origin: "https://shop.example" };
    const headers = { ...origin, "Access-Control-Request-Method": "POST" };
    expect(await ask(url, "/v1/books", { method: "OPTIONS", headers })).toMatchObject({ status: 204 });
    for (const init of [add('"Dune"', origin), add("1", origin), add("1", { ...origin, Authorization: "" })])
      expect((await ask(url, "/v1/books", init)).headers.get("access-control-allow-origin")).toBe(
        "https://shop.example",
      );
  });

  it("secureHeaders adds its headers", async () => {
    const { headers } = await ask(await behind(secureHeaders()), "/v1/books");
    expect([headers.get("x-frame-options"), headers.get("cache-control")]).toEqual([
      "SAMEORIGIN",
      "no-store",
    ]);
  });

  it("requestId determines the request's id", async () => {
    const url = await behind(requestId({ generator: () => "of-the-host" }));
    const { headers, body } = await ask(url, "/v1/books", add());
    expect([headers.get("x-request-id"), body.requestId]).toEqual(["of-the-host", "of-the-host"]);
    expect((await ask(url, "/v1/books", add("1"))).body.request_id).toBe("of-the-host");
  });

  it("bearerAuth rejects before the contract", async () => {
    const url = await behind(bearerAuth({ token: "writer" }));
    expect((await ask(url, "/v1/books", add())).status).toBe(201);
    expect((await ask(url, "/v1/books", add('"Dune"', { Authorization: "Bearer reader" }))).body).toBe(
      "Unauthorized",
    );
  });

  it.each([
    ["with its length", {}],
    ["in chunks", { "transfer-encoding": "chunked", "content-length": "" }],
  ])("bodyLimit may look at a body %s", async (_, headers) => {
    const url = await behind(bodyLimit({ maxSize: 100 }));
    const call = { method: "POST", path: "/v1/books", key: "writer", headers };
    expect(await send(url, { ...call, body: '"Dune"' })).toMatchObject({
      status: 201,
      body: { title: "Dune" },
    });
    const long = await ask(url, "/v1/books", add(`"${"a".repeat(100)}"`));
    expect([long.status, long.body]).toEqual([413, "Payload Too Large"]);
  });

  it("compress compresses the responses", async () => {
    const host = new Hono().use(compress());
    const handlers = { ...options.handlers, listBooks: () => ({ status: 200, body: "a".repeat(5000) }) };
    const url = await started(host.route("/v1", library({ handlers })));
    const { headers, body } = await ask(url, "/v1/books", { headers: { "Accept-Encoding": "gzip" } });
    expect([headers.get("content-encoding"), body.length]).toEqual(["gzip", 5000]);
  });

  it("timing, etag and timeout work around the contract", async () => {
    const url = await behind(timing(), etag(), timeout(5000));
    const { headers } = await ask(url, "/v1/books");
    expect([headers.get("server-timing"), headers.get("etag")]).toEqual([
      expect.stringMatching(/^total;dur=/),
      expect.any(String),
    ]);
  });

  it("may set headers before the contract responds", async () => {
    const url = await behind(async (c, next) => {
      c.header("X-Region", "eu");
      await next();
    });
    expect((await ask(url, "/v1/books")).headers.get("x-region")).toBe("eu");
  });
});

describe("a body that middleware reads", () => {
  const reader =
    (read: (c: Context) => Promise<unknown>): MiddlewareHandler =>
    async (c, next) => {
      await read(c);
      await next();
    };

  it.each<[how: string, read: (c: Context) => Promise<unknown>]>([
    ["json", (c) => c.req.json()],
    ["text", (c) => c.req.text()],
    ["arrayBuffer", (c) => c.req.arrayBuffer()],
    ["blob", (c) => c.req.blob()],
  ])("with c.req.%s() is validated like any other", async (_, read) => {
    const url = await started(new Hono().use(reader(read)).route("/v1", library()));
    expect(await ask(url, "/v1/books", add())).toMatchObject({ status: 201, body: { title: "Dune" } });
    expect(await ask(url, "/v1/books", add("1"))).toMatchObject({ status: 400 });
    const chunked = { "transfer-encoding": "chunked", "content-length": "" };
    const call = { method: "POST", path: "/v1/books", key: "writer", headers: chunked };
    expect(await send(url, { ...call, body: JSON.stringify("a".repeat(65_536)) })).toMatchObject({
      status: 413,
    });
  });

  it.each<[how: string, read: (c: Context) => Promise<unknown>]>([
    ["formData", (c) => c.req.formData()],
    ["parseBody", (c) => c.req.parseBody()],
  ])("with c.req.%s() is read as a form", async (_, read) => {
    const form = { validate: () => true, fields: { title: { type: "string" as const } } };
    const multipart = new FormData();
    multipart.set("title", "Dune");
    for (const [mediaType, body] of [
      ["multipart/form-data", multipart],
      ["application/x-www-form-urlencoded", new URLSearchParams({ title: "Dune" })],
    ] as const) {
      const requestBody = { required: true, mediaTypes: { [mediaType]: form } };
      const operations = { addBook: { ...contract.operations.addBook, security: [], requestBody } } as never;
      const app = library({ contract: { ...contract, operations } });
      const url = await started(new Hono().use(reader(read)).route("/v1", app));
      expect((await ask(url, "/v1/books", { method: "POST", body })).body.title).toEqual({ title: "Dune" });
    }
  });

  it("as a form that is malformed is rejected like any other", async () => {
    const requestBody = { required: true, mediaTypes: { "multipart/form-data": { validate: () => true } } };
    const operations = { addBook: { ...contract.operations.addBook, security: [], requestBody } } as never;
    const reads = reader((c) => c.req.formData().catch(() => undefined));
    const url = await started(
      new Hono().use(reads).route("/v1", library({ contract: { ...contract, operations } })),
    );
    const headers = { "Content-Type": "multipart/form-data; boundary=b" };
    expect(await ask(url, "/v1/books", { method: "POST", body: "no form", headers })).toMatchObject({
      status: 400,
      body: { code: "malformed_content" },
    });
  });

  it.each<[how: string, read: (c: Context) => Promise<unknown>, expected: unknown]>([
    ["json", (c) => c.req.json(), "Dune"],
    ["text", (c) => c.req.text(), '"Dune"'],
  ])("can be read with c.req.%s() after the contract", async (_, read, expected) => {
    const seen: unknown[] = [];
    const host = new Hono().use(async (c, next) => {
      await next();
      seen.push(await read(c));
    });
    const url = await started(host.route("/v1", library()));
    expect(await ask(url, "/v1/books", add())).toMatchObject({ status: 201, body: { title: "Dune" } });
    expect(seen).toEqual([expected]);
  });

  it("with c.req.raw cannot be read again, and the log says what to use", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const url = await started(new Hono().use(reader((c) => c.req.raw.text())).route("/v1", library()));
    expect(await ask(url, "/v1/books", add())).toMatchObject({
      status: 500,
      body: { code: "internal_error" },
    });
    expect(log.mock.calls.flat().join(" ")).toContain("read it with `c.req.text()`");
  });
});

describe("Hono's context", () => {
  interface HostEnv {
    Variables: { user: { name: string; isAdmin: boolean } };
    Bindings: { REGION: string };
  }
  const login: MiddlewareHandler<HostEnv> = async (c, next) => {
    c.set("user", { name: "ann", isAdmin: c.req.header("x-admin") === "yes" });
    await next();
  };

  it("has the variables of the host for handlers and authenticators, with their types", async () => {
    const api = contractApp<string, HostEnv>({
      ...options,
      handlers: {
        ...options.handlers,
        addBook: (_, { c, principal }) => ({ status: 201, body: [c.var.user.name, principal] }),
      },
      authenticate: {
        ...options.authenticate,
        token: (_, c) => ({ principal: "staff", roles: c.var.user.isAdmin ? ["writer"] : [] }),
      },
    });
    const url = await started(new Hono<HostEnv>().use(login).route("/v1", api));
    expect((await ask(url, "/v1/books", add('"Dune"', { "X-Admin": "yes" }))).body).toEqual(["ann", "staff"]);
    expect((await ask(url, "/v1/books", add())).status).toBe(403);
  });

  it("has the path parameters with the names of the document", async () => {
    const renameBook: ContractAppOptions<string>["handlers"][string] = (_, { c }) => ({
      status: 200,
      body: c.req.param(),
    });
    const url = await started(
      new Hono().route("/:branch", library({ handlers: { ...options.handlers, renameBook } })),
    );
    const rename = { method: "PUT", body: '"Emma"', headers: { "Content-Type": "application/json" } };
    expect((await ask(url, "/oslo/books/7", rename)).body).toEqual({ branch: "oslo", isbn: "7" });
  });

  it("is passed to `onError`", async () => {
    const failed: string[] = [];
    const renameBook = () => {
      throw new Error("broken");
    };
    const api = contractApp<string, HostEnv>({
      ...options,
      handlers: { ...options.handlers, renameBook },
      onError: (error, _id, _secrets, c) => void failed.push(`${error} for ${c.var.user.name}`),
    });
    const url = await started(new Hono<HostEnv>().use(login).route("/v1", api));
    const rename = { method: "PUT", body: '"Emma"', headers: { "Content-Type": "application/json" } };
    expect((await ask(url, "/v1/books/7", rename)).status).toBe(500);
    expect(failed).toEqual(["Error: broken for ann"]);
  });

  it("has the platform's bindings and its execution context", async () => {
    const waiting: unknown[] = [];
    const listBooks: ContractAppOptions<string, HostEnv>["handlers"][string] = (_, { c }) => {
      c.executionCtx.waitUntil(Promise.resolve());
      return { status: 200, body: c.env.REGION };
    };
    const api = contractApp<string, HostEnv>({ ...options, handlers: { ...options.handlers, listBooks } });
    const platform = {
      waitUntil: (work: unknown) => waiting.push(work),
      passThroughOnException() {},
      props: {},
    };
    for (const app of [api, new Hono<HostEnv>().route("/", api)]) {
      const response = await app.fetch(new Request("http://host/books"), { REGION: "eu" }, platform as never);
      expect(await response.json()).toBe("eu");
    }
    expect(waiting).toHaveLength(2);
  });
});

describe("a route of the host with the contract of one operation", () => {
  interface Operations {
    addBook: {
      documented: { responses: { 201: { content: { "application/json": { title: string; by?: string } } } } };
      received: { parameters: object; requestBody: { content: { "application/json": string } } };
      security: readonly [readonly [object]];
    };
    renameBook: {
      documented: { responses: { 200: { content: { "application/json": { isbn: string } } } } };
      received: { parameters: { path: { isbn: string } } };
      security: readonly [];
    };
  }
  type Table = Operations & { [name: string]: Operations["addBook"] };
  interface HostEnv {
    Variables: { branch: string };
  }
  const validated = validatedRoutes<Table, string, HostEnv>({ contract, authenticate: options.authenticate });

  it("gets validated requests, the principal and the host's context, and its responses are checked", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const host = new Hono<HostEnv>()
      .use((c, next) => {
        c.set("branch", "Oslo");
        return next();
      })
      .post(
        "/shop/:branch/books",
        validated("addBook", ({ body }, { principal, c }) => ({
          status: 201,
          body: { title: body, by: `${principal} of ${c.var.branch}` },
        })),
      )
      .put(
        "/:branch/books/:isbn",
        validated("renameBook", ({ path }) => ({
          status: path.isbn === "7" ? 200 : (204 as never),
          body: path,
        })),
      );
    const url = await started(host);
    expect((await ask(url, "/shop/1/books", add())).body).toEqual({ title: "Dune", by: "writer of Oslo" });
    expect(await ask(url, "/shop/1/books", add("1"))).toMatchObject({ status: 400 });
    expect(await ask(url, "/shop/1/books", add("1", { Authorization: "" }))).toMatchObject({ status: 401 });
    const rename = { method: "PUT", body: '"Emma"', headers: { "Content-Type": "application/json" } };
    expect((await ask(url, "/Oslo/books/7", rename)).body).toEqual({ isbn: "7" });
    expect((await ask(url, "/Oslo/books/8", rename)).status).toBe(500);
    expect(String(log.mock.lastCall)).toMatch(/renameBook.*204.*is not documented/);
  });

  it.each(["/books", "/books/:isbn/title", "/shelves/:isbn"])(
    "fails at its first request if its path is %s",
    async (path) => {
      const failed = vi.fn<(error: Error) => void>();
      const host = new Hono<HostEnv>().put(
        path,
        validated("renameBook", () => ({ status: 200, body: { isbn: "" } })),
      );
      host.onError((error, c) => {
        failed(error);
        return c.text("of the host", 500);
      });
      expect((await host.request(path.replace(":isbn", "7"), { method: "PUT" })).status).toBe(500);
      expect(String(failed.mock.lastCall)).toBe(
        `Error: the route ${path} must end like /books/{isbn}, the path of renameBook`,
      );
    },
  );

  it("cannot be of an unknown operation, or return an undocumented response", () => {
    expect(() => validated("burnBook", () => ({ status: 201, body: { title: "" } }))).toThrow(
      "the contract has no operation burnBook",
    );
    // @ts-expect-error the spec has no status 418
    validated("addBook", () => ({ status: 418 }));
  });
});

describe("an HTTPException of a handler", () => {
  const throwing = (error: HTTPException) => {
    const renameBook = () => {
      throw error;
    };
    const handlers = { ...options.handlers, renameBook };
    return started(new Hono().onError((_, c) => c.text("of the host")).route("/v1", library({ handlers })));
  };
  const rename = { method: "PUT", body: '"Emma"', headers: { "Content-Type": "application/json" } };

  it("becomes the documented response, as problem details", async () => {
    const url = await throwing(new HTTPException(404, { message: "There is no book 7." }));
    expect(await ask(url, "/v1/books/7", rename)).toMatchObject({
      status: 404,
      body: { title: "Not Found", detail: "There is no book 7.", code: "not_found" },
    });
  });

  it("may have its own response", async () => {
    const res = Response.json({ problems: 1 }, { status: 422, headers: { "X-Shelf": "7" } });
    const { status, headers, body } = await ask(
      await throwing(new HTTPException(422, { res })),
      "/v1/books/7",
      rename,
    );
    expect([status, headers.get("x-shelf"), body]).toEqual([422, "7", { problems: 1 }]);
  });

  it("becomes a 500 if the document does not have its status", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const url = await throwing(new HTTPException(409, { message: "private" }));
    const { status, body } = await ask(url, "/v1/books/7", rename);
    expect([status, body.code, body.detail.includes("private")]).toEqual([500, "internal_error", false]);
    expect(log.mock.calls.flat().join(" ")).toMatch(/renameBook.*409.*is not documented/);
  });
});
