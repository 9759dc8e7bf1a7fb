/** Installs the packages as other projects do, and runs this service's tests with them instead of the sources. */
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import project from "../../package.json" with { type: "json" };
import { root, run, tools } from "../build/consumers/testing/installed.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { publicEntries } from "./runtime-package.ts";
import { installPackages } from "./testing/installed-packages.ts";

const folder = temporaryFolder();
const tree = join(folder, "a project #1 %20 é");
/** The sources of the package, and tests of modules that it does not export. */
const isLeftOut =
  /\/(?:client|server)\/runtime$|\/node_modules$|\/server\/behaviour\/(?:secrecy|streams)\.test\.ts$/;
let runtime: string;
beforeAll(async () => {
  runtime = await installPackages(tree);
});

describe("specbind-runtime", () => {
  it("resolves to the right types in all resolutions that support ES modules, according to are-the-types-wrong", async () => {
    const cli = join(tools, "@arethetypeswrong/cli/dist/index.js");
    const args = [cli, runtime, "--profile", "esm-only", "--no-color", "--no-emoji"];
    const { status, output } = await run(process.execPath, args, root);
    expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining("OK (ESM)") });
    expect(output.match(/OK \(ESM\)/g)).toHaveLength(Object.keys(publicEntries(project)).length);
  });

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
  beforeAll(() => mkdir(api));
  const specbind = "../node_modules/specbind/scripts/toolkit/specbind.js";
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

  it("generates code that compiles without skipped checks, and serves and calls an API on Node 20.3 and on this one", async () => {
    const put = (path: string, content: string) => writeFile(join(api, path), content);
    await put("package.json", JSON.stringify({ type: "module" }));
    await put("openapi.json", JSON.stringify(document));
    await put("main.ts", main);
    await put("call.ts", call);
    await put("tsconfig.json", JSON.stringify({ compilerOptions, files: ["main.ts"] }));
    const generate = [specbind, "generate", "--spec", "openapi.json", "--validators", "ts"];
    const generated = await run(process.execPath, generate, api);
    expect(generated.output).toContain("generated: wrote ");
    for (const version of ["5.9", "7.0"]) {
      const compiler = join(tools, `typescript-${version}`, "bin/tsc");
      expect(await run(process.execPath, [compiler, "-p", "."], api)).toEqual({ status: 0, output: "" });
    }
    const result = '{"status":200,"data":[{"id":1}]}\n';
    for (const node of [process.execPath, join(tools, "node-20/bin/node")])
      expect(await run(node, ["compiled/main.js"], api)).toEqual({ status: 0, output: `function ${result}` });
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
