/** A run on a small tree of its own: its verdicts, and what is left of it when it is interrupted. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { treeAt } from "./copies.ts";
import type { Mutant } from "./mutant.ts";
import { run } from "./run.ts";
import type { Verdict } from "./trial.ts";

let root: string;
/** Where the gate of the small tree says that it is at work. */
let mark: string;
const git = (...args: string[]) => promisify(execFile)("git", args, { cwd: root });

/** Refuses what a.txt says, or never comes to an end. */
const gate = `
import { readFileSync, writeFileSync } from "node:fs";
const [wrong] = process.argv.slice(2);
const text = readFileSync("a.txt", "utf8");
if (text === "endless") {
  writeFileSync(process.env.MARK, JSON.stringify({ pid: process.pid, folder: process.cwd() }));
  setInterval(() => {}, 1000);
} else if (text === wrong) {
  console.error("error: a.txt says " + text);
  process.exitCode = 1;
}
`;

beforeEach(async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "drift-test-")));
  root = join(folder, "tree");
  mark = join(folder, "mark.json");
  process.env.MARK = mark;
  await mkdir(join(root, "node_modules/.bin"), { recursive: true });
  const scripts = {
    first: "node gate.mjs one",
    second: "node gate.mjs two",
    test: "npm run -s first && npm run -s second",
  };
  const files = {
    "package.json": JSON.stringify({ type: "module", scripts }),
    ".gitignore": "node_modules/\n",
    "a.txt": "right",
    "gate.mjs": gate,
    "node_modules/.package-lock.json": "{}",
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text);
  await git("init", "--quiet");
  await git("add", ".");
  await git("-c", "user.name=A", "-c", "user.email=a@a.test", "commit", "--quiet", "--message", "tree");
});
afterEach(() => rm(join(root, ".."), { recursive: true, force: true }));

const saying = (text: string | undefined): Mutant => ({
  id: `generated:say:${text}`,
  kind: "generated",
  operator: "say",
  title: `a.txt says ${text}`,
  file: "a.txt",
  text,
});
const told: string[] = [];
const options = {
  jobs: 2,
  resumes: false,
  onStage: () => {},
  onVerdict: ({ id }: Mutant) => void told.push(id),
};
const judge = async (texts: (string | undefined)[], more = {}): Promise<(Verdict["kill"] | undefined)[]> => {
  const mutants = texts.map(saying);
  told.length = 0;
  const verdicts = await run(await treeAt(root), mutants, { ...options, ...more }, () => {});
  return verdicts.map(({ kill }) => kill);
};
const status = async () => (await git("status", "--short")).stdout;

describe("a run", () => {
  it("tells the first gate that refuses a change and what it said, or that none does", async () => {
    expect(await judge(["one", "two", "three", undefined])).toEqual([
      { gate: "first", said: "error: a.txt says one" },
      { gate: "second", said: "error: a.txt says two" },
      null,
      { gate: "first", said: expect.stringContaining("ENOENT") },
    ]);
    expect(await status()).toBe("");
  });

  it("raises the version that a change of the spec needs, but none that is the change itself", async () => {
    const diff = `
import { readFileSync } from "node:fs";
if (process.argv.includes("--json")) console.log('{"verdict":{"leastVersion":"2.0.0"}}');
else if (/version: 1/.test(readFileSync("spec/openapi.yaml", "utf8"))) {
  console.error("error: set info.version to 2.0.0");
  process.exitCode = 1;
}
`;
    const nothing = 'node -e ""';
    const scripts = {
      generate: nothing,
      "docs:client": nothing,
      "check:generated": nothing,
      diff: "node diff.mjs",
      test: "npm run -s check:generated && npm run -s diff",
    };
    await mkdir(join(root, "spec"));
    await writeFile(join(root, "diff.mjs"), diff);
    await writeFile(join(root, "spec/openapi.yaml"), "info:\n  version: 2.0.0\n");
    await writeFile(join(root, "package.json"), JSON.stringify({ type: "module", scripts }));
    await git("add", ".");
    const withVersion1 = (id: string): Mutant => ({
      ...saying("info:\n  version: 1.0.0\n"),
      id,
      kind: "spec",
      file: "spec/openapi.yaml",
    });
    const mutants = ["spec:change:/paths", "spec:lower-version:/info/version"].map(withVersion1);
    const verdicts = await run(await treeAt(root), mutants, options, () => {});
    expect(verdicts.map(({ kill }) => kill)).toEqual([
      null,
      { gate: "diff", said: "error: set info.version to 2.0.0" },
    ]);
  });

  it("measures nothing where the unchanged tree does not pass", async () => {
    await writeFile(join(root, "a.txt"), "two");
    await expect(judge(["one"])).rejects.toThrow(
      "the unchanged tree does not pass second: error: a.txt says two",
    );
  });

  it("goes on with what it knows of the same tree, and of no other", async () => {
    const kill = { gate: "first", said: "error: a.txt says one" };
    expect(await judge(["one"])).toEqual([kill]);
    expect(await judge(["one", "three"], { resumes: true })).toEqual([kill, null]);
    expect(told).toEqual(["generated:say:three"]);
    await writeFile(join(root, "b.txt"), "");
    expect(await judge(["one"], { resumes: true })).toEqual([kill]);
    expect(told).toEqual(["generated:say:one"]);
  });
});

describe("a run that is interrupted", () => {
  const isRunning = (pid: number): boolean => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };
  const program = `
    import { treeAt } from ${JSON.stringify(new URL("copies.ts", import.meta.url).href)};
    import { run } from ${JSON.stringify(new URL("run.ts", import.meta.url).href)};
    const mutant = ${JSON.stringify(saying("endless"))};
    await run(await treeAt(process.argv[1]), [mutant], { jobs: 1, resumes: false, onStage() {}, onVerdict() {} }, (keeper) => {
      process.once("SIGINT", () => void keeper.end().then(() => process.exit(130)));
    });
  `;
  const start = (): ChildProcess =>
    spawn(process.execPath, ["--input-type=module", "--eval", program, root], {
      stdio: "inherit",
      env: { ...process.env, MARK: mark },
    });

  it.each([
    ["killed", "SIGKILL"],
    ["told to stop", "SIGINT"],
  ] as const)("leaves the checkout as it was, no process and no folder: %s", async (_, signal) => {
    const child = start();
    const ended = once(child, "exit");
    await expect.poll(() => existsSync(mark), { timeout: 30_000 }).toBe(true);
    await expect.poll(() => readFile(mark, "utf8")).toContain("}");
    const { pid, folder }: { pid: number; folder: string } = JSON.parse(await readFile(mark, "utf8"));
    expect(isRunning(pid)).toBe(true);
    expect(folder.startsWith(root)).toBe(false);
    child.kill(signal);
    await ended;
    await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false);
    await expect.poll(() => existsSync(folder), { timeout: 20_000 }).toBe(false);
    expect(await status()).toBe("");
    expect(await readFile(join(root, "a.txt"), "utf8")).toBe("right");
    // What was cut off is no verdict.
    const kept = await readdir(join(root, "node_modules/.cache/drift"));
    expect(kept.filter((name) => name.endsWith(".jsonl"))).toEqual([]);
  });
});
