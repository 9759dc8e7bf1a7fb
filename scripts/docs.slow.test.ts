import { execFile, execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import document from "../generated/openapi.json" with { type: "json" };
import { startService } from "../server/testing/service.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";
import { javascriptSample, pythonSample } from "./toolkit/generate/samples/http-samples.ts";
import { type SampleInput, sampleRequest } from "./toolkit/generate/samples/sample-request.ts";

describe("npm run docs", () => {
  const folder = temporaryFolder();
  const runDocs = (...args: string[]) =>
    spawnSync(process.execPath, ["scripts/docs.ts", ...args], { encoding: "utf8" });

  it("writes the page of a document even if it has problems, and reports how many it ignored", () => {
    const out = join(folder, "callbacks.html");
    const spec = "scripts/toolkit/generate/fixtures/reject/callbacks.yaml";
    expect(runDocs("--spec", spec, "--out", out)).toMatchObject({
      status: 0,
      stdout: `wrote ${out}\n`,
      stderr: `2 problems were ignored; \`npm run generate -- --spec ${spec}\` lists them\n`,
    });
    expect(readFileSync(out, "utf8")).toMatch(/^<!doctype html>.*<\/html>\n$/s);
  });

  it("leaves no files if it cannot read the document or write the page", () => {
    const before = readdirSync(folder);
    expect(runDocs("--spec", "nowhere.yaml", "--out", join(folder, "none.html"))).toMatchObject({
      status: 2,
      stderr: "nowhere.yaml  no such file; give the spec with --spec FILE\nNothing was written.\n",
    });
    const tooLarge = join(folder, "too-large.html");
    const limited = `ulimit -f 8; exec "$0" scripts/docs.ts --out "$1"`;
    expect(spawnSync("sh", ["-c", limited, process.execPath, tooLarge], { encoding: "utf8" })).toMatchObject({
      status: 1,
      stdout: "",
      stderr: `${tooLarge} cannot be written (EFBIG); give another path with --out FILE\n`,
    });
    expect(readdirSync(folder)).toEqual(before);
  });
});

describe("npm run docs -- --assets", () => {
  const folder = temporaryFolder();
  const runDocs = (registry: string) =>
    spawnSync(process.execPath, ["scripts/docs.ts", "--assets", join(folder, "assets")], {
      encoding: "utf8",
      env: {
        ...process.env,
        ...(registry && {
          npm_config_registry: registry,
          npm_config_offline: "true",
          npm_config_cache: folder,
        }),
      },
    });

  it("needs the registry, and writes nothing without it", () => {
    expect(runDocs("http://127.0.0.1:9/")).toMatchObject({
      status: 1,
      stdout: "",
      stderr: expect.stringMatching(
        /^@scalar\/api-reference@[\d.]+ cannot be loaded from the registry \(.*\); try again with a network connection\nNothing was written\.\n$/,
      ),
    });
    expect(existsSync(join(folder, "assets"))).toBe(false);
  });

  it("writes the script that a server needs for /docs, and its licence", () => {
    const script = expect.stringMatching(/^wrote .*\/scalar-[\d.]+\.js; set DOCS_ASSETS=.*assets\n$/);
    for (const _ of ["written", "already there"])
      expect(runDocs("")).toMatchObject({ status: 0, stdout: script, stderr: "" });
    expect(readdirSync(join(folder, "assets"))).toEqual(["LICENSE", expect.stringMatching(/^scalar-/)]);
  });
});

interface Sampled {
  readonly operationId: string;
  readonly "x-codeSamples"?: readonly { readonly lang: string; readonly source: string }[];
}
const samplesIn = (lang: string) =>
  Object.values(document.paths)
    .flatMap((path): Sampled[] => Object.values(path))
    .flatMap(({ operationId, "x-codeSamples": samples = [] }) =>
      samples.filter((each) => each.lang === lang).map(({ source }) => ({ operationId, source })),
    );

const pythonPath = execFileSync("sh", ["-c", "command -v python3 || true"], { encoding: "utf8" }).trim();

function run(lang: "shell" | "typescript" | "javascript" | "python", source: string, key: string) {
  if (lang === "python" && pythonPath === "")
    throw new Error("no python3 on the PATH: install it (Debian: apt-get install python3)");
  const [program, ...args] = {
    shell: ["sh", "-c", `${source} --silent --fail`],
    typescript: [process.execPath, "--input-type=module-typescript", "--eval", source],
    javascript: [process.execPath, "--input-type=module", "--eval", source],
    python: [pythonPath, "-c", source],
  }[lang] as [string, ...string[]];
  const env = { PATH: process.env.PATH, API_KEY: key, USERNAME: "me", PASSWORD: "p w" };
  return promisify(execFile)(program, args, { env });
}

describe.each(["shell", "typescript", "javascript", "python"] as const)("the code samples in %s", (lang) => {
  it.each(samplesIn(lang))("work when pasted into a shell or a file: $operationId", async ({ source }) => {
    await using service = await startService();
    const own = source.replaceAll("http://127.0.0.1:3000", service.url);
    const { stdout } = await run(lang, own, service.acme.secretKey);
    expect(JSON.parse(stdout)).toEqual({ status: true, data: expect.any(Object) });
  });
});

describe.each([
  ["javascript", javascriptSample],
  ["python", pythonSample],
] as const)("a sample in %s", (lang, render) => {
  const nasty = `'; """ \\ \n \${id} {id} & ?#%é\u2028`;

  it.each<[string, Partial<SampleInput>, object]>([
    [
      "parameters and JSON",
      {
        parameters: [
          { in: "path", name: "id", value: nasty },
          { in: "query", name: "q", value: nasty },
          { in: "header", name: "X-A", value: "it's $(id)" },
          { in: "cookie", name: "c", value: "it's" },
        ],
        security: [
          { credential: "bearer" },
          { credential: { in: "cookie", name: "k" } },
          { credential: { in: "header", name: "X-Key" } },
        ],
        body: { mediaType: "application/json", value: { [nasty]: [nasty, true, false, null, -1.5e-7] } },
      },
      {
        url: `/${nasty}?q=${nasty}`,
        headers: {
          authorization: "Bearer sk_'x",
          "x-a": "it's $(id)",
          "x-key": "sk_'x",
          cookie: "k=sk_'x; c=it's",
          "content-type": "application/json",
        },
        body: { [nasty]: [nasty, true, false, null, -1.5e-7] },
      },
    ],
    [
      "a form, a user and a key in the query",
      {
        method: "POST",
        security: [{ credential: "basic" }, { credential: { in: "query", name: "key" } }],
        body: { mediaType: "application/x-www-form-urlencoded", value: { a: nasty } },
      },
      {
        method: "POST",
        url: "/{id}?key=sk_'x",
        headers: {
          authorization: `Basic ${btoa("me:p w")}`,
          "content-type": "application/x-www-form-urlencoded",
        },
        body: String(new URLSearchParams({ a: nasty })),
      },
    ],
  ])("sends %s", async (_, part, expected) => {
    const server = createServer(async (request, response) => {
      const { method, url = "", headers } = request;
      const sent = { method, url: decodeURIComponent(url), headers };
      const body = await text(request);
      response.end(JSON.stringify({ ...sent, body: body.startsWith("{") ? JSON.parse(body) : body }));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const request = sampleRequest({
      method: "GET",
      baseUrl: `http://127.0.0.1:${port}`,
      path: "/{id}",
      parameters: [],
      security: [],
      body: undefined,
      ...part,
    });
    if (request === undefined) throw new Error("no sample");
    const { stdout } = await run(lang, render(request), "sk_'x");
    server.close();
    expect(JSON.parse(stdout)).toMatchObject({ method: "GET", ...expected });
  });
});
