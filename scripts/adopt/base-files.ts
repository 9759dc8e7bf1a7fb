/** The files of a new project: those of this project that serve any spec, and those of the template. */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

export const root = resolve(import.meta.dirname, "../..");
const template = join(root, "scripts/adopt/template");

/** Tests stay behind, because most use the spec of this service. */
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
/** For tests of users of this service's package. */
const ofThisService = ["client/mock/index.ts", "client/mock/refusals.ts"];

/** Sorted paths, without those that the template replaces. */
export function copiedFiles(): string[] {
  const replaced = new Set(templateFiles());
  return globSync([...copied], { cwd: root, exclude: (path) => ofTests.test(path) })
    .filter((path) => !ofTests.test(path) && !ofThisService.includes(path) && !replaced.has(path))
    .toSorted();
}

export function templateFiles(): string[] {
  return globSync(["**/*.*", "**/.*"], { cwd: template, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(template.length + 1))
    .toSorted();
}

export function textOf(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

export function baseFiles(): Map<string, string> {
  return new Map([
    ...copiedFiles().map((path) => [path, textOf(path)] as const),
    ...templateFiles().map((path) => [path, readFileSync(join(template, path), "utf8")] as const),
  ]);
}
