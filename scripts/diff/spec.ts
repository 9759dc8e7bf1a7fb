/**
 * Reads the two documents of a comparison, from a file or from a revision in git, in the one form that the comparison
 * knows: OpenAPI 3.1 whose references are local and lead somewhere.
 */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { basename, dirname, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { getLineColLocation, parseYaml, Source } from "@redocly/openapi-core";
import {
  isObject,
  type JsonObject,
  localPointer,
  pointerTo,
  tokensOf,
  valueAt,
  visitObjects,
} from "../generate/document.ts";
import { messageOf, type SpecProblem, SpecProblemsError } from "../generate/problems.ts";
import { asOpenApi31 } from "./upgrade.ts";

export interface Spec {
  readonly document: JsonObject;
  /** `file:line:column` of the key at a JSON pointer, or of the nearest place around it. */
  locate(pointer: string): string;
}

const maxValues = 5_000_000;
const maxDepth = 200;

/** @throws SpecProblemsError where the file cannot be read or holds no OpenAPI 3.0 or 3.1 */
export async function specOfFile(path: string): Promise<Spec> {
  const shownPath = relative(process.cwd(), resolve(path)) || ".";
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    const message =
      code === "ENOENT"
        ? "no such file; name one that there is"
        : code === "EISDIR"
          ? "is a folder; name the file itself"
          : `cannot be read (${code}); name a readable file`;
    throw new SpecProblemsError([{ location: shownPath, message }]);
  }
  return specOfText(text, shownPath);
}

/**
 * The file as it was at a revision of the repository that it stands in.
 *
 * @throws SpecProblemsError where there is no such revision, or no such file in it
 */
export async function specOfRevision(revision: string, path: string): Promise<Spec> {
  const name = `${revision}:./${basename(path)}`;
  const location = `${revision}:${path}`;
  let text: string;
  try {
    // After --end-of-options, nothing that a revision is called can be taken for an option.
    const { stdout } = await promisify(execFile)("git", ["show", "--end-of-options", name], {
      cwd: dirname(resolve(path)),
      maxBuffer: 1e9,
    });
    text = stdout;
  } catch (error) {
    const message = `git has no such file there (${reasonOf(error)}); name a revision that holds it, or a file with --base FILE`;
    throw new SpecProblemsError([{ location, message }]);
  }
  return specOfText(text, location);
}

function reasonOf(error: unknown): string {
  const said = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : "";
  return (said.split("\n", 1)[0] || messageOf(error)).replace(/^fatal: /, "");
}

/**
 * @param name stands before the line in every place
 * @throws SpecProblemsError where the text is no OpenAPI 3.0 or 3.1, or refers to nothing
 */
export function specOfText(text: string, name: string): Spec {
  const source = new Source(name, text);
  const locate = (pointer: string): string => `${name}:${lineAndColumn(source, pointer)}`;
  const parsed = parsedText(source, name);
  const version = isObject(parsed) ? parsed.openapi : undefined;
  if (!isObject(parsed) || typeof version !== "string") {
    const message = "not an OpenAPI document; name one that begins with `openapi: 3.1.1`";
    throw new SpecProblemsError([{ location: `${name}:1:1`, message }]);
  }
  if (!/^3\.[01]\.\d/.test(version)) {
    const message = `OpenAPI ${version} cannot be compared; convert the document to OpenAPI 3.1`;
    throw new SpecProblemsError([{ location: locate("/openapi"), message }]);
  }
  // Through JSON, so that what YAML aliases share is one value for each place.
  const plain: JsonObject = JSON.parse(JSON.stringify(parsed));
  const faults = danglingReferences(plain, locate);
  if (faults.length > 0) throw new SpecProblemsError(faults);
  return { document: version.startsWith("3.0.") ? asOpenApi31(plain) : plain, locate };
}

function parsedText(source: Source, name: string): unknown {
  try {
    const parsed: unknown = parseYaml(source.body);
    assertBounded(parsed);
    return parsed;
  } catch (error) {
    const mark = isObject(error) ? error.mark : undefined;
    const place = isObject(mark) ? `${Number(mark.line) + 1}:${Number(mark.column) + 1}` : "1:1";
    const reason = isObject(error) && typeof error.reason === "string" ? error.reason : messageOf(error);
    const message = `not valid YAML or JSON: ${reason}; mend the syntax`;
    throw new SpecProblemsError([{ location: `${name}:${place}`, message }]);
  }
}

/** Aliases of a few hundred bytes of YAML can stand for billions of values, or for themselves. */
function assertBounded(parsed: unknown): void {
  let values = 0;
  const visit = (value: unknown, depth: number): void => {
    values += 1;
    if (values > maxValues) throw new Error(`it stands for more than ${maxValues} values`);
    if (depth > maxDepth) throw new Error(`it is nested deeper than ${maxDepth} levels, or holds itself`);
    if (typeof value !== "object" || value === null) return;
    for (const item of Object.values(value)) visit(item, depth + 1);
  };
  visit(parsed, 0);
}

function danglingReferences(document: JsonObject, locate: (pointer: string) => string): SpecProblem[] {
  const faults: SpecProblem[] = [];
  visitObjects(document, (object, pointer) => {
    if (typeof object.$ref !== "string") return;
    const target = localPointer(object.$ref);
    const location = locate(pointerTo(pointer, "$ref"));
    if (target === undefined) {
      const message = `${object.$ref} leads out of the document; compare bundled documents`;
      faults.push({ location, message });
    } else if (valueAt(document, target) === undefined) {
      faults.push({ location, message: `this reference leads nowhere: there is no #${target}; correct it` });
    }
  });
  return faults;
}

function lineAndColumn(source: Source, pointer: string): string {
  for (let tokens = tokensOf(pointer); ; tokens = tokens.slice(0, -1)) {
    const fragment = pointerTo("", ...tokens.map((token) => token.replaceAll("%", "%25")));
    try {
      const { start } = getLineColLocation({ source, pointer: `#${fragment || "/"}`, reportOnKey: true });
      return `${start.line}:${start.col}`;
    } catch {
      // The parser that keeps positions stumbles over rare YAML that the other one reads.
      if (tokens.length === 0) return "1:1";
    }
  }
}
