/** Which part may import which, and that the parts that serve any spec know nothing of this one. */
import { execFile } from "node:child_process";
import { globSync, readFileSync, realpathSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { commerceIn } from "./testing/commerce-words.ts";

const cruiser = realpathSync("node_modules/.bin/depcruise");
const configFile = resolve(".dependency-cruiser.mjs");
const { default: config }: { default: { forbidden: readonly { name: string; severity: string }[] } } =
  await import(configFile);
const parts = ["generated", "server", "client", "scripts"];

interface Report {
  readonly summary: {
    readonly violations: readonly {
      readonly from: string;
      readonly to: string;
      readonly rule: { readonly name: string };
    }[];
  };
}

/** @returns `rule: from → to` for each violation */
function violationsIn(cwd: string): Promise<string[]> {
  const args = [cruiser, "--config", configFile, "--output-type", "json", ...parts];
  return new Promise((done, fail) => {
    execFile(process.execPath, args, { cwd, maxBuffer: 1e9 }, (_, stdout, stderr) => {
      if (stdout === "") return fail(new Error(stderr));
      const report: Report = JSON.parse(stdout);
      const violations = report.summary.violations.map(
        ({ from, to, rule }) => `${rule.name}: ${from} → ${to}`,
      );
      done(violations.toSorted());
    });
  });
}

/** A tree of files with stand-ins for the packages, cruised and removed again. */
async function cruiseTree(files: Readonly<Record<string, string>>): Promise<string[]> {
  const tree = await mkdtemp(join(tmpdir(), "layers-"));
  const put = async (path: string, content: string): Promise<void> => {
    await mkdir(dirname(join(tree, path)), { recursive: true });
    await writeFile(join(tree, path), content);
  };
  const packages = ["hono", "@hono/node-server", "openapi-fetch", "openapi-typescript", "pg", "pino"].concat(
    "@redocly/openapi-core",
    "@opentelemetry/api",
    "prom-client",
  );
  const dependencies = Object.fromEntries(packages.map((name) => [name, "*"]));
  try {
    for (const name of [...packages, "vitest"]) {
      await put(`node_modules/${name}/package.json`, JSON.stringify({ name, main: "index.js" }));
      await put(`node_modules/${name}/index.js`, "");
    }
    await put("package.json", JSON.stringify({ dependencies, devDependencies: { vitest: "*" } }));
    await put("tsconfig.json", await readFile("tsconfig.json", "utf8"));
    for (const part of parts) await put(`${part}/empty.ts`, "export {};\n");
    for (const [path, content] of Object.entries(files)) await put(path, content);
    return await violationsIn(tree);
  } finally {
    await rm(tree, { recursive: true });
  }
}

/** For each rule, files that import what it forbids, and what that is called once it is resolved. */
const breaches: Readonly<
  Record<string, readonly (readonly [from: string, specifier: string, to: string])[]>
> = {
  "no-cycles": [["server/egg.ts", "./hen.ts", "server/hen.ts"]],
  resolvable: [["server/lost.ts", "./nowhere.ts", "./nowhere.ts"]],
  "no-dev-packages-in-production": [["client/spy.ts", "vitest", "node_modules/vitest/index.js"]],
  "generated-imports-nothing": [
    ["generated/contract.ts", "../server/empty.ts", "server/empty.ts"],
    ["generated/types.ts", "pino", "node_modules/pino/index.js"],
  ],
  "contract-knows-no-commerce": [["server/contract/bind.ts", "../domain/empty.ts", "server/domain/empty.ts"]],
  "generator-stands-alone": [
    ["scripts/generate.ts", "../server/empty.ts", "server/empty.ts"],
    ["scripts/generate/model.ts", "../../generated/empty.ts", "generated/empty.ts"],
  ],
  "openapi-imports-no-other-folder": [
    ["scripts/openapi/load.ts", "../generate/render-types.ts", "scripts/generate/render-types.ts"],
  ],
  "json-schema-imports-openapi-only": [
    ["scripts/json-schema/compile.ts", "../generate/render-types.ts", "scripts/generate/render-types.ts"],
  ],
  "nothing-imports-the-lab": [["scripts/mocked.ts", "./lab/measure.ts", "scripts/lab/measure.ts"]],
  "client-knows-no-server": [["client/index.ts", "../server/empty.ts", "server/empty.ts"]],
  "the-mock-checks-with-the-contract": [["client/mock/app.ts", "../../server/empty.ts", "server/empty.ts"]],
  "the-mock-needs-no-hono": [
    ["client/mock/index.ts", "../../server/contract/hono.ts", "node_modules/hono/index.js"],
  ],
  "server-knows-no-client": [["server/caller.ts", "../client/empty.ts", "client/empty.ts"]],
  "domain-is-pure": [
    ["server/domain/typed.ts", "../../generated/empty.ts", "generated/empty.ts"],
    ["server/domain/kept.ts", "../store/open.ts", "server/store/open.ts"],
  ],
  "domain-does-no-io": [
    ["server/domain/file.ts", "node:fs/promises", "fs/promises"],
    ["server/domain/web.ts", "node:http", "http"],
  ],
  "domain-uses-few-packages": [["server/domain/logged.ts", "pino", "node_modules/pino/index.js"]],
  "only-one-transport-needs-node": [["client/transport/fetch.ts", "node:http", "http"]],
  "client-carries-no-validators": [
    ["client/checked.ts", "../generated/contract.ts", "generated/contract.ts"],
  ],
  "validation-is-the-importers-choice": [["client/checks.ts", "./validate.ts", "client/validate.ts"]],
  "admin-knows-no-http": [["server/admin/key.ts", "../app.ts", "server/app.ts"]],
  "operations-use-the-domain": [["server/operations/order.ts", "../store/open.ts", "server/store/open.ts"]],
  "only-the-contract-and-the-app-use-hono": [
    ["server/operations/route.ts", "hono", "node_modules/hono/index.js"],
    ["server/contract/security.ts", "hono", "node_modules/hono/index.js"],
    ["server/application.ts", "@hono/node-server", "node_modules/@hono/node-server/index.js"],
  ],
  "only-a-store-uses-its-driver": [
    ["server/domain/query.ts", "node:sqlite", "node:sqlite"],
    ["server/store/pool.ts", "pg", "node_modules/pg/index.js"],
  ],
  "only-open-chooses-a-store": [
    ["server/main.ts", "./store/sqlite/free.ts", "server/store/sqlite/free.ts"],
    ["server/store/chosen.ts", "./postgres/free.ts", "server/store/postgres/free.ts"],
  ],
  "stores-stand-apart": [
    ["server/store/sqlite/borrowed.ts", "../postgres/free.ts", "server/store/postgres/free.ts"],
  ],
  "the-store-knows-no-domain": [
    ["server/store/rules.ts", "../domain/empty.ts", "server/domain/empty.ts"],
    ["server/store/sqlite/rows.ts", "../../../generated/empty.ts", "generated/empty.ts"],
  ],
  "one-folder-for-each-replaceable-package": [
    ["scripts/docs.ts", "openapi-typescript", "node_modules/openapi-typescript/index.js"],
  ],
  "redocly-only-where-specs-are-read": [
    ["scripts/lint.ts", "@redocly/openapi-core", "node_modules/@redocly/openapi-core/index.js"],
  ],
  "openapi-fetch-only-in-the-client": [
    ["server/fetching.ts", "openapi-fetch", "node_modules/openapi-fetch/index.js"],
  ],
  "test-support-is-for-tests": [
    ["server/helped.ts", "./testing/service.ts", "server/testing/service.ts"],
    ["client/helped.ts", "./index.test.ts", "client/index.test.ts"],
  ],
  "telemetry-in-one-file-each": [
    ["server/spanned.ts", "@opentelemetry/api", "node_modules/@opentelemetry/api/index.js"],
    ["server/counted.ts", "prom-client", "node_modules/prom-client/index.js"],
  ],
  "telemetry-is-loaded-when-asked-for": [
    ["server/started.ts", "./tracing.ts", "server/tracing.ts"],
    ["server/measured.ts", "./metrics.ts", "server/metrics.ts"],
  ],
  "mock-knows-no-commerce": [
    ["scripts/mock.ts", "../server/handlers.ts", "server/handlers.ts"],
    ["scripts/mock/mock-app.ts", "../../client/free.ts", "client/free.ts"],
  ],
  "conformance-knows-no-commerce": [
    ["scripts/conformance/suite.ts", "../../server/app.ts", "server/app.ts"],
    ["scripts/conform.ts", "../server/app.ts", "server/app.ts"],
    ["scripts/coverage.ts", "../client/free.ts", "client/free.ts"],
  ],
  "dev-imports-nothing-that-it-watches": [
    ["scripts/dev.ts", "../server/app.ts", "server/app.ts"],
    ["scripts/dev/cycle.ts", "../generate/render-types.ts", "scripts/generate/render-types.ts"],
  ],
  "commerce-is-not-for-tools": [["scripts/bench.ts", "../server/domain/empty.ts", "server/domain/empty.ts"]],
};

/** What DESIGN allows, so that no rule forbids more than it says; and the other half of the circle. */
const permitted: Readonly<Record<string, string>> = {
  "server/hen.ts": 'import "./egg.ts";\n',
  "server/egg.ts": "export {};\n",
  "server/domain/empty.ts": 'import "../store/store.ts";\n',
  "server/store/store.ts": "export {};\n",
  "server/store/open.ts": 'import "./sqlite/free.ts";\nimport "./postgres/free.ts";\n',
  "server/store/sqlite/free.ts": 'import "node:sqlite";\nimport "../store.ts";\nimport "./connection.ts";\n',
  "server/store/sqlite/connection.ts": "export {};\n",
  "server/store/postgres/free.ts": 'import "pg";\n',
  "server/operations/free.ts":
    'import "../domain/empty.ts";\nimport "../store/store.ts";\nimport "../contract/handlers.ts";\n',
  "server/contract/handlers.ts": 'import "../../generated/empty.ts";\n',
  "server/contract/hono.ts": 'import "hono";\n',
  "server/app.ts": 'import "hono";\nimport "./operations/free.ts";\nimport "./contract/handlers.ts";\n',
  "server/listen.ts": 'import "@hono/node-server";\n',
  "server/admin/main.ts": 'import "../domain/empty.ts";\nimport "../store/open.ts";\nimport "node:fs";\n',
  "server/testing/service.ts": 'import "hono";\nimport "vitest";\nimport "../../client/free.ts";\n',
  "server/app.test.ts":
    'import "vitest";\nimport "./testing/service.ts";\nimport "./store/sqlite/free.ts";\n',
  "client/free.ts": 'import "openapi-fetch";\nimport "../generated/operations.ts";\n',
  "client/validate.ts": 'import "../generated/contract.ts";\n',
  "client/mock/mock.ts": 'import "../../generated/contract.ts";\nimport "../../server/contract/paths.ts";\n',
  "server/contract/paths.ts": "export {};\n",
  "generated/operations.ts": "export {};\n",
  "generated/contract.ts": "export {};\n",
  "client/index.test.ts": 'import "vitest";\nimport "../server/app.ts";\n',
  "scripts/generate/render-types.ts": 'import "openapi-typescript";\n',
  "scripts/lab/measure.ts": "export {};\n",
  "scripts/dev/generator-thread.ts": 'import "../generate/render-types.ts";\n',
  "scripts/diff/spec.ts": 'import "@redocly/openapi-core";\n',
  "server/tracing.ts": 'import "@opentelemetry/api";\nexport type Tracing = 1;\n',
  "server/metrics.ts": 'import "prom-client";\n',
  "server/tracing.test.ts": 'import "./tracing.ts";\n',
  "server/start.ts":
    'import type { Tracing } from "./tracing.ts";\nexport type T = Tracing;\nawait import("./metrics.ts");\n',
  "scripts/serve.ts": 'import "../server/app.ts";\n',
  "scripts/mock/mock-app.ts": 'import "hono";\nimport "../../client/mock/mock.ts";\n',
  "server/handlers.ts": 'import "./operations/free.ts";\n',
};

describe("the layers", () => {
  test("have a breach in this test for every rule, and a rule for every breach", () => {
    expect(Object.keys(breaches).toSorted()).toEqual(config.forbidden.map(({ name }) => name).toSorted());
    expect(config.forbidden.filter(({ severity }) => severity !== "error")).toEqual([]);
  });

  test("refuse each breach by its own rule, and nothing that is permitted", async () => {
    const expected = Object.entries(breaches).flatMap(([rule, imports]) =>
      imports.map(([from, specifier, to]) => ({ rule, from, specifier, to })),
    );
    const files = expected.map(({ from, specifier }) => [from, `import ${JSON.stringify(specifier)};\n`]);
    const violations = await cruiseTree({ ...permitted, ...Object.fromEntries(files) });
    expect(violations).toEqual(expected.map(({ rule, from, to }) => `${rule}: ${from} → ${to}`).toSorted());
  });

  test("refuse an import of types like one of values", async () => {
    const violations = await cruiseTree({
      ...permitted,
      "server/typed.ts": 'import type { Context } from "hono";\nexport type C = Context;\n',
    });
    expect(violations).toEqual([
      "only-the-contract-and-the-app-use-hono: server/typed.ts → node_modules/hono/index.js",
    ]);
  });
});

describe("the picture of the layers", () => {
  const isTest = /\.(test|suite|type-test)\.ts$|(^|\/)testing(\/|\.ts$)/;
  const [, picture = ""] = /^```mermaid\n(.*?)^```$/ms.exec(readFileSync("CONTRIBUTING.md", "utf8")) ?? [];
  /** Folders by the names that arrows have for them. */
  const boxes = new Map(
    [...picture.matchAll(/^ {2}(\w+)\["([^"]+)"\]$/gm)].map(([, name = "", folder = ""]) => [name, folder]),
  );
  const arrows = [...picture.matchAll(/^ {2}(\w+) (-->|-\. .+ \.->) (\w+)$/gm)];

  /** The innermost box that a file is in; undefined for packages and the like. */
  function boxOf(file: string): string | undefined {
    const around = [...boxes.values()].filter((folder) => file.startsWith(`${folder}/`));
    return around.toSorted((a, b) => b.length - a.length)[0];
  }

  test("has a box for each folder that there is, and an arrow on every other line", () => {
    expect([...boxes.values()].filter((folder) => globSync(`${folder}/*`).length === 0)).toEqual([]);
    expect([...boxes.values()]).toEqual(
      expect.arrayContaining(
        parts
          .concat(globSync("server/*/").map((path) => path.replace(/\/$/, "")))
          .filter((folder) => !isTest.test(`${folder}/`)),
      ),
    );
    expect(
      picture
        .trim()
        .split("\n")
        .filter((line) => line !== ""),
    ).toHaveLength(1 + boxes.size + arrows.length);
  });

  /** The relative imports of all files that are no tests. */
  function importsOfFiles(): { from: string; to: string }[] {
    const files = globSync("{generated,server,client,scripts}/**/*.{ts,js,mjs}", {
      exclude: (path) => /(^|\/)(node_modules|template|peers|fixtures)(\/|$)/.test(path),
    });
    return files
      .filter((from) => !isTest.test(from))
      .flatMap((from) =>
        [
          ...readFileSync(from, "utf8").matchAll(
            /(?:^(?:import|export|\}) .*from|^import|\bimport\() ?"(\.[^"]+)"/gm,
          ),
        ]
          .map(([, specifier = ""]) => join(dirname(from), specifier))
          .filter((to) => !isTest.test(to))
          .map((to) => ({ from, to })),
      );
  }

  test("has an arrow for every import from box to box, and no other", () => {
    const found = importsOfFiles()
      .map(({ from, to }) => ({ from: boxOf(from), to: boxOf(to) }))
      .filter(({ from, to }) => from !== undefined && to !== undefined && from !== to)
      .map(({ from, to }) => `${from} --> ${to}`);
    const drawn = arrows
      .filter(([, , kind]) => kind === "-->")
      .map(([, from = "", , to = ""]) => `${boxes.get(from)} --> ${boxes.get(to)}`);
    expect(drawn.toSorted()).toEqual([...new Set(found)].toSorted());
  });
});

describe("the words of commerce", () => {
  test("are found in names, whatever their case", () => {
    expect(commerceIn("const a = 1;\nsubmitWebhook(\n  COMMISSION_rates, slab,")).toEqual([
      "2: webhook",
      "3: commission",
      "3: slab",
    ]);
  });

  test.each([
    ["server/contract", "server/contract/**/*.ts"],
    ["scripts/generate", "scripts/generate{.ts,/**/*.{ts,js}}"],
    ["scripts/openapi and scripts/json-schema", "scripts/{openapi,json-schema}/**/*.{ts,js}"],
    ["scripts/mock", "scripts/mock{.ts,/**/*.ts}"],
    ["scripts/conformance", "scripts/{conform,conformance,coverage}{.ts,/**/*.ts}"],
    ["scripts/dev", "scripts/dev{.ts,/**/*.ts}"],
    ["scripts/adopt", "scripts/adopt{.ts,/**/*.ts}"],
    ["client", "client/**/*.ts"],
  ])("do not occur in %s, which serves any spec", async (_, pattern) => {
    const files = globSync(pattern, {
      exclude: (path) => /\.(test|type-test)\.ts$|(^|\/)(fixtures|testing)(\/|$)/.test(path),
    });
    expect(files.length).toBeGreaterThan(2);
    const found: string[] = [];
    for (const file of files) {
      found.push(...commerceIn(await readFile(file, "utf8")).map((place) => `${file}:${place}`));
    }
    expect(found).toEqual([]);
  });
});
