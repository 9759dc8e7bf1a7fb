/** Follows docs/in-your-hono-app.md in an app that has other routes, and builds and runs the app in several ways. */
import { readFileSync } from "node:fs";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inWorkerd } from "../build/consumers/testing/edge-runtimes.ts";
import { root, run, tools } from "../build/consumers/testing/installed.ts";
import { asShown, type Exchange, exchangesOf } from "../testing/console.ts";
import { Program } from "../testing/program.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { installPackages } from "./testing/installed-packages.ts";

const page = readFileSync(join(root, "docs/in-your-hono-app.md"), "utf8");
const [, diff = ""] = /^```diff\n(.*?)^```$/ms.exec(page) ?? [];
/** The files that the page shows in full, each below a line with its name. */
const shown = [...page.matchAll(/^`([\w./-]+)`:\n\n```\w+\n(.*?)^```$/gms)].map(
  ([, path = "", text = ""]) => ({ path, text }),
);
const [adds, ...exchanges] = exchangesOf(page);

const app = join(temporaryFolder(), "bookshop");
const node = process.execPath;
const tsc = (version: string) => [node, join(tools, `typescript-${version}`, "bin/tsc")];
const specbind = `'${node}' node_modules/specbind/scripts/toolkit/bin.js`;

const servers: Program[] = [];
/** Starts a program that prints its URL. */
async function started(...command: string[]): Promise<string> {
  const server = new Program(command, { cwd: app, env: { ...process.env, PORT: "0" } });
  servers.push(server);
  const [url = ""] = /http:\S+$/.exec(await server.next(/http:\/\/127\.0\.0\.1:\d+/)) ?? [];
  return url;
}
async function stop(): Promise<void> {
  for (const server of servers.splice(0)) await server.stop("SIGKILL");
}

async function succeeds(...[command = "", ...args]: string[]): Promise<string> {
  const { status, output } = await run(command, args, app);
  expect({ command, args, status, output }).toMatchObject({ status: 0 });
  return output;
}

/** The app's own tests. */
const ownTests = (url: string) =>
  succeeds("env", `URL=${url}`, node, "--test", "--test-reporter=dot", "src/app.check.ts");

/** Other processes may use the port of the page. */
const mockPort = String(20_000 + (process.pid % 10_000));

async function prints({ command, shown }: Exchange, url: string): Promise<void> {
  const text = command
    .replaceAll("$URL", url)
    .replaceAll("npx specbind", specbind)
    .replaceAll("4010", mockPort);
  if (text.endsWith(" &")) {
    servers.push(new Program(["sh", "-c", `exec ${text.slice(0, -2)}`], { cwd: app }));
    return;
  }
  const { output } = await run("sh", ["-c", `{ ${text}\n} 2>&1`], app);
  expect(asShown(output, shown), command).toBe(shown);
}

/** The app before, and after the page. Each has its own tests, its pages and its errors. */
beforeAll(async () => {
  await cp(join(root, "scripts/packages/bookshop"), app, { recursive: true });
  await installPackages(app);
  await succeeds(...tsc("5.9"), "-p", ".");
  await ownTests(await started(node, "dist/main.js"));
  await stop();

  for (const { path, text } of shown) {
    await mkdir(dirname(join(app, path)), { recursive: true });
    await writeFile(join(app, path), text);
  }
  await writeFile(join(app, "adoption.diff"), diff);
  await succeeds("git", "apply", "--unsafe-paths", "adoption.diff");
  await prints(adds ?? { command: "", shown: "" }, "");
});
afterAll(stop);

it("the page adds two lines to the app, and changes none", () => {
  expect(diff.match(/^\+(?!\+)/gm)).toHaveLength(2);
  expect(diff).not.toMatch(/^-(?!--)/m);
});

it("`specbind dev` checks the app, and runs its own command at the same time", async () => {
  await succeeds(...tsc("5.9"), "-p", ".", "--outDir", "out/dev");
  const bin = "node_modules/specbind/scripts/toolkit/bin.js";
  const url = await started(node, bin, "dev", "--", node, "out/dev/main.js");
  expect((await fetch(`${url}/v1/orders`)).status).toBe(200);
  await servers.pop()?.stop();
  await expect(fetch(`${url}/v1/orders`)).rejects.toThrow("fetch failed");
});

it("`specbind dev` without a command needs server/main.ts", async () => {
  expect(await run(node, ["node_modules/specbind/scripts/toolkit/bin.js", "dev"], app)).toEqual({
    status: 2,
    output:
      "server/main.ts does not exist; give your own command, such as `npx specbind dev -- node --watch src/main.ts`\n",
  });
});

describe("a build of the app, by", () => {
  const bundle = (program: string[], ...options: string[]) => [...program, "src/main.ts", ...options];
  it.each<[tool: string, build: string[] | undefined, main: string]>([
    ["tsc 5.9 --outDir", [...tsc("5.9"), "-p", ".", "--outDir", "out/tsc5"], "out/tsc5/main.js"],
    ["tsc 7.0 --outDir", [...tsc("7.0"), "-p", ".", "--outDir", "out/tsc7"], "out/tsc7/main.js"],
    [
      "esbuild",
      bundle(
        [join(root, "node_modules/.bin/esbuild")],
        ...["--bundle", "--platform=node", "--format=esm", "--outfile=out/esbuild.mjs"],
      ),
      "out/esbuild.mjs",
    ],
    [
      "rolldown",
      bundle(
        [join(root, "node_modules/.bin/rolldown")],
        ...["--platform=node", "--format=esm", "--file=out/rolldown.mjs"],
      ),
      "out/rolldown.mjs",
    ],
    [
      "tsup",
      [node, join(tools, "tsup/dist/cli-default.js"), "src/main.ts", "--format=esm", "--out-dir=out/tsup"],
      "out/tsup/main.js",
    ],
    [
      "Vite",
      [node, join(tools, "vite/bin/vite.js"), "build", "--ssr", "src/main.ts", "--outDir", "out/vite"],
      "out/vite/main.js",
    ],
  ])("%s passes the app's own tests, and serves the contract", async (_, build, main) => {
    if (build !== undefined) await succeeds(...build);
    const url = await started(node, main);
    await ownTests(url);
    expect(await (await fetch(`${url}/v1/orders`)).json()).toEqual([]);
    expect(await (await fetch(`${url}/v1/nothing`)).json()).toMatchObject({ code: "route_not_found" });
    expect((await fetch(`${url}/v1/orders?limit=0`)).status).toBe(422);
    await stop();
  });
});

describe("the plugin for Vite", () => {
  const vite = JSON.stringify(join(root, "node_modules/vite/dist/node/index.js"));
  /** Breaks the document and repairs it while the development server runs. Prints what the page receives. */
  const development = `
    import { readFileSync, writeFileSync } from "node:fs";
    import { createServer } from ${vite};
    const server = await createServer({ logLevel: "silent", server: { host: "127.0.0.1", port: 0 } });
    await server.listen();
    const { port } = server.httpServer.address();
    const document = readFileSync("openapi.yaml", "utf8");
    const page = new WebSocket("ws://127.0.0.1:" + port + "/?token=" + server.config.webSocketToken, "vite-hmr");
    await new Promise((resolve) => {
      page.onmessage = ({ data }) => {
        const { type, err } = JSON.parse(data);
        if (type === "connected") writeFileSync("openapi.yaml", document.replace("minLength: 1", "minLength: x"));
        if (type === "error") {
          console.log(err.message);
          writeFileSync("openapi.yaml", document);
        }
        if (type === "full-reload") resolve();
      };
    });
    page.close();
    await server.close();`;

  it("shows the problems of the document in the page, until they are fixed", async () => {
    await writeFile(join(app, "development.mjs"), development);
    expect(await succeeds(node, "development.mjs")).toMatch(/^openapi\.yaml:\d+:\d+ .*\n$/);
  });

  it("fails a build if the document has errors", async () => {
    const document = readFileSync(join(app, "openapi.yaml"), "utf8");
    await writeFile(join(app, "openapi.yaml"), document.replace("minLength: 1", "minLength: x"));
    const args = [join(tools, "vite/bin/vite.js"), "build", "--ssr", "src/main.ts", "--outDir", "out/failed"];
    const { status, output } = await run(node, args, app);
    await writeFile(join(app, "openapi.yaml"), document);
    expect([status, output]).toEqual([1, expect.stringMatching(/openapi\.yaml:\d+:\d+ /)]);
  });

  it("has a type that Vite accepts", async () => {
    const options = ["--noEmit", "--skipLibCheck", "--module", "nodenext", "--strict", "--types", "node"];
    expect(await succeeds(...tsc("5.9"), ...options, "vite.config.ts")).toBe("");
  });
});

it("the commands of the page print what it shows, and each part works alone", async () => {
  await succeeds(...tsc("5.9"), "-p", ".");
  const url = await started(node, "dist/main.js");
  for (const exchange of exchanges) await prints(exchange, url);
  expect(await succeeds("env", `URL=${url}`, node, "dist/parts/client.js")).toMatch(/^201 \{/);
  const script = `import { own } from "./dist/parts/validated.js";
    const ask = async (path) => (await own.request(path)).status;
    console.log(await ask("/own/orders"), await ask("/own/orders?limit=0"));`;
  expect(await succeeds(node, "--input-type=module", "-e", script)).toBe("200 422\n");
  await stop();
});

describe("generated files", () => {
  const strict = {
    strict: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    noImplicitReturns: true,
    noImplicitOverride: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: true,
    exactOptionalPropertyTypes: true,
    isolatedModules: true,
    verbatimModuleSyntax: true,
    erasableSyntaxOnly: true,
    skipLibCheck: false,
    resolveJsonModule: true,
    target: "es2022",
    declaration: true,
    noEmit: true,
  };
  it.each([
    { module: "nodenext", lib: ["es2024"], types: ["node"] },
    { module: "nodenext", lib: ["es2024", "dom", "dom.iterable"], types: [] },
    { module: "esnext", moduleResolution: "bundler", lib: ["es2024", "dom", "dom.iterable"], types: [] },
    { module: "esnext", moduleResolution: "bundler", lib: ["es2024"], types: ["node"] },
  ])("compile with every strict option: $module, $lib, $types", async (options) => {
    const compilerOptions = { ...strict, ...options };
    const files = ["server", "client", "contract", "documents"].map((name) => `src/generated/${name}.ts`);
    await writeFile(join(app, "tsconfig.strict.json"), JSON.stringify({ compilerOptions, files }));
    for (const version of ["5.9", "7.0"])
      expect(await succeeds(...tsc(version), "-p", "tsconfig.strict.json")).toBe("");
  });

  it("have no findings of ESLint, Biome and Prettier", async () => {
    const folder = join(app, "linted");
    const names = [
      "client.ts",
      "contract.ts",
      "documents.ts",
      "operations.ts",
      "server.ts",
      "types.ts",
      "validators.ts",
    ];
    await cp(join(app, "src/generated"), folder, {
      recursive: true,
      filter: (path) => !path.endsWith(".json"),
    });
    await writeFile(join(folder, "biome.json"), JSON.stringify({ linter: { rules: { preset: "all" } } }));
    const config = `import all from ${JSON.stringify(join(tools, "typescript-eslint/dist/index.js"))};
      export default [...all.configs.strict, ...all.configs.stylistic];`;
    await writeFile(join(folder, "eslint.config.mjs"), config);
    const inFolder = async (...args: string[]) => {
      const { status, output } = await run(node, args, folder);
      expect({ status, output }).toMatchObject({ status: 0 });
    };
    await inFolder(join(tools, "eslint/bin/eslint.js"), ...names);
    await inFolder(
      join(root, "node_modules/@biomejs/biome/bin/biome"),
      "check",
      "--error-on-warnings",
      ...names,
    );
    const prettier = join(tools, "prettier/bin/prettier.cjs");
    await inFolder(prettier, "--check", "--check-ignore-pragma", ...names);
  });
});

describe("without Node's sockets, the app's fetch serves the contract in", () => {
  const worker = `import { Hono } from "hono";
import { api } from "./api.js";
const app = new Hono().route("/v1", api);
export const request = (path) => app.fetch(new Request("http://host" + path));
export default { fetch: async () => Response.json([
  await (await request("/v1/orders")).json(),
  (await request("/v1/orders?limit=0")).status,
]) };`;
  const result = "[[],422]";
  const bundled = async (outfile: string, source: string) => {
    await writeFile(join(app, "src/platform.ts"), source);
    const esbuild = join(root, "node_modules/.bin/esbuild");
    await succeeds(
      esbuild,
      "src/platform.ts",
      "--bundle",
      "--format=esm",
      "--platform=neutral",
      "--main-fields=module,main",
      `--outfile=${outfile}`,
    );
    expect(readFileSync(join(app, outfile), "utf8")).not.toMatch(/from "node:|require\("node:/);
    return join(app, outfile);
  };

  it("Cloudflare's workerd", async () => {
    expect(await inWorkerd(await bundled("out/worker.mjs", worker), "")).toBe(result);
  });

  it.each([
    [
      "Bun",
      [join(tools, ".bin/bun"), "run"],
      "Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: worker.fetch })",
    ],
    [
      "Deno",
      [join(tools, ".bin/deno"), "run", "--allow-net", "--allow-env"],
      "Deno.serve({ port: 0, hostname: '127.0.0.1', onListen() {} }, worker.fetch)",
    ],
  ])("%s, over a socket", async (name, command, serve) => {
    const program = `${worker.replace("export default", "const worker =")}
const server = ${serve};
const port = server.port ?? server.addr.port;
console.log(await (await fetch("http://127.0.0.1:" + port)).text());
await (server.stop ?? server.shutdown).call(server);`;
    const file = await bundled(`out/${name}.mjs`, program);
    expect(await succeeds(...command, file)).toBe(`${result}\n`);
  });
});
