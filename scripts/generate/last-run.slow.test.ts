/** Runs a copy of the generator without its packages, so that a run in full fails. */
import { hash } from "node:crypto";
import { cp, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { copyTree } from "../testing/copied-tree.ts";
import { isUpToDate, keepDigests, recordOf } from "./last-run.ts";
import { fixtures, type Run, run } from "./testing/programs.ts";

let copy: string;
const spec = "scripts/generate/fixtures/accept/several-files.yaml";

beforeAll(async () => {
  copy = copyTree();
  await rm(join(copy, "node_modules"));
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

/** The output after a change of one file, and after the change was undone. */
async function around(file: string, change: (path: string) => Promise<unknown>): Promise<[Run, Run]> {
  const path = join(copy, file);
  const before = await readFile(path);
  await change(path);
  const after = await generated();
  await writeFile(path, before);
  return [after, await generated()];
}

const appended = async (path: string): Promise<void> => writeFile(path, `${await readFile(path, "utf8")}\n`);

describe("a run in which nothing has changed", () => {
  test("says so, and loads no package", async () => {
    expect(await generated()).toEqual(upToDate);
  });

  test.each<[what: string, file: string, change: (path: string) => Promise<unknown>]>([
    ["a file that the spec refers to", "scripts/generate/fixtures/files/people.json", appended],
    ["output", "generated/validators.js", rm],
    ["the generator", "scripts/generate/render-contract.ts", appended],
    ["the reader of documents", "scripts/openapi/load.ts", appended],
    ["the compiler of schemas", "scripts/json-schema/compile.ts", appended],
    ["the installed packages", "node_modules/.package-lock.json", appended],
    ["packages that are not known", "node_modules/.package-lock.json", rm],
  ])("differs from one with a change of %s", async (_, file, change) => {
    expect(await around(file, change)).toEqual([inFull, upToDate]);
  });

  test("differs from a run with --check, which is always in full", async () => {
    expect(await generated("--check")).toEqual(inFull);
  });

  test("differs from a run with other options", async () => {
    expect(await generated("--lenient")).toEqual(inFull);
    expect(await recordOf(["a", true])).not.toBe(await recordOf(["a", false]));
    expect(await recordOf(["a", true])).toBe(await recordOf(["a", true]));
  });
});

describe("digests", () => {
  test.each<[what: string, before: string | null, after: string | null, expected: boolean]>([
    ["of the same text", "1", "1", true],
    ["of a changed text", "1", "2", false],
    ["of a file that is gone", "1", null, false],
    ["of a file that is still missing", null, null, true],
    ["of a file that was missing", null, "1", false],
  ])("%s", async (_, before, after, expected) => {
    const record = join(copy, "digests.json");
    const file = join(copy, "digested");
    await rm(file, { force: true });
    if (after !== null) await writeFile(file, after);
    await keepDigests(record, { [file]: before === null ? null : hash("sha256", before) });
    expect(await isUpToDate(record)).toBe(expected);
  });

  test("that were written in part do not count", async () => {
    const record = join(copy, "half.json");
    await writeFile(record, '{ "a": ');
    expect(await isUpToDate(record)).toBe(false);
  });
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
