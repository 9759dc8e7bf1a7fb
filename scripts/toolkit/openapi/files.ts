/** Reads the files of a spec, parses them to plain JSON, and finds the line and column of every place. */
import { readFile, realpath, stat } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";
import { getLineColLocation, type LocationObject, Source } from "@redocly/openapi-core";
import { fragmentOf, type Json, pointerTo, tokensOf, valueAt } from "./document.ts";
import { codeOf, SpecProblemsError } from "./spec-problems.ts";
import { JsonPlaces, keysIn, type Position } from "./text/json-places.ts";
import { differenceOf, positionAt, readYaml, type SyntaxProblem, shown } from "./text/yaml.ts";

export interface SpecFile {
  readonly path: string;
  /** Relative to the working directory. */
  readonly shownPath: string;
  readonly value: Json;
  readonly source: Source;
  /** Absent if the file is YAML. */
  readonly places?: JsonPlaces;
  /** Pointers of integers that JavaScript may have rounded. */
  readonly unsafeIntegers: readonly string[];
  /** What strict parsers reject, and two YAML libraries read alike. */
  readonly syntaxProblems?: readonly SyntaxProblem[];
}

export interface Place {
  readonly file: SpecFile;
  readonly pointer: string;
  /** Set if the place is inside the value, for example a line of a text. */
  readonly position?: Position;
}

export function keyOf({ file, pointer }: Place): string {
  return `${file.path}#${pointer}`;
}

/** The message does not mention a command-line option. Only the caller knows which option has the path. */
export class UnreadableFileError extends Error {
  readonly wanted: string;

  constructor(message: string, wanted: string) {
    super(message);
    this.name = "UnreadableFileError";
    this.wanted = wanted;
  }
}

/** Limits for documents: a few hundred bytes of YAML aliases can expand to billions of values. */
const maxValues = 5_000_000;
const maxFileBytes = 64_000_000;
const maxDepth = 200;
const tagged = "a type such as `!!binary` has no meaning in JSON; remove it, and write a plain value";
const tooDeep = `nested deeper than ${maxDepth} levels; nest less`;

export function shownPathOf(path: string): string {
  return relative(process.cwd(), path) || ".";
}

/** The fixes that need an option or an operand of the command. */
export interface Remedies {
  /** @param wanted what the user should give instead of a document that cannot be read, such as "the spec" */
  give(wanted: string): string;
  /** For a reference to a file outside the folder of the document. */
  readonly allow: string;
}

const usualRemedies: Remedies = {
  give: (wanted) => `give ${wanted} with --spec FILE`,
  allow: "allow its folder with --allow-outside DIR",
};

export class SpecFiles {
  readonly remedies: Remedies;
  readonly #files = new Map<string, SpecFile>();
  readonly #allowed: readonly string[];

  /** @param allowed the folders of `--allow-outside`. References may point into them. */
  constructor(allowed: readonly string[] = [], remedies: Partial<Remedies> = {}) {
    this.#allowed = allowed.map((folder) => resolve(folder));
    this.remedies = { ...usualRemedies, ...remedies };
  }

  get all(): Iterable<SpecFile> {
    return this.#files.values();
  }

  /** A document of another author must not be able to copy any local file into the output, which may be public. */
  isReferable(path: string, documentFolder: string): Promise<boolean> {
    return isBelow(path, [documentFolder, ...this.#allowed]);
  }

  /** @throws UnreadableFileError, or SpecProblemsError if the file is neither JSON nor YAML with JSON values */
  async read(path: string): Promise<SpecFile> {
    const known = this.#files.get(path);
    if (known !== undefined) return known;
    const bytes = await bytesOf(path);
    const shownPath = shownPathOf(path);
    const source = new Source(path, textOf(bytes, path));
    const file = { path, shownPath, source, ...parsedText(source, shownPath) };
    this.#files.set(path, file);
    return file;
  }
}

/** False if the path, or the target of its symbolic links, is outside all folders. */
async function isBelow(path: string, folders: readonly string[]): Promise<boolean> {
  const isIn = (each: string, all: readonly string[]): boolean =>
    all
      .map((folder) => relative(folder, each))
      .some((way) => !/^\.\.(?:[/\\]|$)/.test(way) && !isAbsolute(way));
  if (!isIn(path, folders)) return false;
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return true;
  return isIn(real, await Promise.all(folders.map((folder) => realpath(folder).catch(() => folder))));
}

/** A device such as /dev/zero has no end. */
async function bytesOf(path: string): Promise<Uint8Array> {
  try {
    const found = await stat(path);
    if (!found.isFile() && !found.isDirectory())
      throw new UnreadableFileError("is not a regular file", "a regular file");
    if (found.size > maxFileBytes) throw new UnreadableFileError("is larger than 64 MB", "a smaller file");
    return await readFile(path);
  } catch (error) {
    if (error instanceof UnreadableFileError) throw error;
    const code = codeOf(error) ?? "unknown";
    if (code === "ENOENT") throw new UnreadableFileError("no such file", "the spec");
    if (code === "EISDIR") throw new UnreadableFileError("is a folder", "the file itself");
    throw new UnreadableFileError(`cannot be read (${code})`, "a readable file");
  }
}

function textOf(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new SpecProblemsError([
      { location: shownPathOf(path), message: "is not UTF-8 text; save it as UTF-8" },
    ]);
  }
}

type ParsedText = Pick<SpecFile, "value" | "unsafeIntegers" | "places" | "syntaxProblems">;

function parsedText(source: Source, shownPath: string): ParsedText {
  const value = parsedJson(source.body);
  const places = value === undefined ? undefined : new JsonPlaces(source.body);
  const file = { source, shownPath, ...(places && { places }) };
  const reject = (pointer: string, message: string): never => {
    // The parser with positions fails for these types.
    const position = message === tagged ? positionAt(source.body, source.body.search(/!!\w|!</)) : undefined;
    throw new SpecProblemsError([
      { location: locationOf({ file, pointer, ...(position && { position }) }), message },
    ]);
  };
  if (value !== undefined) {
    const { keys, unsafeIntegers } = assertJson(value, reject);
    // RFC 8259, section 4: if names are not unique, parsers differ.
    if (keys === keysIn(source.body)) return { ...file, value, unsafeIntegers };
  }
  // For the parser, a scalar is one more level.
  const reading = readYaml(source, maxDepth + 1, tooDeep);
  if ("mark" in reading)
    throw new SpecProblemsError([{ location: `${shownPath}:${reading.mark}`, message: reading.message }]);
  const { value: parsed, problems, tolerant } = reading;
  const { unsafeIntegers } = assertJson(parsed, reject);
  // YAML aliases may share one value, but each place needs its own.
  const read = { ...file, value: JSON.parse(JSON.stringify(parsed ?? null)) as Json, unsafeIntegers };
  if (problems.length === 0) return read;
  const difference = differenceOf(read.value, tolerant);
  if (difference !== undefined) {
    const [one, other] = [read.value, tolerant as Json].map((each) => shown(valueAt(each, difference)));
    const message = `one YAML library reads ${one} here, and another one ${other}, so even --lenient stops; correct the syntax`;
    throw new SpecProblemsError([
      { location: locationOf({ file, pointer: difference }), message },
      ...problems.map((each) => ({ location: locationOf({ file, ...each }), message: each.message })),
    ]);
  }
  const syntaxProblems = problems.map((problem) => ({
    ...problem,
    message: `${problem.message}. Two YAML libraries read ${shown(valueAt(read.value, problem.pointer))} here.`,
  }));
  return { ...read, syntaxProblems };
}

function parsedJson(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Rejects values that YAML can express but JSON cannot. */
function assertJson(
  root: unknown,
  reject: (pointer: string, message: string) => never,
): { keys: number; unsafeIntegers: string[] } {
  const unsafeIntegers: string[] = [];
  let values = 0;
  let keys = 0;
  const around = new Set<object>();
  const way: (string | number)[] = [];
  const rejectHere = (message: string): never => reject(pointerTo("", ...way), message);
  const visit = (value: unknown): void => {
    values += 1;
    if (values > maxValues)
      reject("", `its aliases (\`*name\`) expand to more than ${maxValues} values; use fewer aliases`);
    if (typeof value === "number" && !Number.isFinite(value))
      rejectHere(`JSON has no number ${value}; write a finite number`);
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) unsafeIntegers.push(pointerTo("", ...way));
    if (typeof value !== "object" || value === null) return;
    if (around.has(value))
      rejectHere("this `*` refers to a value that contains it, so the value has no end; use `$ref` instead");
    if (around.size >= maxDepth) rejectHere(tooDeep);
    if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) rejectHere(tagged);
    around.add(value);
    const entries: Iterable<[string | number, unknown]> = Array.isArray(value)
      ? value.entries()
      : Object.entries(value);
    for (const [key, item] of entries) {
      if (typeof key === "string") keys += 1;
      way.push(key);
      visit(item);
      way.pop();
    }
    around.delete(value);
  };
  visit(root);
  return { keys, unsafeIntegers };
}

interface LocatedFile extends Pick<SpecFile, "source" | "shownPath" | "places"> {}

/** `file:line:column` of the key at a place, or of the nearest place that contains it. */
export function locationOf(
  place: Omit<Place, "file"> & { readonly file: LocatedFile },
  onKey = true,
): string {
  const { line, column } = place.position ?? positionOf(place, onKey);
  return `${place.file.shownPath}:${line}:${column}`;
}

export function positionOf(
  { file: { source, places }, pointer }: { file: LocatedFile; pointer: string },
  onKey: boolean,
): Position {
  const tokens = tokensOf(pointer);
  const empty = tokens.indexOf("");
  const known = empty === -1 ? tokens : tokens.slice(0, empty);
  if (places !== undefined) return places.locate(known, onKey);
  return startOf({
    source,
    pointer: known.length === 0 ? "#/" : fragmentOf(pointerTo("", ...known)),
    reportOnKey: onKey,
  });
}

function startOf(place: LocationObject): Position {
  try {
    const { start, end } = getLineColLocation(place);
    // An empty value has no place, so the place of its key is returned.
    const isNowhere = start.line === end?.line && start.col === end.col;
    if (isNowhere && place.reportOnKey === false) return startOf({ ...place, reportOnKey: true });
    return { line: start.line, column: start.col };
  } catch {
    // The parser with positions fails for rare YAML, such as binary values.
    return { line: 1, column: 1 };
  }
}
