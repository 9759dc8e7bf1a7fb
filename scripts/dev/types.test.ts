/** The type check of the watch, on a project of two files of which one is generated. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { TypeChecker } from "./types.ts";

vi.setConfig({ testTimeout: 60_000 });

let folder: string;
let checker: TypeChecker;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "types-"));
  await mkdir(join(folder, "generated"));
  const compilerOptions = { strict: true, noEmit: true, types: [], lib: ["es2024"], isolatedModules: true };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  await writeFile(
    join(folder, "use.ts"),
    'import type { A } from "./generated/a";\nexport const a: A = "a";\n',
  );
  checker = new TypeChecker(join(folder, "tsconfig.json"), join(folder, "generated"));
});
afterAll(() => rm(folder, { recursive: true }));

const faultsWith = async (generated: string): Promise<string[]> => {
  await writeFile(join(folder, "generated/a.ts"), generated);
  return checker.check().map(({ location }) => relative(folder, join(process.cwd(), location)));
};

it("passes over new comments in generated files, and over nothing else", async () => {
  expect(await faultsWith("export type A = string;\n")).toEqual([]);
  expect(await faultsWith("/** What it is. */\nexport type A = string;\n")).toEqual([]);
  expect(await faultsWith("/** What it is. */\nexport type A = number;\n")).toEqual(["use.ts:2:14"]);
  expect(await faultsWith("/** What it was. */\nexport type A = number;\n")).toEqual(["use.ts:2:14"]);
  expect(await faultsWith("/** What it is. */\nexport type A = '//b';\n")).toEqual(["use.ts:2:14"]);
  expect(await faultsWith("/** What it is. */\nexport type A = '//b' | 'a';\n")).toEqual([]);
  expect(await faultsWith("export type A = string;\n// Nothing more.\n")).toEqual([]);
});
