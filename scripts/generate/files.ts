/** One file of a spec: read, parsed to plain JSON, and able to tell the line and column of every place in it. */
import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { getLineColLocation, type LocationObject, parseYaml, Source } from "@redocly/openapi-core";
import { isObject, type Json, pointerTo, tokensOf } from "./document.ts";
import { messageOf, SpecProblemsError } from "./problems.ts";

export interface SpecFile {
  readonly path: string;
  /** As people name it: from the folder that they are in. */
  readonly shownPath: string;
  readonly value: Json;
  readonly source: Source;
}

/** A place as people find it: in a file that they wrote. */
export interface Place {
  readonly file: SpecFile;
  readonly pointer: string;
}

/** The same text for the same place. */
export function keyOf({ file, pointer }: Place): string {
  return `${file.path}#${pointer}`;
}

/** A file that cannot be read. How to name another is for the one to say who named it. */
export class UnreadableFileError extends Error {
  readonly wanted: string;

  /** @param wanted what should have been named */
  constructor(message: string, wanted: string) {
    super(message);
    this.name = "UnreadableFileError";
    this.wanted = wanted;
  }
}

/** What a document may hold. Aliases of a few hundred bytes of YAML can stand for billions of values. */
const maxValues = 5_000_000;
const maxDepth = 200;

export function shownPathOf(path: string): string {
  return relative(process.cwd(), path) || ".";
}

/**
 * @param path absolute
 * @throws UnreadableFileError
 * @throws SpecProblemsError where the file holds no JSON, in YAML or as such
 */
export async function readSpecFile(path: string): Promise<SpecFile> {
  const shownPath = shownPathOf(path);
  const source = new Source(path, await readText(path));
  const parsed = parse(source, shownPath);
  assertJson(parsed, (pointer) => locationIn(source, shownPath, pointer));
  // Through JSON, so that what YAML aliases share is one value for each place.
  return { path, shownPath, source, value: JSON.parse(JSON.stringify(parsed ?? null)) };
}

/** `file:line:column` of the key at a place, or of the nearest around it. */
export function locationOf({ file, pointer }: Place, onKey = true): string {
  return locationIn(file.source, file.shownPath, pointer, onKey);
}

async function readText(path: string): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    if (code === "ENOENT") throw new UnreadableFileError("no such file", "the spec");
    if (code === "EISDIR") throw new UnreadableFileError("is a folder", "the file itself");
    throw new UnreadableFileError(`cannot be read (${code})`, "a readable file");
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new SpecProblemsError([
      { location: shownPathOf(path), message: "is not UTF-8 text; save it as UTF-8" },
    ]);
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

function locationIn(source: Source, shownPath: string, pointer: string, reportOnKey = true): string {
  const tokens = tokensOf(pointer);
  // Redocly skips empty tokens and decodes percent signs, as in a URI fragment.
  const empty = tokens.indexOf("");
  const known = empty === -1 ? tokens : tokens.slice(0, empty);
  const fragment = pointerTo("", ...known.map((token) => token.replaceAll("%", "%25")));
  return `${shownPath}:${startOf({ source, pointer: `#${fragment || "/"}`, reportOnKey })}`;
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
