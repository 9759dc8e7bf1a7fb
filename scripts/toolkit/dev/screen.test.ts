import { describe, expect, it } from "vitest";
import type { ShortError } from "./compile-error.ts";
import { render, renderLater, type SaveReport } from "./screen.ts";

const error = (location: string, ...message: string[]): ShortError => {
  const [file = "", line, column] = location.split(":");
  const place = { line: line ? Number(line) : undefined, column: column ? Number(column) : undefined };
  return { file, ...place, code: "TS1", message };
};
const report: SaveReport = {
  saved: ["spec/openapi.yaml"],
  written: [],
  specProblems: [],
  compileErrors: [],
  ms: {},
  totalMs: 12.3,
};

describe("the screen", () => {
  it("lists errors in handlers first, then in calls, then in other code", () => {
    const compileErrors = [
      error("client/runtime/result.ts:3:1", "C."),
      error("server/app.ts:1:2", "E.", "Because."),
      error("server/handlers.ts:9:9", "B."),
      error("server/operations/get-thing.ts:7:7", "A."),
      error("tsconfig.json", "F."),
    ];
    expect(render({ ...report, compileErrors, ms: { types: 10.4 } }, "not started")).toBe(
      `saved spec/openapi.yaml

errors in the table of handlers
  server/handlers.ts:9:9  B.

errors in handler getThing
  server/operations/get-thing.ts:7:7  A.

errors in calls
  client/runtime/result.ts:3:1  C.

errors in other code
  server/app.ts:1:2  E.
    Because.
  tsconfig.json  F.

5 errors in 12 ms (types 10)
server not started
`,
    );
  });

  it("lists tests and scripts separately, because they are checked later", () => {
    expect(renderLater([], 10.4)).toBe("no type errors in tests and scripts in 10 ms\n");
    const errors = [error("server/app.test.ts:4:1", "D."), error("client/a.type-test.ts:1:1", "E.")];
    expect(renderLater(errors, 10.4)).toBe(`
errors in tests and scripts
  server/app.test.ts:4:1  D.
  client/a.type-test.ts:1:1  E.

2 errors in tests and scripts in 10 ms
`);
  });

  it("shortens a long list of saved files", () => {
    const saved = ["a", "b", "c", "d", "e", "f", "g"];
    expect(render({ ...report, saved }, "unchanged")).toContain("saved a, b, c, d, e and 2 more\n");
  });
});
