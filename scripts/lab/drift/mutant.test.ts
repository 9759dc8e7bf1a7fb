import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { sampled } from "./mutant.ts";
import { raisedVersion, specFile, specMutants } from "./spec-mutants.ts";

const read = (file: string): string => readFileSync(file, "utf8");
const ofSpec = specMutants(read(specFile));
/** One mutant of each operator, because parsing all of them takes too long. */
const some = [...Map.groupBy(ofSpec, ({ operator }) => operator).values()].flatMap(([first]) => first ?? []);

describe("the changes", () => {
  it("have different ids", () => {
    expect(new Set(ofSpec.map(({ id }) => id)).size).toBe(ofSpec.length);
  });

  it("of the spec result in valid YAML that differs", () => {
    const spec = parse(read(specFile));
    for (const { id, text } of some) expect(parse(text()), id).not.toEqual(spec);
    const version = "99.0.0";
    const raised = { ...spec, info: { ...spec.info, version } };
    expect(parse(raisedVersion(read(specFile)).text())).toEqual(raised);
  });
});

it("a sample has the requested size, or contains all changes if there are fewer", () => {
  expect(sampled([1, 2, 3, 4], 3)).toHaveLength(3);
  expect(sampled([1, 2], 3)).toEqual([1, 2]);
});
