/** What a verdict asks of `info.version`, by semantic versioning 2.0.0. */
import type { Impact } from "./changes.ts";

interface Version {
  readonly numbers: readonly [number, number, number];
  readonly prerelease: string;
}

/** As https://semver.org gives it. */
const semanticVersion =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?$/;

function parseVersion(text: string): Version | undefined {
  const [, major, minor, patch, prerelease = ""] = semanticVersion.exec(text) ?? [];
  if (major === undefined) return undefined;
  return { numbers: [Number(major), Number(minor), Number(patch)], prerelease };
}

/** The least version that tells callers of such an impact, or undefined where the older one is no semantic version. */
export function leastVersion(from: string, impact: Impact): string | undefined {
  const old = parseVersion(from);
  if (old === undefined) return undefined;
  const [major, minor, patch] = old.numbers;
  // Whatever a prerelease announced may still change until it is released.
  if (old.prerelease !== "") return `${major}.${minor}.${patch}`;
  // Before 1.0.0 the minor number stands for the major one.
  const step = major > 0 ? impact : impact === "major" ? "minor" : "patch";
  if (step === "major") return `${major + 1}.0.0`;
  return step === "minor" ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

/** Whether a version tells callers of an impact. What is no semantic version tells them nothing. */
export function isRaised(from: string, to: string, impact: Impact): boolean {
  const [old, now] = [parseVersion(from), parseVersion(to)];
  const least = parseVersion(leastVersion(from, impact) ?? "");
  if (old === undefined || now === undefined || least === undefined) return false;
  // A prerelease of the least version tells of it too.
  if (compared(now.numbers, least.numbers) < 0) return false;
  return precedence(now, old) > 0;
}

/**
 * Why a version cannot follow another, or be the first, whatever changed, as the end of "info.version is …"; undefined
 * where it can.
 */
export function versionFault(from: string | undefined, to: string): string | undefined {
  const [old, now] = [parseVersion(from ?? ""), parseVersion(to)];
  if (now === undefined) return "no semantic version";
  return old !== undefined && precedence(now, old) < 0 ? `lower than ${from}` : undefined;
}

/** Semantic versioning 2.0.0, section 11: positive where `a` is the later one. */
function precedence(a: Version, b: Version): number {
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
