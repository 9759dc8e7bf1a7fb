/** What a verdict asks of `info.version`, by semantic versioning 2.0.0. */
import type { Impact } from "./changes.ts";

interface Version {
  readonly numbers: readonly [number, number, number];
  readonly prerelease: string;
}

function parseVersion(text: string): Version | undefined {
  const [, major, minor, patch, prerelease = ""] =
    /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([\w.-]+))?(?:\+[\w.-]+)?$/.exec(text) ?? [];
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
  return (
    compared(now.numbers, old.numbers) > 0 || (old.prerelease !== now.prerelease && old.prerelease !== "")
  );
}

function compared(a: readonly number[], b: readonly number[]): number {
  for (const [index, number] of a.entries()) {
    const difference = number - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
