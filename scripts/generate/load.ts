/**
 * Reads a spec, checks that it is OpenAPI 3.1 and that its references hold, and remembers the line and column of every
 * place in it.
 */
import { readFile } from "node:fs/promises";
import { relative, resolve } from "node:path";
import {
  BaseResolver,
  createConfig,
  getLineColLocation,
  type LocationObject,
  lintDocument,
  type NormalizedProblem,
  parseYaml,
  ResolveError,
  Source,
} from "@redocly/openapi-core";
import {
  isObject,
  type Json,
  type JsonObject,
  pointerTo,
  tokensOf,
  withoutReferencesInData,
} from "./document.ts";
import { messageOf, type SpecProblem, SpecProblemsError } from "./problems.ts";
import { faultyReferences } from "./references.ts";

export interface LoadedSpec {
  /** The document; every `$ref` in it is local and leads to a value. */
  readonly document: JsonObject;
  /** `file:line:column` of the key at a JSON pointer of the document, or of the nearest place around it. */
  locate(pointer: string): string;
}

/** What a document may hold. Aliases of a few hundred bytes of YAML can stand for billions of values. */
const maxValues = 5_000_000;
const maxDepth = 200;

/**
 * @param specPath path of an OpenAPI 3.1 document, YAML or JSON
 * @throws SpecProblemsError with every fault: a file that cannot be read or parsed, a document that is not OpenAPI 3.1,
 *   a reference that leads nowhere
 */
export async function loadSpec(specPath: string): Promise<LoadedSpec> {
  const path = resolve(specPath);
  const shownPath = relative(process.cwd(), path) || ".";
  const source = new Source(path, await readText(path, shownPath));
  const locate = (pointer: string): string => `${shownPath}:${lineAndColumn(source, pointer)}`;

  const parsed = parse(source, shownPath);
  assertJson(parsed, locate);
  assertVersion(parsed, locate);
  // Through JSON, so that what YAML aliases share is one value for each place.
  const document: JsonObject = JSON.parse(JSON.stringify(parsed));
  const dangling = faultyReferences(document);
  if (dangling.length > 0) {
    throw new SpecProblemsError(
      dangling.map(({ pointer, message }) => ({ location: locate(pointer), message })),
    );
  }
  await assertOpenApi(document, source, shownPath);
  return { document, locate };
}

async function readText(path: string, shownPath: string): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    const message =
      code === "ENOENT"
        ? "no such file; name the spec with --spec FILE"
        : code === "EISDIR"
          ? "is a folder; name the file itself with --spec FILE"
          : `cannot be read (${code}); name a readable file with --spec FILE`;
    throw new SpecProblemsError([{ location: shownPath, message }]);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new SpecProblemsError([{ location: shownPath, message: "is not UTF-8 text; save it as UTF-8" }]);
  }
}

function parse(source: Source, shownPath: string): unknown {
  try {
    return parseYaml(source.body);
  } catch (error) {
    throw new SpecProblemsError([
      { location: `${shownPath}:${markOf(error)}`, message: syntaxMessage(error) },
    ]);
  }
}

function markOf(error: unknown): string {
  const mark = isObject(error) ? error.mark : undefined;
  return isObject(mark) ? `${Number(mark.line) + 1}:${Number(mark.column) + 1}` : "1:1";
}

function syntaxMessage(error: unknown): string {
  const reason = isObject(error) && typeof error.reason === "string" ? error.reason : messageOf(error);
  if (reason === "duplicated mapping key")
    return "this key stands here for the second time; keep one of them";
  return `not valid YAML or JSON: ${reason}; mend the syntax`;
}

/** Refuses what YAML can say and JSON cannot. */
function assertJson(root: unknown, locate: (pointer: string) => string): asserts root is Json {
  let values = 0;
  const around = new Set<object>();
  const refuse = (pointer: string, message: string): never => {
    throw new SpecProblemsError([{ location: locate(pointer), message }]);
  };
  const visit = (value: unknown, pointer: string): void => {
    values += 1;
    if (values > maxValues) refuse("", `its aliases stand for more than ${maxValues} values; use fewer`);
    if (typeof value === "number" && !Number.isFinite(value))
      refuse(pointer, `JSON has no number ${value}; write a finite one`);
    if (typeof value !== "object" || value === null) return;
    if (around.has(value)) refuse(pointer, "this alias stands for a value that holds it; use `$ref` instead");
    if (around.size >= maxDepth) refuse(pointer, `nested deeper than ${maxDepth} levels; nest less`);
    if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype)
      refuse(pointer, "this YAML tag has no meaning in JSON; write plain values");
    around.add(value);
    for (const [key, item] of Object.entries(value)) visit(item, pointerTo(pointer, key));
    around.delete(value);
  };
  visit(root, "");
}

function assertVersion(root: Json, locate: (pointer: string) => string): asserts root is JsonObject {
  const refuse = (pointer: string, message: string): never => {
    throw new SpecProblemsError([{ location: locate(pointer), message }]);
  };
  if (!isObject(root)) return refuse("", "not an OpenAPI document; begin with `openapi: 3.1.1`");
  const { openapi, swagger } = root;
  if (typeof openapi === "string" && /^3\.1\.\d+$/.test(openapi)) return;
  if (openapi === undefined && swagger !== undefined)
    refuse("/swagger", `OpenAPI ${swagger} (Swagger) is not supported; convert the document to OpenAPI 3.1`);
  if (openapi === undefined) refuse("", "not an OpenAPI document; begin with `openapi: 3.1.1`");
  refuse(
    "/openapi",
    typeof openapi === "string"
      ? `OpenAPI ${openapi} is not supported; write the document in OpenAPI 3.1 and set \`openapi: 3.1.1\``
      : "the version must be a text of three numbers; set `openapi: 3.1.1`",
  );
}

/** Nothing but the spec itself is ever read: whatever else a library would load is a fault. */
class OnlyThisDocument extends BaseResolver {
  override loadExternalRef(): Promise<Source> {
    throw new ResolveError(new Error("another document is not supported yet; move its target into this one"));
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

async function assertOpenApi(document: JsonObject, source: Source, shownPath: string): Promise<void> {
  const config = await createConfig({ extends: ["spec"], telemetry: "off" });
  let problems: NormalizedProblem[];
  try {
    problems = await lintDocument({
      document: { source, parsed: withoutReferencesInData(document) },
      config,
      externalRefResolver: new OnlyThisDocument(config.resolve),
    });
  } catch (error) {
    const message = `cannot be checked against OpenAPI 3.1: ${messageOf(error)}`;
    throw new SpecProblemsError([{ location: `${shownPath}:1:1`, message }]);
  }
  const faults = problems.filter(({ severity }) => severity === "error");
  if (faults.length > 0) throw new SpecProblemsError(faults.map((fault) => toSpecProblem(fault, shownPath)));
}

function toSpecProblem(problem: NormalizedProblem, shownPath: string): SpecProblem {
  const [suggestion] = problem.suggest;
  const remedy =
    suggestion !== undefined
      ? ` Did you mean ${suggestion}?`
      : problem.message.endsWith("is not expected here.")
        ? " Remove it, or correct its name or its place."
        : ` ${remedies[problem.ruleId] ?? ""}`;
  const [place] = problem.location;
  return {
    location: `${shownPath}:${place === undefined ? "1:1" : startOf(place)}`,
    message: `${problem.message}${remedy}`.trimEnd(),
  };
}

function lineAndColumn(source: Source, pointer: string): string {
  const tokens = tokensOf(pointer);
  // Redocly skips empty tokens and decodes percent signs, as in a URI fragment.
  const empty = tokens.indexOf("");
  const known = empty === -1 ? tokens : tokens.slice(0, empty);
  const fragment = pointerTo("", ...known.map((token) => token.replaceAll("%", "%25")));
  return startOf({ source, pointer: `#${fragment || "/"}`, reportOnKey: true });
}

function startOf(place: LocationObject): string {
  try {
    const { start } = getLineColLocation(place);
    return `${start.line}:${start.col}`;
  } catch {
    // The parser that keeps positions stumbles over rare YAML, such as binary values, that the other one reads.
    return "1:1";
  }
}
