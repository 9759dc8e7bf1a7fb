/**
 * Tests that the server never prints, exports or returns a secret, and never stores one in plain text. The tests
 * also send secrets in wrong places.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "../../generated/contract.ts";
import { temporaryFolder } from "../../scripts/testing/temporary-folder.ts";
import { createApiKey } from "../domain/api-keys.ts";
import { createTenant, registerUser } from "../domain/registration.ts";
import { createTotpKeys } from "../domain/totp-keys.ts";
import { secretReader } from "../runtime/contract/secrets.ts";
import { openStore } from "../store/open.ts";
import type { Webhook } from "../store/store.ts";
import { startCollector } from "../testing/collector.ts";
import { type Call, send } from "../testing/http.ts";
import { type RunningServer, startServer } from "../testing/program.ts";
import { specMessages } from "../testing/spec.ts";

const login = "/v1/users/login";
const account = { type: "customer", dial_code: "91", mobile: "9876543210" };
const mfaAccount = { ...account, mobile: "9876543211" };
/** Contains characters that JSON and URLs escape. */
const password = `${randomBytes(12).toString("hex")}"ß\\ &`;

/** The database contains this secret, because it is in the URL of a webhook. */
const storedSecret = `${randomBytes(12).toString("hex")}"ß\\ &`;
const totpKey = randomBytes(32);

const folder = temporaryFolder();
let collector: Awaited<ReturnType<typeof startCollector>>;
let server: RunningServer;
let url: string;
let secretKey: string;
let publishableKey: string;
let totpSecret: string;
let brokenWebhook: Webhook;
beforeAll(async () => {
  const databaseUrl = `file:${join(folder, "commerce.db")}`;
  const store = await openStore(databaseUrl);
  const tenant = await createTenant(store, { name: "Acme", auth_type: 3 });
  const about = { store, clock: Date.now };
  ({ secret: secretKey } = await createApiKey(about, { tenant_id: tenant.id, kind: "secret" }));
  ({ secret: publishableKey } = await createApiKey(about, { tenant_id: tenant.id, kind: "publishable" }));
  const details = { first_name: "Asha", last_name: "Rao", email: "asha.rao@mail.test", password };
  const registering = { store, totpKeys: createTotpKeys([totpKey]) };
  await registerUser(registering, tenant, { ...account, ...details, mfa: false });
  const withMfa = await registerUser(registering, tenant, { ...mfaAccount, ...details, mfa: true });
  totpSecret = new URL(withMfa.otpauth_uri ?? "").searchParams.get("secret") ?? "";
  const ofTheTenant = { tenant_id: tenant.id, events: [] };
  // Every operation is called with the first webhook, so one of them may have changed it.
  await store.webhooks.create({ ...ofTheTenant, url: "https://shop.test/hooks" });
  brokenWebhook = await store.webhooks.create({ ...ofTheTenant, url: `no url but ${storedSecret}` });
  await store.close();
  collector = await startCollector();
  server = await startServer(databaseUrl, {
    LOG_LEVEL: "trace",
    CORS_ORIGINS: "https://shop.example",
    TRUSTED_PROXIES: "127.0.0.0/8",
    METRICS_PORT: "0",
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    TOTP_SECRET_KEYS: totpKey.toString("base64"),
    LOGIN_ATTEMPTS_PER_ACCOUNT: "1000",
    LOGIN_ATTEMPTS_PER_ADDRESS: "1000",
  });
  ({ url } = server);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await collector[Symbol.asyncDispose]();
});

/** A secret for each sensitive name in the spec. It has only digits and letters, which are allowed in every place. */
const secrets = new Map<string, string>(
  contract.sensitive.map((name) => [name, `s3cr3t${randomBytes(12).toString("hex")}`]),
);

/** Returns the encoded forms from which a reader could recover the text. */
function writingsOf(text: string): string[] {
  return [
    text,
    JSON.stringify(text).slice(1, -1),
    encodeURIComponent(text),
    Buffer.from(text).toString("base64url").slice(0, -2),
    Buffer.from(text).toString("hex"),
  ];
}

const sentSecrets = new Set<string>();

async function expectUnprinted(texts: readonly string[]): Promise<void> {
  for (const text of texts) sentSecrets.add(text);
  // The log line of this request comes after the lines of earlier requests.
  const id = randomUUID();
  await send(url, { method: "GET", path: "/healthz", headers: { "x-request-id": id } });
  await server.printed(`"request_id":"${id}"`);
  for (const text of texts)
    for (const writing of writingsOf(text)) expect(server.output()).not.toContain(writing);
}

const examples = specMessages.flatMap((message) =>
  message.operationId !== undefined && message.status === undefined ? [...message.examples.values()] : [],
);

/** Adds the secret as a property to every object. */
function placed(value: unknown, name: string, secret: unknown, leafOf = (leaf: unknown) => leaf): unknown {
  if (Array.isArray(value)) return value.map((item) => placed(item, name, secret, leafOf));
  if (typeof value !== "object" || value === null) return leafOf(value);
  const entries = Object.entries(value).map(([key, item]) => [key, placed(item, name, secret, leafOf)]);
  return { ...Object.fromEntries(entries), [name]: secret };
}

const operations = Object.values(contract.operations);
const readSecrets = secretReader("/", contract.sensitive);
const secretsIn = (body: unknown) => readSecrets({ header: () => undefined, query: "", path: "/" }, body);

/** Returns requests with the secret in every possible place. */
function callsWith(name: string, secret: string): Call[] {
  const everywhere = operations.flatMap(({ method, path: template }): Call[] => {
    const path = template.replace(/\{\w+\}/, "1");
    const shapes = [secret, [secret], { [name]: secret }, { deep: { [name]: [secret] } }];
    return [
      { method, path, headers: { [name]: secret } },
      { method, path, headers: { authorization: `Bearer ${secret}` } },
      { method, path, headers: { authorization: `Basic ${Buffer.from(`u:${secret}`).toString("base64")}` } },
      { method, path, headers: { authorization: secret } },
      { method, path, key: secretKey, headers: { "content-type": secret }, body: secret },
      { method, path, key: secretKey, headers: { "content-encoding": secret }, body: "{}" },
      { method, path, key: secretKey, headers: { cookie: `${name}=${secret}`, "x-forwarded-for": secret } },
      {
        method,
        path,
        key: secretKey,
        headers: { traceparent: secret, origin: secret, "user-agent": secret },
      },
      { method, path, key: secretKey, headers: { "x-request-id": `not ${secret}` } },
      { method, path: `${path}?${name}=${secret}&x=${secret}`, key: secretKey },
      { method, path: `${path}/${secret}`, key: secretKey },
      { method, path: template.replace(/\{\w+\}/, secret), key: secretKey },
      { method: "DELETE", path: `${path}?${secret}`, key: secretKey },
      { method: "OPTIONS", path, headers: { origin: secret, "access-control-request-method": secret } },
      ...shapes.map((body) => ({ method, path, key: secretKey, body })),
      ...examples.flatMap((example) => [
        { method, path, key: secretKey, body: placed(example, name, secret, () => secret) },
        { method, path, key: secretKey, body: placed(example, name, secret) },
        { method, path, key: secretKey, body: placed(example, name, [secret]) },
        { method, path, key: secretKey, body: placed(example, name, { [name]: secret }) },
        { method, path, key: secretKey, body: JSON.stringify(placed(example, name, secret)).slice(0, -1) },
        {
          method,
          path,
          key: secretKey,
          body: Buffer.concat([
            Buffer.from(JSON.stringify(placed(example, name, secret))),
            Buffer.from([0xff]),
          ]),
        },
      ]),
    ];
  });
  return everywhere;
}

it.each([...secrets])(
  "a secret in any place of any request is neither printed nor in the response: %s",
  async (name, secret) => {
    for (const call of callsWith(name, secret)) {
      const response = await send(url, call);
      expect(response.status, JSON.stringify(call)).toBeGreaterThanOrEqual(200);
      for (const writing of writingsOf(secret)) expect(JSON.stringify(response)).not.toContain(writing);
    }
    await expectUnprinted([secret]);
  },
);

it("a key that is sent as X-Request-Id is neither in the log nor in the response, not even in part, for valid and invalid requests", async () => {
  const user = { ...account, uuid: "as id", password };
  const response = await send(url, { method: "POST", path: login, key: publishableKey, body: { user } });
  const sessionKeys = secretsIn(response.body);
  expect(sessionKeys).toHaveLength(2);
  const bearer = `opaque.${randomBytes(8).toString("hex")}`;
  const keys = [secretKey, publishableKey, ...sessionKeys, secretKey.slice(0, 20), bearer];
  for (const key of keys) {
    for (const id of key === bearer ? [key] : [key, `${key}.1`, `shop.${key}`]) {
      const headers = { "x-request-id": id, authorization: `Bearer ${bearer}` };
      const responses = [
        await send(url, { method: "GET", path: "/healthz", headers }),
        await send(url, { method: "GET", path: "/v1/webhooks/1", headers }),
        await send(url, { method: "GET", path: "/healthz", headers: { ...headers, host: "not a host" } }),
      ];
      expect(responses.map(({ status }) => status)).toEqual([200, 401, 400]);
      for (const { headers } of responses) expect(headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
      expect(JSON.stringify(responses)).not.toContain(key);
    }
  }
  await expectUnprinted(keys);
});

describe("the secrets of correct requests", () => {
  it("are not printed, no matter whether they are keys, passwords, codes or new session keys", async () => {
    const user = { ...account, uuid: "device", password, token: "918273" };
    const response = await send(url, { method: "POST", path: login, key: publishableKey, body: { user } });
    expect(response.status).toBe(200);
    const sessionKeys = secretsIn(response.body);
    expect(sessionKeys).toHaveLength(2);
    await send(url, {
      method: "POST",
      path: login,
      key: publishableKey,
      body: { user: { ...user, password: "x" } },
    });
    const ofMfa = { ...user, ...mfaAccount };
    await send(url, { method: "POST", path: login, key: publishableKey, body: { user: ofMfa } });
    await send(url, { method: "GET", path: "/v1/webhooks/1", key: secretKey });
    await expectUnprinted([
      totpSecret,
      totpKey.toString("base64"),
      secretKey,
      publishableKey,
      password,
      ...sessionKeys,
    ]);
    // The ids of requests and spans may contain the code's digits by chance.
    expect(server.output()).not.toMatch(/(?<![0-9a-f])918273(?![0-9a-f])/);
  });

  it("are not printed if a response that violates the spec contains one", async () => {
    const path = `/v1/webhooks/${brokenWebhook.id}`;
    expect((await send(url, { method: "GET", path, key: secretKey })).status).toBe(500);
    await expectUnprinted([storedSecret]);
    await server.printed('"pointer":"/data/webhook/url"');
  });

  it("are searched for in a log with an entry for each request", async () => {
    const logLines = server.output().match(/"msg":"request completed/g) ?? [];
    expect(logLines.length).toBeGreaterThan(300);
  });

  it("are neither in metrics nor in traces, and cannot be read in the database", async () => {
    const metrics = await (await fetch(server.metricsUrl ?? "")).text();
    expect(metrics).toContain("credentials_invalid");
    server.child.kill("SIGTERM");
    await server.ended;
    const exported = Buffer.from(JSON.stringify(collector.received));
    expect(exported.includes("getWebhook")).toBe(true);
    const places = new Map([
      ["metrics", Buffer.from(metrics)],
      ["traces", exported],
    ]);
    for (const file of await readdir(folder)) places.set(file, await readFile(join(folder, file)));
    expect(places.get("commerce.db")?.includes("asha.rao@mail.test")).toBe(true);
    const searched = [...sentSecrets].filter((secret) => secret !== storedSecret);
    expect(searched.length).toBeGreaterThan(10);
    for (const [place, bytes] of places)
      for (const writing of searched.flatMap(writingsOf)) expect(bytes.includes(writing), place).toBe(false);
  });
});
