/**
 * Loads a spec: reads its files, puts them together, checks them against the version of OpenAPI that they are written in,
 * and hands on one document of OpenAPI 3.1 that remembers the line and column of every place in it.
 */
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
  follow,
  isObject,
  type Json,
  type JsonObject,
  pointerTo,
  tokensOf,
  valueAt,
  withoutData,
} from "./document.ts";
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
import { inexactIntegers } from "./inexact-integers.ts";
import { messageOf, SpecProblemsError } from "./problems.ts";
import { circularReferences, faultyReferences, type ReferenceFault } from "./references.ts";
import { upgrade } from "./upgrade.ts";

export interface LoadedSpec {
  /** An OpenAPI 3.1 document; every `$ref` in it is local and leads to a value. */
  readonly document: JsonObject;
  /** `file:line:column` of the key at a JSON pointer of the document, or of the nearest place around it. */
  locate(pointer: string): string;
  /** Notes that what stands at a pointer of the document cannot be generated as it stands. */
  report(rule: string, pointer: string, message: string): void;
}

/**
 * @param specPath path of an OpenAPI 3.0 or 3.1 document, YAML or JSON
 * @throws SpecProblemsError with every fault: a file that cannot be read or parsed, a document that is not OpenAPI, a
 *   reference that leads nowhere
 */
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
  for (const { place, message } of bundled.faults) reportReference(place, message);
  for (const { pointer, message } of takeOutFaultyReferences(document))
    reportReference(origins.of(pointer), message);
  const isIncomplete = (pointer: string): boolean => incomplete.has(keyOf(origins.of(pointer)));
  const isChanged = await checkOpenApi(entry, bundled, version, findings, isIncomplete);
  // What has been taken out may have been the target of others, which are no faults of their own.
  if (isChanged) takeOutFaultyReferences(document);
  if (version === "3.0") upgrade(document, origins);
  for (const { pointer, message, holder, key } of circularReferences(document)) {
    findings.report("reference-circle", origins.of(pointer), message);
    delete holder[key];
  }
  const told = findings.places().union(incomplete);
  return {
    document,
    locate: (pointer) => locationOf(origins.of(pointer)),
    report: (rule, pointer, message) => {
      const place = origins.of(pointer);
      // What is no OpenAPI at all has been told of in the words of OpenAPI.
      if (!told.has(keyOf(place))) findings.report(rule, place, message);
    },
  };
}

async function readEntry(path: string, files: SpecFiles): Promise<SpecFile> {
  try {
    return await files.read(path);
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    const message = `${error.message}; name ${error.wanted} with --spec FILE`;
    throw new SpecProblemsError([{ location: shownPathOf(path), message }]);
  }
}

type Version = "3.0" | "3.1";

function versionOf(file: SpecFile): Version {
  const refuse = (pointer: string, message: string): never => {
    throw new SpecProblemsError([{ location: locationOf({ file, pointer }), message }]);
  };
  const root: Json = file.value;
  if (!isObject(root)) return refuse("", "not an OpenAPI document; begin with `openapi: 3.1.1`");
  const { openapi, swagger } = root;
  if (typeof openapi === "string" && /^3\.1\.\d+$/.test(openapi)) return "3.1";
  if (typeof openapi === "string" && /^3\.0\.\d+$/.test(openapi)) return "3.0";
  if (openapi === undefined && swagger !== undefined)
    return refuse(
      "/swagger",
      `OpenAPI ${swagger} (Swagger) is not supported, 3.0 and 3.1 are; convert the document to OpenAPI 3.1`,
    );
  if (openapi === undefined) return refuse("", "not an OpenAPI document; begin with `openapi: 3.1.1`");
  return refuse(
    "/openapi",
    typeof openapi === "string" && !/^3\.[01]$/.test(openapi)
      ? `OpenAPI ${openapi} is not supported, 3.0 and 3.1 are; write the document in OpenAPI 3.1 and set \`openapi: 3.1.1\``
      : `the version must be a text of three numbers; set \`openapi: ${String(openapi).startsWith("3.0") || openapi === 3 ? "3.0.4" : "3.1.1"}\``,
  );
}

/** Nothing is read here but what has been put together already: whatever else a library would load is a fault. */
class OnlyThisDocument extends BaseResolver {
  override loadExternalRef(): Promise<Source> {
    throw new ResolveError(
      new Error("this is no place for a reference to a file; move its target into this one"),
    );
  }
}

/** What the messages of Redocly leave open. */
const remedies: { readonly [ruleId: string]: string } = {
  "no-duplicated-tag-names": "Keep one of them.",
  "no-identical-paths": "Join them into one.",
  "no-undefined-server-variable": "Define it under `variables`.",
  "operation-operationId-unique": "Rename one of them.",
  "operation-parameters-unique": "Keep one of them.",
  "path-parameters-defined": "Correct the name, or declare it under `parameters`, with `in: path`.",
};

/** Every later stage may follow whatever reference it meets. */
function takeOutFaultyReferences(document: JsonObject): ReferenceFault[] {
  const faulty = faultyReferences(document);
  for (const { holder, key } of faulty) delete holder[key];
  return faulty;
}

/**
 * @param isIncomplete true where a reference has been taken out: what is missing there now is no fault of its own
 * @returns whether anything had to be taken out of the document
 */
async function checkOpenApi(
  entry: SpecFile,
  { document, origins }: Bundle,
  version: Version,
  findings: Findings,
  isIncomplete: (pointer: string) => boolean,
): Promise<boolean> {
  // The upgrade gives `nullable` without a type the meaning that its author had in mind, and leaves out what stands
  // beside a `$ref`, as 3.0 does.
  const rules =
    version === "3.0" ? ({ "nullable-type-sibling": "off", "spec-ref-siblings": "off" } as const) : {};
  const config = await createConfig({ extends: ["spec"], rules, telemetry: "off" });
  const misshapen: string[] = [];
  let problems: NormalizedProblem[];
  try {
    problems = await lintDocument({
      document: { source: entry.source, parsed: withoutData(document) },
      config,
      externalRefResolver: new OnlyThisDocument(config.resolve),
    });
  } catch (error) {
    // What is known already may be why.
    findings.stopIfAny();
    const message = `cannot be checked against OpenAPI ${version}: ${messageOf(error)}`;
    throw new SpecProblemsError([{ location: locationOf({ file: entry, pointer: "" }), message }]);
  }
  for (const problem of problems) {
    if (problem.severity !== "error") continue;
    const [place] = problem.location;
    const pointer = place?.pointer === undefined || place.pointer === "#/" ? "" : place.pointer.slice(1);
    if (version === "3.1" && isBooleanSchema(document, pointer, problem)) continue;
    if (isIncomplete(pointer) || mayBeTakenOut(document, pointer, problem, isIncomplete)) continue;
    findings.report(problem.ruleId, origins.of(pointer), told(problem), place?.reportOnKey === true);
    if (isOfWrongForm.test(problem.message)) misshapen.push(pointer);
  }
  // Only a run that goes on all the same gets to see what is left.
  for (const pointer of misshapen.reverse()) takeOut(document, pointer);
  return misshapen.length > 0;
}

/** `true` and `false` are schemas (JSON Schema 2020-12 core, section 4.3.2), also where Redocly wants an object. */
function isBooleanSchema(document: JsonObject, pointer: string, { message }: NormalizedProblem): boolean {
  return (
    message.startsWith("Expected type `Schema` (object)") && typeof valueAt(document, pointer) === "boolean"
  );
}

/** True of a path parameter that is missed where a reference to some parameter has been taken out. */
function mayBeTakenOut(
  document: JsonObject,
  pointer: string,
  { message }: NormalizedProblem,
  isIncomplete: (pointer: string) => boolean,
): boolean {
  if (!message.startsWith("The operation does not define the path parameter")) return false;
  const operation = pointer.replace(/\/parameters$/, "");
  const lists = [operation, operation.replace(/\/[^/]+$/, "")].map((holder) => `${holder}/parameters`);
  return lists.some((list) => {
    const parameters = valueAt(document, list);
    if (!Array.isArray(parameters)) return false;
    return parameters.some((_, index) => isIncomplete(follow(document, pointerTo(list, index)).pointer));
  });
}

/** How Redocly says that a value is not what belongs there, so that no stage could make anything of it. */
const isOfWrongForm = /^Expected type|can be one of the following only/;

/**
 * An item of a list leaves an empty object behind, so that the places of the others stay what they are, and so does a
 * component, so that references to it lead somewhere.
 */
function takeOut(document: JsonObject, pointer: string): void {
  const tokens = tokensOf(pointer);
  const last = tokens.pop();
  const holder = valueAt(document, pointerTo("", ...tokens));
  if (last === undefined) return;
  if (Array.isArray(holder)) holder[Number(last)] = {};
  else if (isObject(holder) && isComponent(pointer)) holder[last] = {};
  else if (isObject(holder)) delete holder[last];
}

function told(problem: NormalizedProblem): string {
  const [suggestion] = problem.suggest;
  const remedy =
    suggestion !== undefined
      ? ` Did you mean ${suggestion}?`
      : problem.message.endsWith("is not expected here.")
        ? " Remove it, or correct its name or its place."
        : ` ${remedies[problem.ruleId] ?? ""}`;
  return `${problem.message}${remedy}`.trimEnd();
}
