import { createPrivateKey, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { Agent, request } from "node:https";
import { connect as connectTcp } from "node:net";
import { text } from "node:stream/consumers";
import { connect, type TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Contract, SecurityRequirement } from "#specbind/contract";
import { createClientOf } from "../../../client/runtime/create-client.ts";
import { schemeCredentials } from "../../../client/runtime/parts/credentials.ts";
import {
  idempotentMethods,
  jsonBodies,
  jsonResponses,
  plainParameters,
} from "../../../client/runtime/parts.ts";
import { callerCertificateBehind } from "./caller-address.ts";
import { contractApp } from "./contract-app.ts";
import { type Listening, listen } from "./listen.ts";
import { authority, client, other, server } from "./testing/certificates.ts";
import { json } from "./testing/library.ts";

const partner: SecurityRequirement = { scheme: "partner", roles: [], credential: "certificate" };
const key: SecurityRequirement = { scheme: "key", roles: [], credential: { in: "header", name: "X-Key" } };
const security: { readonly [name: string]: Contract["operations"][string]["security"] } = {
  open: [],
  certificate: [[partner]],
  either: [[partner], [key]],
  both: [[partner, key]],
  admin: [[{ ...partner, roles: ["admin"] }]],
  optional: [[partner], []],
};
const contract: Contract = {
  format: 1,
  validators: 1,
  operations: Object.fromEntries(
    Object.entries(security).map(([name, alternatives]) => [
      name,
      { method: "GET", path: `/${name}`, security: alternatives, parameters: [], responses: { 200: json } },
    ]),
  ),
  unmatched: {},
  sensitive: [],
};
const options = {
  contract,
  handlers: Object.fromEntries(
    Object.keys(security).map((name) => [
      name,
      (_: unknown, { principal }: { principal: unknown }) => ({ status: 200, body: principal ?? "nobody" }),
    ]),
  ),
  authenticate: {
    partner: (pem: string) => {
      const { subject, issuer, fingerprint256 } = new X509Certificate(pem);
      return { principal: { subject, issuer, fingerprint256 }, roles: [] };
    },
    key: (text: string) => (text === "k" ? { principal: "holder of k", roles: [] } : undefined),
  },
  onViolation: () => {},
};
const handling = { host: "127.0.0.1", port: 0, reject: () => ({ status: 400 }), onMalformed: () => {} };
const tls = { ...server, clientCa: authority };
const partnerSeen = {
  subject: "O=Acme\nCN=shop-1",
  issuer: "CN=Test authority",
  fingerprint256: new X509Certificate(client.cert).fingerprint256,
};

interface Caller {
  readonly cert?: string;
  readonly key?: string;
  readonly headers?: Record<string, string>;
  readonly agent?: Agent | false;
}

async function ask(url: string, path: string, { headers = {}, agent = false, ...tls }: Caller = {}) {
  const outgoing = request(`${url}${path}`, { ...tls, ca: authority, headers, agent }).end();
  const [incoming] = await once(outgoing, "response");
  return { status: incoming.statusCode, body: JSON.parse((await text(incoming)) || "null") };
}

let listening: Listening;
beforeAll(async () => {
  listening = await listen(contractApp(options), { ...handling, tls });
});
afterAll(() => listening.stop(1000));

const callers: { readonly [name: string]: Caller } = {
  nobody: {},
  partner: client,
  stranger: other,
  "holder of a key": { headers: { "X-Key": "k" } },
  "partner with a key": { ...client, headers: { "X-Key": "k" } },
  "partner with a wrong key": { ...client, headers: { "X-Key": "no" } },
  "stranger with a key": { ...other, headers: { "X-Key": "k" } },
};

describe("the operations that each caller may call", () => {
  it.each<[string, { readonly [path: string]: number }]>([
    ["nobody", { open: 200, certificate: 401, either: 401, both: 401, admin: 401, optional: 200 }],
    ["partner", { open: 200, certificate: 200, either: 200, both: 401, admin: 403, optional: 200 }],
    ["stranger", { open: 200, certificate: 401, either: 401, both: 401, admin: 401, optional: 401 }],
    ["holder of a key", { certificate: 401, either: 200, both: 401, admin: 401 }],
    ["partner with a key", { certificate: 200, either: 200, both: 200, admin: 403 }],
    ["partner with a wrong key", { certificate: 200, either: 200, both: 401 }],
    ["stranger with a key", { certificate: 401, either: 200, both: 401 }],
  ])("%s", async (caller, expected) => {
    const found = await Promise.all(
      Object.keys(expected).map(async (name) => {
        const { status } = await ask(listening.url, `/${name}`, callers[caller]);
        return [name, status];
      }),
    );
    expect(Object.fromEntries(found)).toEqual(expected);
  });
});

it("the authenticator gets the certificate of the caller", async () => {
  expect(listening.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  expect(await ask(listening.url, "/certificate", client)).toEqual({ status: 200, body: partnerSeen });
});

it("a missing certificate and one of an unknown authority are different errors", async () => {
  const codes = [{}, other].map(
    async (caller) => (await ask(listening.url, "/certificate", caller)).body.code,
  );
  expect(await Promise.all(codes)).toEqual(["credential_missing", "credential_invalid"]);
});

it.each<[string, Caller, number]>([
  ["of a caller without a certificate stays without one", {}, 401],
  ["of a caller keeps its certificate", client, 200],
])("a resumed session %s", async (_, caller, status) => {
  const address = { host: "127.0.0.1", port: Number(new URL(listening.url).port), ca: authority, ...caller };
  const first = connect(address);
  const [session] = await once(first, "session");
  first.destroy();
  const second: TLSSocket = connect({ ...address, session });
  await once(second, "secureConnect");
  expect(second.isSessionReused()).toBe(true);
  second.end("GET /certificate HTTP/1.1\r\nHost: a\r\n\r\n");
  expect(await text(second)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});

it("a caller cannot present another certificate on an open connection", async () => {
  const port = Number(new URL(listening.url).port);
  const socket = connect({ host: "127.0.0.1", port, ca: authority, ...client, maxVersion: "TLSv1.2" });
  await once(socket, "secureConnect");
  const renegotiation = Promise.withResolvers<void>();
  socket.once("error", renegotiation.reject);
  socket.renegotiate({}, () => renegotiation.resolve());
  await expect(renegotiation.promise).rejects.toMatchObject({ code: "ERR_SSL_NO_RENEGOTIATION" });
});

it("a certificate that has expired is rejected on an open connection", async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  expect((await ask(listening.url, "/certificate", { ...client, agent })).status).toBe(200);
  vi.useFakeTimers({ toFake: ["Date"], now: new X509Certificate(client.cert).validToDate });
  const { status, body } = await ask(listening.url, "/certificate", { ...client, agent }).finally(() =>
    vi.useRealTimers(),
  );
  expect([status, body.code]).toEqual([401, "credential_invalid"]);
  agent.destroy();
});

const keyProblem = "tls.key must contain the key of tls.cert in PEM format, without a passphrase";
it.each<[string, object, string]>([
  ["an empty certificate", { cert: "" }, "tls.cert must contain a certificate in PEM format"],
  ["an empty key", { key: "" }, keyProblem],
  ["the key of another certificate", { key: other.key }, keyProblem],
  ...Object.entries({
    "an empty text as authority": "",
    "an empty line as authority": "\n",
    "a key as authority": server.key,
    "a cut-off authority": authority.slice(0, -40),
    "a cut-off second authority": authority + other.cert.slice(0, -40),
  }).map(([name, clientCa]): [string, object, string] => [
    name,
    { clientCa },
    "tls.clientCa must contain certificates of authorities in PEM format",
  ]),
])("%s is an error at the start", async (_, wrong, message) => {
  await expect(
    listen(contractApp(options), { ...handling, tls: { ...tls, ...wrong } }).then((opened) =>
      opened.stop(0).then(() => "listened"),
    ),
  ).rejects.toThrow(new Error(message));
});

it("a certificate file may have a text and other blocks, and a key in the older format", async () => {
  const opened = await listen(contractApp(options), {
    ...handling,
    tls: {
      cert: `subject=CN = 127.0.0.1\n${server.cert}${authority}`,
      key: createPrivateKey(server.key).export({ type: "sec1", format: "pem" }).toString(),
      clientCa: `Test authority\n${other.cert}# another\n${authority}`,
    },
  });
  expect((await ask(opened.url, "/certificate", client)).status).toBe(200);
  await opened.stop(1000);
});

it("requests on one connection are served in their order, and the connection can be used again", async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const found = await Promise.all(
    ["open", "certificate", "both"].map((name) => ask(listening.url, `/${name}`, { ...client, agent })),
  );
  expect(found.map(({ status }) => status)).toEqual([200, 200, 401]);
  expect(Object.values(agent.freeSockets).flat()).toHaveLength(1);
  agent.destroy();
});

it("a caller without TLS is disconnected, and its requests reach no handler", async () => {
  const socket = connectTcp(Number(new URL(listening.url).port), "127.0.0.1");
  socket.write("GET /open HTTP/1.1\r\nHost: a\r\n\r\n");
  expect(await text(socket)).not.toContain("HTTP/1.1 200");
  expect((await ask(listening.url, "/open")).status).toBe(200);
});

it("a caller with too many open requests is disconnected", async () => {
  const port = Number(new URL(listening.url).port);
  const socket = connect({ host: "127.0.0.1", port, ca: authority }).on("error", () => {});
  socket.write("GET /open HTTP/1.1\r\nHost: a\r\n\r\n".repeat(200));
  await once(socket.resume(), "close");
  expect((await ask(listening.url, "/open")).status).toBe(200);
});

it("the client sends its certificate, and the other credentials that are required", async () => {
  const responses = { 200: ["application/json"] };
  const operations = {
    either: { method: "GET", path: "/either", security: [["partner"], ["key"]], responses },
    both: { method: "GET", path: "/both", security: [["partner", "key"]], responses },
  };
  const clientWith = (options: object) =>
    createClientOf<Record<"either" | "both", () => Promise<{ status: number; data: unknown }>>>(
      operations,
      [
        plainParameters,
        jsonBodies,
        jsonResponses,
        schemeCredentials([], { partner: "certificate", key: { in: "header", name: "X-Key" } }),
        idempotentMethods,
      ],
      { baseUrl: listening.url, ...options },
    );
  const credentials = { key: "k" };
  const ofPartner = clientWith({ tls: { ...client, ca: authority }, credentials });
  expect(await ofPartner.either()).toMatchObject({ status: 200, data: partnerSeen });
  expect(await ofPartner.both()).toMatchObject({ status: 200 });
  expect(await clientWith({ tls: { ca: authority }, credentials }).either()).toMatchObject({
    status: 200,
    data: "holder of k",
  });
  expect(() => clientWith({ credentials: { partner: "x" } })).toThrow(
    "options /credentials/partner is unknown. Use one of key",
  );
});

it("a server that stops does not wait for an unfinished handshake", async () => {
  const stopped = await listen(contractApp(options), { ...handling, tls });
  const socket = connectTcp(Number(new URL(stopped.url).port), "127.0.0.1").on("error", () => {});
  await once(socket, "connect");
  const agent = new Agent({ keepAlive: true });
  await ask(stopped.url, "/open", { agent });
  await stopped.stop(1000);
  await once(socket.resume(), "close");
  agent.destroy();
});

it("a server that asks for no certificate rejects every caller that needs one", async () => {
  const plain = await listen(contractApp(options), { ...handling, tls: server });
  const found = ["open", "certificate"].map(
    async (name) => (await ask(plain.url, `/${name}`, client)).status,
  );
  expect(await Promise.all(found)).toEqual([200, 401]);
  await plain.stop(1000);
});

describe("behind a proxy that ends TLS", () => {
  const header = `:${new X509Certificate(client.cert).raw.toString("base64")}:`;
  const behind = (proxies: readonly string[]) =>
    contractApp({ ...options, certificateOf: callerCertificateBehind(proxies) });
  const status = async (app: ReturnType<typeof behind>, peer: string, ...values: string[]) => {
    const headers = values.map((value): [string, string] => ["Client-Cert", value]);
    const incoming = { socket: { remoteAddress: peer } };
    return (await app.request("/certificate", { headers }, { incoming } as never)).status;
  };

  it("Client-Cert is read only if the peer is a trusted proxy", async () => {
    const app = behind(["10.0.0.0/8"]);
    expect(await status(app, "10.1.2.3", header)).toBe(200);
    expect(await status(app, "::ffff:10.1.2.3", header)).toBe(200);
    expect(await status(app, "192.0.2.1", header)).toBe(401);
    expect(await status(behind([]), "10.1.2.3", header)).toBe(401);
    expect(await status(contractApp(options), "10.1.2.3", header)).toBe(401);
  });

  it.each([
    ["no header", []],
    ["two certificates", [header, header]],
    ["a text", ["shop-1"]],
    ["other bytes", [":aGk=:"]],
    ["PEM", [encodeURIComponent(client.cert)]],
  ])("%s is not a certificate", async (_, values) => {
    expect(await status(behind(["10.0.0.0/8"]), "10.1.2.3", ...values)).toBe(401);
  });

  it("the proxy's own certificate is not the caller's", async () => {
    const proxied = await listen(behind(["127.0.0.1"]), { ...handling, tls });
    expect((await ask(proxied.url, "/certificate", client)).status).toBe(401);
    const headers = { "Client-Cert": header };
    expect(await ask(proxied.url, "/certificate", { headers })).toEqual({ status: 200, body: partnerSeen });
    await proxied.stop(1000);
  });
});
