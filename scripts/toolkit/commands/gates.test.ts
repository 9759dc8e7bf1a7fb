import { expect, it, vi } from "vitest";
import { type Gate, runGates } from "./gates.ts";

const gate = (name: string, output: string, status: number): Gate => ({
  name,
  command: [process.execPath, "-e", `console.log(${JSON.stringify(output)}); process.exitCode = ${status};`],
  shown: `npm run ${name}`,
});

it("the output of failed checks follows the times, and each place is reported once", async () => {
  const printed = vi.spyOn(console, "log").mockReturnValue();
  const gates = [
    gate("generated", "a.yaml:1:2  Rename it.\nNothing was generated.", 1),
    gate("passed", "a.yaml:9:9  Fine.", 0),
    gate("rules", "a.yaml:1:2  Not unique.\na.yaml:3:4  No text.\nAnother line.", 1),
    { ...gate("changes", "a.yaml:3:4  No text.\nNothing was compared.", 1), fix: "a fix" },
    { ...gate("types", "long", 1), shorten: (output: string) => `${output.trim()}, shortened` },
  ];
  const isPassed = await runGates(gates);
  const lines = printed.mock.calls.map(([line]) => String(line).replace(/\d+\.\d s/, "0.0 s"));
  printed.mockRestore();
  expect(isPassed).toBe(false);
  expect(lines.slice(0, 5).toSorted()).toEqual([
    "changes               0.0 s  FAILED",
    "generated             0.0 s  FAILED",
    "passed                0.0 s",
    "rules                 0.0 s  FAILED",
    "types                 0.0 s  FAILED",
  ]);
  expect(lines.slice(5).join("\n")).toBe(`
generated
    a.yaml:1:2  Rename it.
    Nothing was generated.
    run only this: npm run generated

rules
    a.yaml:3:4  No text.
    Another line.
    run only this: npm run rules

changes
    the same places as above
    a fix
    run only this: npm run changes

types
    long, shortened
    run only this: npm run types`);
});
