/** Opens the reference page in a real browser, from the server and from a file. */
import { execFile, execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import spec from "../../generated/openapi.json" with { type: "json" };
import { temporaryFolder } from "../../scripts/testing/temporary-folder.ts";
import { fetchReferenceScript } from "../../scripts/toolkit/docs/reference-script.ts";
import { launchBrowser } from "../../server/testing/browser.ts";
import { startService, type TestService } from "../../server/testing/service.ts";

const folder = temporaryFolder();
let service: TestService;
let browser: Browser;
beforeAll(async () => {
  const assets = dirname(await fetchReferenceScript("node_modules/.cache/reference-page"));
  const settings = { DOCS_ASSETS: assets };
  [service, browser] = await Promise.all([startService({ settings }), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
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
    const url = `${service.url}/docs#tag/commissions/submitCommission`;
    await using visited = await visit(url, { viewport: { width, height: 800 }, colorScheme });
    const { page, requests, errors } = visited;
    const operation = page.locator('[id$="tag/commissions/submitCommission"]').first();
    await operation.getByText("A default value and rules for categories.").waitFor();
    await operation.getByText(`-X GET '${service.url}/'`).first().waitFor();
    expect(await widthOf(page)).toBe(width);
    expect(new Set([...requests].map((each) => new URL(each).origin))).toEqual(new Set([service.url]));
    expect(errors).toEqual([]);
  });
});

describe("/docs", () => {
  it("transfers at most 1.1 MB with its script and the document", async () => {
    const page = await (await fetch(`${service.url}/docs`)).text();
    const [, script = ""] = / src="([^"]*scalar[^"]*)"/.exec(page) ?? [];
    const run = promisify(execFile);
    let bytes = page.length;
    for (const path of [script, "/openapi.json"]) {
      const options = ["-sSf", "-o", "/dev/null", "-w", "%{size_download}", "-H", "Accept-Encoding: gzip"];
      bytes += Number((await run("curl", [...options, `${service.url}${path}`])).stdout);
    }
    expect(bytes).toBeLessThan(1_100_000);
    expect(bytes).toBeGreaterThan(500_000);
  });
});

/** Opens the form for a request of an operation. */
async function testRequest(page: Page, operation: string): Promise<void> {
  await page.goto(`${service.url}/docs#tag/${operation}`);
  await page.locator(`[id$="${operation}"]`).getByRole("button", { name: "Test Request" }).click();
  await page.getByPlaceholder("Token").last().fill(service.acme.secretKey);
}

/** Sends until the response has the expected text, because Scalar applies typed values only after a short time. */
async function sendUntil(page: Page, expected: string): Promise<string> {
  const response = page.locator(".cm-content[contenteditable=false]:visible");
  let shown = "";
  const send = async () => {
    await page.locator("[data-addressbar-action=send]:visible").click();
    shown = (await response.allInnerTexts()).join("");
    return shown;
  };
  await expect.poll(send).toContain(expected);
  // The last click may just replace the response, so it is not read again.
  return shown;
}

describe("/docs", () => {
  it("shows samples for this server, in four languages and for both methods", async () => {
    await using visited = await visit(`${service.url}/docs#tag/webhooks/getWebhook`);
    const operation = visited.page.locator('[id$="tag/webhooks/getWebhook"]');
    const sample = operation.locator(".scalar-code-block").first();
    for (const [before, language] of [
      ["curl", "TypeScript"],
      ["TypeScript", "JavaScript"],
      ["JavaScript", "Python"],
      ["Python", "curl, QUERY"],
      ["curl, QUERY", "JavaScript, QUERY"],
    ] as const) {
      await operation.getByRole("button", { name: before, exact: true }).click();
      await visited.page.getByRole("option", { name: language, exact: true }).click();
      await sample.getByText(service.url).first().waitFor();
      expect(await sample.innerText()).not.toContain("127.0.0.1:3000");
    }
  });

  it("has a field for the key at the top, and shows all statuses in one row on a desktop", async () => {
    await using visited = await visit(`${service.url}/docs`, { viewport: { width: 1280, height: 800 } });
    const { page } = visited;
    await page.getByPlaceholder("Token").first().waitFor();
    await page.goto(`${service.url}/docs#tag/users/loginUser`);
    const tabs = page.locator('[id$="tag/users/loginUser"]').getByRole("tab");
    await tabs.nth(9).waitFor();
    const tops = (await tabs.all()).map(async (tab) => (await tab.boundingBox())?.y);
    expect(new Set(await Promise.all(tops)).size).toBe(1);
  });

  it("shows the address and the button that sends in one row on a phone", async () => {
    await using visited = await visit(`${service.url}/docs`, { viewport: { width: 390, height: 844 } });
    await testRequest(visited.page, "webhooks/getWebhook");
    const address = await visited.page
      .getByRole("button", { name: /^Server:/ })
      .last()
      .boundingBox();
    const send = await visited.page.locator("[data-addressbar-action=send]:visible").boundingBox();
    expect(Math.abs((address?.y ?? 0) - (send?.y ?? 0))).toBeLessThan(10);
    expect((send?.x ?? 0) + (send?.width ?? 0)).toBeLessThan(390);
  });

  it("sends requests with a key that it keeps in memory only", async () => {
    await using visited = await visit(`${service.url}/docs`);
    const { page } = visited;
    // The id is the document's example.
    await testRequest(page, "webhooks/getWebhook");
    await sendUntil(page, service.acme.webhook.url);
    const stored = await page.evaluate(async () => {
      const databases = await indexedDB.databases();
      return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, databases]);
    });
    expect(stored).not.toContain(service.acme.secretKey);
    expect(stored).toMatch(/,"",\[\]\]$/);
    await page.reload();
    expect(await page.content()).not.toContain(service.acme.secretKey);
  });

  it("sends QUERY instead of a GET that has a twin, as its description says", async () => {
    await using visited = await visit(`${service.url}/docs`);
    const { page } = visited;
    const sent = page.waitForRequest((request) => request.url() === `${service.url}/`);
    await testRequest(page, "commissions/submitCommission");
    await page.getByText("This page sends it as QUERY").first().waitFor();
    const typed = JSON.stringify({ commission: { title: "Typed", type: "supply", default_value: 4.5 } });
    await page.locator(".cm-content[contenteditable=true]:visible").last().fill(typed);
    expect(await sendUntil(page, '"rate": 4.5')).toContain('"status": true');
    expect((await sent).method()).toBe("QUERY");
  });

  it("shows a command with the typed values for a GET that a browser cannot send", async () => {
    await using visited = await visit("about:blank");
    const { page, requests } = visited;
    await page.route("**/openapi-3.2.json", async (route) => {
      const document: typeof spec = await (await route.fetch()).json();
      const paths = { "/": { get: document.paths["/"].get } };
      await route.fulfill({ json: { ...document, paths } });
    });
    await testRequest(page, "commissions/submitCommission");
    const typed = JSON.stringify({ commission: { title: "It's $HOME", type: "supply", default_value: 4.5 } });
    await page.locator(".cm-content[contenteditable=true]:visible").last().fill(typed);
    const [reason, command = ""] = (await sendUntil(page, "4.5")).split("API_KEY:\n");
    expect(reason).toContain("Nothing was sent: browsers cannot send\na GET with a body.");
    expect(command).not.toContain(service.acme.secretKey);
    const env = { PATH: process.env.PATH, API_KEY: service.acme.secretKey };
    const { stdout } = await promisify(execFile)("sh", ["-c", `${command.trim()} --silent`], { env });
    expect(JSON.parse(stdout)).toMatchObject({ status: true, data: { commission: { rate: 4.5 } } });
    expect([...requests].filter((url) => url === `${service.url}/`)).toEqual([]);
  });

  it("opens the status that a link's fragment names, and writes a clicked status into the fragment", async () => {
    const url = `${service.url}/docs#tag/webhooks/getWebhook`;
    await using visited = await visit(`${url}/404`);
    const { page } = visited;
    const code = page.locator('[id$="getWebhook"] .parameter-item-container').getByText("webhook_not_found");
    await code.first().waitFor();
    await expect
      .poll(() => code.first().evaluate((each) => each.getBoundingClientRect().top))
      .toBeLessThan(720);
    await page.locator('[id$="getWebhook"]').getByRole("button", { name: /^413/ }).click();
    await expect.poll(() => page.url()).toBe(`${url}/413`);
  });

  it("lists the error codes, and links to the changelog", async () => {
    await using visited = await visit(`${service.url}/docs#description/error-codes`);
    const { page } = visited;
    const row = page.getByRole("row", { name: "api_key_kind_forbidden" });
    expect(await row.getByRole("cell").allTextContents()).toEqual([
      "403",
      "api_key_kind_forbidden: The operation needs a secret key, or the key is restricted to other operations.",
    ]);
    await page.getByText(`v${spec.info.version}`).first().waitFor();
    const link = await page.getByRole("link", { name: "Changelog" }).first().getAttribute("href");
    expect(await (await fetch(new URL(link ?? "", service.url))).text()).toContain("# Changelog");
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
  it("shows the operations, and sends no request", async () => {
    const url = fileOf();
    await using visited = await visit(url, { viewport: { width: 1280, height: 800 } });
    await visited.page.getByRole("heading", { name: "Commerce Service" }).waitFor();
    await visited.page.getByText("Submit a commission definition").first().waitFor();
    await expect.poll(() => [...visited.requests]).toEqual([url]);
    expect(visited.errors).toEqual([]);
  });

  it("has samples for the given server, and a link to the given changelog", async () => {
    const changelog = "https://docs.acme.test/changelog";
    const url = fileOf("--server", "https://api.acme.test", "--changelog", changelog);
    await using visited = await visit(`${url}#tag/webhooks/getWebhook`);
    await visited.page.getByText("-X GET 'https://api.acme.test/v1/webhooks/1'").first().waitFor();
    expect(await visited.page.getByRole("link", { name: "Changelog" }).first().getAttribute("href")).toBe(
      changelog,
    );
  });

  it("runs no script of a hostile document, and loads nothing from other hosts", async () => {
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
