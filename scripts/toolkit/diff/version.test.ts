import { describe, expect, test } from "vitest";
import { isRaised, leastVersion, versionFault } from "./version.ts";

describe("the version", () => {
  test.each([
    ["1.2.3", "major", "2.0.0"],
    ["1.2.3", "minor", "1.3.0"],
    ["1.2.3", "patch", "1.2.4"],
    ["0.2.3", "major", "0.3.0"],
    ["0.2.3", "minor", "0.2.4"],
    ["2.0.0-rc.1", "major", "2.0.0"],
    ["2024-01-01", "major", undefined],
  ] as const)("after %s with a %s change must be at least %s", (from, impact, expected) => {
    expect(leastVersion(from, impact)).toBe(expected);
  });

  test.each([
    ["1.2.3", "2.0.0", "major", true],
    ["1.2.3", "2.0.0-rc.1", "major", true],
    ["1.2.3", "1.3.0", "major", false],
    ["1.2.3", "1.2.3+build", "patch", false],
    ["2.0.0-rc.1", "2.0.0-rc.2", "major", true],
    ["2.0.0-rc.1", "2.0.0-rc.1", "major", false],
    ["1.9.0", "1.10.0", "minor", true],
    ["v1", "v2", "major", false],
  ] as const)("from %s to %s is raised enough for a %s change: %s", (from, to, impact, expected) => {
    expect(isRaised(from, to, impact)).toBe(expected);
  });

  test.each([
    ["1.0.0", "1.0.0+build", undefined],
    ["1.10.0", "1.9.0", "lower than 1.10.0"],
    ["1.0.0", "1.0.0-rc.1", "lower than 1.0.0"],
    ["1.0.0-rc.10", "1.0.0-rc.9", "lower than 1.0.0-rc.10"],
    ["1.0.0-rc", "1.0.0-1", "lower than 1.0.0-rc"],
    ["1.0.0-rc.1", "1.0.0-rc", "lower than 1.0.0-rc.1"],
    ["1.0.0-alpha", "1.0.0-beta", undefined],
    ["1.0.0", "v1", "not a semantic version"],
    ["v1", "1.0.0", undefined],
  ] as const)("after %s, %s is %s", (from, to, expected) => {
    expect(versionFault(from, to)).toBe(expected);
  });
});
