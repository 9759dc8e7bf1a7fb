import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { contract } from "../../../generated/contract.ts";
import { format } from "../../../generated/operations.ts";
import { assertFormat } from "./format.ts";

/**
 * Digests of the types in `contract.ts`, keyed by format. A change of the types needs the next format, as soon as the
 * packages are published. Until then, the digest of format 1 is replaced.
 */
const digests: Record<number, string> = { 1: "3e0d17805b2d1a1d" };

describe("the format of generated code", () => {
  it("is stated by contract, validators and operations", () => {
    expect([contract.format, contract.validators, format]).toEqual([1, 1, 1]);
  });

  it("can be the one before, because a server and its generated code may be deployed one after the other", () => {
    for (const found of [1, 0]) expect(() => assertFormat(found)).not.toThrow();
  });

  it.each([2, -1, undefined as never])("cannot be %s", (found) => {
    expect(() => assertFormat(found)).toThrow(
      `generated code has format ${found}, but specbind-runtime needs format 1: install the same version of specbind and specbind-runtime, and run \`npx specbind generate\``,
    );
  });

  it("has the next number if a type of generated code changes", () => {
    const text = readFileSync(new URL("contract.ts", import.meta.url), "utf8");
    const source = ts.createSourceFile("contract.ts", text, ts.ScriptTarget.Latest);
    const printed = ts.createPrinter({ removeComments: true }).printFile(source);
    expect(hash("sha256", printed).slice(0, 16)).toBe(digests[contract.format]);
  });
});
