/** Lists the files of a new project: the template, and the files of this project that work with any spec. */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

export const root = resolve(import.meta.dirname, "../../..");
const template = join(root, "scripts/toolkit/adopt/template");

/** Tests are not copied, because most of them use the spec of this service. */
const copied = [
  ".gitignore",
  "client/**/*.ts",
  "server/runtime/{contract,http,shared}/**/*.ts",
  "server/runtime/{index,node,settings}.ts",
  "server/runtime/observability/{log,redaction}.ts",
  "server/runtime/process/{docs-page,environment-file,server-settings,setting-readers,settings,start-errors,stopping}.ts",
  "server/runtime/process/docs-page-script.js",
  "scripts/preflight.mjs",
  "scripts/node/package.json",
  "scripts/toolkit/docs/scalar-license.txt",
  "scripts/{conform,dev,diff,docs,generate-stale,lint-spec,mock,project,release}.ts",
  "scripts/toolkit/{commands,conformance,dev,diff,docs,generate,json-schema,mock,openapi}/**/*.{ts,js}",
];

const ofTests = /\.(test|suite|type-test)\.ts$|(^|\/)(browser|fixtures|suite|testing)\/|(^|\/)testing\.ts$/;
/** Only this service's client package uses this file. */
const ofThisService = "client/mock/index.ts";

/** Sorted paths of the files that are copied unchanged. Files that the template replaces are excluded. */
export function copiedFiles(): string[] {
  const replaced = new Set(templateFiles());
  return globSync([...copied], { cwd: root, exclude: (path) => ofTests.test(path) })
    .filter((path) => !ofTests.test(path) && path !== ofThisService && !replaced.has(path))
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

/** The file in this project, or undefined if the file is written for each new project. */
export function originOf(path: string): string | undefined {
  if (templateFiles().includes(path) && path !== "README.md") return join(template, path);
  return copiedFiles().includes(path) ? join(root, path) : undefined;
}

export function baseFiles(): Map<string, string> {
  return new Map([
    ...copiedFiles().map((path) => [path, textOf(path)] as const),
    ...templateFiles().map((path) => [path, readFileSync(join(template, path), "utf8")] as const),
  ]);
}
