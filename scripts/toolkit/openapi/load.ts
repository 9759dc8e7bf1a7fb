/** Loads a spec: reads and bundles its files, validates them, and rewrites them as OpenAPI 3.1. */
import { resolve } from "node:path";
import { type Bundle, bundle } from "./bundle.ts";
import {
  follow,
  isComponent,
  isObject,
  itemPointers,
  type JsonObject,
  pointerTo,
  removeAt,
  tokensOf,
  valueAt,
  valueTypeOf,
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
import { isMethod, methods, strayReferences, wrongForms } from "./grammar.ts";
import { objectProblems } from "./object-rules.ts";
import { type OpenApiProblem, type OpenApiVersion, problemsOf } from "./redocly.ts";
import { formSentence } from "./redocly-messages.ts";
import { inexactIntegers } from "./schema/inexact-integers.ts";
import { endlessReferences, removeInvalidReferences, shortenChains } from "./schema/references.ts";
import { MissingFileError, messageOf, SpecProblemsError } from "./spec-problems.ts";
import { checkTwins } from "./twins.ts";
import { admitNullable, upgrade } from "./upgrade.ts";

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
  const { document, origins, problems } = await bundle(entry, files);
  const incomplete = new Set<string>();
  const reportReference = (place: Place, message: string): void => {
    findings.report("reference", place, message);
    incomplete.add(keyOf({ ...place, pointer: place.pointer.replace(/\/\$ref$/, "") }));
  };
  for (const file of files.all) {
    for (const { message, ...place } of file.syntaxProblems ?? [])
      findings.report("syntax", { file, ...place }, message);
    for (const { place, message } of inexactIntegers(file))
      findings.report("inexact-integer", place, message, false);
  }
  for (const { place, message } of problems) reportReference(place, message);
  for (const { pointer, message } of removeInvalidReferences(document))
    reportReference(origins.of(pointer), message);
  shortenChains(document);
  const note = (rule: string, pointer: string, message: string): void =>
    findings.note(rule, origins.of(pointer), message);
  const isIncomplete = (pointer: string): boolean => incomplete.has(keyOf(origins.of(pointer)));
  for (const { rule, pointer, message } of objectProblems(document, version))
    if (!isIncomplete(pointer)) findings.report(rule, origins.of(pointer), message);
  if (version !== "3.0") admitNullable(document, origins, note);
  const isChanged = await checkOpenApi({ entry, document, origins, version, findings, isIncomplete });
  // The references to them were replaced by copies.
  for (const section of ["mediaTypes", "pathItems"]) removeAt(document, pointerTo("/components", section));
  if (version === "3.2") {
    const report = (rule: string, pointer: string, message: string): void => {
      const place = origins.of(pointer);
      findings.report(rule, place, message);
      incomplete.add(keyOf(place));
    };
    downgrade(document, report, note);
  }
  // The targets of these references may just have been removed, so the references are not reported.
  if (isChanged) removeInvalidReferences(document);
  if (version === "3.0") upgrade(document, origins, note);
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
    note: (rule, pointer, message) => {
      if (!reported.has(keyOf(origins.of(pointer)))) note(rule, pointer, message);
    },
  };
  checkTwins(spec);
  return spec;
}

async function readEntry(path: string, files: SpecFiles): Promise<SpecFile> {
  try {
    return await files.read(path);
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    const message = `${error.message}; ${files.remedies.give(error.wanted)}`;
    throw new MissingFileError([{ location: shownPathOf(path), message }]);
  }
}

/** The patch versions to write in place of a version of two numbers, which YAML may read as a number. */
const latest: { readonly [version: number]: string } = { 3: "3.0.4", 3.1: "3.1.1", 3.2: "3.2.0" };

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
      `OpenAPI ${swagger} (Swagger) is not supported, only 3.0, 3.1 and 3.2; convert the document, for example with \`npx swagger2openapi\``,
    );
  if (openapi === undefined) return reject("", "not an OpenAPI document; begin with `openapi: 3.1.1`");
  return reject(
    "/openapi",
    typeof openapi === "string" && !/^3\.[012]$/.test(openapi)
      ? `OpenAPI ${openapi} is not supported, only 3.0, 3.1 and 3.2; write the document in OpenAPI 3.1 and set \`openapi: 3.1.1\``
      : `the version must be a string of three numbers; set \`openapi: ${latest[Number(openapi)] ?? "3.1.1"}\``,
  );
}

interface Checked extends Pick<Bundle, "document" | "origins"> {
  readonly entry: SpecFile;
  readonly version: OpenApiVersion;
  readonly findings: Findings;
  /** True for places where missing parts are not reported. */
  isIncomplete(pointer: string): boolean;
}

const noReferenceHere =
  "no `$ref` is possible here; write its target in this place, or refer to each part of the target";

/** Reports where the document is not OpenAPI. @returns whether parts were removed */
async function checkOpenApi(spec: Checked): Promise<boolean> {
  const { document, origins, findings } = spec;
  const strays = strayReferences(document);
  for (const pointer of strays)
    delete (valueAt(document, pointer.slice(0, -"/$ref".length)) as JsonObject).$ref;
  const problems = await checkObjects(spec);
  // In a property with a mistyped name, references are correct.
  const unknown = problems.flatMap(({ meaning, pointer }) =>
    meaning === "unknown-field" ? [`${pointer}/`] : [],
  );
  for (const pointer of strays)
    if (!unknown.some((each) => pointer.startsWith(each)))
      findings.report("reference", origins.of(pointer), noReferenceHere);
  const reported = findings.places();
  const wrong = wrongForms(document);
  for (const { pointer, wanted } of wrong.reverse()) {
    const around = pointer.replace(/\/[^/]+$/, "");
    const isReported = [pointer, around].some((each) => reported.has(keyOf(origins.of(each))));
    const message = formSentence(pointer, wanted, valueTypeOf(valueAt(document, pointer)));
    if (!isReported) findings.report("struct", origins.of(pointer), message);
    takeOut(document, pointer);
  }
  return strays.length > 0 || wrong.length > 0 || problems.some(({ meaning }) => meaning === "wrong-form");
}

/** Some rules throw an error if a value does not have the expected type. Such values are found and removed before. */
async function checkObjects(spec: Checked): Promise<readonly OpenApiProblem[]> {
  const { findings } = spec;
  try {
    return await reportProblems(spec, false, new Set());
  } catch (error) {
    const problems = await reportProblems(spec, true, new Set()).catch(() => []);
    if (!problems.some(({ meaning }) => meaning === "wrong-form")) {
      findings.stopIfAny();
      const message = `cannot be checked against OpenAPI ${spec.version}: ${messageOf(error)}`;
      throw new SpecProblemsError([{ location: locationOf({ file: spec.entry, pointer: "" }), message }]);
    }
    const others = await reportProblems(spec, false, findings.places()).catch(() => findings.stopIfAny());
    return [...problems, ...(others ?? [])];
  }
}

/** @param known places whose other problems are not reported */
async function reportProblems(
  { document, origins, entry, version, findings, isIncomplete }: Checked,
  onlyTypes: boolean,
  known: ReadonlySet<string>,
): Promise<readonly OpenApiProblem[]> {
  const found = await problemsOf(document, entry.source, version, onlyTypes);
  const problems = found.filter(
    ({ meaning, pointer }) =>
      !isIncomplete(pointer) &&
      !(meaning === "missing-path-parameter" && mayLackParameter(document, pointer, isIncomplete)) &&
      !known.has(keyOf(origins.of(pointer))),
  );
  for (const { rule, meaning, pointer, message, onKey, first } of problems) {
    // Without it, the operation would be missing from everything that is generated.
    const isOperation = meaning === "unknown-field" && hasMistypedMethod(document, pointer);
    const rename = first === undefined ? "" : ` Rename it here or at ${locationOf(origins.of(first))}.`;
    const fix = isOperation ? ` The methods are ${methods.join(", ")}.` : rename;
    findings.report(isOperation ? undefined : rule, origins.of(pointer), message + fix, onKey);
  }
  // Only a lenient run uses the rest of the document.
  for (const { meaning, pointer } of problems.toReversed())
    if (meaning === "wrong-form") takeOut(document, pointer);
  return problems;
}

/** True for an operation below a key that is not a method, such as `pst`. */
function hasMistypedMethod(document: JsonObject, pointer: string): boolean {
  const tokens = tokensOf(pointer);
  const section = tokens.slice(0, -2).join("/");
  const value = valueAt(document, pointer);
  return (
    ["paths", "webhooks", "components/pathItems"].includes(section) &&
    !isMethod(tokens.at(-1) ?? "") &&
    isObject(value) &&
    ["responses", "operationId"].some((field) => field in value)
  );
}

/** True if a reference was removed that may have pointed to the missing path parameter. */
function mayLackParameter(
  document: JsonObject,
  pointer: string,
  isIncomplete: Checked["isIncomplete"],
): boolean {
  const operation = pointer.replace(/\/parameters$/, "");
  const lists = [operation, operation.replace(/\/[^/]+$/, "")].map((holder) => `${holder}/parameters`);
  const parameters = lists.flatMap((list) => itemPointers(document, list));
  return parameters.some((each) => isIncomplete(follow(document, each).pointer));
}

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
