import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import packageJson from "../../../package.json" with { type: "json" };
import { gatesOf, saidIn, splitAtTests } from "./gates.ts";

describe("the gates", () => {
  it("are those of npm test, in its order and all of them", () => {
    const gates = gatesOf(process.cwd());
    expect(gates.map(({ line }) => line).join(" && ")).toBe(packageJson.scripts.test);
    expect(gates.map(({ name }) => name)).toContain("tests");
  });

  it("are parted after the tests, of which there may be none", () => {
    const [lint, tests, coverage] = ["lint", "tests", "coverage"].map((name) => ({ name, line: name }));
    if (!lint || !tests || !coverage) throw new Error("three names make three gates");
    expect(splitAtTests([lint, tests, coverage])).toEqual({ gates: [lint, tests], laterGates: [coverage] });
    expect(splitAtTests([lint])).toEqual({ gates: [lint], laterGates: [] });
  });

  it("are told where one is of no known sort", async () => {
    const root = await mkdtemp(join(tmpdir(), "gates-"));
    try {
      const scripts = { test: "npm run -s lint && make" };
      await writeFile(join(root, "package.json"), JSON.stringify({ scripts }));
      expect(() => gatesOf(root)).toThrow(
        'npm test runs "make", which scripts/lab/drift/gates.ts does not know',
      );
    } finally {
      await rm(root, { recursive: true });
    }
  });
});

describe("what a gate said", () => {
  it.each([
    [
      "Redocly",
      "❌ Validation failed with 1 error.\nvalidating spec/openapi.yaml...\n[1] spec/openapi.yaml:3:4 at #/a\n\nExpected type `integer`.\n",
      "spec/openapi.yaml:3:4 at #/a: Expected type `integer`.",
    ],
    [
      "the compiler",
      "server/a.ts(1,2): error TS2322: No.\n  Because.\n",
      "server/a.ts(1,2): error TS2322: No.",
    ],
    [
      "the diff, whose remedy comes on standard error",
      "spec.yaml:4:3  callers of 1.0.0 break, and info.version is 1.0.0; set it to 2.0.0\n\nspec.yaml\n\nOn the wire\n",
      "spec.yaml:4:3 callers of 1.0.0 break, and info.version is 1.0.0; set it to 2.0.0",
    ],
    [
      "Biome, in colours",
      "\u001B[31m/copy/server/a.ts:1:2 lint/style/x\u001B[0m FIXABLE  ━━━\n  × Do not.\nFound 1 error.\n",
      "server/a.ts:1:2 lint/style/x",
    ],
    [
      "Biome's formatter, which names the file on a line before",
      "server/a.ts format ━━━\n\n  × Formatter would have printed the following content:\n\n    1 - a\nFound 1 error.\n",
      "server/a.ts format: × Formatter would have printed the following content:",
    ],
    ["nobody", " \n", "it said nothing"],
  ])("is its most telling line: %s", (_, output, line) => {
    expect(saidIn(output, "/copy")).toBe(line);
  });
});
