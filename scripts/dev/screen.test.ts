import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { hasColours } from "../command.ts";
import { paintFor, render, renderLater, type SaveReport } from "./screen.ts";
import type { CompileError } from "./type-checker.ts";

const plain = paintFor(false);
const error = (location: string, ...lines: string[]): CompileError => ({
  location,
  file: location.replace(/:.*/, ""),
  lines,
});
const report: SaveReport = {
  saved: ["spec/openapi.yaml"],
  written: [],
  specProblems: [],
  compileErrors: [],
  ms: {},
  totalMs: 12.3,
};

describe("the screen", () => {
  it("puts handlers first, then calls, then the rest, each with its statement and the last of its reasons", () => {
    const compileErrors = [
      error("client/result.ts:3:1", "C."),
      error("server/app.ts:1:2", "E.", "  Because of one.", "    Because of another."),
      error("server/handlers.ts:9:9", "B."),
      error("server/operations/get-thing.ts:7:7", "A."),
      error("tsconfig.json", "F."),
    ];
    expect(render({ ...report, compileErrors, ms: { types: 10.4 } }, "not started", plain)).toBe(
      `saved spec/openapi.yaml

the table of handlers no longer fits
  server/handlers.ts:9:9  B.

handler getThing no longer fits
  server/operations/get-thing.ts:7:7  A.

calls that no longer fit
  client/result.ts:3:1  C.

other code that no longer fits
  server/app.ts:1:2  E.
    Because of another.
  tsconfig.json  F.

5 faults in 12 ms (types 10)
server not started
`,
    );
  });

  it("tells of tests and scripts apart, as they are looked at after the verdict", () => {
    expect(renderLater({ errors: [], ms: 10.4 }, plain)).toBe("tests and scripts fit in 10 ms\n");
    const errors = [
      error("server/app.test.ts:4:1", "D.", "  Because."),
      error("client/a.type-test.ts:1:1", "E."),
    ];
    expect(renderLater({ errors, ms: 10.4 }, plain)).toBe(`
tests and scripts that no longer fit
  server/app.test.ts:4:1  D.
    Because.
  client/a.type-test.ts:1:1  E.

2 faults in tests and scripts in 10 ms
`);
  });

  it("lists faults of the spec, and what was written", () => {
    const specProblems = [{ location: "spec/openapi.yaml:1:1", message: "Wrong. Mend it." }];
    expect(render({ ...report, specProblems, written: ["generated/types.ts"] }, "not started", plain)).toBe(
      `saved spec/openapi.yaml
wrote generated/types.ts

the spec has 1 fault
  spec/openapi.yaml:1:1  Wrong. Mend it.

1 fault in 12 ms
server not started
`,
    );
  });

  it("names a few of many saved files, and clips what would fill it", () => {
    const saved = ["a", "b", "c", "d", "e", "f", "g"];
    const text = render(
      { ...report, saved, compileErrors: [error("client/a.ts:1:1", "x".repeat(500))] },
      "unchanged",
      plain,
    );
    expect(text).toContain("saved a, b, c, d, e and 2 more\n");
    expect(text).toContain(`  client/a.ts:1:1  ${"x".repeat(159)}…\n`);
  });

  it.each([
    ["a terminal", true, undefined, true],
    ["a terminal where NO_COLOR is empty", true, "", true],
    ["a terminal where NO_COLOR is set", true, "1", false],
    ["no terminal", false, undefined, false],
  ])("has colours on a terminal only, and honours NO_COLOR: %s", (_, isTerminal, noColor, colours) => {
    const paint = paintFor(hasColours(isTerminal, noColor));
    const text = render(report, "unchanged", paint);
    expect(text.includes("\u001B[")).toBe(colours);
    expect(stripVTControlCharacters(text)).toBe("saved spec/openapi.yaml\n\nok in 12 ms\nserver unchanged\n");
  });
});
