/** Checks the statements of docs/deployment.md that can be checked without a container and a proxy. */
import { readFileSync } from "node:fs";
import * as promClient from "prom-client";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { createMetrics } from "#specbind/server/metrics";
import { readConfig, settings } from "../server/config.ts";
import { counters } from "../server/handler-dependencies.ts";
import type { Setting } from "../server/runtime/process/settings.ts";
import { longestStopSeconds } from "../server/runtime/process/stopping.ts";

const textOf = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const page = textOf("docs/deployment.md");
const compose = textOf("compose.yaml");
const dockerfile = textOf("Dockerfile");

describe("docs/deployment.md", () => {
  it("mentions only settings that exist", () => {
    const known = Object.keys(settings);
    const named = [...page.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)].map(([, name = ""]) => name);
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });
});

describe("compose.yaml", () => {
  /** The server's variables with their values. A value is undefined if compose passes on its own variable. */
  const [, block = ""] = /^ {2}server:\n.*?^ {4}environment:\n(.*?)^ {4}\w/ms.exec(compose) ?? [];
  const variables = new Map(
    [...block.matchAll(/^ {6}([A-Z_]+):(?: (.*))?$/gm)].map(([, name = "", value]) => [name, value]),
  );

  it("sets the variables that depend on the container, and passes on every other setting", () => {
    const decided = [...variables].filter(([, value]) => value !== undefined);
    expect(Object.fromEntries(decided)).toEqual({
      DATABASE_URL: expect.stringMatching(/^postgres:/),
      HOST: "0.0.0.0",
      NODE_ENV: "production",
      PORT: "3000",
    });
    const all = Object.keys(settings);
    expect(all.filter((name) => !variables.has(name))).toEqual([]);
    // UV_THREADPOOL_SIZE is a variable of Node. PASSWORD_CONCURRENCY depends on it.
    const known = Object.entries<Setting>(settings).flatMap(([name, { formerly }]) => [name, formerly]);
    const others = [...variables.keys()].filter((name) => !known.includes(name));
    expect(others).toEqual([
      "UV_THREADPOOL_SIZE",
      "OTEL_EXPORTER_OTLP_HEADERS",
      "OTEL_RESOURCE_ATTRIBUTES",
      "OTEL_SERVICE_NAME",
    ]);
  });
});

describe("docs/deployment/kubernetes.yaml", () => {
  const [deployment, service, budget, policy] = parseAllDocuments(
    textOf("docs/deployment/kubernetes.yaml"),
  ).map((document) => document.toJS());
  const { template, selector } = deployment.spec;
  const [container] = template.spec.containers;
  const [, ofImage = ""] = /^ENV (.*)$/m.exec(dockerfile) ?? [];
  const environment = new Map<string, string>([
    ...ofImage.split(" ").map((each) => each.split("=", 2) as [string, string]),
    ...container.env.map(({ name, value }: { name: string; value: string }) => [name, value] as const),
  ]);
  const withoutFiles = Object.fromEntries([...environment].filter(([name]) => !name.endsWith("_FILE")));

  it("uses settings that exist, with valid values", () => {
    const known = [...Object.keys(settings), "NODE_COMPILE_CACHE", "NODE_OPTIONS"];
    expect([...environment.keys()].filter((name) => !known.includes(name))).toEqual([]);
    const { HOST, PORT, METRICS_PORT } = readConfig(withoutFiles);
    const ports = container.ports.map(({ containerPort }: { containerPort: number }) => containerPort);
    expect([HOST, ports]).toEqual(["0.0.0.0", [PORT, METRICS_PORT]]);
  });

  it("waits ten seconds longer than the server may take to stop", () => {
    const seconds = longestStopSeconds(readConfig(withoutFiles)) + 10;
    expect(template.spec.terminationGracePeriodSeconds).toBe(seconds);
  });

  it("selects the pods of the deployment, and probes paths that exist", () => {
    const labels = template.metadata.labels;
    expect([
      selector.matchLabels,
      service.spec.selector,
      budget.spec.selector.matchLabels,
      policy.spec.podSelector.matchLabels,
    ]).toEqual([labels, labels, labels, labels]);
    const { startupProbe, readinessProbe, livenessProbe } = container;
    const paths = [startupProbe, readinessProbe, livenessProbe].map(({ httpGet }) => httpGet.path);
    expect(paths).toEqual(["/readyz", "/readyz", "/healthz"]);
  });
});

describe("docs/deployment", () => {
  it.each(["alerts.yaml", "dashboard.json"])("has only metrics that exist in %s", async (file) => {
    const text = await createMetrics(promClient, ["getWebhook"], "enforce", counters).text();
    const names = [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].flatMap(([, name = "", type]) =>
      type === "histogram" ? [`${name}_bucket`, `${name}_count`] : [name],
    );
    const queries = JSON.stringify(parse(textOf(`docs/deployment/${file}`)))
      .match(/"expr":"(?:\\.|[^"\\])*"/g)
      ?.join(" ");
    const used = [...(queries ?? "").matchAll(/\b(\w+)\{job=/g)].map(([, name = ""]) => name);
    expect(used.length).toBeGreaterThan(8);
    expect(used.filter((name) => name !== "up" && !names.includes(name))).toEqual([]);
  });
});

describe("a process manager that stops the server", () => {
  it.each([
    ["systemd", /^TimeoutStopSec=(\d+)$/m, page],
    ["compose.yaml", /^ {4}stop_grace_period: (\d+)s$/m, compose],
  ])("waits ten seconds longer than the server may take to stop by default: %s", (_, pattern, text) => {
    expect(Number(pattern.exec(text)?.[1])).toBe(longestStopSeconds(readConfig({})) + 10);
  });
});

describe("the heap of the server", () => {
  const [, processMegabytes] = /[Gg]ive\s+a process (\d+) MB/.exec(page) ?? [];

  it.each([
    ["the image", dockerfile, /^ENV .*\bNODE_OPTIONS=--max-old-space-size=(\d+)$/m],
    ["the unit of systemd", page, /^Environment=NODE_OPTIONS=--max-old-space-size=(\d+)$/m],
  ])("is limited by %s to half of the memory in docs/deployment.md", (_, text, pattern) => {
    expect(Number(pattern.exec(text)?.[1])).toBe(Number(processMegabytes) / 2);
  });
});
