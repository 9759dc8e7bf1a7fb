import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, it, vi } from "vitest";
import packageJson from "../../../package.json" with { type: "json" };
import { run } from "../../testing/program.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { hasColours } from "./colours.ts";
import { action, createCommand, runProgram, statusOf } from "./command-line.ts";

const page = readFileSync(resolve("docs/commands.md"), "utf8");

/** The programs of `scripts`, keyed by their script in package.json. */
const programs = new Map(
  Object.entries(packageJson.scripts).flatMap(([script, line]) => {
    const [, program] = / && (?:exec )?node (?:--\S+ )*(scripts\/[\w-]+\.ts)$/.exec(line) ?? [];
    return program === undefined ? [] : [[script, resolve(program)]];
  }),
);

const nameOf = (script: string): string =>
  ["start", "test"].includes(script) ? `npm ${script} --` : `npm run ${script} --`;

/** The options that the script's row of docs/commands.md shows. */
function documentedOptions(script: string): string[] {
  const command = ["start", "test"].includes(script) ? script : `run ${script}`;
  const row = new RegExp(`^\\| \`npm ${command}\\b[^:].*$`, "m").exec(page)?.[0] ?? "";
  expect(row, "its row in docs/commands.md").not.toBe("");
  return [...row.matchAll(/(?<=[` ])--[a-z][a-z-]*/g)].map(([option]) => option);
}

const empty = temporaryFolder();
const own = temporaryFolder();

/** Runs in a folder without a spec and without generated files. */
const runScript = (script: string, ...args: readonly string[]) =>
  run(empty, programs.get(script) ?? "not a program", ...args);

it("finds the programs", () => {
  expect(programs.size).toBeGreaterThan(11);
});

describe.each([...programs.keys()])("npm run %s", (script) => {
  it("only prints its help, which lists the exit statuses, even if other arguments are given", async () => {
    const { status, stdout, stderr } = await runScript(script, "--hepl", "--help");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(new RegExp(`^Usage: ${nameOf(script).replace(" --", "")}\\b`, "m"));
    expect(stdout).toMatch(/\n\nExit status: 0 .*\b1 .*\b2 .*\.\n$/);
    for (const option of documentedOptions(script))
      expect(stdout).toMatch(new RegExp(`^ +${option}\\b`, "m"));
  });

  it("reports an unknown option and the nearest one in one line, and exits with 2", async () => {
    const stderr = `unknown option '--hepl' (Did you mean --help?); see ${nameOf(script)} --help\n`;
    expect(await runScript(script, "--hepl")).toEqual({ status: 2, stdout: "", stderr });
  });
});

it("npm start names the variable that an option resembles", async () => {
  const stderr = 'unexpected argument "--prot"; set the variable PORT\nTry: npm start -- --help\n';
  expect(await runScript("start", "--prot", "80")).toEqual({ status: 2, stdout: "", stderr });
});

describe("a command", () => {
  it.each([
    ["generate", ["a.yaml"], "too many arguments. Expected 0 arguments but got 1: a.yaml"],
    [
      "mock",
      ["--port", "http"],
      "option '--port <PORT>' argument 'http' is invalid. It must be a whole number from 0 to 65535",
    ],
    [
      "mock",
      ["--seed="],
      "option '--seed <N>' argument '' is invalid. It must be a whole number from 0 to 999999999",
    ],
    ["diff", ["a", "b", "c"], "too many arguments. Expected 2 arguments but got 3: a, b, c"],
    ["diff", ["a", "--base", "b"], "give an older document as an argument or with --base, not both"],
    [
      "bench",
      ["toString"],
      "command-argument value 'toString' is invalid for argument 'NAME'. Allowed choices are client, generate, latency, memory, replicas, server, start, validators",
    ],
    ["conform", [], "give the URL of the service with --url URL"],
    ["conform", ["--ulr=http://127.0.0.1"], "unknown option '--ulr' (Did you mean --url?)"],
    [
      "conform",
      ["--url=http://127.0.0.1", "--header=Authorization: Bearer\rsecret"],
      "the value of --header Authorization contains a character that HTTP does not allow",
    ],
    [
      "conform",
      ["--url=http://127.0.0.1", "--secret=whsec_AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="],
      "--secret signs the webhook that --webhook NAME names; give both",
    ],
    [
      "mock",
      ["--secret=whsec_AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="],
      "--secret signs the webhook that --send WEBHOOK names; give both",
    ],
    [
      "mock",
      ["--send=a", "--to=http://user:hush@127.0.0.1"],
      "--to must be a URL such as http://127.0.0.1:4000/hooks, without user and password",
    ],
    ["generate", ["--spec"], "option '--spec <FILE>' argument missing"],
    [
      "generate",
      ["--spec", "--quiet"],
      "option '--spec <FILE>' argument '--quiet' is invalid. It must not be another option",
    ],
    ["build", ["--out="], "option '--out <DIR>' argument '' is invalid. It must not be empty"],
    [
      "release",
      ["--date=2026-02-30"],
      "option '--date <DATE>' argument '2026-02-30' is invalid. It must be a day such as 2026-01-31",
    ],
  ])("%s rejects the arguments %j with the reason in one line", async (script, args, message) => {
    const stderr = `${message}; see ${nameOf(script)} --help\n`;
    expect(await runScript(script, ...args)).toEqual({ status: 2, stdout: "", stderr });
  });

  it.each([
    ["generate", "generated"],
    ["diff", "compared"],
    ["release", "released"],
    ["mock", "generated"],
    ["start", "generated"],
  ])("%s reports which file is missing", async (script, done) => {
    expect(await runScript(script)).toEqual({
      status: 2,
      stdout: "",
      stderr: `spec/openapi.yaml  no such file; give the spec with --spec FILE\nNothing was ${done}.\n`,
    });
  });

  it("generate has no hint about waivers for the repository's own document", async () => {
    const paths = '{ "/books/{id}": { get: { responses: { "204": { description: Done. } } } } }';
    await mkdir(join(own, "spec"));
    await writeFile(
      join(own, "spec/openapi.yaml"),
      `openapi: 3.1.1\ninfo: { title: Shelf, version: 1.0.0 }\npaths: ${paths}\n`,
    );
    const { status, stderr } = await run(own, programs.get("generate") ?? "");
    expect(status).toBe(1);
    expect(stderr).toMatch(/ \[path-parameters-defined\]\nNothing was generated\.\n$/);
  });

  it("dev reports which folder is missing", async () => {
    expect(await runScript("dev", "--", "server")).toEqual({
      status: 1,
      stdout: "",
      stderr: expect.stringMatching(/^could not watch spec, server, client, scripts: ENOENT: .*\/spec'\n$/),
    });
  });

  it("prints no error if the reader of its output stops early", async () => {
    const child = spawn(process.execPath, [resolve("scripts/diff.ts"), "--help"], { cwd: empty });
    child.stdout.destroy();
    let stderr = "";
    child.stderr.on("data", (data: Buffer) => {
      stderr += data.toString("utf8");
    });
    expect(await once(child, "close")).toEqual([0, null]);
    expect(stderr).toBe("");
  });

  it("reports schemas that exhaust the stack in one line", async () => {
    const deep = (): number => 1 + deep();
    const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const status = await statusOf(deep);
    const lines = written.mock.calls.map(([text]) => text);
    written.mockRestore();
    expect({ status, lines }).toEqual({
      status: 1,
      lines: [
        "the schemas of the document lead through too many others; let fewer schemas refer to each other in a row\n",
      ],
    });
  });

  it("does not hide its own errors", async () => {
    const error = new TypeError("broken");
    const command = createCommand("", "", "").action(action(() => Promise.reject(error)));
    await expect(runProgram(command, [])).rejects.toBe(error);
  });
});

it.each([
  [true, undefined, true],
  [true, "", true],
  [true, "1", false],
  [undefined, undefined, false],
])(
  "colours are used only on a terminal without NO_COLOR (terminal: %s, NO_COLOR: %j)",
  (isTerminal, noColour, expected) => {
    expect(hasColours(isTerminal, noColour)).toBe(expected);
  },
);
