import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import document from "../generated/openapi.json" with { type: "json" };
import { startService, type TestService } from "../server/testing/service.ts";

describe("npm run docs", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "docs-command-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ["scripts/docs.ts", ...args], { encoding: "utf8" });

  it("writes the page of any document, and reports how many problems it ignored", () => {
    const out = join(folder, "webhooks.html");
    const spec = "scripts/generate/fixtures/reject/webhooks.yaml";
    expect(run("--spec", spec, "--out", out)).toMatchObject({
      status: 0,
      stdout: `wrote ${out}\n`,
      stderr: `1 problem was ignored; \`npm run generate -- --spec ${spec}\` lists them\n`,
    });
    expect(readFileSync(out, "utf8")).toMatch(/^<!doctype html>.*<\/html>\n$/s);
  });

  it("leaves no files if it cannot read or write", () => {
    const before = readdirSync(folder);
    expect(run("--spec", "nowhere.yaml", "--out", join(folder, "none.html"))).toMatchObject({
      status: 2,
      stdout: "",
      stderr: "nowhere.yaml  no such file; name the spec with --spec FILE\nNothing was written.\n",
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

interface Sampled {
  readonly operationId: string;
  readonly "x-codeSamples": readonly { readonly lang: string; readonly source: string }[];
}
const operations = Object.values(document.paths).flatMap((path): Sampled[] => Object.values(path));
const samplesIn = (lang: string) =>
  operations.flatMap(({ operationId, "x-codeSamples": samples }) => ({
    operationId,
    source: samples.find((each) => each.lang === lang)?.source ?? "",
  }));

describe.each([
  ["shell", "sh", (source: string) => ["-c", `${source} --silent --fail`]],
  ["typescript", process.execPath, (source: string) => ["--input-type=module-typescript", "--eval", source]],
] as const)("the code samples in %s", (lang, program, argsOf) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  it.each(samplesIn(lang))("work when pasted: $operationId", async ({ source }) => {
    const env = { PATH: process.env.PATH, API_KEY: service.acme.secretKey };
    const args = argsOf(source.replaceAll("http://127.0.0.1:3000", service.url));
    const { stdout } = await promisify(execFile)(program, args, { env });
    expect(JSON.parse(stdout)).toEqual({ status: true, data: expect.any(Object) });
  });
});
