/** Tests the package as users have it: packs and installs it, then checks, compiles, bundles and runs it. */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../../generated/operations.ts";
import { startService, type TestService } from "../../../server/testing/service.ts";
import { snippetsOf } from "../../testing/snippets.ts";
import { inEdgeRuntime, inWorkerd, type RunWorker } from "./testing/edge-runtimes.ts";
import { type Installed, installPackage, root, run, tools } from "./testing/installed.ts";

let installed: Installed;
let service: TestService;
beforeAll(async () => {
  [installed, service] = await Promise.all([installPackage(), startService()]);
});
afterAll(async () => {
  await installed[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

const node = process.execPath;
const node20 = join(tools, "node-20/bin/node");
const bun = join(tools, ".bin/bun");
const deno = join(tools, ".bin/deno");

describe("the tarball", () => {
  it("passes publint without findings", async () => {
    expect(await publint({ pkgDir: installed.built, pack: false, strict: true })).toMatchObject({
      messages: [],
    });
  });

  it("resolves to the right types in all resolutions that support ES modules, according to are-the-types-wrong", async () => {
    const cli = join(tools, "@arethetypeswrong/cli/dist/index.js");
    const args = [cli, installed.tarball, "--profile", "esm-only", "--no-color", "--no-emoji"];
    const { status, output } = await run(node, args, root);
    expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining("OK (ESM)") });
    const { exports }: { exports: object } = JSON.parse(
      await readFile(join(installed.built, "package.json"), "utf8"),
    );
    const modules = Object.keys(exports).filter((subpath) => !subpath.endsWith(".json"));
    expect(output.match(/OK \(ESM\)/g)).toHaveLength(modules.length);
  });
});

describe("TypeScript", () => {
  const browser = { platform: "a browser", lib: ["es2022", "dom"], types: [] };
  const nodeAlone = { platform: "Node", lib: ["es2022"], types: ["node"] };
  const both = { platform: "both", lib: ["es2022", "dom"], types: ["node"] };
  const resolutions = ["node16", "nodenext", "bundler"];
  /** The first compiler that accepts openapi-fetch's declarations. Older ones need skipLibCheck. */
  const strictSince = 5.4;

  // The installed declarations of Node need a recent compiler.
  it.each([
    ...["5.0", "5.4", "5.9", "6.0", "7.0"].flatMap((version) =>
      resolutions.map((moduleResolution) => ({ version, moduleResolution, ...browser })),
    ),
    ...["5.9", "6.0", "7.0"].flatMap((version) => [
      { version, moduleResolution: "nodenext", ...nodeAlone },
      { version, moduleResolution: "bundler", ...both },
    ]),
  ])(
    "$version compiles a project for $platform with moduleResolution $moduleResolution",
    async ({ version, platform, ...options }) => {
      const { moduleResolution } = options;
      const config = join(installed.project, `tsconfig-${version}-${platform}-${moduleResolution}.json`);
      const compilerOptions = {
        ...options,
        module: moduleResolution === "bundler" ? "esnext" : moduleResolution,
        exactOptionalPropertyTypes: moduleResolution !== "nodenext",
        target: "es2022",
        strict: true,
        skipLibCheck: Number(version) < strictSince,
        noEmit: true,
      };
      await writeFile(config, JSON.stringify({ compilerOptions, files: ["compiles.ts"] }));
      const compiler = join(tools, `typescript-${version}`, "bin/tsc");
      expect(await run(node, [compiler, "-p", config], installed.project)).toEqual({ status: 0, output: "" });
    },
  );

  it.each(["5.9", "7.0"])(
    "%s compiles the examples of the README and the reference, with the configuration that the README makes",
    async (version) => {
      const folder = join(installed.project, `documented-${version}`);
      await mkdir(folder);
      const pages = await Promise.all(
        ["README.md", "docs/client.md"].map((name) => readFile(join(installed.built, name), "utf8")),
      );
      const compiler = join(tools, `typescript-${version}`, "bin/tsc");
      const [, init = ""] = /npx tsc (.*)/.exec(pages[0] ?? "") ?? [];
      expect(await run(node, [compiler, ...init.split(" ")], folder)).toMatchObject({ status: 0 });
      const examples = pages.flatMap((page) => snippetsOf(page));
      for (const [index, { text }] of examples.entries())
        await writeFile(join(folder, `example-${index + 1}.ts`), text);
      expect(examples.length).toBeGreaterThan(5);
      expect(await run(node, [compiler, "--noEmit"], folder)).toEqual({ status: 0, output: "" });
    },
  );
});

describe("every operation gets its expected response", () => {
  const expectedOutput = '[200,"request_invalid","credentials_invalid",200]\n';

  it.each([
    ["Node", () => node, []],
    ["the oldest Node that the package supports", () => node20, []],
    ["Bun", () => bun, ["run"]],
    ["Deno", () => deno, ["run", "--allow-net=127.0.0.1", "--allow-env", "--no-prompt"]],
  ])("in %s", async (_, command, args) => {
    const call = [...args, "calls.js", service.url, service.acme.secretKey];
    expect(await run(command(), call, installed.project)).toEqual({ status: 0, output: expectedOutput });
  });

  it("in a CommonJS module that loads the package with require()", async () => {
    const source = `
      const { createClient } = require("commerce-service/client");
      const client = createClient({ baseUrl: ${JSON.stringify(service.url)}, apiKey: "sk_no" });
      client.getWebhook({ params: { path: { webhook_id: 1 } } }).then(({ status }) => console.log(status));`;
    await writeFile(join(installed.project, "required.cjs"), source);
    expect(await run(node, ["required.cjs"], installed.project)).toEqual({ status: 0, output: "401\n" });
  });

  it("in a bundle for Node", async () => {
    await bundle({ platform: "node", outfile: "bundled.js" });
    const call = ["bundled.js", service.url, service.acme.secretKey];
    expect(await run(node, call, installed.project)).toEqual({ status: 0, output: expectedOutput });
  });
});

type BundleOptions = Parameters<typeof build>[0];

/** Returns the bundle's text and the modules that it imports. */
async function bundle(options: BundleOptions): Promise<{ imports: string[]; text: string }> {
  const { metafile, outputFiles } = await build({
    absWorkingDir: installed.project,
    entryPoints: ["calls.js"],
    bundle: true,
    format: "esm",
    metafile: true,
    write: options.outfile !== undefined,
    outfile: "unwritten.js",
    ...options,
  });
  const imports = Object.values(metafile?.outputs ?? {}).flatMap((output) => output.imports);
  return { imports: imports.map(({ path }) => path), text: outputFiles?.[0]?.text ?? "" };
}

describe("a bundle", () => {
  it.each([
    ["a browser", { platform: "browser" }],
    ["Cloudflare's workerd", { platform: "neutral", conditions: ["workerd", "worker", "browser"] }],
    ["Vercel's edge", { platform: "neutral", conditions: ["edge-light", "worker", "node"] }],
    ["an unknown platform", { platform: "neutral" }],
  ] satisfies [string, BundleOptions][])("for %s contains no Node code", async (_, options) => {
    const { imports, text } = await bundle(options);
    expect(imports).toEqual([]);
    expect(text).toContain("BodyNotSendableError");
    expect(text).not.toMatch(/node:|\brequire\(/);
  });

  it.each<[platform: string, run: RunWorker, options: BundleOptions]>([
    ["Cloudflare's workerd", inWorkerd, { format: "esm", conditions: ["workerd", "worker", "browser"] }],
    [
      "Vercel's edge runtime",
      inEdgeRuntime,
      { format: "iife", globalName: "worker", conditions: ["edge-light", "worker", "browser"] },
    ],
  ])(
    "in %s gets responses to all calls except those that need a body with GET, and these throw",
    async (_, run, options) => {
      const outfile = `worker-${options.format}.js`;
      await bundle({ platform: "neutral", entryPoints: ["worker.js"], outfile, ...options });
      const body = JSON.stringify({ baseUrl: service.url, apiKey: service.acme.secretKey });
      expect(await run(join(installed.project, outfile), body)).toBe(
        '["BodyNotSendableError","credentials_invalid",200]',
      );
    },
  );

  it("that imports only an error class does not contain the rest of the client", async () => {
    const stdin = {
      contents: 'export { ApiError } from "commerce-service/client";',
      resolveDir: installed.project,
    };
    const { text } = await bundle({ platform: "browser", entryPoints: [], stdin });
    expect(text).not.toContain("openapi-fetch");
    expect(text).not.toContain("submitCommission");
  });
});

describe("the bundle of a page", () => {
  // Each operation adds its name, method, path and parameters.
  const mostBytes = 8_000 + 40 * (Object.keys(operations).length - 3);
  const tool = (path: string) => join(tools, path);
  const plugins = ["@rollup/plugin-node-resolve", "@rollup/plugin-terser"];

  it.each<[bundler: string, command: (out: string) => string[]]>([
    [
      "esbuild",
      (out) => [
        join(root, "node_modules/.bin/esbuild"),
        "page.js",
        "--bundle",
        "--minify",
        `--outdir=${out}`,
      ],
    ],
    ["Vite", (out) => [node, tool("vite/bin/vite.js"), "build", "--outDir", out]],
    ["webpack", (out) => [node, tool("webpack/bin/webpack.js"), "./page.js", "--mode=production", "-o", out]],
    [
      "Rollup",
      (out) => [
        node,
        tool("rollup/dist/bin/rollup"),
        "page.js",
        ...plugins.flatMap((name) => ["--plugin", tool(name)]),
        "--dir",
        out,
      ],
    ],
  ])("by %s has at most 8,000 bytes for three operations, compressed with gzip", async (bundler, command) => {
    const out = join(installed.project, `page-by-${bundler}`);
    const [program = "", ...args] = command(out);
    const { status, output } = await run(program, args, join(installed.project, "page"));
    expect({ status, output }).toMatchObject({ status: 0 });
    const files = await readdir(out, { recursive: true });
    const scripts = files.filter((path) => path.endsWith(".js"));
    const texts = await Promise.all(scripts.map((path) => readFile(join(out, path))));
    expect(gzipSync(Buffer.concat(texts)).byteLength).toBeLessThanOrEqual(mostBytes);
  });
});

describe("the mock", () => {
  it.each([
    ["Node", () => node, []],
    ["Bun", () => bun, ["run"]],
    ["Deno", () => deno, ["run", "--allow-env", "--no-prompt"]],
  ])("works in %s without any other package", async (_, command, args) => {
    expect(await run(command(), [...args, "mocked.js"], installed.project)).toEqual({
      status: 0,
      output: "3\n",
    });
  });

  it("is not part of a client that does not import it", async () => {
    const { text } = await bundle({ platform: "node" });
    const mock = await readFile(join(installed.built, "client/mock/index.js"), "utf8");
    expect(mock).toContain("createMockFetch");
    expect(text).not.toContain("createMockFetch");
  });
});
