/** Reads the optional file `specbind.config.ts`, `.js` or `.json`. */
import { existsSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { nearestWord } from "#specbind/nearest-word";
import type { DocumentConfig, SpecbindConfig } from "../define-config.ts";
import { type Impacts, impacts } from "../diff/changes.ts";
import { isObject } from "../openapi/document.ts";
import { messageOf } from "../openapi/spec-problems.ts";
import { languages, type Project } from "./project.ts";

const names = ["ts", "js", "json"].map((extension) => `specbind.config.${extension}`);

export const defaults: Project = {
  program: "npx specbind",
  spec: "spec/openapi.yaml",
  generated: "generated",
  runtime: "specbind-runtime",
  docsAssets: "node_modules/.cache/reference-page",
  main: "server/main.ts",
  watched: ["spec", "server", "client"],
};

/** The configuration cannot be used. The message names the file, the field and the fix. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** The folders of a project's own code. */
const watchable = ["server", "client", "src"];

const isText = (value: unknown): boolean => typeof value === "string" && value !== "";
const path = { is: isText, must: "must be a path" };

type Field = { readonly is: (value: unknown) => boolean; readonly must: string };
const language = {
  is: (value: unknown) => languages.some((each) => each === value),
  must: 'must be "ts" or "js"',
};
const documentFields: Readonly<Record<keyof DocumentConfig, Field>> = {
  spec: path,
  out: path,
  importExt: language,
  validators: language,
  waivers: path,
  allowOutside: {
    is: (value) => Array.isArray(value) && value.every(isText),
    must: "must be a list of paths",
  },
  rules: path,
  impacts: { is: isObject, must: 'must be an object such as { "schema-format": "minor" }' },
};
const fields: Readonly<Record<keyof SpecbindConfig, Field>> = {
  ...documentFields,
  documents: {
    is: (value) => Array.isArray(value) && value.length > 0 && value.every(isObject),
    must: "must be a list of at least one object",
  },
};

/**
 * Returns a project for each document. If the user chose a document that is not listed, it has the common fields.
 * @param given the file. Default: the file of the current folder, if there is one
 * @throws ConfigError
 */
export async function configuredProjects(given?: string, chosen?: string): Promise<Project[]> {
  const file = given || names.find((name) => existsSync(name));
  const config = file === undefined ? {} : await read(file);
  const folder = dirname(file ?? "");
  const common = projectOf(config, defaults, folder);
  const projects = (config.documents ?? [{}]).map((each) => projectOf(each, common, folder));
  const outputs = Map.groupBy(projects, ({ generated }) => generated);
  for (const [output, { length }] of outputs)
    if (length > 1)
      throw new ConfigError(`${file}: ${length} documents have the output ${output}; give each its own`);
  if (!chosen) return projects;
  const listed = projects.filter(({ spec }) => resolve(spec) === resolve(chosen));
  return listed.length > 0 ? listed : [{ ...common, spec: chosen }];
}

async function read(file: string): Promise<SpecbindConfig> {
  const attributes = file.endsWith(".json") ? { with: { type: "json" } } : {};
  const module = await import(pathToFileURL(resolve(file)).href, attributes).catch((error: unknown) => {
    if (!existsSync(file))
      throw new ConfigError(`${file}: no such file; give another one with --config FILE`);
    throw new ConfigError(`${file} cannot be loaded: ${messageOf(error)}`);
  });
  const config: unknown = module.default;
  if (!isObject(config))
    throw new ConfigError(`${file} needs a default export: an object, made with defineConfig`);
  check(config, fields, file);
  const { documents = [], ...common } = config as SpecbindConfig;
  for (const [index, each] of documents.entries())
    check(each, documentFields, `${file}: documents[${index}]`);
  for (const { impacts } of [common, ...documents])
    if (impacts !== undefined) await checkImpacts(impacts, file);
  return config as SpecbindConfig;
}

/** Loads the rules here, because most projects do not need them. */
async function checkImpacts(given: Impacts, file: string): Promise<void> {
  const { allRules, unknownRule } = await import("../diff/rules/index.ts");
  const { isPolicy } = await import("../diff/rules/policy-rules.ts");
  const rules = allRules.filter(({ id }) => !isPolicy(id));
  for (const [rule, impact] of Object.entries(given)) {
    const unknown = unknownRule(rule, rules);
    if (unknown !== undefined) throw new ConfigError(`${file}: impacts: ${unknown}`);
    if (!impacts.includes(impact))
      throw new ConfigError(
        `${file}: impacts: \`${rule}\` must be ${impacts.map((each) => `"${each}"`).join(" or ")}`,
      );
  }
}

function check(config: object, known: Readonly<Record<string, Field>>, place: string): void {
  for (const [name, value] of Object.entries(config)) {
    const field = Object.hasOwn(known, name) ? known[name] : undefined;
    if (field === undefined) {
      const nearest = nearestWord(name, Object.keys(known));
      const fix =
        nearest === undefined ? `use ${Object.keys(known).join(", ")}` : `did you mean \`${nearest}\`?`;
      throw new ConfigError(`${place}: unknown field \`${name}\`; ${fix}`);
    }
    if (value !== undefined && !field.is(value)) throw new ConfigError(`${place}: \`${name}\` ${field.must}`);
  }
}

function projectOf(config: DocumentConfig, defaults: Project, folder: string): Project {
  const shown = (path: string): string => relative(".", resolve(folder, path)) || ".";
  const { spec: given, out, importExt, validators, waivers, allowOutside, rules, impacts } = config;
  const spec = given === undefined ? defaults.spec : shown(given);
  return {
    ...defaults,
    spec,
    ...(out !== undefined && { generated: shown(out) }),
    ...(importExt !== undefined && { importExt }),
    ...(validators !== undefined && { validators }),
    ...(waivers !== undefined && { waivers: shown(waivers) }),
    ...(allowOutside !== undefined && { allowOutside: allowOutside.map(shown) }),
    ...(rules !== undefined && { rules: shown(rules) }),
    ...(impacts !== undefined && { impacts: { ...defaults.impacts, ...impacts } }),
    watched: [dirname(spec), ...watchable.filter((each) => existsSync(each))],
  };
}
