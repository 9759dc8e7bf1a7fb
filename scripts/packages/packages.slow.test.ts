/** Installs the packages as other projects do, and runs this service's tests with them instead of the sources. */
import { hash } from "node:crypto";
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import project from "../../package.json" with { type: "json" };
import { root, run, tools } from "../build/consumers/testing/installed.ts";
import { Program } from "../testing/program.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { publicEntries } from "./runtime-package.ts";
import { installPackages } from "./testing/installed-packages.ts";
import { toolkitEntries } from "./toolkit-package.ts";

const folder = temporaryFolder();
const tree = join(folder, "a project #1 %20 é");
/** The sources of the package, and tests of modules that it does not export. */
const isLeftOut =
  /\/(?:client|server)\/runtime$|\/node_modules$|\/server\/behaviour\/(?:secrecy|streams)\.test\.ts$/;
let runtime: string;
let toolkit: string;
beforeAll(async () => {
  ({ runtime, toolkit } = await installPackages(tree));
});

describe("both packages", () => {
  it("resolve to the right types in all resolutions that support ES modules, according to are-the-types-wrong", async () => {
    const cli = join(tools, "@arethetypeswrong/cli/dist/index.js");
    for (const [tarball, entries] of [
      [runtime, Object.keys(publicEntries(project)).length],
      [toolkit, Object.keys(toolkitEntries).length],
    ] as const) {
      const args = [cli, tarball, "--profile", "esm-only", "--no-color", "--no-emoji"];
      const { status, output } = await run(process.execPath, args, root);
      expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining("OK (ESM)") });
      expect(output.match(/OK \(ESM\)/g)).toHaveLength(entries);
    }
  });

  it("list the code of another package that one of them contains, as CycloneDX", async () => {
    const vendor = join(tree, "node_modules/specbind/vendor");
    const { bomFormat, components } = JSON.parse(await readFile(join(vendor, "sbom.cdx.json"), "utf8"));
    const { version } = JSON.parse(await readFile(join(root, "node_modules/recheck/package.json"), "utf8"));
    expect({ bomFormat, components }).toMatchObject({
      bomFormat: "CycloneDX",
      components: [{ purl: `pkg:npm/recheck@${version}`, licenses: [{ license: { id: "MIT" } }] }],
    });
    const content = hash("sha256", await readFile(join(vendor, "recheck/browser.cjs")));
    expect(components[0].components[0].hashes).toEqual([{ alg: "SHA-256", content }]);
  });
});

describe("specbind-runtime", () => {
  it("has declarations that import no source files", async () => {
    const installed = join(tree, "node_modules/specbind-runtime");
    const declarations = (await readdir(installed, { recursive: true })).filter((path) =>
      path.endsWith(".d.ts"),
    );
    expect(declarations.length).toBeGreaterThan(50);
    for (const path of declarations)
      expect(await readFile(join(installed, path), "utf8"), path).not.toMatch(
        /(?:from|import\() ?["'][^"']*(?:\.ts|#)["']/,
      );
  });

  it("passes this service's own tests of server and client", async () => {
    const copied = ["client", "server", "generated", "scripts", "spec", "docs"];
    for (const path of [...copied, "tsconfig.json", "vitest.config.ts", "CHANGELOG.md"])
      await cp(join(root, path), join(tree, path), {
        recursive: true,
        filter: (source) => !isLeftOut.test(source),
      });
    const imports = Object.keys(project.imports).flatMap((name) =>
      name.startsWith("#specbind/") ? [[name, name.replace("#specbind", "specbind-runtime")]] : [],
    );
    const manifest = { ...project, imports: Object.fromEntries(imports) };
    await writeFile(join(tree, "package.json"), JSON.stringify(manifest));
    const args = ["node_modules/vitest/vitest.mjs", "run", "--project", "fast", "server", "client"];
    const { status, output } = await run(process.execPath, args, tree);
    expect(status, output.slice(-5000)).toBe(0);
    expect(output).toMatch(/\d{3,} passed/);
  });
});

describe("specbind", () => {
  const api = join(tree, "api");
  const specbind = "../node_modules/specbind/scripts/toolkit/bin.js";
  const main = `import { Hono } from "hono";
import { createMockFetch } from "specbind-runtime/client/mock";
import { bindContract, type ContractEnv, serveContract } from "specbind-runtime/server";
import { listen } from "specbind-runtime/server/node";
import { call } from "./call.ts";
import { contract } from "./generated/contract.ts";
import { type Handlers, handlerMaker } from "./generated/server.ts";

const handler = handlerMaker<object>();
const handlers = {
  listUsers: handler("listUsers", () => ({ status: 200, body: [{ id: 1 }] })),
} satisfies Handlers<object>;
const app = new Hono<ContractEnv>();
const bound = bindContract({
  contract,
  handlers,
  authenticate: {},
  reject: ({ reason }) => ({ status: 422, body: { reason } }),
  fail: (error) => ({ status: 500, body: { error: String(error) } }),
  requestIdOf: () => "1",
  onViolation: (violation) => console.error(violation),
  responsePolicy: "enforce",
  maxContentBytes: 1000,
});
serveContract(app, bound);
const seconds = 1000;
const { url, stop } = await listen(app, {
  host: "127.0.0.1",
  port: 0,
  limits: {
    maxHeaderBytes: 16_384,
    maxConnections: 10,
    headerMs: seconds,
    requestMs: seconds,
    keepAliveMs: seconds,
    responseMs: seconds,
  },
  reject: ({ reason }) => ({ status: 400, body: { reason } }),
  onMalformed: (exchange) => console.error(exchange),
});
console.log(typeof createMockFetch, await call(url));
await stop(seconds);
`;
  const call = `import { createClient } from "./generated/client.ts";

export async function call(baseUrl: string): Promise<string> {
  const client = createClient({ baseUrl });
  const { status, data } = await client.listUsers();
  return JSON.stringify({ status, data });
}
`;
  const document = {
    openapi: "3.1.0",
    info: { title: "Users", version: "1.0.0" },
    paths: {
      "/users": {
        get: {
          operationId: "listUsers",
          responses: {
            200: {
              description: "all users",
              content: {
                "application/json": {
                  schema: {
                    type: "array",
                    items: { type: "object", properties: { id: { type: "integer" } } },
                  },
                },
              },
            },
          },
        },
      },
    },
  };
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    module: "nodenext",
    target: "es2022",
    lib: ["es2024", "dom", "dom.iterable"],
    types: ["node"],
    rewriteRelativeImportExtensions: true,
    outDir: "compiled",
  };

  beforeAll(async () => {
    await mkdir(api);
    const put = (path: string, text: string) => writeFile(join(api, path), text);
    await put("package.json", JSON.stringify({ type: "module" }));
    await put("openapi.json", JSON.stringify(document));
    await put("main.ts", main);
    await put("call.ts", call);
    await put("tsconfig.json", JSON.stringify({ compilerOptions, files: ["main.ts"] }));
    const generate = [specbind, "generate", "--spec", "openapi.json", "--validators", "ts"];
    const generated = await run(process.execPath, generate, api);
    expect(generated.output).toContain("generated: wrote ");
  });

  it("generates code that compiles without skipped checks, and serves and calls an API on Node 20.3 and on this one", async () => {
    for (const version of ["5.9", "7.0"]) {
      const compiler = join(tools, `typescript-${version}`, "bin/tsc");
      expect(await run(process.execPath, [compiler, "-p", "."], api)).toEqual({ status: 0, output: "" });
    }
    const result = '{"status":200,"data":[{"id":1}]}\n';
    for (const node of [process.execPath, join(tools, "node-20/bin/node")])
      expect(await run(node, ["compiled/main.js"], api)).toEqual({ status: 0, output: `function ${result}` });
  });

  it("reads a typed configuration, and serves the examples of its document", async () => {
    const config =
      'import { defineConfig } from "specbind";\nexport default defineConfig({ spec: "openapi.json", validators: "ts" });\n';
    await writeFile(join(api, "specbind.config.ts"), config);
    expect((await run(process.execPath, [specbind, "generate"], api)).output).toBe(
      "generated is up to date\n",
    );
    const mock = new Program([process.execPath, specbind, "mock", "--port", "0"], { cwd: api });
    const [, url = ""] = /listening on ([^ ,]+)/.exec(await mock.next(/\n/)) ?? [];
    const statuses = [(await fetch(`${url}/users`)).status, (await fetch(`${url}/nobody`)).status];
    expect({ statuses, ended: await mock.stop() }).toEqual({ statuses: [200, 404], ended: 0 });
    await rm(join(api, "specbind.config.ts"));
  });

  it("builds a client's package that contains the runtime, compiles without skipped checks, and runs on Node 20.3", async () => {
    const built = await run(process.execPath, [specbind, "build-client", "--name", "users-client"], api);
    expect(built).toMatchObject({
      status: 0,
      output: expect.stringContaining(" contains users-client 1.0.0: "),
    });
    const { dependencies } = JSON.parse(await readFile(join(api, "dist/client/package.json"), "utf8"));
    expect(Object.keys(dependencies)).toEqual(["openapi-fetch", "openapi-typescript-helpers"]);
    const consumer = join(folder, "consumer");
    await cp(join(api, "dist/client"), join(consumer, "node_modules/users-client"), { recursive: true });
    for (const name of [...Object.keys(dependencies), "@types", "undici-types"])
      await symlink(join(root, "node_modules", name), join(consumer, "node_modules", name));
    const program = `import { createClient } from "users-client";
const fetch = async (request: Request): Promise<Response> => Response.json([{ id: request.url.length }]);
const { status, data } = await createClient({ baseUrl: "http://a.test", fetch }).listUsers();
console.log(status, status === 200 ? data[0]?.id : "");
`;
    await writeFile(join(consumer, "package.json"), JSON.stringify({ type: "module" }));
    await writeFile(join(consumer, "main.ts"), program);
    const options = { ...compilerOptions, outDir: "." };
    await writeFile(
      join(consumer, "tsconfig.json"),
      JSON.stringify({ compilerOptions: options, files: ["main.ts"] }),
    );
    for (const version of ["5.9", "7.0"]) {
      const compiler = join(tools, `typescript-${version}`, "bin/tsc");
      expect(await run(process.execPath, [compiler, "-p", "."], consumer)).toEqual({ status: 0, output: "" });
    }
    expect(await run(join(tools, "node-20/bin/node"), ["main.js"], consumer)).toEqual({
      status: 0,
      output: "200 19\n",
    });
  });

  it("generates and serves on Node 22.18, installed by pnpm, which hides undeclared dependencies", async () => {
    const app = join(folder, "installed by pnpm");
    await mkdir(app);
    const packages = { specbind: `file:${toolkit}`, "specbind-runtime": `file:${runtime}` };
    const manifests = Object.keys(packages).map((name) => join(tree, "node_modules", name, "package.json"));
    const names = ["hono"];
    for (const manifest of manifests)
      names.push(...Object.keys(JSON.parse(await readFile(manifest, "utf8")).dependencies));
    // Their dependencies come from this checkout instead of the registry.
    const links = names.map((name) => [name, `link:${join(root, "node_modules", name)}`]);
    const overrides = { ...Object.fromEntries(links), ...packages };
    const put = (path: string, value: unknown) =>
      writeFile(join(app, path), typeof value === "string" ? value : JSON.stringify(value));
    await put("pnpm-workspace.yaml", { overrides });
    await put("package.json", { type: "module", dependencies: { ...packages, hono: overrides.hono } });
    await put("openapi.json", document);
    await put("main.ts", main);
    await put("call.ts", call);
    const install = ["install", "--offline", "--ignore-scripts", "--store-dir", join(folder, "store")];
    const installed = await run(process.execPath, [join(tools, "pnpm/bin/pnpm.cjs"), ...install], app);
    expect(installed, installed.output).toMatchObject({ status: 0 });
    const node = join(tools, "node-22/bin/node");
    const command = "node_modules/specbind/scripts/toolkit/bin.js";
    const generated = await run(node, [command, "generate", "--spec", "openapi.json"], app);
    expect(generated).toMatchObject({ status: 0, output: expect.stringContaining("generated: wrote ") });
    expect(await run(node, ["--no-warnings", "main.ts"], app)).toEqual({
      status: 0,
      output: 'function {"status":200,"data":[{"id":1}]}\n',
    });
  });

  it("refuses to generate for a runtime of another version", async () => {
    const file = join(tree, "node_modules/specbind-runtime/package.json");
    const manifest = await readFile(file, "utf8");
    await writeFile(file, JSON.stringify({ ...JSON.parse(manifest), version: "9.8.7" }));
    const refused = await run(process.execPath, [specbind, "generate", "--spec", "openapi.json"], api);
    await writeFile(file, manifest);
    const { version } = JSON.parse(manifest);
    expect(refused).toEqual({
      status: 1,
      output: `specbind has version ${version}, but specbind-runtime has version 9.8.7: run \`npm install specbind-runtime@${version}\`\nNothing was generated.\n`,
    });
  });

  it("says in one line that Node is too old", async () => {
    expect(await run(join(tools, "node-20/bin/node"), [specbind, "--help"], api)).toEqual({
      status: 1,
      output:
        "this is Node 20.3.0, but specbind needs 22.18 or newer: install it, for example with `npm install --save-dev node@22`\n",
    });
  });

  it.each([
    ["genrate", "unknown command 'genrate' (Did you mean generate?); see specbind --help"],
    ["generate --sepc x", "unknown option '--sepc' (Did you mean --spec?); see specbind generate --help"],
    ["generate", "spec/openapi.yaml  no such file; give the spec with --spec FILE\nNothing was generated."],
  ])("reports a mistake in `specbind %s`", async (line, message) => {
    const words = line.split(" ");
    expect(await run(process.execPath, [specbind, ...words], api)).toEqual({
      status: 2,
      output: `${message}\n`,
    });
  });
});
