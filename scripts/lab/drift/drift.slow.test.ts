/** Tries changes in a copy of a small tree whose commands search a file for a word. */
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { Copy, filesIn } from "./copy.ts";
import { firstKill } from "./drift.ts";

const root = temporaryFolder();

/** Replaces npm: a gate fails if the file contains its name. */
const npm = `#!/bin/sh
if grep -q "$3" server/a.ts; then
  echo "error in $3" >&2
  exit 1
fi
`;

beforeAll(async () => {
  const files = {
    ".gitignore": "node_modules\n",
    "server/a.ts": "right",
    "node_modules/.bin/npm": npm,
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text, { mode: 0o755 });
  }
  await promisify(execFile)("git", ["init", "--quiet"], { cwd: root });
});

test("a change is counted for the first stage that fails, and the checkout and the copy stay unchanged", async () => {
  const stages = ["lint:code", "tests"].map((name) => ({ name, line: `npm run -s ${name}` }));
  using copy = await Copy.make(root, await filesIn(root));
  const found: unknown[] = [];
  for (const text of ["tests lint:code", "tests", "wrong"])
    found.push(await firstKill({ file: "server/a.ts", text }, copy, stages));
  expect(found).toEqual([
    { gate: "lint:code", reason: "error in lint:code" },
    { gate: "tests", reason: "error in tests" },
    undefined,
  ]);
  for (const folder of [root, copy.root])
    expect(await readFile(join(folder, "server/a.ts"), "utf8")).toBe("right");
});
