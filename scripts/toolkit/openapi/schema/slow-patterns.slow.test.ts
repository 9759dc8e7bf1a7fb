import { spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../testing/temporary-folder.ts";

const folder = temporaryFolder();
const source = join(import.meta.dirname, "slow-patterns.ts");

/** Each run is a process of its own, as for a command. */
function verdictsOf(...patterns: string[]): unknown {
  const script = `import { slownessOf } from ${JSON.stringify(source)};
    console.log(JSON.stringify(${JSON.stringify(patterns)}.map((each) => slownessOf(each) ?? null)));`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module-typescript", "-e", script], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

test("the verdict of a pattern is read from the file of an earlier run, and a broken file is replaced", async () => {
  const slow = "^(a+)+$";
  const fast = "^[a-z]+-[a-z]+-[a-z]+-[0-9]+$";
  const expected = ["exponentially", null];
  expect(verdictsOf(slow, fast)).toEqual(expected);
  const cache = join(folder, "node_modules/.cache/slow-patterns");
  await expect(readdir(cache)).rejects.toThrow();
  await mkdir(join(folder, "node_modules"));
  expect(verdictsOf(slow, fast)).toEqual(expected);
  const [name = ""] = await readdir(cache);
  const file = join(cache, name);
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual({ [slow]: "exponentially", [fast]: null });
  await writeFile(file, JSON.stringify({ [slow]: "slowly", [fast]: 1 }));
  expect(verdictsOf(slow, fast)).toEqual(["slowly", null]);
  await writeFile(file, "{");
  expect(verdictsOf(slow, fast)).toEqual(expected);
});
