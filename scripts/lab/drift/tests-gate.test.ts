/** Runs of vitest over a project of three tests. */
import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { goesOn } from "../../coverage/record.ts";
import { Keeper } from "./keeper.ts";
import { runTests, type TestsRun } from "./tests-gate.ts";

let folder: string;
let keeper: Keeper;

const texts = {
  "package.json": '{ "type": "module" }',
  "vitest.config.ts": 'export default { test: { include: ["*.test.js"] } };',
  "a.test.js": 'import { expect, test } from "vitest";\ntest("is one", () => expect(1).toBe(1));\n',
  "b.test.js": 'import { expect, test } from "vitest";\ntest("is two", () => expect(2).toBe(1));\n',
  "c.test.js": 'import { test } from "vitest";\ntest("is three", () => {});\n',
};

beforeAll(async () => {
  keeper = await Keeper.start();
  folder = await realpath(await mkdtemp(join(tmpdir(), "tests-gate-")));
  const root = join(folder, "tree");
  await mkdir(join(root, "scripts/drift"), { recursive: true });
  await cp("scripts/lab/drift/vitest.config.mjs", join(root, "scripts/lab/drift/vitest.config.mjs"));
  await symlink(resolve("node_modules"), join(root, "node_modules"));
  for (const [name, text] of Object.entries(texts)) await writeFile(join(root, name), text);
});
afterAll(async () => {
  await keeper.end();
  await rm(folder, { recursive: true });
});

const environments: Readonly<Record<string, string>>[] = [];
const run = (...files: string[]): Promise<TestsRun> => runWith(false, ...files);
const runWith = (goesOn: boolean, ...files: string[]): Promise<TestsRun> => {
  const root = join(folder, "tree");
  const path = `${join(root, "node_modules/.bin")}:${process.env.PATH}`;
  return runTests({
    line: "vitest run",
    root,
    folder,
    testers: 1,
    goesOn,
    files,
    start: (line, env) => {
      environments.push(env);
      return keeper.run({ line, cwd: root, env: { PATH: path, ...env }, limitMs: 60_000 });
    },
  });
};
const failure = {
  test: "b.test.js",
  said: "is two: AssertionError: expected 2 to be 1 // Object.is equality",
};

describe("a run of the tests", () => {
  it("tells of all of them what failed, what passed and how long each took", async () => {
    const { ended, failing, passing, firstFailure, seconds } = await run();
    expect({ status: ended.status, failing, passing: passing.toSorted(), firstFailure }).toEqual({
      status: 1,
      failing: ["b.test.js"],
      passing: ["a.test.js", "c.test.js"],
      firstFailure: failure,
    });
    expect(Object.keys(seconds).toSorted()).toEqual(["a.test.js", "b.test.js", "c.test.js"]);
  });

  it("keeps the order that is asked for, and ends with the first that fails", async () => {
    const { failing, passing, firstFailure } = await run("c.test.js", "b.test.js", "a.test.js");
    expect({ failing, passing, firstFailure }).toEqual({
      failing: ["b.test.js"],
      passing: ["c.test.js"],
      firstFailure: failure,
    });
  });

  it("says whether what it shows adds to what the run before it has shown", async () => {
    environments.length = 0;
    await runWith(false, "a.test.js");
    await runWith(true, "c.test.js");
    expect(environments.map((env) => env[goesOn])).toEqual(["false", "true"]);
  });

  it("passes where those that are chosen do", async () => {
    const { ended, passing } = await run("a.test.js");
    expect({ status: ended.status, passing }).toEqual({ status: 0, passing: ["a.test.js"] });
  });
});
