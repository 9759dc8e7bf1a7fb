import { compileValidators, unenforceableIn } from "../json-schema/compile.ts";
import { type JsonObject, removeAt } from "../openapi/document.ts";
import { asOpenApi31 } from "../openapi/downgrade.ts";
import { type Remedies, SpecFiles } from "../openapi/files.ts";
import { Findings } from "../openapi/findings.ts";
import { type LoadedSpec, loadSpec } from "../openapi/load.ts";
import { undocumentedRejections, usualResponse } from "../openapi/rejections.ts";
import type { SpecProblem } from "../openapi/spec-problems.ts";
import { withoutTwins } from "../openapi/twins.ts";
import { readWaivers } from "../openapi/waivers.ts";
import { type DirectedSpec, inDirections } from "./directions.ts";
import { withErrorCodes } from "./error-codes.ts";
import { componentSchemas, modelOf } from "./model/read-model.ts";
import { reportUnenforced } from "./model/unenforced.ts";
import type { Model } from "./model.ts";
import type { GeneratedFiles } from "./output.ts";
import { renderClient } from "./render-client.ts";
import { renderContract } from "./render-contract.ts";
import { renderOperations } from "./render-operations.ts";
import { renderDocuments, renderServer } from "./render-server.ts";
import { withCodeSamples } from "./samples/code-samples.ts";
import { banner, format } from "./source-text.ts";
import { renderReceiver } from "./webhooks/render-receiver.ts";
import { renderSender } from "./webhooks/render-sender.ts";
import { webhookSpecOf } from "./webhooks/webhook-spec.ts";

export interface Run {
  readonly files: GeneratedFiles;
  /** Problems that a lenient run ignored. */
  readonly passed: readonly SpecProblem[];
  /** Things that a user should know but need not fix. */
  readonly notes: readonly SpecProblem[];
  /** Absolute paths of the files that were read. */
  readonly read: readonly string[];
}

export interface PipelineChoices {
  readonly spec: string;
  readonly waivers?: string | undefined;
  /** True if the file of waivers may not exist yet. */
  readonly mayLackWaivers?: boolean;
  readonly lenient: boolean;
  readonly allowOutside?: readonly string[];
  readonly remedies?: Partial<Remedies>;
  /** What the names of the runtime's modules begin with in generated imports. */
  readonly runtime?: string | undefined;
  /** The extension of generated files in the imports of other ones. Default: ts. */
  readonly importExt?: "ts" | "js" | undefined;
  /** The language of the validators. Default: ts if `importExt` is js, and otherwise js. */
  readonly validators?: "ts" | "js" | undefined;
}

/** @throws SpecProblemsError */
export async function run(choices: PipelineChoices): Promise<Run> {
  const { spec, waivers, mayLackWaivers, lenient, allowOutside, runtime, importExt } = choices;
  const { validators = importExt === "js" ? "ts" : "js" } = choices;
  const specFiles = new SpecFiles(allowOutside, choices.remedies);
  const known = await readWaivers(spec, waivers, specFiles, mayLackWaivers);
  const findings = new Findings({ lenient, waivers: known });
  const generated = await generate(spec, findings, specFiles, runtime);
  const files = validators === "ts" ? withTsValidators(generated) : generated;
  return {
    files: importExt === "js" ? new Map([...files].map(withJsImports)) : files,
    passed: findings.settle(),
    notes: findings.notes(),
    read: [...specFiles.all].map(({ path }) => path),
  };
}

/** @throws SpecProblemsError with the problems that stop generation */
export async function assertGeneratable(choices: Pick<PipelineChoices, "spec" | "waivers" | "allowOutside">) {
  const { spec, waivers, allowOutside } = choices;
  const specFiles = new SpecFiles(allowOutside);
  await readValid(spec, new Findings({ waivers: await readWaivers(spec, waivers, specFiles) }), specFiles);
}

/** Returns the output for a spec, in memory. @throws SpecProblemsError */
export async function generate(
  specPath: string,
  findings = new Findings(),
  specFiles = new SpecFiles(),
  runtime = "specbind-runtime",
): Promise<GeneratedFiles> {
  const { loaded, main, webhooks } = await readValid(specPath, findings, specFiles);
  const { spec, model, validators } = main;
  // Loading the compiler takes as long as all other work, so problems are reported before.
  const { renderTypes } = await import("./render-types.ts");
  const published = forReaders(loaded.document, model);
  const isOpenApi32 = String(published.openapi).startsWith("3.2.");
  const callbacks = webhooks?.callbacks ?? [];
  const [operations, ...contract] = contractFiles(model, validators, runtime);
  return new Map([
    ["openapi.json", jsonFile(published)],
    ...(isOpenApi32 ? [["openapi-3.1.json", jsonFile(asOpenApi31(published))] as const] : []),
    ["types.ts", renderTypes({ ...spec, document: withoutTwins(spec.document) }, model)],
    operations,
    ["client.ts", renderClient(model, runtime)],
    ...contract,
    ["server.ts", renderServer(runtime, callbacks)],
    ["documents.ts", renderDocuments(isOpenApi32)],
    ...(webhooks === undefined
      ? []
      : ([
          ["webhook-types.ts", renderTypes(webhooks.spec, webhooks.model)],
          ...contractFiles(webhooks.model, webhooks.validators, runtime).map(ofWebhooks),
          ["sender.ts", renderSender(callbacks, runtime)],
          ["receiver.ts", renderReceiver(runtime)],
        ] as const)),
  ]);
}

async function readValid(specPath: string, findings: Findings, specFiles: SpecFiles) {
  const loaded = await loadSpec(specPath, findings, specFiles);
  removeAll(loaded, reportUnenforced(loaded));
  const models = readModels(loaded);
  noteRejections(models.main.spec);
  findings.stopIfAny();
  if (models.contradicting.length === 0) return { loaded, ...models };
  removeAll(loaded, models.contradicting);
  return { loaded, ...readModels(loaded) };
}

type GeneratedFile = [name: string, text: string];

function contractFiles(
  model: Model,
  { code, declarations, completes }: ReturnType<typeof compileValidators>,
  runtime: string,
): [operations: GeneratedFile, ...GeneratedFile[]] {
  return [
    ["operations.ts", renderOperations(model, runtime)],
    ["validators.js", `${banner}\nexport const format = ${format};\n\n${code}`],
    ["validators.d.ts", `${banner}\n${typeImport}\n\nexport const format: ${format};\n\n${declarations}`],
    ["contract.ts", renderContract(model, completes, runtime)],
  ];
}

function ofWebhooks([name, text]: GeneratedFile): GeneratedFile {
  return [`webhook-${name}`, text.replaceAll(/^(import .* from "\.\/)/gm, "$1webhook-")];
}

const typeImport = 'import type { components, sent } from "./types.ts";';

/** With `--outDir`, the TypeScript compiler does not copy JavaScript files. It need not check this one, only compile it. */
function withTsValidators(files: GeneratedFiles): GeneratedFiles {
  const entries = [...files].flatMap(([name, text]): [string, string][] => {
    if (name.endsWith("validators.d.ts")) return [];
    if (name.endsWith("validators.js"))
      return [[name.replace(/js$/, "ts"), typedCode(text, files.get(name.replace(/js$/, "d.ts")) ?? "")]];
    return [[name, name.endsWith("contract.ts") ? text.replace('validators.js"', 'validators.ts"') : text]];
  });
  return new Map(entries);
}

/** Writes the types of the declarations into the code. */
function typedCode(code: string, declarations: string): string {
  const head = /^import type .*$|^export interface Problem [^}]*\}$/gm;
  const types = [...declarations.matchAll(head)].map(([text]) => `\n${text}\n`).join("");
  const functions = [...declarations.matchAll(/^export function (\w+)(\(.*);$/gm)];
  const signatures = new Map(functions.map(([, name, signature]) => [name, signature]));
  return code
    .replace(banner, () => `${banner}// @ts-nocheck\n${types}`)
    .replaceAll(/^(export function (\w+))\(.*(?= \{$)/gm, (_, start, name) => start + signatures.get(name));
}

/** The renderers write each import in one line. */
function withJsImports([name, text]: readonly [string, string]): [string, string] {
  const imports = /^(import .* from "\.\/[\w-]+)\.ts";$/gm;
  return [name, name.endsWith(".ts") ? text.replaceAll(imports, '$1.js";') : text];
}

function removeAll({ document }: LoadedSpec, pointers: readonly string[]): void {
  for (const pointer of pointers) removeAt(document, pointer);
}

/** @returns also the pointers of the defaults that are not valid against their own schema */
function readModels(loaded: LoadedSpec) {
  const main = readModel(loaded);
  const separate = webhookSpecOf(loaded);
  const webhooks = separate && { ...readModel(separate), callbacks: separate.callbacks };
  const others = webhooks?.contradicting.map((pointer) => separate?.sourceOf(pointer) ?? pointer);
  return { main, webhooks, contradicting: [...main.contradicting, ...(others ?? [])] };
}

function readModel(loaded: LoadedSpec) {
  const spec = inDirections(loaded);
  const model = modelOf(spec);
  const validators = compileValidators(spec.document, model.schemas);
  const unused = componentSchemas(spec).filter((pointer) => !validators.reached.has(pointer));
  const found = [...validators.unenforceable, ...unenforceableIn(spec.document, unused)];
  for (const { rule, pointer, message, isNote } of found)
    (isNote ? spec.note : spec.report)(rule, pointer, message);
  const contradicting = found.filter(({ rule }) => rule === "default-contradicts");
  return {
    spec,
    model,
    validators,
    contradicting: contradicting.map(({ pointer }) => spec.sourceOf(pointer)),
  };
}

function jsonFile(value: JsonObject): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Callers get these responses as undocumented ones. */
function noteRejections({ document, note }: DirectedSpec): void {
  const missing = undocumentedRejections(document);
  const [first] = missing;
  if (first === undefined) return;
  const { status, operation, pointer } = first;
  const name = `${status} of ${operation}`;
  const reference = usualResponse(document, status);
  const fix = reference === undefined ? "" : `, for example with \`$ref: "${reference}"\``;
  const what =
    missing.length === 1
      ? `1 response that the server sends before a handler runs is not documented: ${name}; add it${fix}`
      : `${missing.length} responses that the server sends before a handler runs are not documented, such as ${name}; add them${fix}`;
  note("undocumented-rejection", pointer, what);
}

/**
 * Works even if no validators can be generated.
 *
 * @param server replaces the servers of the document
 * @throws SpecProblemsError if it is not OpenAPI 3.0, 3.1 or 3.2
 */
export async function readForDocs(
  specPath: string,
  allowOutside: readonly string[],
  server?: string,
): Promise<{ document: JsonObject; passed: readonly SpecProblem[] }> {
  const findings = new Findings({ lenient: true });
  const loaded = await loadSpec(specPath, findings, new SpecFiles(allowOutside));
  findings.stopIfAny();
  if (server !== undefined) loaded.document.servers = [{ url: server }];
  reportUnenforced(loaded);
  const document = forReaders(loaded.document, modelOf(inDirections(loaded)));
  return { document, passed: findings.settle() };
}

function forReaders(document: JsonObject, model: Model): JsonObject {
  return withErrorCodes(withCodeSamples(document, model), model);
}
