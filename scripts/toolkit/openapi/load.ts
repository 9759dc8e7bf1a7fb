/** Loads a spec: reads and bundles its files, validates them, and rewrites them as OpenAPI 3.1. */
import { resolve } from "node:path";
import {
  BaseResolver,
  createConfig,
  lintDocument,
  type NormalizedProblem,
  ResolveError,
  type Source,
} from "@redocly/openapi-core";
import { type Bundle, bundle, isComponent } from "./bundle.ts";
import {
  entriesOf,
  follow,
  isObject,
  itemPointers,
  type JsonObject,
  pointerTo,
  tokensOf,
  valueAt,
} from "./document.ts";
import { downgrade } from "./downgrade.ts";
import {
  keyOf,
  locationOf,
  type Place,
  type SpecFile,
  SpecFiles,
  shownPathOf,
  UnreadableFileError,
} from "./files.ts";
import { Findings } from "./findings.ts";
import { strayReferences, withoutData, withoutSchemaReferences, wrongForms } from "./grammar.ts";
import { inexactIntegers } from "./schema/inexact-integers.ts";
import { endlessReferences, removeInvalidReferences, shortenChains } from "./schema/references.ts";
import { MissingFileError, messageOf, SpecProblemsError } from "./spec-problems.ts";
import { checkTwins } from "./twins.ts";
import { upgrade } from "./upgrade.ts";

export interface LoadedSpec {
  /** OpenAPI 3.1, or 3.2 if it has parts that 3.1 cannot express. Every `$ref` is local and has a target. */
  readonly document: JsonObject;
  /** `file:line:column` of the key at a pointer, or of the nearest place that contains it. */
  locate(pointer: string): string;
  /** The file that has the pointer's value, and its place in this file. */
  placeOf(pointer: string): Place;
  report(rule: string, pointer: string, message: string): void;
  /** Reports something that does not stop a run. */
  note(rule: string, pointer: string, message: string): void;
}

/** @throws SpecProblemsError if the document cannot be read or is not OpenAPI 3.0, 3.1 or 3.2 */
export async function loadSpec(
  specPath: string,
  findings = new Findings(),
  files = new SpecFiles(),
): Promise<LoadedSpec> {
  const entry = await readEntry(resolve(specPath), files);
  const version = versionOf(entry);
  const bundled = await bundle(entry, files);
  const { document, origins } = bundled;
  const incomplete = new Set<string>();
  const reportReference = (place: Place, message: string): void => {
    findings.report("reference", place, message);
    incomplete.add(keyOf({ ...place, pointer: place.pointer.replace(/\/\$ref$/, "") }));
  };
  for (const file of files.all)
    for (const { place, message } of inexactIntegers(file))
      findings.report("inexact-integer", place, message, false);
  for (const { place, message } of bundled.problems) reportReference(place, message);
  for (const { pointer, message } of removeInvalidReferences(document))
    reportReference(origins.of(pointer), message);
  shortenChains(document);
  if (version === "3.2")
    downgrade(document, (rule, pointer, message) => {
      const place = origins.of(pointer);
      findings.report(rule, place, message);
      incomplete.add(keyOf(place));
    });
  const isIncomplete = (pointer: string): boolean => incomplete.has(keyOf(origins.of(pointer)));
  const isChanged = await checkOpenApi(entry, bundled, version, findings, isIncomplete);
  // The targets of these references may just have been removed, so the references are not reported.
  if (isChanged) removeInvalidReferences(document);
  if (version === "3.0") upgrade(document, origins);
  for (const { rule, pointer, message, holder, key } of endlessReferences(document)) {
    findings.report(rule, origins.of(pointer), message);
    delete holder[key];
  }
  const reported = findings.places().union(incomplete);
  const spec: LoadedSpec = {
    document,
    locate: (pointer) => locationOf(origins.of(pointer)),
    placeOf: (pointer) => origins.of(pointer),
    report: (rule, pointer, message) => {
      const place = origins.of(pointer);
      // Redocly has reported the place already.
      if (!reported.has(keyOf(place))) findings.report(rule, place, message);
    },
    note: (rule, pointer, message) => findings.note(rule, origins.of(pointer), message),
  };
  checkTwins(spec);
  return spec;
}

async function readEntry(path: string, files: SpecFiles): Promise<SpecFile> {
  try {
    return await files.read(path);
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    const message = `${error.message}; give ${error.wanted} with --spec FILE`;
    throw new MissingFileError([{ location: shownPathOf(path), message }]);
  }
}

type OpenApiVersion = "3.0" | "3.1" | "3.2";

function versionOf(file: SpecFile): OpenApiVersion {
  const reject = (pointer: string, message: string): never => {
    throw new SpecProblemsError([{ location: locationOf({ file, pointer }), message }]);
  };
  const { openapi, swagger }: JsonObject = isObject(file.value) ? file.value : {};
  const [, version] = /^(3\.[012])\.\d+$/.exec(typeof openapi === "string" ? openapi : "") ?? [];
  if (version !== undefined) return version as OpenApiVersion;
  if (openapi === undefined && swagger !== undefined)
    return reject(
      "/swagger",
      `OpenAPI ${swagger} (Swagger) is not supported, only 3.0, 3.1 and 3.2; convert the document to OpenAPI 3.1`,
    );
  if (openapi === undefined) return reject("", "not an OpenAPI document; begin with `openapi: 3.1.1`");
  return reject(
    "/openapi",
    typeof openapi === "string" && !/^3\.[012]$/.test(openapi)
      ? `OpenAPI ${openapi} is not supported, only 3.0, 3.1 and 3.2; write the document in OpenAPI 3.1 and set \`openapi: 3.1.1\``
      : `the version must be a string of three numbers; set \`openapi: ${String(openapi).startsWith("3.0") || openapi === 3 ? "3.0.4" : "3.1.1"}\``,
  );
}

/** The document is bundled, so any other reference is an error. */
class OnlyThisDocument extends BaseResolver {
  override loadExternalRef(): Promise<Source> {
    throw new ResolveError(
      new Error("a reference to a file is not possible here; move its target into this file"),
    );
  }
}

/** The fix of a problem, for those rules of Redocly whose messages do not contain it. */
const remedies: { readonly [ruleId: string]: string } = {
  "no-duplicated-tag-names": "Keep one of them.",
  "no-identical-paths": "Merge them into one.",
  "no-undefined-server-variable": "Define it under `variables`.",
  "operation-parameters-unique": "Keep one of them.",
  "path-parameters-defined": "Correct the name, or declare it under `parameters`, with `in: path`.",
};

/** @param isIncomplete true for places where missing parts are not reported. @returns whether parts were removed */
async function checkOpenApi(
  entry: SpecFile,
  { document, origins }: Bundle,
  version: OpenApiVersion,
  findings: Findings,
  isIncomplete: (pointer: string) => boolean,
): Promise<boolean> {
  const strays = [...strayReferences(document)];
  for (const pointer of strays)
    delete (valueAt(document, pointer.slice(0, -"/$ref".length)) as JsonObject).$ref;
  const unexpected: string[] = [];
  // The upgrade ignores siblings of `$ref`, as 3.0 does. It accepts `nullable` without a type.
  const off =
    version === "3.0" ? ({ "nullable-type-sibling": "off", "spec-ref-siblings": "off" } as const) : {};
  // The downgrade has removed every `defaultMapping`.
  const rules = {
    "no-server-variables-empty-enum": "error",
    "spec-discriminator-defaultMapping": "off",
    ...oneExample,
    ...off,
  } as const;
  const misshapen: string[] = [];
  /** @param known places whose other problems are not reported */
  const check = async (isWhole: boolean, known: ReadonlySet<string>): Promise<void> => {
    const config = await createConfig(
      isWhole
        ? { extends: ["spec"], rules, telemetry: "off" }
        : { rules: { struct: "error" }, telemetry: "off" },
    );
    const problems = await lintDocument({
      document: { source: entry.source, parsed: withoutSchemaReferences(withoutData(document)) },
      config,
      externalRefResolver: new OnlyThisDocument(config.resolve),
    });
    for (const problem of problems) {
      if (problem.severity !== "error") continue;
      const [place] = problem.location;
      const pointer = place?.pointer === undefined || place.pointer === "#/" ? "" : place.pointer.slice(1);
      if (version !== "3.0" && isBooleanSchema(document, pointer, problem)) continue;
      // Redocly checks the names of `$defs` as if they were components.
      if (problem.ruleId === "spec-components-invalid-map-name" && !isComponent(pointer)) continue;
      if (isUsedInPath(problem)) continue;
      if (isIncomplete(pointer) || mayBeTakenOut(document, pointer, problem, isIncomplete)) continue;
      if (known.has(keyOf(origins.of(pointer)))) continue;
      const first =
        problem.ruleId === "operation-operationId-unique" ? firstWithId(document, pointer) : undefined;
      const message =
        first === undefined
          ? withRemedy(problem)
          : `${problem.message} Rename it here or at ${locationOf(origins.of(first))}.`;
      findings.report(problem.ruleId, origins.of(pointer), message, place?.reportOnKey === true);
      if (problem.message.endsWith("is not expected here.")) unexpected.push(`${pointer}/`);
      if (isOfWrongForm.test(problem.message)) misshapen.push(pointer);
    }
    // Only a lenient run uses the rest of the document.
    for (const pointer of misshapen.toReversed()) takeOut(document, pointer);
  };
  try {
    await check(true, new Set());
  } catch (error) {
    // Some rules throw an error if a value does not have the expected type.
    await check(false, new Set());
    if (misshapen.length === 0) {
      const message = `cannot be checked against OpenAPI ${version}: ${messageOf(error)}`;
      throw new SpecProblemsError([{ location: locationOf({ file: entry, pointer: "" }), message }]);
    }
    await check(true, findings.places()).catch(() => findings.stopIfAny());
  }
  // In a property with a mistyped name, references are correct.
  for (const pointer of strays)
    if (!unexpected.some((each) => pointer.startsWith(each)))
      findings.report("reference", origins.of(pointer), noReferenceHere);
  const reported = findings.places();
  for (const { pointer, wanted } of wrongForms(document).reverse()) {
    const around = pointer.replace(/\/[^/]+$/, "");
    const isReported = [pointer, around].some((each) => reported.has(keyOf(origins.of(each))));
    const message = `Expected ${wanted}. Correct it, or remove it.`;
    if (!isReported) findings.report("struct", origins.of(pointer), message);
    misshapen.push(pointer);
    takeOut(document, pointer);
  }
  return strays.length > 0 || misshapen.length > 0;
}

/** `true` and `false` are schemas (JSON Schema 2020-12 core, section 4.3.2), but Redocly expects objects. */
function isBooleanSchema(document: JsonObject, pointer: string, { message }: NormalizedProblem): boolean {
  return (
    message.startsWith("Expected type `Schema` (object)") && typeof valueAt(document, pointer) === "boolean"
  );
}

/** Redocly does not recognise names such as `naïve` or `x y` in a path. */
function isUsedInPath({ message }: NormalizedProblem): boolean {
  const [, name, path] = /^Path parameter `(.*)` is not used in the path `(.*)`\.$/s.exec(message) ?? [];
  return path?.includes(`{${name}}`) === true;
}

/** True if a reference was removed that may have pointed to the missing path parameter. */
function mayBeTakenOut(
  document: JsonObject,
  pointer: string,
  { message }: NormalizedProblem,
  isIncomplete: (pointer: string) => boolean,
): boolean {
  if (!message.startsWith("The operation does not define the path parameter")) return false;
  const operation = pointer.replace(/\/parameters$/, "");
  const lists = [operation, operation.replace(/\/[^/]+$/, "")].map((holder) => `${holder}/parameters`);
  const parameters = lists.flatMap((list) => itemPointers(document, list));
  return parameters.some((each) => isIncomplete(follow(document, each).pointer));
}

/** OpenAPI 3.1, Fixed Fields of Parameter, Header and Media Type Objects. */
const oneExample = Object.fromEntries(
  ["Parameter", "Header", "MediaType"].map((type) => [
    `rule/one-example-of-${type.toLowerCase()}`,
    {
      subject: { type },
      assertions: { mutuallyExclusive: ["example", "examples"] },
      message: "`example` and `examples` exclude each other. Keep one of them.",
    },
  ]),
);

const noReferenceHere =
  "OpenAPI allows no reference at this place; write its target here, or refer to each part of the target";
const isOfWrongForm = /^Expected type|can be one of the following only/;

/** List items and components become empty objects, so that other pointers and references stay valid. */
function takeOut(document: JsonObject, pointer: string): void {
  const tokens = tokensOf(pointer);
  const last = tokens.pop();
  const holder = valueAt(document, pointerTo("", ...tokens));
  if (last === undefined) return;
  if (Array.isArray(holder)) holder[Number(last)] = {};
  else if (isObject(holder) && isComponent(pointer)) holder[last] = {};
  else if (isObject(holder)) delete holder[last];
}

/** @param pointer ends with an `operationId` that occurred before */
function firstWithId(document: JsonObject, pointer: string): string | undefined {
  const id = tokensOf(pointer).at(-1);
  const ids = entriesOf(document.paths).flatMap(([path, item]) =>
    entriesOf(item).map(([method]) => pointerTo("/paths", path, method, "operationId")),
  );
  return ids.find((each) => valueAt(document, each) === id);
}

function withRemedy(problem: NormalizedProblem): string {
  const [suggestion] = problem.suggest;
  const remedy =
    suggestion !== undefined
      ? ` Did you mean ${suggestion}?`
      : problem.message.endsWith("is not expected here.")
        ? " Remove it, or correct its name or its place."
        : ` ${remedies[problem.ruleId] ?? ""}`;
  return `${problem.message}${remedy}`.trimEnd();
}
