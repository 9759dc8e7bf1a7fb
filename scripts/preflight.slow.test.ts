import { execFile } from "node:child_process";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { missing } from "./preflight.mjs";
import { temporaryFolder } from "./testing/temporary-folder.ts";

const folder = temporaryFolder();

it("accepts the required version of Node, and newer ones", () => {
  expect(["22.18.0", "22.19.1", "24.0.0", "26.10.0"].map((version) => missing(version, "all"))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

it.each(["20.20.2", "22.17.1", "18.0.0"])("rejects Node %s, and says how to fix it", (version) => {
  expect(missing(version, "all")).toBe(
    `this is Node ${version}, but 22.18 or newer is required: install it, or run \`npm ci --include=dev\`, which installs it for the npm scripts`,
  );
});

it("reports missing development packages, except before commands that need none", () => {
  expect(missing("26.10.0", "production")).toBe(
    "the development packages are not installed: run `npm ci --include=dev`. The server only needs Node 22.18 or newer: `node server/main.ts`",
  );
});

it("runs first in every npm script", () => {
  expect(
    Object.entries(packageJson.scripts).filter(
      ([, line]) => !/^node scripts\/preflight\.mjs (--production )?&& /.test(line),
    ),
  ).toEqual([]);
});

it.each(["start", "diff", "lint:spec", "test"])(
  "stops npm run %s if packages are not installed, with one line",
  async (script) => {
    for (const file of ["package.json", "scripts/preflight.mjs"]) await cp(file, join(folder, file));
    const npm = new Promise((resolve) => {
      execFile("npm", ["run", "--silent", script], { cwd: folder }, (error, stdout, stderr) => {
        resolve({ status: error?.code, stdout, stderr });
      });
    });
    expect(await npm).toEqual({
      status: 1,
      stdout: "",
      stderr: "the packages are not installed: run `npm ci`\n",
    });
  },
);
