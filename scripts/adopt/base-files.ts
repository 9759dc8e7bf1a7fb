/** Which files a project of another document is made of: those of this one that serve any spec, and those of the template. */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** Of this project. */
export const root = resolve(import.meta.dirname, "../..");
const template = join(root, "scripts/adopt/template");

/** They know no spec. Tests stay behind: they hold the base itself, mostly by the spec of this service. */
const copied = [
  ".gitignore",
  "client/**/*.ts",
  "server/contract/**/*.ts",
  "server/{connections,docs-page,environment-file,listen,listen-on,log-destination,redaction,request-id,turn}.ts",
  "server/{setting-readers,settings,start-faults,stopping}.ts",
  "scripts/preflight.mjs",
  "scripts/{command,conform,dev,diff,docs,generate,generate-stale,mock,release,start}.ts",
  "scripts/{conformance,dev,diff,generate,json-schema,mock,openapi}/**/*.{ts,js}",
];

const ofTests = /\.(test|suite|type-test)\.ts$|(^|\/)(browser|fixtures|suite|testing)\/|(^|\/)testing\.ts$/;
/** For the tests of those who import this service's package. */
const ofThisService = ["client/mock/index.ts", "client/mock/refusals.ts"];

/** Paths of files that are copied as they are, in order; none that the template has in their place. */
export function copiedFiles(): string[] {
  const replaced = new Set(templateFiles());
  return globSync([...copied], { cwd: root, exclude: (path) => ofTests.test(path) })
    .filter((path) => !ofTests.test(path) && !ofThisService.includes(path) && !replaced.has(path))
    .toSorted();
}

/** Paths of the template's files, in order. */
export function templateFiles(): string[] {
  return globSync(["**/*.*", "**/.*"], { cwd: template, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(template.length + 1))
    .toSorted();
}

/** The text of a file of this project. */
export function textOf(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** The texts of all of them, by path. */
export function baseFiles(): Map<string, string> {
  return new Map([
    ...copiedFiles().map((path) => [path, textOf(path)] as const),
    ...templateFiles().map((path) => [path, readFileSync(join(template, path), "utf8")] as const),
  ]);
}
