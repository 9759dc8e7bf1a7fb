/** Formats the verdict for a terminal, and how to correct the version. */
import { styleText } from "node:util";
import { visible } from "../../openapi/spec-problems.ts";
import type { Impact } from "../changes.ts";
import { type Comparison, isUnannounced } from "../compare.ts";
import { findingsOf, hiddenIn, type Presentation, type Report } from "./findings.ts";

const colours = { major: "red", minor: "green", patch: "gray" } as const;

export function textReport(report: Report, { all, isColoured }: Presentation): string {
  const { comparison, release } = report;
  const paint = (style: "red" | "green" | "gray" | "bold", text: string): string =>
    isColoured ? styleText(style, text, { validateStream: false }) : text;
  const lines = [visible(heading(report))];
  const titles = { wire: "On the wire", types: "In callers' TypeScript" };
  const findings = Map.groupBy(findingsOf(comparison, all), ({ kind }) => kind);
  for (const [kind, found] of findings) {
    lines.push("", paint("bold", titles[kind]));
    for (const { impact, location, subject, sentence, rule, remedy, waiver } of found) {
      const place = `  ${paint(colours[impact], impact.padEnd(5))}  ${visible(location)}  ${visible(subject)}`;
      lines.push(place, `         ${visible(sentence)} [${rule}]`);
      if (waiver !== undefined) lines.push(`         ${remedy}`, `         waiver: ${visible(waiver)}`);
    }
  }
  if (!all) lines.push(...hiddenLines(comparison));
  return `${[...lines, "", paint("bold", verdict(comparison, release, all))].join("\n")}\n`;
}

/** Escapes Markdown in strings of the spec. Code in backticks stays as it is. */
export function asMarkdown(text: string): string {
  return visible(text).replaceAll(/`[^`]*`|</g, (found) => (found === "<" ? "&lt;" : found));
}

export function hiddenLines(comparison: Comparison): string[] {
  const { wording, types } = hiddenIn(comparison);
  const parts = [
    ...(wording > 0 ? [`${wording} ${wording === 1 ? "change" : "changes"} of wording`] : []),
    ...(types > 0 ? [`${types} ${types === 1 ? "break" : "breaks"} of TypeScript with the same cause`] : []),
  ];
  return parts.length === 0
    ? []
    : ["", `Counted, but not listed: ${parts.join(", and ")}. --all lists them.`];
}

/** How to correct the version. Undefined if it is correct. */
export function remedy(comparison: Comparison): string | undefined {
  const { versions, versionLocation, leastVersion, versionFault } = comparison;
  const version = `info.version is ${versions.now || "absent"}`;
  if (isUnannounced(comparison)) {
    const wanted = leastVersion ?? "a semantic version with a higher major number";
    return visible(
      `${versionLocation}  callers of ${versions.old || "the older version"} break, and ${version}; set it to ${wanted}, undo the breaking changes, or paste their waivers into diff-waivers.yaml next to the spec`,
    );
  }
  if (versionFault === undefined) return undefined;
  const wanted = leastVersion ?? "a semantic version such as 1.2.3 that is not lower than the older one";
  return visible(`${versionLocation}  ${version}, which is ${versionFault}; set it to ${wanted}`);
}

export function heading({ comparison: { versions }, names: { old, now }, chosen }: Report): string {
  const only = chosen === "" ? "" : `, only ${chosen}`;
  return `${now} (${versions.now}) against ${old} (${versions.old})${only}`;
}

/** @param release the comparison with the release, from which the version follows */
export function verdict(comparison: Comparison, release: Comparison, all: boolean): string {
  const { impact } = comparison;
  if (impact === undefined) return "Nothing changed for callers.";
  const impacts = findingsOf(comparison).map((each) => each.impact);
  const count = (wanted: Impact): number => impacts.filter((each) => each === wanted).length;
  const hidden = all ? 0 : hiddenIn(comparison).types;
  const listed = hidden > 0 ? ` (${count("major") - hidden} listed)` : "";
  const parts = (
    [
      ["major", `breaking${listed}`],
      ["minor", "compatible"],
      ["patch", "wording"],
    ] as const
  ).flatMap(([wanted, name]) => (count(wanted) > 0 ? [`${count(wanted)} ${name}`] : []));
  const { isRaised, leastVersion } = release;
  const wanted = leastVersion === undefined ? "a higher semantic version" : `${leastVersion} or higher`;
  const since = release === comparison ? "" : ` for all changes since ${release.versions.old}`;
  const asks = isRaised
    ? `the version is high enough${since}`
    : isUnannounced(release)
      ? `the version must be ${wanted}${since}, or each break needs a waiver`
      : `a release needs ${wanted}${since}`;
  return `${impact}: ${parts.join(", ")}; ${asks}`;
}
