/** Uses a project of four files: application code, a generated file, a test and a script. */
import { mkdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import type { CompileError } from "./compile-error.ts";
import { TypeChecker } from "./type-checker.ts";

const folder = temporaryFolder();
let checker: TypeChecker;
beforeAll(async () => {
  await mkdir(join(folder, "generated"));
  const compilerOptions = { strict: true, noEmit: true, types: [], lib: ["es2024"], isolatedModules: true };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  await mkdir(join(folder, "scripts"));
  for (const [file, generated, value] of [
    ["use.ts", "./generated/a", "a"],
    ["use.test.ts", "./generated/a", "b"],
    ["scripts/make.ts", "../generated/a", "b"],
  ] as const) {
    const text = `import type { A } from "${generated}";\nexport const a: A = "${value}";\n`;
    await writeFile(join(folder, file), text);
  }
  checker = new TypeChecker(join(folder, "tsconfig.json"));
});

const places = (errors: readonly CompileError[] | undefined): string[] | undefined =>
  errors?.map(({ file, line, column }) => `${relative(folder, join(process.cwd(), file))}:${line}:${column}`);

const errorsWith = async (generated: string): Promise<string[] | undefined> => {
  await writeFile(join(folder, "generated/a.ts"), generated);
  return places(checker.check());
};
const always = (): boolean => true;
const never = (): boolean => false;

it("checks tests and scripts only in checkLater, which can be interrupted and repeated", async () => {
  expect(await errorsWith("export type A = string;\n")).toEqual([]);
  expect(places(await checker.checkLater(always))).toEqual([]);
  expect(await errorsWith('export type A = "a";\n')).toEqual([]);
  expect(await checker.checkLater(never)).toBe(undefined);
  expect(await errorsWith('export type A = "a" | "c";\n')).toEqual([]);
  expect(places(await checker.checkLater(always))).toEqual(["scripts/make.ts:2:14", "use.test.ts:2:14"]);
  expect(places(await checker.checkLater(always))).toEqual(["scripts/make.ts:2:14", "use.test.ts:2:14"]);
  expect(await errorsWith('export type A = "b";\n')).toEqual(["use.ts:2:14"]);
  expect(places(await checker.checkLater(always))).toEqual([]);
});
