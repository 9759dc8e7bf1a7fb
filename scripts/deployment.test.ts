/** Checks what docs/deployment.md says, as far as that needs no container and no proxy. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readConfig, settings } from "../server/config.ts";
import { longestStopSeconds } from "../server/stopping.ts";

const page = readFileSync(new URL("../docs/deployment.md", import.meta.url), "utf8");
const compose = readFileSync(new URL("../compose.yaml", import.meta.url), "utf8");
const dockerfile = readFileSync(new URL("../Dockerfile", import.meta.url), "utf8");

describe("docs/deployment.md", () => {
  it("names only settings that exist", () => {
    const known = Object.values(settings).map(({ name }) => name);
    const named = [...page.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)].map(([, name = ""]) => name);
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });
});

describe("compose.yaml", () => {
  /** The server's variables with their values; undefined if compose passes the value on. */
  const [, block = ""] = /^ {2}server:\n.*?^ {4}environment:\n(.*?)^ {4}\w/ms.exec(compose) ?? [];
  const variables = new Map(
    [...block.matchAll(/^ {6}([A-Z_]+):(?: (.*))?$/gm)].map(([, name = "", value]) => [name, value]),
  );

  it("sets what depends on the container, and passes on every other setting", () => {
    const decided = [...variables].filter(([, value]) => value !== undefined);
    expect(Object.fromEntries(decided)).toEqual({
      DATABASE_URL: expect.stringMatching(/^postgres:/),
      HOST: "0.0.0.0",
      NODE_ENV: "production",
      PORT: "3000",
    });
    const all = Object.values(settings).map(({ name }) => name);
    expect(all.filter((name) => !variables.has(name))).toEqual([]);
    // UV_THREADPOOL_SIZE is Node's variable; PASSWORD_CONCURRENCY depends on it.
    const others = [...variables.keys()].filter((name) => !all.some((each) => each === name));
    expect(others).toEqual([
      "OTEL_EXPORTER_OTLP_HEADERS",
      "OTEL_RESOURCE_ATTRIBUTES",
      "OTEL_SERVICE_NAME",
      "UV_THREADPOOL_SIZE",
    ]);
  });
});

describe("a process manager that stops the server", () => {
  it.each([
    ["systemd", /^TimeoutStopSec=(\d+)$/m, page],
    ["compose.yaml", /^ {4}stop_grace_period: (\d+)s$/m, compose],
  ])("waits ten seconds longer than the server may take by default: %s", (_, pattern, text) => {
    expect(Number(pattern.exec(text)?.[1])).toBe(longestStopSeconds(readConfig({})) + 10);
  });
});

describe("the heap of the server", () => {
  const [, processMegabytes] = /[Gg]ive\s+a process (\d+) MB/.exec(page) ?? [];

  it.each([
    ["the image", dockerfile, /^ENV .*\bNODE_OPTIONS=--max-old-space-size=(\d+)$/m],
    ["the unit of systemd", page, /^Environment=NODE_OPTIONS=--max-old-space-size=(\d+)$/m],
  ])("is limited by %s to half of the memory that the page says", (_, text, pattern) => {
    expect(Number(pattern.exec(text)?.[1])).toBe(Number(processMegabytes) / 2);
  });
});
