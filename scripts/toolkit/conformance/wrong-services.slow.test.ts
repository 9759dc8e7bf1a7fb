/** Checks that the command finds each of these errors in a service that has no code of this project. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { loadSpec } from "../openapi/load.ts";
import { liveChecks } from "./live-checks.ts";

const fixtures = "scripts/toolkit/conformance/fixtures";
const source = readFileSync(`${fixtures}/bookshop.mjs`, "utf8");
const wrong: [title: string, ...changes: string[]][] = parse(
  readFileSync(`${fixtures}/wrong-services.yaml`, "utf8"),
);

/** Errors that the checks do not find, and why. */
const missed: { readonly [title: string]: string } = {
  "invalid UTF-8 is replaced in a form": "the URL standard replaces it",
  "an empty body is an empty object": "an empty object is rejected with a documented status, too",
  "a form does not decode plus signs": "no response has the text",
};

/** All services would take many minutes, so a seed chooses a tenth of them. CONFORMANCE_SEED=2 chooses others. */
const seed = Number(process.env.CONFORMANCE_SEED ?? 1);
const chosen = wrong.filter((_, index) => index % 10 === seed % 10);

/** All services use one port, so that requests are made only once, and no other test can take it. */
const listener = createServer((request, response) => current.emit("request", request, response));
let current: Server;
let checks: ReturnType<typeof liveChecks>["checks"];
beforeAll(async () => {
  await once(listener.listen(0, "127.0.0.1"), "listening");
  const { port } = listener.address() as AddressInfo;
  ({ checks } = liveChecks(await loadSpec(`${fixtures}/bookshop.yaml`), {
    url: `http://127.0.0.1:${port}`,
    headers: [
      ["Authorization", "Bearer token-4f9a1c"],
      ["Authorization", `Basic ${btoa("ada:open sesame")}`],
      ["X-Shop-Key", "shop-77b2"],
    ],
    generate: true,
    seed,
    thorough: false,
    only: [],
    mayReject: false,
    strict: true,
    limitMs: Infinity,
  }));
});

afterAll(() => listener.close());

/** Returns the first finding for the changed service. */
async function firstFinding(changes: readonly string[]): Promise<object | undefined> {
  let text = source;
  for (let at = 0; at < changes.length; at += 2) {
    const [find = "", replacement = ""] = changes.slice(at);
    expect(text.split(find).length, `occurrences of ${find}`).toBe(2);
    text = text.replace(find, () => replacement);
  }
  ({ server: current } = await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(text)}`));
  try {
    for (const check of checks) for (const finding of (await check()).findings) return finding;
    return undefined;
  } finally {
    listener.closeAllConnections();
  }
}

it("finds nothing in the correct service", async () => {
  expect(await firstFinding([])).toBeUndefined();
});

it.each(chosen)("finds that %s", async (title, ...changes) => {
  const finding = await firstFinding(changes);
  if (missed[title] === undefined) expect(finding).toBeDefined();
  else expect(finding, `remove it from \`missed\`: ${missed[title]}`).toBeUndefined();
});
