/** Compares `info.version` with what the changes require, by semantic versioning 2.0.0. */
import type { Impact } from "./changes.ts";

interface SemanticVersion {
  readonly numbers: readonly [number, number, number];
  readonly prerelease: string;
}

/** From https://semver.org. */
const semanticVersion =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?$/;

function parseVersion(text: string): SemanticVersion | undefined {
  const [, major, minor, patch, prerelease = ""] = semanticVersion.exec(text) ?? [];
  if (major === undefined) return undefined;
  return { numbers: [Number(major), Number(minor), Number(patch)], prerelease };
}

/** The lowest version that announces the impact. Undefined if the older version is not semantic. */
export function leastVersion(from: string, impact: Impact): string | undefined {
  const old = parseVersion(from);
  if (old === undefined) return undefined;
  const [major, minor, patch] = old.numbers;
  // A prerelease may still change until its release.
  if (old.prerelease !== "") return `${major}.${minor}.${patch}`;
  // Before 1.0.0, a breaking change raises the minor number.
  const step = major > 0 ? impact : impact === "major" ? "minor" : "patch";
  if (step === "major") return `${major + 1}.0.0`;
  return step === "minor" ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

/** Whether the version announces the impact. One that is not semantic announces nothing. */
export function isRaised(from: string, to: string, impact: Impact): boolean {
  const [old, now] = [parseVersion(from), parseVersion(to)];
  const least = parseVersion(leastVersion(from, impact) ?? "");
  if (old === undefined || now === undefined || least === undefined) return false;
  // A prerelease of that version is enough.
  if (compared(now.numbers, least.numbers) < 0) return false;
  return precedence(now, old) > 0;
}

/** Why a version cannot follow another, as the end of "info.version is …". */
export function versionFault(from: string | undefined, to: string): string | undefined {
  const [old, now] = [parseVersion(from ?? ""), parseVersion(to)];
  if (now === undefined) return "not a semantic version";
  return old !== undefined && precedence(now, old) < 0 ? `lower than ${from}` : undefined;
}

/** Semantic versioning 2.0.0, section 11. Positive if `a` is the later one. */
function precedence(a: SemanticVersion, b: SemanticVersion): number {
  const difference = compared(a.numbers, b.numbers);
  if (difference !== 0 || a.prerelease === b.prerelease) return difference;
  if (a.prerelease === "" || b.prerelease === "") return a.prerelease === "" ? 1 : -1;
  const [parts, others] = [a.prerelease.split("."), b.prerelease.split(".")];
  for (const [index, part] of parts.entries()) {
    const other = others[index];
    if (other === undefined) return 1;
    if (part === other) continue;
    const [isNumber, isOtherNumber] = [part, other].map((each) => /^\d+$/.test(each));
    if (isNumber && isOtherNumber) return Number(part) - Number(other);
    if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
    return part < other ? -1 : 1;
  }
  return parts.length - others.length;
}

function compared(a: readonly number[], b: readonly number[]): number {
  for (const [index, number] of a.entries()) {
    const difference = number - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
