/** Reads the waivers of a spec: known problems that must not stop a run. */
import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isObject, type Json, listOf, localPointer, pointerTo } from "./document.ts";
import { locationOf, type Place, type SpecFiles, shownPathOf, UnreadableFileError } from "./files.ts";
import { replaceFile } from "./replace-file.ts";
import { MissingFileError, type SpecProblem, SpecProblemsError } from "./spec-problems.ts";

export interface Waiver {
  readonly rule: string;
  readonly path: string | undefined;
  readonly pointer: string;
  readonly place: Place;
}

/** @param waiversPath default: `waivers.yaml` next to the spec, if it exists. @throws SpecProblemsError */
export async function readWaivers(
  specPath: string,
  waiversPath: string | undefined,
  files: SpecFiles,
  mayBeMissing = waiversPath === undefined,
): Promise<Waiver[]> {
  const path = waiversPathOf(specPath, waiversPath);
  try {
    const file = await files.read(path);
    const problems: SpecProblem[] = (file.syntaxProblems ?? []).map((each) => ({
      location: locationOf({ file, ...each }),
      message: each.message,
    }));
    const waivers = listOf(file.value).flatMap((value, index) => {
      const place = { file, pointer: pointerTo("", index) };
      const waiver = toWaiver(value, place, resolve(specPath));
      if (typeof waiver !== "string") return [waiver];
      problems.push({ location: locationOf(place), message: waiver });
      return [];
    });
    if (!Array.isArray(file.value))
      problems.push({
        location: locationOf({ file, pointer: "" }),
        message: "waivers are a list; begin each with `- rule: NAME`",
      });
    if (problems.length > 0) throw new SpecProblemsError(problems);
    return waivers;
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    if (mayBeMissing && error.message === "no such file") return [];
    const message = `${error.message}; give a file of waivers with --waivers FILE`;
    throw new MissingFileError([{ location: shownPathOf(path), message }]);
  }
}

/**
 * Returns the text of a waivers file with one more waiver for each rule of the problems. Such a waiver covers the whole
 * spec. @throws SpecProblemsError
 */
export async function withWaivers(given: string, problems: readonly SpecProblem[]): Promise<string> {
  const unwaivable = problems.filter(({ rule }) => rule === undefined);
  if (unwaivable.length > 0) throw new SpecProblemsError(unwaivable);
  if (problems.length === 0) return given;
  const head =
    '# These rules are not enforced anywhere in the document. `at: "#/paths/..."` limits a waiver to a place.\n';
  const before = await appendable(given);
  return `${before === "" || before.endsWith("\n") ? before : `${before}\n`}${head}${waiversFor(problems)}`;
}

function waiversFor(problems: readonly SpecProblem[]): string {
  const waivers = [...Map.groupBy(problems, ({ rule }) => rule)].map(([rule, { length }]) => {
    const places = `${length} ${length === 1 ? "place" : "places"}`;
    return `- rule: ${rule}\n  reason: Not enforced when this waiver was written, in ${places}.\n`;
  });
  return waivers.join("");
}

/** The waivers of problems, each for the whole document, as a text for a user to copy. */
export function waiversToPaste(
  specPath: string,
  waiversPath: string | undefined,
  problems: readonly SpecProblem[],
): string {
  return `The waivers to paste into ${shownPathOf(waiversPathOf(specPath, waiversPath))}:\n${waiversFor(problems)}`;
}

/** A list that is in brackets or indented is written in the style of the added items. Comments stay. */
async function appendable(given: string): Promise<string> {
  if (given.trim() === "" || /^-\s/m.test(given)) return given;
  const { isSeq, parseDocument } = await import("yaml");
  const document = parseDocument(given);
  if (!isSeq(document.contents)) return given;
  document.contents.flow = false;
  return document.contents.items.length === 0 ? "" : document.toString({ lineWidth: 0 });
}

/** Adds a waiver for each rule. @returns the file's path as messages show it */
export async function addWaivers(
  specPath: string,
  waiversPath: string | undefined,
  problems: readonly SpecProblem[],
): Promise<string> {
  const path = waiversPathOf(specPath, waiversPath);
  const given = existsSync(path) ? await readFile(path, "utf8") : "";
  await mkdir(dirname(path), { recursive: true });
  await replaceFile(path, await withWaivers(given, problems));
  return shownPathOf(path);
}

function waiversPathOf(specPath: string, waiversPath: string | undefined): string {
  return resolve(waiversPath ?? join(dirname(specPath), "waivers.yaml"));
}

function toWaiver(value: Json, place: Place, specPath: string): Waiver | string {
  const known = ["rule", "at", "reason", "until"];
  if (!isObject(value)) return "a waiver is an object; write `{ rule: NAME, reason: WHY }`";
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) return `a waiver cannot have \`${unknown}\`; use ${known.join(", ")}`;
  const { rule, at, reason, until } = value;
  if (typeof rule !== "string")
    return "this waiver has no `rule`; add the name that the problem has in brackets";
  if (typeof reason !== "string" || reason.trim() === "") return "this waiver has no `reason`; add it";
  if (/^(…|\.\.\.)$/.test(reason.trim())) return `write why in \`reason\`, instead of "${reason.trim()}"`;
  const isDay = typeof until === "string" && /^\d{4}-\d{2}-\d{2}$/.test(until);
  if (until !== undefined && !isDay) return "`until` must be a day such as 2026-01-31";
  if (isDay && until < new Date().toJSON().slice(0, 10))
    return `this waiver ended on ${until}; remove it, and correct what it allowed`;
  if (at === undefined) return { rule, path: undefined, pointer: "", place };
  const [path = "", fragment = ""] = typeof at === "string" ? at.split("#", 2) : ["", "?"];
  const pointer = localPointer(`#${fragment}`);
  if (pointer === undefined)
    return "`at` must be a reference such as `#/components/schemas/Name` or `book.yaml#/title`";
  return { rule, path: path === "" ? specPath : resolve(dirname(place.file.path), path), pointer, place };
}

/** True for the waiver's place and everything below it. Without a place, true for all places. */
export function covers(waiver: Waiver, path: string, pointer: string): boolean {
  if (waiver.path === undefined) return true;
  return path === waiver.path && (pointer === waiver.pointer || pointer.startsWith(`${waiver.pointer}/`));
}
