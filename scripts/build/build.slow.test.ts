/** Tests the files of the built package. scripts/build/consumers tests the installed package. */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import document from "../../generated/openapi.json" with { type: "json" };
import project from "../../package.json" with { type: "json" };
import { ended } from "../testing/program.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { buildClient } from "../toolkit/build-client/build-client.ts";
import { compile, reachOf } from "../toolkit/build-client/compile.ts";
import { aliasesOf, BuildError, rangesOf } from "../toolkit/build-client/manifest.ts";

const root = resolve(import.meta.dirname, "../..");
const run = (...args: string[]) => ended([process.execPath, "scripts/build.ts", ...args], { cwd: root });

const aliases = aliasesOf(project);
const folder = temporaryFolder();
let out: string;
let built: Awaited<ReturnType<typeof run>>;
let files: readonly string[];
beforeAll(async () => {
  out = join(folder, "package");
  built = await run("--out", out);
  files = await filesIn(out);
});

const textOf = (path: string) => readFile(join(out, path), "utf8");
const filesIn = async (path: string) =>
  (await readdir(path, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
    .sort();

describe("the package", () => {
  it("declares its licence and platform, and depends only on openapi-fetch", async () => {
    const { "openapi-fetch": openapiFetch, "openapi-typescript-helpers": helpers } = project.dependencies;
    const manifest = JSON.parse(await textOf("package.json"));
    expect(manifest).toMatchObject({
      name: "commerce-service",
      version: document.info.version,
      description: "Typed client of Commerce Service.",
      license: "MIT",
      keywords: project.keywords,
      engines: { node: ">=20.3" },
    });
    expect(manifest.dependencies).toEqual({
      "openapi-fetch": openapiFetch,
      "openapi-typescript-helpers": helpers,
    });
  });

  it("contains only the client, the generated code and the types that it imports, the mock and three text files", () => {
    const permitted = [
      /^client\/(runtime\/((mock|parts|transport)\/)?)?[a-z-]+(\.js|\.js\.map|\.d\.ts)$/,
      /^generated\/(client|contract|operations|types|validators)(\.js|\.js\.map|\.d\.ts)$/,
      /^generated\/openapi\.json$/,
      /^client\/mock\/(index|keys)(\.js|\.js\.map|\.d\.ts)$/,
      /^server\/(errors|rejections)(\.js|\.js\.map)$/,
      /^server\/runtime\/contract\/[a-z-]+(\.js|\.js\.map)$/,
      /^server\/runtime\/shared\/[a-z-]+(\.js|\.js\.map|\.d\.ts)$/,
      /^(LICENSE|README\.md|docs\/client\.md|package\.json)$/,
    ];
    expect(files.filter((path) => !permitted.some((pattern) => pattern.test(path)))).toEqual([]);
  });

  it("has a source map for each module of the client, including the source", async () => {
    const modules = files.filter((path) => /^client\/.*\.js$/.test(path));
    expect(modules).toContain("client/runtime/transport/node.js");
    for (const path of modules) {
      expect(await textOf(path)).toContain(`//# sourceMappingURL=${path.split("/").at(-1)}.map`);
      const { sourcesContent } = JSON.parse(await textOf(`${path}.map`));
      expect(sourcesContent).toEqual([await readFile(join(root, path.replace(/\.js$/, ".ts")), "utf8")]);
    }
  });

  it("has declarations without internal members and without imports of .ts files", async () => {
    const declarations = files.filter((path) => path.endsWith(".d.ts"));
    expect(declarations.length).toBeGreaterThan(4);
    for (const path of declarations) {
      const text = await textOf(path);
      expect(text).not.toMatch(/RequestWithBody/);
      expect(text).not.toMatch(/["'][^"']*\.ts["']/);
    }
  });

  it("imports no package except openapi-fetch", async () => {
    for (const path of files.filter((path) => path.endsWith(".js")))
      expect(
        (await textOf(path)).match(/(?<=^import .*from ")(?!\.|#transport"|node:|openapi-fetch").*(?=")/gm),
        path,
      ).toBe(null);
  });
});

describe("a source file in JavaScript", () => {
  it("is published unchanged, with the declarations next to it", async () => {
    const compiled = compile(root, ["generated/contract.ts"], { aliases });
    for (const path of ["generated/validators.js", "generated/validators.d.ts"])
      expect(compiled.get(path)).toBe(await readFile(join(root, path), "utf8"));
    expect([...reachOf(compiled, ["generated/contract.js"]).paths]).toEqual([
      "generated/contract.js",
      "generated/operations.js",
      "generated/validators.js",
    ]);
  });
});

describe("a declaration whose type is inferred", () => {
  it("imports modules of JavaScript by relative paths", () => {
    const declaration =
      compile(root, ["server/principal.ts"], { edition: "es2024", aliases }).get("server/principal.d.ts") ??
      "";
    const imported = [...declaration.matchAll(/import\("([^"]+)"\)/g)].map(([, name]) => name);
    expect([...new Set(imported)].toSorted()).toEqual(["../generated/server.js", "./runtime/index.js"]);
  });
});

describe("a build fails", () => {
  const failed = async (promise: Promise<unknown>) => {
    const before = await filesIn(folder);
    await expect(promise).rejects.toThrow(BuildError);
    expect(await filesIn(folder)).toEqual(before);
  };

  it("if its check fails, and the old package stays unchanged", async () => {
    const check = () => Promise.reject(new BuildError("too much"));
    await failed(buildClient({ root, generated: "generated", out, name: "commerce-service", check }));
  });

  it("if a module needs more than Node 20, and reports its file, line and column", async () => {
    const tree = join(folder, "tree");
    const put = async (path: string, text: string) => {
      await mkdir(dirname(join(tree, path)), { recursive: true });
      await writeFile(join(tree, path), text);
    };
    await put("tsconfig.json", await readFile(join(root, "tsconfig.json"), "utf8"));
    await put(
      "client/index.ts",
      "export const one = 1;\nexport const grouped = Object.groupBy([], String);\n",
    );
    expect(() => compile(tree, ["client/index.ts"], { aliases })).toThrow(
      /^client\/index\.ts\(2,31\): error TS2550: Property 'groupBy' does not exist/m,
    );
  });

  it("if the client imports an undeclared package, and reports the package and the fix", () => {
    expect(() => rangesOf(project, ["left-pad"])).toThrow(
      new BuildError("the package imports left-pad: add it to `dependencies` of package.json"),
    );
  });
});

describe("npm run build", () => {
  it("prints the size of the package", () => {
    const { version } = document.info;
    const lines = [
      `${out} contains commerce-service ${version}: ${files.length} files, [\\d.]+ kB`,
      "a page loads (?:7\\.\\d|8\\.0) kB, minified and compressed with gzip \\([\\d.]+ kB before gzip\\); the limit is 10\\.0 kB",
      `npm pack ${out} makes the file to install or publish`,
    ];
    expect(built).toEqual({
      status: 0,
      stdout: expect.stringMatching(new RegExp(`^${lines.join("\n")}\n$`)),
      stderr: "",
    });
  });
});
