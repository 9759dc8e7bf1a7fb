/** The reference page in a real browser: from the server, and as a file. */
import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser } from "../../server/testing/browser.ts";
import { startService, type TestService } from "../../server/testing/service.ts";

let service: TestService;
let browser: Browser;
let folder: string;
beforeAll(async () => {
  [service, browser, folder] = await Promise.all([
    startService(),
    launchBrowser(),
    mkdtemp(join(tmpdir(), "docs-page-")),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** An open page, the requests that its policy allowed, and the errors that the browser reported. */
interface Visit extends AsyncDisposable {
  readonly page: Page;
  readonly requests: Set<string>;
  readonly errors: string[];
}

async function visit(url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const requests = new Set<string>();
  const errors: string[] = [];
  page.on("request", (request) => void requests.add(request.url()));
  page.on("requestfailed", (request) => {
    if (request.failure()?.errorText === "csp") requests.delete(request.url());
  });
  page.on("pageerror", (error) => void errors.push(error.message));
  page.on("console", (message) => void (message.type() === "error" && errors.push(message.text())));
  page.on("dialog", (dialog) => {
    errors.push(dialog.message());
    void dialog.dismiss();
  });
  await page.goto(url);
  return { page, requests, errors, [Symbol.asyncDispose]: () => context.close() };
}

const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

function fileOf(...args: string[]): string {
  const out = join(folder, "docs.html");
  execFileSync(process.execPath, ["scripts/docs.ts", "--out", out, ...args], { stdio: "pipe" });
  return pathToFileURL(out).href;
}

describe.each([
  ["a desktop", 1280, "light"],
  ["a phone", 390, "dark"],
] as const)("on %s, /docs", (_, width, colorScheme) => {
  it("shows the body and the code samples of a GET, sends requests only to this server, and is not too wide", async () => {
    const url = `${service.url}/docs#tag/commissions/GET/`;
    await using visited = await visit(url, { viewport: { width, height: 800 }, colorScheme });
    const { page, requests, errors } = visited;
    const operation = page.locator('[id$="tag/commissions/GET/"]').first();
    await operation.getByText("A default value and rules for categories.").waitFor();
    await operation.getByText("-X GET", { exact: false }).first().waitFor();
    expect(await widthOf(page)).toBe(width);
    expect(new Set([...requests].map((each) => new URL(each).origin))).toEqual(new Set([service.url]));
    expect(errors).toEqual([]);
  });
});

describe("/docs without scripts", () => {
  it("links to the document", async () => {
    await using visited = await visit(`${service.url}/docs`, { javaScriptEnabled: false });
    await visited.page.getByRole("link", { name: "/openapi.json" }).click();
    expect(visited.page.url()).toBe(`${service.url}/openapi.json`);
  });
});

describe("the file that `npm run docs` writes", () => {
  it("shows the interface, and sends no request", async () => {
    const url = fileOf();
    await using visited = await visit(url, { viewport: { width: 1280, height: 800 } });
    await visited.page.getByRole("heading", { name: "Commerce Service" }).waitFor();
    await visited.page.getByText("Submit a commission definition").first().waitFor();
    await expect.poll(() => [...visited.requests]).toEqual([url]);
    expect(visited.errors).toEqual([]);
  });

  it("runs and loads nothing from a hostile document", async () => {
    const script =
      "</script></style></title><!--<script>alert(1)</script><img src=https://evil.test/ onerror=alert(1)>";
    const description = `${script}\n\n[a](javascript:alert(1)) ![b](https://evil.test/b.png)`;
    const content = { "application/json": { schema: { description }, example: script } };
    const spec = {
      openapi: "3.1.0",
      info: { title: script, version: "1", description },
      paths: {
        "/a": {
          get: { operationId: "getA", summary: script, responses: { 200: { description, content } } },
        },
      },
    };
    const file = join(folder, "openapi.json");
    await writeFile(file, JSON.stringify(spec));
    const url = fileOf("--spec", file);
    await using visited = await visit(url);
    await visited.page.getByText("</script></style></title>").first().waitFor();
    await expect.poll(() => [...visited.requests]).toEqual([url]);
    expect(await visited.page.locator("[onerror], a[href^=javascript]").count()).toBe(0);
  });
});
