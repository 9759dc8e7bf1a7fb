/** The client in a real browser: a page loads its bundle and makes calls. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { build } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { launchBrowser } from "../../server/testing/browser.ts";
import { plainUser, rightPassword, startService, type TestService } from "../../server/testing/service.ts";

/** Serves the page and the client, and responds to calls on the same origin, so that these need no CORS. */
let site: { readonly url: string; readonly baseUrl: string; readonly server: Server };
const called: Pick<IncomingMessage, "method" | "url" | "headers">[] = [];
/** A service that allows no other origin. */
let service: TestService;
/** A service that allows the page's origin, even to use secret keys. */
let open: TestService;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [site, service, browser] = await Promise.all([startSite(), startService(), launchBrowser()]);
  open = await startService({ settings: { CORS_ORIGINS: site.url, CORS_SECRET_ORIGINS: site.url } });
  page = await browser.newPage();
  await page.goto(site.url);
});
afterAll(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
  await open?.[Symbol.asyncDispose]();
  site?.server.close();
});
beforeEach(() => called.splice(0));

async function startSite(): Promise<typeof site> {
  const { outputFiles } = await build({
    entryPoints: [resolve(import.meta.dirname, "../index.ts")],
    bundle: true,
    format: "esm",
    platform: "browser",
    write: false,
  });
  const script = outputFiles[0]?.text ?? "";
  const files = new Map<string, readonly [contentType: string, text: string]>([
    ["/", ["text/html", '<!doctype html><link rel="icon" href="data:,">']],
    ["/client.js", ["text/javascript", script]],
  ]);
  const server = createServer(({ method, url = "", headers }, response) => {
    const [contentType, text] = files.get(url) ?? ["application/json", "{}"];
    if (!files.has(url)) called.push({ method, url, headers });
    if (url === "/api/v1/webhooks/8") response.writeHead(307, { location: "/api/v1/webhooks/7" }).end();
    else response.setHeader("content-type", contentType).end(text);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, baseUrl: `${url}/api`, server };
}

type ClientModule = typeof import("../index.ts");

/** Runs a call in the page. Returns its result without the response. If the call throws, returns the error. */
function inPage<Argument>(
  call: (module: ClientModule, argument: Argument) => Promise<object>,
  argument: Argument,
): Promise<unknown> {
  const script = `(async () => {
    const module = await import("/client.js");
    try {
      const { response, ...result } = await (${call})(module, ${JSON.stringify(argument)});
      return result;
    } catch (error) {
      return { name: error.name, message: error.message };
    }
  })()`;
  return page.evaluate(script);
}

interface Login {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly user: typeof plainUser & { readonly uuid: string; readonly password: string };
}

const getWebhook = (
  { createClient }: ClientModule,
  { baseUrl, webhook_id }: { baseUrl: string; webhook_id: number },
) => createClient({ baseUrl, apiKey: "pk_test" }).getWebhook({ params: { path: { webhook_id } } });

describe("a page", () => {
  it("sends QUERY instead of a GET that needs a body, even through CORS", async () => {
    const submit = (
      { createClient }: ClientModule,
      { baseUrl, apiKey }: Pick<Login, "baseUrl" | "apiKey">,
    ) => {
      const body = { commission: { title: "Flat", type: "supply", default_value: 10 } };
      return createClient({ baseUrl, apiKey, dangerouslyAllowBrowser: true }).submitCommission({ body });
    };
    expect(await inPage(submit, { baseUrl: open.url, apiKey: open.acme.secretKey })).toMatchObject({
      status: 200,
      data: { status: true, data: { commission: { rate: 10 } } },
    });
    await inPage(submit, { baseUrl: site.baseUrl, apiKey: "pk_test" });
    expect(called.map(({ method, url, headers }) => [method, url, headers["content-type"]])).toEqual([
      ["QUERY", "/api/", "application/json"],
    ]);
  });

  it("gets an undocumented result for a redirect, because a browser hides redirects", async () => {
    expect(await inPage(getWebhook, { baseUrl: site.baseUrl, webhook_id: 8 })).toEqual({
      operationId: "getWebhook",
      status: "undocumented",
      error: { httpStatus: 0, text: "" },
      requestId: expect.any(String),
    });
    expect(called.map(({ url }) => url)).toEqual(["/api/v1/webhooks/8"]);
  });

  it("of an origin that is not permitted gets an error with the operation's name", async () => {
    expect(await inPage(getWebhook, { baseUrl: service.url, webhook_id: 7 })).toEqual({
      name: "ConnectionError",
      message: `getWebhook: no complete response arrived from ${service.url} (Failed to fetch). Does it allow this page's origin (CORS)?`,
    });
  });

  it("of a permitted origin can log a user in with a publishable key and read the request id", async () => {
    const user = { ...plainUser, uuid: "page", password: rightPassword };
    const login = ({ createClient }: ClientModule, { baseUrl, apiKey, user }: Login) =>
      createClient({ baseUrl, apiKey }).loginUser({ body: { user } });
    const to = { baseUrl: open.url, apiKey: open.acme.publishableKey };
    expect(await inPage(login, { ...to, user })).toMatchObject({
      status: 200,
      requestId: expect.any(String),
      data: { status: true, data: { user: { first_name: "Asha", key: { auth_key: expect.any(String) } } } },
    });
    expect(await inPage(login, { ...to, user: { ...user, password: "wrong" } })).toMatchObject({
      status: 401,
      requestId: expect.any(String),
      error: { error: { code: "credentials_invalid" } },
    });
  });
});
