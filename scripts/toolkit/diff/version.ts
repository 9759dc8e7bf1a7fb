/** Compares `info.version` with what the changes require, by semantic versioning 2.0.0. */
import type { Impact } from "./changes.ts";

interface SemanticVersion {
  readonly numbers: readonly [major: number, minor: number, patch: number];
  readonly isPrerelease: boolean;
  /** Strings that sort like the versions (section 11). `core` has no prerelease, `precedence` has it. */
  readonly core: string;
  readonly precedence: string;
}

/** From https://semver.org. */
const semanticVersion =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?$/;

function parseVersion(text: string): SemanticVersion | undefined {
  const [, major = "", minor = "", patch = "", prerelease] = semanticVersion.exec(text) ?? [];
  if (major === "") return undefined;
  const core = [major, minor, patch].map(sortable).join(" ");
  // A release comes after its prereleases.
  const last = prerelease === undefined ? "2" : prerelease.split(".").map(sortable).join(" ");
  return {
    numbers: [Number(major), Number(minor), Number(patch)],
    isPrerelease: prerelease !== undefined,
    core,
    precedence: `${core} ${last}`,
  };
}

/** Returns a string that sorts like the identifier. Numbers come before other identifiers. */
function sortable(identifier: string): string {
  return /^\d+$/.test(identifier) ? `0${identifier.padStart(20, "0")}` : `1${identifier}`;
}

/** The lowest version that is allowed for the impact. Undefined if the older version is not a valid semantic version. */
export function leastVersion(from: string, impact: Impact): string | undefined {
  const old = parseVersion(from);
  if (old === undefined) return undefined;
  const [major, minor, patch] = old.numbers;
  // A prerelease may still change until its release.
  if (old.isPrerelease) return `${major}.${minor}.${patch}`;
  // Before 1.0.0, a breaking change raises the minor number.
  const step = major > 0 ? impact : impact === "major" ? "minor" : "patch";
  if (step === "major") return `${major + 1}.0.0`;
  return step === "minor" ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

/** Whether the version is raised enough for the impact. False if it is not a valid semantic version. */
export function isRaised(from: string, to: string, impact: Impact): boolean {
  const [old, now] = [parseVersion(from), parseVersion(to)];
  const least = parseVersion(leastVersion(from, impact) ?? "");
  if (old === undefined || now === undefined || least === undefined) return false;
  // A prerelease of the needed version is enough.
  return now.core >= least.core && now.precedence > old.precedence;
}

/** Why a version cannot follow another. Completes the sentence "info.version is …". */
export function versionFault(from: string | undefined, to: string): string | undefined {
  const [old, now] = [parseVersion(from ?? ""), parseVersion(to)];
  if (now === undefined) return "not a semantic version";
  return old !== undefined && now.precedence < old.precedence ? `lower than ${from}` : undefined;
}
