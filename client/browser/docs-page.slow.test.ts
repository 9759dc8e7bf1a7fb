/** The reference page as readers have it: in a real browser, from the real server. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "../../generated/contract.ts";
import { generateDocs } from "../../scripts/generate/pipeline.ts";
import { launchBrowser } from "../../server/testing/browser.ts";
import { startService, type TestService } from "../../server/testing/service.ts";

let service: TestService;
let browser: Browser;
beforeAll(async () => {
  [service, browser] = await Promise.all([startService(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
});

const ids = Object.keys(contract.operations);
const schemes = ["light", "dark"] as const;
const widths = { phone: 360, desktop: 1280 } as const;

/** An open page, what it asked for, and what the browser had to say of it. */
interface Visit extends AsyncDisposable {
  readonly page: Page;
  readonly asked: string[];
  readonly said: string[];
}

async function visit(options: BrowserContextOptions = {}, url = `${service.url}/docs`): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: widths.desktop, height: 900 }, ...options });
  const page = await context.newPage();
  const asked: string[] = [];
  const said: string[] = [];
  page.on("request", (request) => void asked.push(request.url()));
  page.on("console", (message) => void said.push(message.text()));
  page.on("pageerror", (error) => void said.push(error.message));
  page.on("dialog", (dialog) => {
    said.push(dialog.message());
    void dialog.dismiss();
  });
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) =>
      console.error(`blocked: ${event.violatedDirective}`),
    );
  });
  await page.goto(url);
  return { page, asked, said, [Symbol.asyncDispose]: () => context.close() };
}

/** Opens all that can be opened. */
const openAll = (page: Page) =>
  page.evaluate(() => {
    for (const each of document.querySelectorAll("details")) each.open = true;
  });

/** Texts whose contrast with what is behind them is under 4.5 (WCAG 2.2, success criterion 1.4.3). */
const faintTexts = (page: Page) =>
  page.evaluate(() => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    if (canvas === null) throw new Error("there is no canvas");
    const rgba = (colour: string): number[] => {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const luminance = (colour: number[]): number => {
      const [red = 0, green = 0, blue = 0] = colour.map((part) => {
        const share = part / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const behind = (element: Element | null): number[] => {
      for (let at = element; at !== null; at = at.parentElement) {
        const colour = rgba(getComputedStyle(at).backgroundColor);
        if (colour[3] === 255) return colour;
      }
      return [255, 255, 255];
    };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const faint: string[] = [];
    let seen = 0;
    while (texts.nextNode()) {
      const element = texts.currentNode.parentElement;
      if (element === null || !texts.currentNode.textContent?.trim() || !element.checkVisibility()) continue;
      seen += 1;
      const [one, other] = [luminance(rgba(getComputedStyle(element).color)), luminance(behind(element))];
      const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
      if (contrast < 4.5) faint.push(`${contrast.toFixed(2)} ${texts.currentNode.textContent}`);
    }
    return { seen, faint };
  });

describe("the page", () => {
  it("asks for nothing but itself, and the browser has nothing to say of it", async () => {
    await using visited = await visit();
    await openAll(visited.page);
    expect(visited.asked.filter((url) => !url.startsWith("data:"))).toEqual([`${service.url}/docs`]);
    expect(visited.said).toEqual([]);
  });

  it("leads to every operation by its link", async () => {
    await using visited = await visit();
    const { page } = visited;
    for (const id of ids) {
      await page.locator(`nav a[href="#${id}"]`).click();
      expect(new URL(page.url()).hash).toBe(`#${id}`);
      await expect
        .poll(() => page.locator(`#${id} h3`).evaluate((each) => each.getBoundingClientRect().top))
        .toBeLessThan(200);
    }
  });

  it("opens the answer that a link is for", async () => {
    await using visited = await visit({}, `${service.url}/docs#getWebhook-404`);
    expect(
      await visited.page.locator("#getWebhook-404").evaluate((each) => (each as HTMLDetailsElement).open),
    ).toBe(true);
  });

  it.each(Object.entries(widths))("never scrolls sideways on a %s, with all open", async (_, width) => {
    await using visited = await visit({ viewport: { width, height: 800 } });
    await openAll(visited.page);
    expect(await visited.page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });

  it.each(schemes)("has enough contrast in %s colours", async (colorScheme) => {
    await using visited = await visit({ colorScheme });
    await openAll(visited.page);
    const { seen, faint } = await faintTexts(visited.page);
    expect(seen).toBeGreaterThan(500);
    expect(faint).toEqual([]);
  });

  it("is dark for who wants it dark, and light otherwise", async () => {
    const grounds = await Promise.all(
      schemes.map(async (colorScheme) => {
        await using visited = await visit({ colorScheme });
        return await visited.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      }),
    );
    expect(grounds).toEqual(["rgb(255, 255, 255)", "rgb(20, 23, 26)"]);
  });

  it("has one main part, one heading of the first level, and skips no level", async () => {
    await using visited = await visit();
    const levels = await visited.page.evaluate(() =>
      [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].map((each) => Number(each.tagName.slice(1))),
    );
    expect(levels.filter((level) => level === 1)).toEqual([1]);
    expect(levels.filter((level, index) => index > 0 && level > (levels[index - 1] ?? 0) + 1)).toEqual([]);
    expect(await visited.page.locator("main").count()).toBe(1);
    expect(await visited.page.locator("nav").count()).toBe(1);
  });

  it("copies a sample just as it is run", async () => {
    await using visited = await visit({ permissions: ["clipboard-read", "clipboard-write"] });
    const block = visited.page.locator("#getWebhook .sample .code").first();
    await block.getByRole("button", { name: "Copy" }).click();
    await expect.poll(() => block.locator("button").textContent()).toBe("Copied");
    expect(await visited.page.evaluate(() => navigator.clipboard.readText())).toBe(
      `curl -X GET 'http://127.0.0.1:3000/v1/webhooks/1' \\
  -H "Authorization: Bearer $API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{}'`,
    );
  });

  it("shows all samples in the language that is chosen at one, by keyboard too", async () => {
    await using visited = await visit();
    const { page } = visited;
    await page.locator(`#${ids[0]} input[value="curl"]`).first().focus();
    await page.keyboard.press("ArrowRight");
    await openAll(page);
    expect(await page.locator('.language[data-language="TypeScript"]:visible').count()).toBe(
      await page.locator(".sample").count(),
    );
    expect(await page.locator('.language[data-language="curl"]:visible').count()).toBe(0);
  });

  it("has its contents behind a button on a phone, which close behind the reader", async () => {
    await using visited = await visit({ viewport: { width: widths.phone, height: 800 } });
    const { page } = visited;
    const link = page.locator(`nav a[href="#${ids[1]}"]`);
    expect(await link.isVisible()).toBe(false);
    await page.getByRole("button", { name: "Contents" }).click();
    await link.click();
    expect(await link.isVisible()).toBe(false);
    expect(new URL(page.url()).hash).toBe(`#${ids[1]}`);
  });

  it("shows where the keyboard is", async () => {
    await using visited = await visit();
    const { page } = visited;
    const outlines = new Set<string>();
    for (let presses = 0; presses < 40; presses += 1) {
      await page.keyboard.press("Tab");
      outlines.add(
        await page.evaluate(() => {
          const focused = document.activeElement;
          const shown = focused?.closest("label") ?? focused;
          return shown === null
            ? "none"
            : `${getComputedStyle(shown).outlineStyle} ${getComputedStyle(shown).outlineWidth}`;
        }),
      );
    }
    expect([...outlines]).toEqual(["solid 2px"]);
  });
});

describe("without scripts, the page", () => {
  it("shows everything, each sample in one language, and no button that does nothing", async () => {
    await using visited = await visit({ javaScriptEnabled: false });
    const { page } = visited;
    await page.locator("#loginUser-401 > summary").click();
    expect(await page.locator("#loginUser-401 pre").first().isVisible()).toBe(true);
    const sample = page.locator("#loginUser .sample").first();
    await sample.getByText("TypeScript").click();
    expect(await sample.locator('[data-language="TypeScript"]').isVisible()).toBe(true);
    expect(await sample.locator('[data-language="curl"]').isVisible()).toBe(false);
    expect(await page.locator("button.copy:visible").count()).toBe(0);
  });
});

describe("the page of a hostile spec", () => {
  const script =
    "</script></style></title><script>alert(1)</script><img src=https://evil.test/ onerror=alert(1)>";
  const spec = {
    openapi: "3.1.0",
    info: {
      title: script,
      version: "1",
      description: `${script}\n\n[a](javascript:alert(1)) ![b](https://evil.test/b.png)`,
    },
    paths: {
      "/a": {
        get: {
          operationId: "getA",
          summary: script,
          responses: {
            200: {
              description: script,
              content: { "application/json": { schema: { description: script }, example: script } },
            },
          },
        },
      },
    },
  };

  it("runs nothing of it and asks nobody for anything", async () => {
    const folder = await mkdtemp(join(tmpdir(), "docs-page-"));
    const file = join(folder, "docs.html");
    await writeFile(join(folder, "openapi.json"), JSON.stringify(spec));
    // Without the policy: the text alone must be harmless.
    const { page } = await generateDocs(join(folder, "openapi.json"));
    await writeFile(file, page.replace(/<meta http-equiv[^>]*>/, ""));
    await using visited = await visit({}, pathToFileURL(file).href);
    await openAll(visited.page);
    expect(visited.asked.filter((url) => !url.startsWith("data:"))).toEqual([pathToFileURL(file).href]);
    expect(visited.said).toEqual([]);
    expect(await visited.page.locator("script").count()).toBe(1);
    expect(await visited.page.locator("h1").textContent()).toBe(`${script} 1`);
    await rm(folder, { recursive: true });
  });
});
