import { readFile, writeFile } from "node:fs/promises";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import document from "../../../generated/openapi.json" with { type: "json" };
import { temporaryFolder } from "../../../scripts/testing/temporary-folder.ts";
import { RawConnection } from "../../testing/http.ts";
import { startServer } from "../../testing/program.ts";
import { startService, type TestService } from "../../testing/service.ts";
import { docsResources, scriptFinder } from "./docs-page.ts";

const assets = temporaryFolder();
const [incomplete, fetched] = [temporaryFolder(), temporaryFolder()];
const scriptName = "scalar-1.2.3.js";
let service: TestService;
beforeAll(async () => {
  // As large as Scalar's script, because tests measure the memory.
  await writeFile(join(assets, scriptName), "/* script */".repeat(300_000));
  service = await startService({ settings: { DOCS_ASSETS: assets } });
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

const books = {
  paths: {
    "/books/{isbn}": {
      parameters: [{ $ref: "#/components/parameters/isbn" }],
      get: {
        summary: "Returns a <book>.",
        parameters: [{ name: "part", in: "query" }],
        responses: { 200: { $ref: "#/components/responses/Book" } },
      },
      additionalOperations: {
        QUERY: {
          requestBody: { description: "Words.", content: { "text/plain": {} } },
          responses: { default: {} },
        },
      },
    },
  },
  components: {
    parameters: { isbn: { name: "isbn", in: "path", required: true, description: "The number." } },
    responses: { Book: { description: "The book." } },
  },
};

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
    await using server = await startServer("file::memory:", { DOCS_ASSETS: assets });
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

  it("sends its script compressed, and browsers cache it for each version", async () => {
    const path = scriptOf(await (await fetch(`${service.url}/docs`)).text());
    expect(path).toBe("/docs/scalar.js?scalar-1.2.3");
    const { headers, bytes } = await transferred(path, "gzip, deflate");
    expect(headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "content-encoding": "gzip",
      vary: "Accept-Encoding",
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
    });
    expect(gunzipSync(bytes)).toEqual(await readFile(join(assets, scriptName)));
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

  it("lists the operations until it finds its script, and logs once how to add it", async () => {
    const warnings: string[] = [];
    const log = { warn: (message: string) => void warnings.push(message) };
    const resources = docsResources({
      title: "Title & <more>",
      findScript: scriptFinder(incomplete, undefined, "npx docs", log),
      documents: { "/openapi.json": books },
      changelog: new URL("../../../CHANGELOG.md", import.meta.url),
    });
    const get = async (path: string) => {
      const { status, body = "" } = (await resources[path]?.("id", () => undefined)) ?? {};
      return { status, text: Buffer.from(body).toString() };
    };
    for (let time = 0; time < 2; time += 1) {
      const { text } = await get("/docs");
      expect(text).toContain("<title>Title &amp; &lt;more&gt;</title>");
      expect(text).toContain(`<a href="/openapi.json">/openapi.json</a>.</p>
<h2><code>GET /books/{isbn}</code></h2>
<p>Returns a &lt;book&gt;.</p>
<ul>
<li><code>isbn</code> in path, required: The number.</li>
<li><code>part</code> in query</li>
<li><code>200</code>: The book.</li>
</ul>
<h2><code>QUERY /books/{isbn}</code></h2>
<p></p>
<ul>
<li><code>isbn</code> in path, required: The number.</li>
<li>body: <code>text/plain</code>: Words.</li>
<li><code>default</code></li>
</ul>
</body>`);
      expect(await get("/docs/scalar.js")).toEqual({ status: 404, text: "" });
    }
    expect(warnings).toEqual([
      `/docs only lists the operations: ${incomplete} does not contain the script; with the development packages, \`npx docs --assets ${incomplete}\` writes it`,
    ]);
    await writeFile(join(incomplete, scriptName), "script");
    expect(scriptOf((await get("/docs")).text)).toBe("/docs/scalar.js?scalar-1.2.3");
    expect(await get("/docs/scalar.js")).toEqual({ status: 200, text: "script" });
  });

  it("loads its script in development when it is opened first, and again after a failure", async () => {
    const results = [
      () => Promise.reject(new Error("no network")),
      () => Promise.resolve(join(fetched, scriptName)),
    ];
    const warnings: string[] = [];
    const log = { warn: (message: string) => void warnings.push(message) };
    const find = scriptFinder(fetched, () => results.shift()?.() ?? Promise.reject(), "npx docs", log);
    expect([await find(), await find()]).toEqual([undefined, join(fetched, scriptName)]);
    expect(warnings).toEqual(["/docs only lists the operations: no network"]);
  });

  it("needs no script, so a start without DOCS_ASSETS warns about nothing", async () => {
    const warnings: string[] = [];
    const log = { warn: (message: string) => void warnings.push(message) };
    expect([await scriptFinder(undefined, undefined, "npx docs", log)(), warnings]).toEqual([undefined, []]);
  });
});
