import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { describe, expect, it, vi } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { run } from "../testing/run-node.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { hasColours, runCommand } from "./command.ts";

/** The programs of this folder, keyed by their script in package.json. */
const programs = new Map(
  Object.entries(packageJson.scripts).flatMap(([script, line]) => {
    const [, program] = / && (?:exec )?node (?:--\S+ )*(scripts\/[\w-]+\.ts)$/.exec(line) ?? [];
    return program === undefined ? [] : [[script, resolve(program)]];
  }),
);

const nameOf = (script: string): string =>
  ["start", "test"].includes(script) ? `npm ${script} --` : `npm run ${script} --`;

const empty = temporaryFolder();

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
    expect(stdout).toMatch(new RegExp(`\\nUsage: ${nameOf(script).replace(" --", "")}\\b`));
    expect(stdout).toMatch(/\n\nExit status: 0 .*\b1 .*\b2 .*\.\n$/);
  });

  it("reports an unknown option in one line, and exits with 2", async () => {
    const stderr = `Unknown option '--hepl'; see ${nameOf(script)} --help\n`;
    expect(await runScript(script, "--hepl")).toEqual({ status: 2, stdout: "", stderr });
  });
});

describe("a command", () => {
  it.each([
    ["generate", ["a.yaml"], "Unexpected argument 'a.yaml'"],
    ["mock", ["--port", "http"], '--port must be a whole number from 0 to 65535, not "http"'],
    ["diff", ["a", "b"], "give only one revision"],
    ["bench", ["toString"], "there is no benchmark toString"],
    ["conform", [], "give the URL of the service with --url URL"],
    [
      "conform",
      ["--url=http://127.0.0.1", "--header=Authorization: Bearer\rsecret"],
      "the value of --header Authorization contains a character that HTTP does not allow",
    ],
    ["generate", ["--spec"], "Option '--spec <value>' argument missing"],
    ["build", ["--out="], "--out must not be empty"],
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

  it("dev reports which folder is missing", async () => {
    expect(await runScript("dev")).toEqual({
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
    const status = await runCommand({ name: "", help: "", options: {}, run: deep }, []);
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
    const command = { name: "", help: "", options: {}, run: () => Promise.reject(error) };
    await expect(runCommand(command, [])).rejects.toBe(error);
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
