import { get, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import document from "../../../generated/openapi.json" with { type: "json" };
import { RawConnection } from "../../testing/http.ts";
import { startServer } from "../../testing/program.ts";
import { startService, type TestService } from "../../testing/service.ts";
import { docsResources } from "./docs-page.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

async function transferred(
  path: string,
  acceptEncoding: string,
): Promise<{ headers: object; bytes: Buffer }> {
  const headers = { "accept-encoding": acceptEncoding };
  const response = await new Promise<IncomingMessage>((done, fail) => {
    get(`${service.url}${path}`, { headers }, done).on("error", fail);
  });
  return { headers: response.headers, bytes: await buffer(response) };
}

const scriptOf = (page: string): string => / src="([^"]*scalar[^"]*)"/.exec(page)?.[1] ?? "";

describe("/docs", () => {
  it("and its script are not served if they are switched off, but the document is still served", async () => {
    await using own = await startService({ settings: { DOCS: "off" } });
    const script = scriptOf(await (await fetch(`${service.url}/docs`)).text());
    const statuses = ["/docs", script, "/docs/page.js", "/docs/changelog", "/openapi.json"].map(
      async (path) => (await fetch(`${own.url}${path}`)).status,
    );
    expect(await Promise.all(statuses)).toEqual([404, 404, 404, 404, 200]);
  });

  it("is served with its script by a server that prints its URL and the version of the interface", async () => {
    await using server = await startServer("file::memory:");
    const [line = ""] = /^.*"msg":"listening".*$/m.exec(server.output()) ?? [];
    const { docs, interface_version } = JSON.parse(line);
    expect([docs, interface_version]).toEqual([`${server.url}/docs`, document.info.version]);
    const script = scriptOf(await (await fetch(docs)).text());
    expect((await fetch(`${server.url}${script}`)).headers.get("content-type")).toMatch(/^text\/javascript/);
  });

  it("needs no key, and its content security policy forbids other hosts and frames", async () => {
    const response = await fetch(`${service.url}/docs`);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy":
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
      "x-request-id": expect.any(String),
    });
  });

  it("transfers at most 1.1 MB with its script and the document, and browsers cache the script", async () => {
    const page = await transferred("/docs", "gzip, deflate");
    const script = await transferred(scriptOf(String(page.bytes)), "gzip, deflate");
    const document = await transferred("/openapi.json", "gzip, deflate");
    expect(script.headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "content-encoding": "gzip",
      vary: "Accept-Encoding",
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
    });
    expect(page.bytes.length + script.bytes.length + document.bytes.length).toBeLessThan(1_100_000);
  });

  it.each(["", "identity", "br", "br, gzip;q=0", "xgzip"])(
    "sends the script uncompressed to a client that accepts %j",
    async (accepted) => {
      const path = scriptOf(await (await fetch(`${service.url}/docs`)).text());
      const { headers, bytes } = await transferred(path, accepted);
      expect(headers).not.toHaveProperty("content-encoding");
      expect(String(bytes)).toBe(await (await fetch(`${service.url}${path}`)).text());
    },
  );

  it("keeps its script in memory once, even if many callers do not read it", async () => {
    const script = scriptOf(await (await fetch(`${service.url}/docs`)).text());
    const { length } = (await transferred(script, "identity")).bytes;
    const before = { bytes: process.memoryUsage().arrayBuffers, logged: service.logged.length };
    using stack = new DisposableStack();
    for (let count = 0; count < 10; count += 1) {
      const connection = stack.use(await RawConnection.open(service.url));
      connection.stopReading();
      connection.write(`GET ${script} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(4));
    }
    await expect.poll(() => service.logged.length - before.logged).toBe(40);
    expect(process.memoryUsage().arrayBuffers - before.bytes).toBeLessThan(2 * length);
  });

  it("links to the document if Scalar is not installed", async () => {
    const resources = docsResources({
      title: "Title & <more>",
      script: undefined,
      documents: { "/openapi.json": {} },
      changelog: new URL("../../../CHANGELOG.md", import.meta.url),
    });
    expect(Object.keys(resources)).toEqual(["/docs"]);
    const page = await resources["/docs"]?.("id", () => undefined);
    const html = Buffer.from(page?.body ?? "").toString();
    expect(html).toContain("<title>Title &amp; &lt;more&gt;</title>");
    expect(html).toContain(
      '<p>The reference page is not installed on this server. See <a href="/openapi.json">/openapi.json</a>.</p>',
    );
  });
});
