/** The command as it is typed, as far as it measures nothing. */
import { execFile } from "node:child_process";
import { describe, expect, it } from "vitest";

interface Run {
  readonly status: number | string | null | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

const drift = (...args: string[]): Promise<Run> =>
  new Promise((resolve) => {
    execFile(process.execPath, ["scripts/drift.ts", ...args], (error, stdout, stderr) => {
      resolve({ status: error === null ? 0 : error.code, stdout, stderr });
    });
  });

describe("npm run drift", () => {
  it("lists changes by their ids, of the kinds that are asked for", async () => {
    const { status, stdout } = await drift("--list", "--sample", "2", "--only", "server", "--only", "client");
    const lines = stdout.trimEnd().split("\n");
    expect(status).toBe(0);
    expect(lines.filter((_, index) => index % 2 === 0)).toEqual([
      expect.stringMatching(/^server:/),
      expect.stringMatching(/^server:/),
      expect.stringMatching(/^client:/),
      expect.stringMatching(/^client:/),
    ]);
  });

  it.each([
    [
      ["--only", "docs"],
      "there is no kind docs; choose of spec, server, client, generated; see npm run drift -- --help\n",
    ],
    [["--jobs", "0"], "--jobs must be a number above 0; see npm run drift -- --help\n"],
    [
      ["--mutant", "server:gone"],
      "there is no change server:gone, --list --every shows all; see npm run drift -- --help\n",
    ],
  ])("says what is wrong with %j, and measures nothing", async (args, stderr) => {
    expect(await drift(...args)).toEqual({ status: 2, stdout: "", stderr });
  });
});
