/**
 * The changelog (https://keepachangelog.com, 1.1.0). The entry of a version lists its changes below the hand-written
 * notes.
 */
import { readFile } from "node:fs/promises";
import { entriesOf } from "../../openapi/document.ts";
import { operationsIn } from "../../openapi/grammar.ts";
import { codeOf, SpecProblemsError, visible } from "../../openapi/spec-problems.ts";
import type { Impact } from "../changes.ts";
import type { Comparison } from "../compare.ts";
import type { Spec } from "../spec.ts";
import { type Finding, findingsOf } from "./findings.ts";
import { asMarkdown } from "./text.ts";

const unreleased = "## [Unreleased]";

export function changesEntry(comparison: Comparison): string {
  if (comparison.impact === undefined) return "Nothing changed for callers.";
  const findings = Map.groupBy(findingsOf(comparison), ({ impact }) => impact);
  const items = (impact: Impact): string[] => (findings.get(impact) ?? []).map(findingItem);
  const wording = findings.get("patch")?.length ?? 0;
  return sections({
    Breaking: items("major"),
    Compatible: items("minor"),
    Wording:
      wording === 0
        ? []
        : [
            `- The wording of ${wording === 1 ? "one place" : `${wording} places`} changed. Nothing changes for callers.`,
          ],
  });
}

/** The entry of the first release lists every operation. */
export function firstEntry({ document }: Pick<Spec, "document">): string {
  const operations = entriesOf(document.paths).flatMap(([path, pathItem]) =>
    operationsIn(pathItem).map(({ method, operation: { summary, operationId } }) => {
      const about = [summary, operationId].find((each) => typeof each === "string");
      return item(`\`${method} ${path}\``, String(about ?? "no summary"));
    }),
  );
  return sections({ "First release": operations });
}

export interface Changelog {
  readonly file: string;
  readonly text: string;
}

/** Returns an empty changelog if there is no file. */
export async function readChangelog(file: string): Promise<Changelog> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return `# Changelog\n\n${unreleased}\n`;
    throw error;
  });
  return { file, text };
}

/**
 * Adds the entry of a version below the "Unreleased" heading. The notes there become part of the entry.
 *
 * @param date as `2026-01-31`
 * @throws SpecProblemsError if this heading is missing, or if the version already has an entry
 */
export function withEntry(
  { file, text }: Changelog,
  version: string,
  date: string,
  changes: string,
): Changelog & { readonly entry: string } {
  const reject = (line: number, message: string): never => {
    throw new SpecProblemsError([{ location: `${file}:${line}:1`, message }]);
  };
  const lines = text.split("\n");
  const heading = lines.indexOf(unreleased);
  if (heading === -1) reject(1, `the line \`${unreleased}\` is missing; write it above the newest entry`);
  const same = lines.findIndex((line) => line.startsWith(`## [${version}]`));
  if (same !== -1)
    reject(same + 1, `${version} already has an entry; remove it, or set info.version to a higher version`);
  const next = lines.findIndex((line, index) => index > heading && line.startsWith("## "));
  const end = next === -1 ? lines.length : next;
  const joined = (...parts: string[]): string =>
    parts
      .map((part) => part.trim())
      .filter((part) => part !== "")
      .join("\n\n");
  const notes = lines.slice(heading + 1, end).join("\n");
  const entry = joined(`## [${version}] - ${date}`, notes, changes);
  const whole = joined(lines.slice(0, heading + 1).join("\n"), entry, lines.slice(end).join("\n"));
  return { file, text: `${whole}\n`, entry };
}

function sections(lists: Readonly<Record<string, readonly string[]>>): string {
  return Object.entries(lists)
    .filter(([, items]) => items.length > 0)
    .map(([title, items]) => `### ${title}\n\n${items.join("\n")}`)
    .join("\n\n");
}

function findingItem({ kind, subject, sentence, pointer }: Finding): string {
  return kind === "types"
    ? item(`in TypeScript, \`${subject}\``, sentence)
    : item(subject, sentence, pointer);
}

function item(subject: string, text: string, pointer?: string): string {
  const said = asMarkdown(`${subject}: ${text}`);
  return `- ${said}${pointer === undefined ? "" : ` (\`${visible(pointer)}\`)`}`;
}
