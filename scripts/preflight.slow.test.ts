import { spawnSync } from "node:child_process";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { missing } from "./preflight.mjs";
import { temporaryFolder } from "./testing/temporary-folder.ts";

const folder = temporaryFolder();

it.each(["22.18.0", "22.20.0", "26.0.0"])("accepts Node %s", (version) => {
  expect(missing(version, "all")).toBe(undefined);
});

it.each(["20.20.2", "22.17.1"])("rejects Node %s, and says how to fix it", (version) => {
  expect(missing(version, "all")).toBe(
    `this is Node ${version}, but 22.18 or newer is required: install it, or run \`npm ci --include=dev\`, which installs it for the npm scripts`,
  );
});

it("reports missing development packages, except before commands that need none", () => {
  expect(missing("26.10.0", "production")).toBe(
    "the development packages are not installed: run `npm ci --include=dev`. The server only needs Node 22.18 or newer: `node server`",
  );
});

it.each(["server", "server/admin"])(
  "`node %s` ends with one line on a Node that does not load TypeScript",
  (command) => {
    const { status, stderr } = spawnSync(process.execPath, ["--no-experimental-strip-types", command], {
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `Node ${process.versions.node} does not load TypeScript: install 22.18 or newer\n`,
    });
  },
);

it("runs first in every npm script, except those that npm runs after another one", () => {
  const { scripts } = packageJson;
  const isAfterAnother = (name: string) => name.startsWith("post") && name.slice("post".length) in scripts;
  expect(
    Object.entries(scripts).filter(
      ([name, line]) =>
        !isAfterAnother(name) && !/^node scripts\/preflight\.mjs (--production )?&& /.test(line),
    ),
  ).toEqual([]);
});

it("stops an npm script if packages are not installed, with one line", async () => {
  for (const file of ["package.json", "scripts/preflight.mjs"]) await cp(file, join(folder, file));
  const { status, stdout, stderr } = spawnSync("npm", ["test", "-s"], { cwd: folder, encoding: "utf8" });
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: "",
    stderr: "the packages are not installed: run `npm ci`\n",
  });
});
