/** Checks which part imports which. */
import { globSync, readFileSync, realpathSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { run } from "./testing/program.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";

const cruiser = realpathSync("node_modules/.bin/depcruise");
const configFile = resolve(".dependency-cruiser.mjs");
const { default: config }: { default: { forbidden: readonly { name: string; severity: string }[] } } =
  await import(configFile);
const { imports } = JSON.parse(readFileSync("package.json", "utf8"));
const aliases = new Map<string, string>(
  Object.entries<string | { default: string }>(imports).map(([name, target]) => [
    name,
    join(typeof target === "string" ? target : target.default),
  ]),
);
const parts = ["generated", "server", "client", "scripts"];

/** A forbidden import for each rule. */
const breaches: Readonly<Record<string, readonly [file: string, specifier: string]>> = {
  "no-cycles": ["server/egg.ts", "./hen.ts"],
  resolvable: ["server/lost.ts", "./nowhere.ts"],
  "no-dev-packages-in-production": ["client/spy.ts", "vitest"],
  "generated-imports-only-the-runtime": ["generated/types.ts", "pino"],
  "the-runtime-knows-no-document": ["server/runtime/process/demo.ts", "../../domain/empty.ts"],
  "the-runtime-is-imported-by-its-entries": ["server/borrowed.ts", "./runtime/http/free.ts"],
  "the-contract-needs-no-adapter": ["server/runtime/contract/bind.ts", "../http/free.ts"],
  "the-entry-for-servers-needs-no-node": ["server/runtime/index.ts", "./http/sockets.ts"],
  "shared-imports-nothing": ["server/runtime/shared/path.ts", "node:path"],
  "generator-stands-alone": ["scripts/generate.ts", "../server/empty.ts"],
  "openapi-imports-no-other-folder": ["scripts/toolkit/openapi/load.ts", "../diff/free.ts"],
  "json-schema-imports-openapi-only": ["scripts/toolkit/json-schema/compile.ts", "../generate/free.ts"],
  "generate-imports-the-readers-only": ["scripts/toolkit/generate/pipeline.ts", "../diff/free.ts"],
  "nothing-imports-the-lab": ["scripts/mocked.ts", "./lab/measure.ts"],
  "client-knows-no-server": ["client/index.ts", "#specbind/server"],
  "the-mock-checks-with-the-contract": ["client/runtime/mock/app.ts", "#specbind/server/node"],
  "the-mock-rejects-as-the-service": ["client/mock/app.ts", "../../server/empty.ts"],
  "the-mock-needs-no-hono": ["client/mock/index.ts", "../../server/errors.ts"],
  "server-knows-no-client": ["server/caller.ts", "../client/empty.ts"],
  "domain-is-pure": ["server/domain/kept.ts", "../store/open.ts"],
  "domain-does-no-io": ["server/domain/file.ts", "node:fs/promises"],
  "domain-uses-few-packages": ["server/domain/logged.ts", "pino"],
  "only-one-transport-needs-node": ["client/runtime/transport/fetch.ts", "node:http"],
  "client-carries-no-validators": ["client/checked.ts", "../generated/contract.ts"],
  "client-runtime-knows-no-document": ["client/runtime/bound.ts", "../../generated/types.ts"],
  "validation-is-the-importers-choice": ["client/checks.ts", "./validate.ts"],
  "admin-knows-no-http": ["server/admin/key.ts", "../app.ts"],
  "operations-use-the-domain": ["server/operations/order.ts", "../store/open.ts"],
  "only-the-contract-and-the-app-use-hono": ["server/operations/route.ts", "hono"],
  "only-a-store-uses-its-driver": ["server/query.ts", "node:sqlite"],
  "only-open-chooses-a-store": ["server/main.ts", "./store/sqlite/free.ts"],
  "stores-stand-apart": ["server/store/sqlite/borrowed.ts", "../postgres/free.ts"],
  "the-store-knows-no-domain": ["server/store/rules.ts", "../domain/empty.ts"],
  "one-folder-for-each-replaceable-package": ["scripts/docs.ts", "openapi-typescript"],
  "redocly-only-where-specs-are-read": ["scripts/lint.ts", "@redocly/openapi-core"],
  "openapi-fetch-only-in-the-client": ["server/fetching.ts", "openapi-fetch"],
  "test-support-is-for-tests": ["server/helped.ts", "./testing/service.ts"],
  "logger-and-telemetry-are-passed-in": ["server/runtime/observability/logged.ts", "pino"],
  "telemetry-is-loaded-when-asked-for": ["server/measured.ts", "prom-client"],
  "mock-knows-no-commerce": ["scripts/toolkit/mock/own.ts", "../../../server/handlers.ts"],
  "conformance-is-independent": ["scripts/conform.ts", "../generated/empty.ts"],
  "coverage-knows-no-commerce": ["scripts/toolkit/coverage/kept.ts", "../../../server/app.ts"],
  "dev-imports-nothing-that-it-watches": ["scripts/dev.ts", "../server/app.ts"],
  "commerce-is-not-for-tools": ["scripts/bench.ts", "../server/domain/empty.ts"],
};

describe("the layers", () => {
  const tree = temporaryFolder();

  test("have a rule for each forbidden import below, and only this rule reports it", async () => {
    const put = async (path: string, text: string): Promise<void> => {
      await mkdir(dirname(join(tree, path)), { recursive: true });
      await writeFile(join(tree, path), text);
    };
    const packages = [
      "hono",
      "openapi-fetch",
      "openapi-typescript",
      "pino",
      "@redocly/openapi-core",
      "prom-client",
    ];
    const dependencies = Object.fromEntries(packages.map((name) => [name, "*"]));
    for (const name of [...packages, "vitest"]) {
      await put(`node_modules/${name}/package.json`, JSON.stringify({ name, main: "index.js" }));
      await put(`node_modules/${name}/index.js`, "");
    }
    await put("package.json", JSON.stringify({ imports, dependencies, devDependencies: { vitest: "*" } }));
    await put("tsconfig.json", await readFile("tsconfig.json", "utf8"));
    for (const [file, specifier] of Object.values(breaches))
      if (/^[.#]/.test(specifier) && specifier !== "./nowhere.ts")
        await put(aliases.get(specifier) ?? join(dirname(file), specifier), "export {};\n");
    await put("server/hen.ts", 'import "./egg.ts";\n');
    await put("server/runtime/http/sockets.ts", 'import "node:net";\n');
    await put("server/app.ts", 'import "hono";\n');
    await put("server/errors.ts", 'import "./app.ts";\n');
    for (const [file, specifier] of Object.values(breaches)) await put(file, `import "${specifier}";\n`);
    const expected = config.forbidden.map(({ name }) => `${name}: ${breaches[name]?.[0]}`);
    const args = ["--config", configFile, "--output-type", "json", ...parts];
    const { stdout } = await run(tree, cruiser, ...args);
    const violations: { from: string; rule: { name: string } }[] = JSON.parse(stdout).summary.violations;
    const found = violations.map(({ from, rule }) => `${rule.name}: ${from}`);
    expect(found.toSorted()).toEqual(expected.toSorted());
    expect(Object.keys(breaches).toSorted()).toEqual(config.forbidden.map(({ name }) => name).toSorted());
    expect(config.forbidden.filter(({ severity }) => severity !== "error")).toEqual([]);
  });
});

describe("the diagram of the layers", () => {
  const isTest = /\.(test|suite|type-test)\.ts$|(^|\/)testing(\/|\.ts$)/;
  const [, picture = ""] = /^```mermaid\n(.*?)^```$/ms.exec(readFileSync("CONTRIBUTING.md", "utf8")) ?? [];
  /** Maps the names that the diagram's arrows use to folders. */
  const boxes = new Map(
    [...picture.matchAll(/^ {2}(\w+)\["([^"]+)"\]$/gm)].map(([, name = "", folder = ""]) => [name, folder]),
  );
  const arrows = [...picture.matchAll(/^ {2}(\w+) (-->|-\. .+ \.->) (\w+)$/gm)];

  /** The innermost box that contains a file; undefined for packages. */
  function boxOf(file: string): string | undefined {
    const around = [...boxes.values()].filter((folder) => file.startsWith(`${folder}/`));
    return around.toSorted((a, b) => b.length - a.length)[0];
  }

  test("contains only arrows and a box for each part, and no box for a missing folder", () => {
    expect([...boxes.values()].filter((folder) => globSync(`${folder}/*`).length === 0)).toEqual([]);
    const ofServer = globSync("server/*/").map((path) => path.replace(/\/$/, ""));
    const hasOnlyTests = (folder: string) => isTest.test(`${folder}/`) || folder === "server/behaviour";
    const folders = [...parts, ...ofServer].filter((folder) => !hasOnlyTests(folder));
    expect([...boxes.values()]).toEqual(expect.arrayContaining(folders));
    expect(picture.match(/^.+$/gm)).toHaveLength(1 + boxes.size + arrows.length);
  });

  test("has an arrow for each import between two boxes, and no other arrow", () => {
    const files = globSync("{generated,server,client,scripts}/**/*.{ts,js,mjs}", {
      exclude: (path) => /(^|\/)(node_modules|template|peers|fixtures)(\/|$)/.test(path),
    });
    const importing = /(?:^(?:import|export|\}) .*from|^import|\bimport\() ?"([.#][^"]+)"/gm;
    const found = files.flatMap((from) =>
      [...readFileSync(from, "utf8").matchAll(importing)]
        .map(([, specifier = ""]) => aliases.get(specifier) ?? join(dirname(from), specifier))
        .filter((to) => !isTest.test(from) && !isTest.test(to) && boxOf(from) !== boxOf(to))
        .map((to) => [boxOf(from), boxOf(to)])
        .filter((pair) => !pair.includes(undefined))
        .map((pair) => pair.join(" --> ")),
    );
    const drawn = arrows
      .filter(([, , kind]) => kind === "-->")
      .map(([, from = "", , to = ""]) => `${boxes.get(from)} --> ${boxes.get(to)}`);
    expect(drawn.toSorted()).toEqual([...new Set(found)].toSorted());
  });
});

describe("the values of `$ref` and `allOf`", () => {
  /** Matches only reading. Code may write the keywords everywhere, as in `{ $ref: … }`. */
  const reading = /\.(?:\$ref|allOf)\b|["/](?:\$ref|allOf)"|[{,] *(?:\$ref|allOf)(?:: *_\w*)? *[,}]/;
  /** Files that read the keywords without resolving references, each with its purpose. */
  const allowed: Readonly<Record<string, string>> = {
    "scripts/toolkit/diff/containment/admits.ts": "removes both from a part of a SchemaView",
    "scripts/toolkit/diff/sameness.ts": "compares keyword by keyword",
    "scripts/toolkit/generate/blobs.ts": "replaces a reference by a changed copy of its target",
    "scripts/toolkit/generate/directions.ts": "rewrites references to the schemas of one direction",
    "scripts/toolkit/generate/handler-requests.ts": "rewrites references to schemas with defaults",
    "scripts/toolkit/generate/recurring.ts": "lists the keywords that types express by reference",
    "scripts/toolkit/generate/render-types.ts": "prepares types for openapi-typescript, which reads both",
    "scripts/toolkit/generate/typeable.ts": "prepares schemas for openapi-typescript, which reads both",
    "scripts/toolkit/lint/fixes.ts": "adds `type` where no keyword allows another type",
  };

  test("are read only by scripts/toolkit/openapi, and by scripts/toolkit/json-schema, which compiles them", () => {
    const files = globSync("scripts/**/*.ts", {
      exclude: (path) => /(^|\/)(node_modules|testing|fixtures|peers|template)$/.test(path),
    }).filter((file) => !/\.test\.ts$|^scripts\/toolkit\/(openapi|json-schema)\//.test(file));
    const found = files.filter((file) => reading.test(readFileSync(file, "utf8")));
    const remedy = "use viewOf, follow or referenceTarget of scripts/toolkit/openapi, or list the file above";
    expect(found.toSorted(), remedy).toEqual(Object.keys(allowed));
  });
});

describe("the toolkit and the runtimes", () => {
  /** `webhook` is not in the list, because OpenAPI documents can have webhooks. */
  const ofCommerce = /^(?:commerce|commissions?|dial|login|mfa|mobile|slabs?|supply|tenants?|totp)$/;
  /** Also finds words inside of names such as `submitCommission`. */
  const commerceIn = (text: string): string[] =>
    text
      .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .split(/[^a-z]+/)
      .filter((word) => ofCommerce.test(word));

  test("contain no words of commerce", () => {
    expect(commerceIn("submitTenant(COMMISSION_rates, slab")).toEqual(["tenant", "commission", "slab"]);
    const files = globSync("{server/runtime,client/runtime,scripts/toolkit}/**/*.{ts,js}").filter(
      (path) => !/\.(test|suite|type-test)\.ts$|\/(fixtures|suite|testing)\//.test(path),
    );
    expect(files.length).toBeGreaterThan(200);
    const found = files.flatMap((path) =>
      commerceIn(readFileSync(path, "utf8")).map((word) => `${path}: ${word}`),
    );
    expect(found).toEqual([]);
  });
});

test("no folder has more than 20 source files", () => {
  const files = globSync(`{${parts}}/**/*.{ts,js,mjs}`, {
    exclude: ["**/node_modules", "**/fixtures", "**/testing"],
  });
  const isSource = (file: string) => !/\.(test|suite|type-test)\.ts$/.test(file);
  const counts = Map.groupBy(files.filter(isSource), (file) => dirname(file));
  expect([...counts].filter(([, { length }]) => length > 20).map(([folder]) => folder)).toEqual([]);
});
