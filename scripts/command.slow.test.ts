import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { hasColours, runCommand } from "./command.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";

/** The scripts of package.json that run a program of this folder. */
const commands = Object.entries(packageJson.scripts).flatMap(([script, line]) => {
  const [, program] = / && (?:exec )?node (?:--\S+ )*(scripts\/[\w-]+\.ts)$/.exec(line) ?? [];
  return program === undefined ? [] : [{ script, program: resolve(program) }];
});

function programOf(script: string): string {
  const command = commands.find((each) => each.script === script);
  if (command === undefined)
    throw new Error(`package.json has no script ${script} that runs a program of this folder`);
  return command.program;
}

const nameOf = (script: string): string =>
  ["start", "test"].includes(script) ? `npm ${script} --` : `npm run ${script} --`;

const empty = temporaryFolder();

/** Runs in a folder without a spec and without generated files. */
function run(program: string, args: readonly string[]) {
  return new Promise<{ status: unknown; stdout: string; stderr: string }>((done) => {
    execFile(program, args, { cwd: empty }, (error, stdout, stderr) =>
      done({ status: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
}

const runNode = (program: string, ...args: string[]) => run(process.execPath, [program, ...args]);

it("finds the programs", () => {
  expect(commands.length).toBeGreaterThan(11);
});

describe.each(commands)("npm run $script", ({ script, program }) => {
  it("only prints its help, which lists the exit statuses, even if other arguments are given", async () => {
    const { status, stdout, stderr } = await runNode(program, "--hepl", "--help");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(new RegExp(`\\nUsage: ${nameOf(script).replace(" --", "")}\\b`));
    expect(stdout).toMatch(/\n\nExit status: 0 .*\b1 .*\b2 .*\.\n$/);
  });

  it("reports an unknown option in one line, and exits with 2", async () => {
    const stderr = `Unknown option '--hepl'; see ${nameOf(script)} --help\n`;
    expect(await runNode(program, "--hepl")).toEqual({ status: 2, stdout: "", stderr });
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
    ["diff", ["--spec", "--json"], "Option '--spec' argument is ambiguous"],
    ["build", ["--out="], "--out must not be empty"],
  ])("%s rejects the arguments %j with the reason in one line", async (script, args, message) => {
    const stderr = `${message}; see ${nameOf(script)} --help\n`;
    expect(await runNode(programOf(script), ...args)).toEqual({ status: 2, stdout: "", stderr });
  });

  it.each([
    ["generate", "generated"],
    ["diff", "compared"],
    ["release", "released"],
    ["mock", "generated"],
    ["start", "generated"],
  ])("%s reports which file is missing", async (script, done) => {
    expect(await runNode(programOf(script))).toEqual({
      status: 2,
      stdout: "",
      stderr: `spec/openapi.yaml  no such file; give the spec with --spec FILE\nNothing was ${done}.\n`,
    });
  });

  it("dev reports which folder is missing", async () => {
    expect(await runNode(programOf("dev"))).toEqual({
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
