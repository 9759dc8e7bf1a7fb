import { describe, expect, it } from "vitest";
import { baseFiles, copiedFiles, templateFiles } from "./base-files.ts";
import { lockfileFor } from "./lockfile.ts";
import { operationFiles } from "./operation-files.ts";
import { packageName, projectFiles } from "./project-files.ts";

describe("the files of a new project", () => {
  const base = baseFiles();
  const files = new Map([...base, ...projectFiles(base, { title: "Redocly Museum API", version: "1.2.1" })]);

  it("contain no tests except those of the template", () => {
    expect(copiedFiles().length).toBeGreaterThan(150);
    expect(copiedFiles().filter((path) => /\.test\.ts$|testing\//.test(path))).toEqual([]);
    expect(templateFiles().filter((path) => /\.test\.ts$/.test(path))).toHaveLength(2);
  });

  /** `webhooks` is not in the list, because OpenAPI has a keyword with this name. */
  const ofCommerce = new Set(
    "commerce commission commissions dial login mfa mobile slab slabs supply tenant tenants totp webhook".split(
      " ",
    ),
  );
  /** Also finds words inside of names such as `submitCommission`. */
  const commerceIn = (text: string): string[] =>
    text
      .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .split(/[^a-z]+/)
      .filter((word) => ofCommerce.has(word));

  it("contain no words of commerce", () => {
    expect(commerceIn("submitWebhook(COMMISSION_rates, slab")).toEqual(["webhook", "commission", "slab"]);
    // The licence names this project, and a digest may contain any word. OpenAPI documents can have webhooks, so the
    // diff names them.
    const found = [...files].flatMap(([path, text]) =>
      path === "LICENSE.base"
        ? []
        : commerceIn(text.replaceAll(/"sha512-.*"/g, "")).map((word) => `${path}: ${word}`),
    );
    expect(found.filter((place) => !/^scripts\/toolkit\/diff\/.*\.ts: webhook$/.test(place))).toEqual([]);
  });

  it("contain a package.json with the document's name and version, the packages and scripts that it needs, and no other packages", () => {
    const manifest = JSON.parse(files.get("package.json") ?? "");
    expect(manifest).toMatchObject({ name: "redocly-museum-api", version: "1.2.1" });
    const packages = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
    // No module imports these packages.
    const tools = ["@biomejs/biome", "@redocly/cli", "@types/node", "development-node"];
    expect(packages).toEqual(expect.arrayContaining([...tools, "typescript-7", "hono"]));
    expect(packages.filter((name) => /argon2|otplib|zxcvbn|^pg|prom-client|esbuild/.test(name))).toEqual([]);
    const commands = JSON.stringify(manifest.scripts);
    // The README names `npm run adopt` as a command of the base.
    const named = `${files.get("README.md")} ${commands}`.matchAll(/npm run (?:-s )?(?!adopt\b)([\w:-]+)/g);
    for (const [, script = ""] of named) expect(Object.keys(manifest.scripts)).toContain(script);
    const programs = commands.matchAll(/node (?:--\S+ )?(scripts\/[\w./-]+)/g);
    for (const [, program = ""] of programs) expect([...files.keys()]).toContain(program);
  });

  it.each([
    ["  Éclair — v2!  ", "eclair-v2"],
    ["書店", "api"],
    ["node_modules", "api"],
    ["x".repeat(300), "x".repeat(100)],
  ])("with the title %s become a package with the name %s", (title, name) => {
    expect(packageName(title)).toBe(name);
  });
});

describe("an operation", () => {
  const get = { method: "GET", path: "/" };

  it("has a file with its name, which contains a typed function to complete", () => {
    const files = operationFiles({ listMuseumHours: { method: "GET", path: "/hours/*/now" } });
    expect(Object.fromEntries(files)).toEqual({
      "server/operations/list-museum-hours.ts": `/** GET /hours/*\\/now */
import { NotImplemented } from "#specbind/server";
import { handler } from "../principal.ts";

export const listMuseumHours = handler("listMuseumHours", async () => {
  throw new NotImplemented();
});
`,
      "server/handlers.ts": `/** The handler of every operation in the spec. */
import type { Handlers } from "../generated/server.ts";
import { listMuseumHours } from "./operations/list-museum-hours.ts";
import type { CallContext } from "./principal.ts";

export const handlers = {
  listMuseumHours,
} satisfies Handlers<CallContext>;
`,
    });
  });

  it("has its own file, even if its name is long or similar to others", () => {
    const ids = ["getURL", "getUrl", "get_url", "$", "_", "x".repeat(300)];
    const files = operationFiles(Object.fromEntries(ids.map((id) => [id, get])));
    expect([...files.keys()]).toEqual([
      "server/operations/get-url.ts",
      "server/operations/get-url-2.ts",
      "server/operations/get-url-3.ts",
      "server/operations/operation.ts",
      "server/operations/operation-2.ts",
      `server/operations/${"x".repeat(100)}.ts`,
      "server/handlers.ts",
    ]);
  });

  it.each(["delete", "package", "await", "handler", "constructor", "toString", "undefined", "Map"])(
    "can have the name %s, which a variable cannot have or should not hide",
    (id) => {
      const files = operationFiles({ [id]: get });
      expect(files.get("server/handlers.ts")).toContain(`  ${id}: ${id}_,\n`);
    },
  );
});

describe("the lockfile", () => {
  const packages = {
    "": { name: "shop", dependencies: { web: "^1.0.0", pay: "^1.0.0" }, devDependencies: { test: "^1.0.0" } },
    "node_modules/web": { version: "1.0.0", dependencies: { text: "^2.0.0" } },
    "node_modules/web/node_modules/text": { version: "2.0.0", dependencies: { letter: "*" } },
    "node_modules/text": { version: "1.0.0", dev: true },
    "node_modules/letter": { version: "3.0.0" },
    "node_modules/pay": { version: "1.0.0", dependencies: { coin: "*" } },
    "node_modules/coin": { version: "1.0.0" },
    "node_modules/test": {
      version: "1.0.0",
      dev: true,
      dependencies: { text: "^1.0.0", coin: "*" },
      optionalDependencies: { "test-on-other": "1.0.0", absent: "1.0.0" },
      peerDependencies: { web: "*" },
    },
    "node_modules/tools": { resolved: "scripts/tools", link: true },
    "scripts/tools": { version: "1.0.0", dev: true, dependencies: { coin: "*" } },
    "node_modules/test-on-other": { version: "1.0.0", optional: true, dev: true, os: ["other"] },
  };

  it("keeps the packages that the new project needs, with versions and paths, and marks development packages", () => {
    const manifest = {
      name: "museum",
      version: "1.2.0",
      dependencies: { web: "^1.0.0" },
      devDependencies: { test: "^1.0.0", tools: "file:scripts/tools" },
    };
    const { "node_modules/pay": _, ...kept } = packages;
    expect(lockfileFor(manifest, { lockfileVersion: 3, packages })).toEqual({
      name: "museum",
      version: "1.2.0",
      lockfileVersion: 3,
      requires: true,
      packages: {
        ...kept,
        "": manifest,
        "node_modules/coin": { version: "1.0.0", dev: true },
        "node_modules/tools": { ...packages["node_modules/tools"], dev: true },
      },
    });
  });
});
