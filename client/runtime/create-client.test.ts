import type { HeadersOptions, Middleware } from "openapi-fetch";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../generated/operations.ts";
import { plainUser, rightPassword, startService, type TestService } from "../../server/testing/service.ts";
import {
  BodyNotSendableError,
  type Client,
  type ClientOptions,
  ConfigurationError,
  createClient,
  InvalidCallError,
  unwrap,
} from "../index.ts";
import { bearerKey } from "./api-key.ts";
import { createClientOf } from "./create-client.ts";
import { idempotentMethods, jsonBodies, jsonResponses, type Parts, plainParameters } from "./parts.ts";
import { json, startRawServer, thrownBy } from "./testing/raw-server.ts";
import { createTransport } from "./transport/fetch.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

const client = (options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl: service.url, apiKey: service.acme.secretKey, ...options });
const commission = { title: "Marketplace supply 2026", type: "supply", default_value: 12.5 };
const user = { ...plainUser, uuid: "device-1", password: rightPassword };
const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);

it("an operation returns its documented result, by operationId and by method and path", async () => {
  const { id: webhook_id, url, events } = service.acme.webhook;
  const webhook = { params: { path: { webhook_id } } };
  const webhookData = { webhook: { id: webhook_id, url, events } };
  const commissionData = { commission: { id: expect.any(Number), rate: 12.5 } };
  const expected = (operationId: string, data: object) => ({
    operationId,
    status: 200,
    data: { status: true, data },
    requestId: uuid,
    response: expect.objectContaining({ status: 200 }),
  });
  expect([
    await client().submitCommission({ body: { commission } }),
    await client().GET("/", { body: { commission } }),
    await client().getWebhook(webhook),
    await client().getWebhook({ ...webhook, body: {} }),
    await client().GET("/v1/webhooks/{webhook_id}", webhook),
  ]).toEqual([
    expected("submitCommission", commissionData),
    expected("submitCommission", commissionData),
    expected("getWebhook", webhookData),
    expected("getWebhook", webhookData),
    expected("getWebhook", webhookData),
  ]);
  expect((await client().POST("/v1/users/login", { body: { user } })).operationId).toBe("loginUser");
});

it.each<[string, Partial<ClientOptions>]>([
  ["", {}],
  [", even with hooks", { hooks: [{}] }],
])(
  "an ApiError contains the called URL, so that a wrong path in baseUrl is visible%s",
  async (_, options) => {
    const wrong = client({ baseUrl: `${service.url}/api`, ...options });
    const url = `${service.url}/api/v1/webhooks/7`;
    const call = wrong.getWebhook({ params: { path: { webhook_id: 7 } } });
    expect(await thrownBy(unwrap(call))).toMatchObject({ code: "route_not_found", url });
  },
);

describe("the sent request", () => {
  /** Returns everything that a call sends, except the headers Host and User-Agent. */
  async function arrived(
    call: (own: ReturnType<typeof createClient>) => Promise<unknown>,
    { path = "", ...options }: Partial<ClientOptions> & { path?: string } = {},
  ) {
    await using server = await startRawServer((socket) => socket.write(json("200 OK", {})));
    await call(createClient({ baseUrl: server.url + path, apiKey: "sk_1", ...options }));
    const [request, ...more] = server.received;
    expect([more, server.connections[0]?.rest]).toEqual([[], ""]);
    return request;
  }
  const get =
    (init: { headers?: HeadersOptions } = {}) =>
    (own: ReturnType<typeof createClient>) =>
      own.getWebhook({ params: { path: { webhook_id: 7 } }, ...init });

  it("of getWebhook is a GET with an empty object, a length and a media type", async () => {
    expect(await arrived(get())).toEqual({
      connection: 1,
      line: "GET /v1/webhooks/7 HTTP/1.1",
      headers: {
        host: expect.any(String),
        connection: "keep-alive",
        authorization: "Bearer sk_1",
        "content-type": "application/json",
        "content-length": "2",
        "accept-encoding": "gzip, br",
        "x-request-id": uuid,
      },
      body: "{}",
    });
  });

  const seen: string[] = [];
  const onRequest = async ({ request }: { request: Request }) => {
    seen.push(await request.clone().text());
  };
  const submit = (own: ReturnType<typeof createClient>, middleware?: Middleware[]) =>
    own.submitCommission({
      body: { commission },
      headers: { "X-Request-Id": "mine" },
      ...(middleware && { middleware }),
    });
  it.each<[string, (own: ReturnType<typeof createClient>) => Promise<unknown>, Partial<ClientOptions>]>([
    ["a hook", submit, { hooks: [{ onRequest }] }],
    [
      "middleware of the client",
      (own) => {
        own.use({ onRequest });
        return submit(own);
      },
      {},
    ],
    ["middleware of the call", (own) => submit(own, [{ onRequest }]), {}],
  ])("is the same if %s reads the request", async (_, call, options) => {
    seen.splice(0);
    const unseen = await arrived(submit);
    const headers = { ...unseen?.headers, host: expect.any(String) };
    expect(await arrived(call, options)).toEqual({ ...unseen, headers });
    expect(seen).toEqual([unseen?.body]);
  });

  it.each([
    ["", "/v1/webhooks/7"],
    ["/commerce", "/commerce/v1/webhooks/7"],
    ["/a/b//", "/a/b/v1/webhooks/7"],
    ["/{webhook_id}", "/%7Bwebhook_id%7D/v1/webhooks/7"],
  ])("goes to the operation's path below the path of baseUrl: %j", async (path, target) => {
    expect((await arrived(get(), { path }))?.line).toBe(`GET ${target} HTTP/1.1`);
  });

  it.each<[which: string, client: Record<string, string>, call: HeadersOptions, expected: object]>([
    [
      "of the call, instead of all others, in any letter case",
      { "X-All": "all", "X-Other": "2" },
      { "x-all": "mine", "CONTENT-TYPE": "a/b", authorization: "Other" },
      { "x-all": "mine", "x-other": "2", "content-type": "a/b", authorization: "Other" },
    ],
    [
      "of a list, and joins those with the same name in the given order",
      {},
      [
        ["x-list", "1"],
        ["X-List", "2"],
      ],
      { "x-list": "1, 2" },
    ],
    [
      "for the API key and the content type, even if the client's headers have others",
      { authorization: "Other", "content-type": "a/b" },
      {},
      { authorization: "Bearer sk_1", "content-type": "application/json" },
    ],
    [
      "except those that the call sets to null",
      { "x-all": "all" },
      { Authorization: null, "X-All": null },
      { authorization: undefined, "x-all": undefined },
    ],
  ])("has the headers %s", async (_, headers, ofCall, expected) => {
    const request = await arrived(get({ headers: ofCall }), { headers });
    const sent = Object.keys(expected).map((name) => request?.headers[name]);
    expect(sent).toEqual(Object.values(expected));
  });
});

const known = Object.values(operations).map(({ method, path }) => `${method} ${path}`);
it.each([
  ["GET", "/v1/none", `. Use one of ${known.join(", ")}`],
  ["GET", "/v1/webhook/{webhook_id}", ". Did you mean GET /v1/webhooks/{webhook_id}?"],
] as const)(
  "a call rejects if %s %s is not in the spec, even in plain JavaScript",
  async (method, path, hint) => {
    const untyped: Record<string, (path: string) => Promise<unknown>> = client() as never;
    expect(await thrownBy(untyped[method]?.(path) ?? Promise.resolve())).toEqual(
      new InvalidCallError(`${method} ${path}`, [{ in: "path", pointer: "", message: `is unknown${hint}` }]),
    );
  },
);

describe("a custom fetch", () => {
  it("that ignores the body of a GET causes an error", async () => {
    const init = { params: { path: { webhook_id: 7 } } };
    await expect(client({ fetch }).getWebhook(init)).rejects.toThrow(
      new ConfigurationError([
        {
          in: "options",
          pointer: "/fetch",
          message: "must send the body of a GET. request.text() returns it, request.body does not",
        },
      ]),
    );
  });

  it("can be the platform's fetch for requests that it can send", async () => {
    expect((await client({ fetch }).loginUser({ body: { user } })).status).toBe(200);
  });
});

describe("with fetch as the only transport", () => {
  const init = { params: { path: { webhook_id: 7 } } };
  const options = { baseUrl: "http://service.test", apiKey: "sk_1" };
  const parts: Parts = [plainParameters, jsonBodies, jsonResponses, bearerKey([]), idempotentMethods];
  const fetchingClient = (given: ClientOptions) =>
    createClientOf<Client>(operations, parts, given, createTransport);

  it("a GET that needs a body is rejected with the operation's name, before anything is sent", async () => {
    const fetching = fetchingClient({ ...options, fetch: () => expect.fail("sent") });
    const body: Record<string, never> = JSON.parse('{"more":1}');
    const errorFor = (operationId: string) => new BodyNotSendableError(operationId, "GET");
    expect(await thrownBy(fetching.GET("/", { body: { commission } }))).toEqual(errorFor("submitCommission"));
    expect(await thrownBy(fetching.getWebhook({ ...init, body }))).toEqual(errorFor("getWebhook"));
    expect(String(errorFor("getWebhook"))).toBe(
      "BodyNotSendableError: getWebhook: fetch cannot send a body with GET",
    );
  });

  it.each([[{}], [{ body: {} }]])("the default body of a GET is left out (%j)", async (more) => {
    await using server = await startRawServer((socket) => socket.write(json("200 OK", {})));
    await fetchingClient({ ...options, baseUrl: server.url }).getWebhook({ ...init, ...more });
    const [{ body, headers } = {}] = server.received;
    expect([body, headers?.["content-length"], headers?.["transfer-encoding"]]).toEqual([
      "",
      undefined,
      undefined,
    ]);
  });

  it("options that fetch does not have are rejected", () => {
    expect(() => createClient({ ...options, tls: {}, fetch })).toThrow(
      "createClient: options /tls is not supported by fetch",
    );
  });
});
