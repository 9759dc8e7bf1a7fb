/**
 * A run in which nothing has changed, in a copy of the generator from which its packages have been taken away: whatever
 * runs in full fails there, so that each answer tells what kind of run it was.
 */
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { fixtures, type Run, run } from "./testing.ts";

// A child process takes a second, and several on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let copy: string;
const spec = "scripts/generate/fixtures/accept/several-files.yaml";

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "record-"));
  for (const part of ["package.json", "scripts/command.ts", "scripts/generate.ts", "scripts/generate"])
    await cp(part, join(copy, part), { recursive: true });
  await mkdir(join(copy, "node_modules"));
  for (const name of await readdir("node_modules")) {
    if (!name.startsWith(".")) await symlink(resolve("node_modules", name), join(copy, "node_modules", name));
  }
  await cp("node_modules/.package-lock.json", join(copy, "node_modules/.package-lock.json"));
  expect(await generated()).toMatchObject({ status: 0, stdout: expect.stringMatching(/^generated: wrote /) });
  await rename(join(copy, "node_modules/@redocly"), join(copy, "node_modules/@elsewhere"));
});
afterAll(() => rm(copy, { recursive: true }));

function generated(...args: string[]): Promise<Run> {
  return run(["--spec", spec, ...args], copy, join(copy, "scripts/generate.ts"));
}

const upToDate: Run = { status: 0, stdout: "generated is up to date\n", stderr: "" };
const inFull = { status: 1, stdout: "", stderr: expect.stringContaining("Cannot find package '@redocly") };

/** What a run says after a change of one file, and after that has been undone. */
async function around(file: string, change: (path: string) => Promise<unknown>): Promise<[Run, Run]> {
  const path = join(copy, file);
  const before = await readFile(path).catch(() => undefined);
  await change(path);
  const after = await generated();
  if (before === undefined) await rm(path);
  else await writeFile(path, before);
  return [after, await generated()];
}

const appended = async (path: string): Promise<void> => writeFile(path, `${await readFile(path, "utf8")}\n`);

describe("a run in which nothing has changed", () => {
  test("says so, and loads no package", async () => {
    expect(await generated()).toEqual(upToDate);
  });

  test.each<[what: string, file: string, change: (path: string) => Promise<unknown>]>([
    ["the spec", spec, appended],
    ["a file that the spec refers to", "scripts/generate/fixtures/files/people.json", appended],
    ["waivers, which there were none of", `${dirname(spec)}/waivers.yaml`, (path) => writeFile(path, "[]\n")],
    ["output that was edited", "generated/validators.js", appended],
    ["output that was deleted", "generated/types.ts", rm],
    ["the manifest", "generated/manifest.json", rm],
    ["the generator", "scripts/generate/render-contract.ts", appended],
    [
      "a part of the generator that is new",
      "scripts/generate/extra.ts",
      (path) => writeFile(path, "export {};\n"),
    ],
    ["the generator's command", "scripts/generate.ts", appended],
    ["the installed packages", "node_modules/.package-lock.json", appended],
    ["packages that are not known", "node_modules/.package-lock.json", rm],
  ])("is told from one with a change of %s", async (_, file, change) => {
    expect(await around(file, change)).toEqual([inFull, upToDate]);
  });

  test.each([[["--lenient"]], [["--out", "elsewhere"]], [["--waivers", "waivers.yaml"]], [["--check"]]])(
    "is told from one with %j",
    async (args) => {
      expect(await generated(...args)).toEqual(inFull);
    },
  );
});

test("what a lenient run goes past is said by each run", async () => {
  const out = join(copy, "lenient");
  const spec = join(fixtures, "reject/several-faults.yaml");
  const first = await run(["--spec", spec, "--out", out, "--lenient"]);
  expect(first).toMatchObject({ status: 0, stderr: expect.stringMatching(/^Not enforced: \d+ places/m) });
  expect(await run(["--spec", spec, "--out", out, "--lenient"])).toEqual({
    ...first,
    stdout: `${out} is up to date\n`,
  });
});

test("records of output that is gone are forgotten", async () => {
  const records = join(copy, "node_modules/.cache/generate");
  await rename(join(copy, "node_modules/@elsewhere"), join(copy, "node_modules/@redocly"));
  await generated("--out", "gone");
  expect(await readdir(records)).toHaveLength(2);
  await rm(join(copy, "gone"), { recursive: true });
  await generated("--out", "another");
  const outs = (await readdir(records)).map(
    async (name) => JSON.parse(await readFile(join(records, name), "utf8")).out,
  );
  expect((await Promise.all(outs)).toSorted()).toEqual([join(copy, "another"), join(copy, "generated")]);
});
