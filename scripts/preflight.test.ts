import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { missing } from "./preflight.mjs";

it("passes with the Node that the project needs, and any newer", () => {
  expect(["22.18.0", "22.19.1", "24.0.0", "26.10.0"].map((version) => missing(version, true))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

it.each(["20.20.2", "22.17.1", "18.0.0"])("tells the remedy for Node %s", (version) => {
  expect(missing(version, true)).toBe(
    `this is Node ${version}, and 22.18 or newer is needed: run \`npm ci\`, which installs one for npm's scripts`,
  );
});

it.each(["admin", "adopt", "build", "dev", "generate", "mock", "start", "test"])(
  "is asked before npm run %s",
  (script) => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
    expect(scripts[`pre${script}`]).toBe("node scripts/preflight.mjs");
  },
);

it("keeps npm from a command whose packages are not installed, in one line", async () => {
  const folder = await mkdtemp(join(tmpdir(), "preflight-"));
  try {
    await mkdir(join(folder, "scripts"));
    for (const file of ["package.json", "scripts/preflight.mjs"]) await cp(file, join(folder, file));
    const npm = new Promise((resolve) => {
      execFile("npm", ["start", "--silent"], { cwd: folder }, (error, stdout, stderr) => {
        resolve({ status: error?.code, stdout, stderr });
      });
    });
    expect(await npm).toEqual({
      status: 1,
      stdout: "",
      stderr: "the packages are not installed: run `npm ci`\n",
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});
