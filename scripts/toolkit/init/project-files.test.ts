import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Contract, SecurityRequirement } from "#specbind/contract";
import project from "../../../package.json" with { type: "json" };
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { dependencyOf, installedPackages } from "./installed-packages.ts";
import { operationFiles } from "./operation-files.ts";
import { packageName, projectFiles, ranges } from "./project-files.ts";

const folder = temporaryFolder();

function contractOf(
  operations: Readonly<Record<string, string>>,
  security: SecurityRequirement[][] = [],
): Contract {
  const entries = Object.entries(operations).map(([id, path]) => [
    id,
    { method: "GET", path, security, parameters: [], responses: {} },
  ]);
  return { format: 1, validators: 1, operations: Object.fromEntries(entries), unmatched: {}, sensitive: [] };
}

const tagged = (...tags: string[]) => ({ get: { tags } });

describe("the operations of a document", () => {
  it("are in a file for each tag, and have a handler that is not written", () => {
    const document = {
      paths: { "/hours/*/now": tagged("Opening hours"), "/tickets": tagged("Tickets", "Money"), "/": {} },
    };
    const contract = contractOf({ listHours: "/hours/*/now", listTickets: "/tickets", getRoot: "/" });
    expect(Object.fromEntries(operationFiles(contract, document))).toEqual({
      "server/operations/opening-hours.ts": `import { notImplemented } from "specbind-runtime/server";
import { handler } from "../principal.ts";

export const listHours = handler("listHours", notImplemented); // GET /hours/*/now
`,
      "server/operations/tickets.ts": expect.stringContaining('handler("listTickets"'),
      "server/operations/operations.ts": expect.stringContaining('handler("getRoot"'),
      "server/handlers.ts": `/** The handler of every operation in the document. The files in \`operations\` must not export anything else. */
import type { Handlers } from "../generated/server.ts";
import * as openingHours from "./operations/opening-hours.ts";
import * as tickets from "./operations/tickets.ts";
import * as operations from "./operations/operations.ts";
import type { CallContext } from "./principal.ts";

export const handlers = { ...openingHours, ...tickets, ...operations } satisfies Handlers<CallContext>;
`,
    });
  });

  it("have a file even if the name of their tag is long, similar to others, or no name of a file", () => {
    const tags = ["getURL", "getUrl", "get_url", "$", "_", "3D", "delete", "x".repeat(300)];
    const document = {
      paths: Object.fromEntries(tags.map((tag, index) => [`/p${index}`, tagged(tag)])),
    };
    const contract = contractOf(Object.fromEntries(tags.map((_, index) => [`op${index}`, `/p${index}`])));
    const files = operationFiles(contract, document);
    const names = ["get-url", "get-url-2", "get-url-3", "operations", "operations-2", "3-d", "delete"];
    expect([...files.keys()]).toEqual([
      ...[...names, "x".repeat(100)].map((name) => `server/operations/${name}.ts`),
      "server/handlers.ts",
    ]);
    expect(files.get("server/handlers.ts")).toContain(
      "{ ...getUrl, ...getUrl2, ...getUrl3, ...operations, ...operations2, ..._3D, ...delete_, ",
    );
  });

  it.each(["delete", "package", "await", "handler", "notImplemented", "constructor", "toString", "Map"])(
    "can have the name %s, which a variable cannot have or should not hide",
    (id) => {
      const text = operationFiles(contractOf({ [id]: "/" }), {}).get("server/operations/operations.ts");
      expect(text).toContain(
        `\nconst ${id}_ = handler("${id}", notImplemented); // GET /\n\nexport { ${id}_ as ${id} };\n`,
      );
    },
  );
});

describe("the files of a new project", () => {
  const basic = { scheme: "a login", roles: [], credential: "basic" } as const;
  const key = { scheme: "key", roles: [], credential: { in: "query", name: "key" } } as const;
  const files = projectFiles({
    info: { title: "Redocly Museum API", version: "1.2.1" },
    contract: contractOf({ getRoot: "/" }, [[basic, key]]),
    packages: { specbind: "0.1.0", "specbind-runtime": "file:../runtime.tgz" },
    examples: "error",
    envelope: undefined,
  });

  it("have a package.json with the document's name and version, and the installed packages", () => {
    expect(JSON.parse(files.get("package.json") ?? "")).toMatchObject({
      name: "redocly-museum-api",
      version: "1.2.1",
      dependencies: { hono: ranges.hono, pino: ranges.pino, "specbind-runtime": "file:../runtime.tgz" },
      devDependencies: { specbind: "0.1.0" },
    });
  });

  it("need the versions that this project is tested with", () => {
    const { hono, pino, ...development } = ranges;
    expect(project.dependencies).toMatchObject({ hono, pino });
    expect(project.devDependencies).toMatchObject(development);
  });

  it("name the document's security schemes where credentials are looked up", () => {
    expect(files.get("server/principal.ts")).toContain(`
    // "a login": async (userAndPassword) => ({ principal: { id: "…" }, roles: [] }),
    // key: async (key) => ({ principal: { id: "…" }, roles: [] }),
`);
  });

  it.each([
    ["  Éclair — v2!  ", "eclair-v2"],
    ["書店", "api"],
    ["node_modules", "node-modules-api"],
    ["Pino", "pino-api"],
    ["specbind", "specbind-api"],
    ["x".repeat(300), "x".repeat(100)],
  ])("are a package whose name npm accepts if the title is %s", (title, name) => {
    expect(packageName(title)).toBe(name);
  });
});

describe("the packages of a new project", () => {
  const modules = join(folder, "cache #1/node_modules");
  const inside = join(modules, "specbind/scripts/toolkit/init");
  const install = async (resolved: string | undefined) => {
    const packages = Object.fromEntries(
      ["specbind", "specbind-runtime"].map((name) => [
        `node_modules/${name}`,
        resolved && { resolved: resolved.replace("NAME", name) },
      ]),
    );
    for (const name of ["specbind", "specbind-runtime"]) {
      await mkdir(join(modules, name), { recursive: true });
      await writeFile(join(modules, name, "package.json"), '{"version":"0.1.0"}');
    }
    await writeFile(join(modules, ".package-lock.json"), JSON.stringify({ packages }));
    return installedPackages(inside);
  };

  it("are those of the registry with their exact version", async () => {
    const versions = { specbind: "0.1.0", "specbind-runtime": "0.1.0" };
    expect(await install("https://registry.test/NAME-0.1.0.tgz")).toEqual(versions);
    expect(await install(undefined)).toEqual(versions);
    expect(dependencyOf("0.1.0", folder)).toBe("0.1.0");
  });

  it("are the tarballs that were installed, relative to the new project", async () => {
    const { specbind } = await install("file:../my dist/NAME-0.1.0.tgz");
    expect(specbind).toBe(`file:${join(folder, "my dist/specbind-0.1.0.tgz")}`);
    expect(dependencyOf(specbind, join(folder, "new/api"))).toBe("file:../../my dist/specbind-0.1.0.tgz");
  });
});
