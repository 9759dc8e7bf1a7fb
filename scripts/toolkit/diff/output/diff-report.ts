/** Formats the verdict for a terminal and as JSON. */
import { styleText } from "node:util";
import { visible } from "../../openapi/spec-problems.ts";
import { type Change, type Impact, impactOf } from "../changes.ts";
import { type Comparison, isUnannounced } from "../compare.ts";
import type { TypeBreak } from "../types/type-breaks.ts";

const maxNamed = 3;
const colours = { major: "red", minor: "green", patch: "gray" } as const;

interface DocumentNames {
  readonly old: string;
  readonly now: string;
}

/** @param release the comparison with the release, from which the version follows */
export function terminalReport(
  comparison: Comparison,
  names: DocumentNames,
  isColoured: boolean,
  release = comparison,
): string {
  const paint = (style: "red" | "green" | "gray" | "bold", text: string): string =>
    isColoured ? styleText(style, text, { validateStream: false }) : text;
  const label = (impact: Impact): string => paint(colours[impact], impact.padEnd(5));
  const lines = [visible(heading(comparison, names))];
  if (comparison.changes.length > 0) lines.push("", paint("bold", "On the wire"));
  for (const change of comparison.changes) {
    const place = `  ${label(change.impact)}  ${visible(change.location)}`;
    const rule = `[${change.rule}]`;
    if (change.impact === "patch") lines.push(`${place}  ${visible(change.message)} ${rule}`);
    else
      lines.push(`${place}  ${visible(affected(change))}`, `         ${visible(sentence(change))} ${rule}`);
  }
  if (comparison.typeBreaks.length > 0) lines.push("", paint("bold", "In callers' TypeScript"));
  for (const each of comparison.typeBreaks) {
    lines.push(`  ${label(impactOf(each))}  ${visible(each.location)}  ${visible(each.name)}`);
    lines.push(`         ${visible(typeSentence(each, each.also))} [${each.rule}]`);
  }
  return `${[...lines, "", paint("bold", verdict(comparison, release))].join("\n")}\n`;
}

/** @param release the comparison with the release, from which the version follows */
export function jsonReport(comparison: Comparison, names: DocumentNames, release = comparison): string {
  const { versions, impact, changes, typeBreaks } = comparison;
  const { isRaised, leastVersion, versionFault } = release;
  const verdict = {
    impact: impact ?? "none",
    isRaised,
    leastVersion: leastVersion ?? null,
    versionFault: versionFault ?? null,
  };
  return `${JSON.stringify({ files: names, versions, verdict, changes, typeBreaks }, null, 2)}\n`;
}

/** How to correct the version. Undefined if it is correct. */
export function remedy(comparison: Comparison): string | undefined {
  const { versions, versionLocation, leastVersion, versionFault } = comparison;
  const version = `info.version is ${versions.now || "absent"}`;
  if (isUnannounced(comparison)) {
    const wanted = leastVersion ?? "a semantic version with a higher major number";
    return visible(
      `${versionLocation}  callers of ${versions.old || "the older version"} break, and ${version}; set it to ${wanted}, or undo the breaking changes`,
    );
  }
  if (versionFault === undefined) return undefined;
  const wanted = leastVersion ?? "a semantic version such as 1.2.3 that is not lower than the older one";
  return visible(`${versionLocation}  ${version}, which is ${versionFault}; set it to ${wanted}`);
}

function heading({ versions }: Comparison, { old, now }: DocumentNames): string {
  return `${now} (${versions.now}) against ${old} (${versions.old})`;
}

function verdict(comparison: Comparison, release: Comparison): string {
  const { impact, changes, typeBreaks } = comparison;
  if (impact === undefined) return "Nothing changed for callers.";
  const impacts = [...changes.map((change) => change.impact), ...typeBreaks.map(impactOf)];
  const count = (wanted: Impact): number => impacts.filter((each) => each === wanted).length;
  const breaks = count("major");
  const parts = [
    breaks > 0 ? `${breaks} breaking` : "",
    count("minor") > 0 ? `${count("minor")} compatible` : "",
    count("patch") > 0 ? `${count("patch")} wording` : "",
  ].filter((part) => part !== "");
  const { isRaised, leastVersion } = release;
  const wanted = leastVersion === undefined ? "a higher semantic version" : `${leastVersion} or higher`;
  const asks = isRaised
    ? `the version is high enough${release === comparison ? "" : ` for all changes since ${release.versions.old}`}`
    : isUnannounced(release)
      ? `the version must be ${wanted}`
      : `a release needs ${wanted}`;
  return `${impact}: ${parts.join(", ")}; ${asks}`;
}

export function affected({ operations, side }: Change): string {
  const named = operations.slice(0, maxNamed).join(", ");
  const more = operations.length > maxNamed ? ` and ${operations.length - maxNamed} more` : "";
  if (operations.length === 0) return side === "document" ? "all callers" : side;
  return side === "operation" ? named + more : `${named}${more}, ${side}`;
}

export function sentence({ message, meaning, waived }: Change): string {
  return `${message}: ${meaning}${reasonOf(waived)}`;
}

function reasonOf(waived: string | undefined): string {
  return waived === undefined ? "" : ` (waived: ${waived})`;
}

/** @param also other names that break for the same reason */
export function typeSentence({ use, message, waived }: TypeBreak, also: readonly string[] = []): string {
  const code = {
    name: "",
    read: " (for code that reads responses)",
    write: " (for code that writes requests)",
  };
  const more = also.length > maxNamed ? ` and ${also.length - maxNamed} more` : "";
  const others = also.length === 0 ? "" : `; this also breaks ${also.slice(0, maxNamed).join(", ")}${more}`;
  return `${message}${code[use]}${others}${reasonOf(waived)}`;
}
