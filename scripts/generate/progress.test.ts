import { describe, expect, it } from "vitest";
import { Progress } from "./progress.ts";

const clear = "\r\u001B[2K";

/** What a terminal gets to see of a run whose stages begin at these times, in milliseconds. */
function shown(
  stages: Readonly<Record<string, number>>,
  {
    isTTY = true,
    env = {},
    isLong = false,
  }: { isTTY?: boolean; env?: Record<string, string>; isLong?: boolean } = {},
): string {
  let text = "";
  let now = 1000;
  const write = (part: string): void => {
    text += part;
  };
  const progress = new Progress({ isTTY, write }, { env, clock: () => now });
  if (isLong) progress.expectLong();
  for (const [stage, ms] of Object.entries(stages)) {
    now = 1000 + ms;
    progress.stage(stage);
  }
  progress.end();
  progress.end();
  return text;
}

describe("progress", () => {
  it("is one line that is rewritten from the first second on, and gone in the end", () => {
    expect(shown({ reading: 0, checking: 999, compiling: 1000, rendering: 4000 })).toBe(
      `${clear}compiling …${clear}rendering …${clear}`,
    );
  });

  it("is not shown by a short run", () => {
    expect(shown({ reading: 0, checking: 100, writing: 900 })).toBe("");
  });

  it("is shown from the start by a run that is known to be long", () => {
    expect(shown({ reading: 0, checking: 1 }, { isLong: true })).toBe(
      `${clear}reading …${clear}checking …${clear}`,
    );
  });

  it.each([
    ["without a terminal", { isTTY: false }],
    ["in CI", { env: { CI: "true" } }],
    ["on a terminal that cannot rewrite a line", { env: { TERM: "dumb" } }],
  ])("is never shown %s", (_, choices) => {
    expect(shown({ reading: 0, rendering: 5000 }, { ...choices, isLong: true })).toBe("");
  });
});
