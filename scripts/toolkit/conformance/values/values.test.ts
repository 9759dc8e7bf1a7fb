/** Compares the values that the suite makes from a schema with the generated validators. */
import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Contract, Problem } from "#specbind/contract";
import { temporaryFolder } from "../../../testing/temporary-folder.ts";
import { generate } from "../../generate/pipeline.ts";
import { bodyKindOf } from "../media-types.ts";
import { modelOf } from "../operation-model.ts";
import { constraintsOf } from "./constraints.ts";
import { valuesFor } from "./values.ts";

const seed = Number(process.env.CONFORMANCE_SEED ?? 1);

const folder = temporaryFolder();

async function generated(spec: string): Promise<{ contract: Contract; document: object }> {
  const own = await mkdtemp(join(folder, "spec-"));
  const files = await generate(spec);
  for (const [name, text] of files) await writeFile(join(own, name), text);
  const { contract } = await import(/* @vite-ignore */ join(own, "contract.ts"));
  return { contract, document: JSON.parse(files.get("openapi.json") ?? "") };
}

it.each([
  "spec/openapi.yaml",
  "scripts/toolkit/conformance/fixtures/wire.yaml",
  "scripts/toolkit/generate/fixtures/accept/recurring.yaml",
  "scripts/toolkit/generate/fixtures/accept/everything.yaml",
  "scripts/toolkit/generate/fixtures/accept/library.yaml",
  "scripts/toolkit/generate/fixtures/accept/directions.yaml",
])(`the validators of %s and the suite agree which values are valid (seed ${seed})`, async (spec) => {
  const { contract, document } = await generated(spec);
  const { operations } = modelOf(document);
  const disagreements: unknown[] = [];
  let checked = 0;
  for (const operation of operations)
    for (const { mediaType, node } of operation.body?.mediaTypes ?? []) {
      const validate =
        contract.operations[operation.twinOf ?? operation.id]?.requestBody?.mediaTypes[mediaType]?.validate;
      // A form always has fields, whatever its schema allows.
      const isJson = bodyKindOf(mediaType) === "json";
      for (const constraint of constraintsOf(node).constraints) {
        if (!isJson && constraint.place === "" && constraint.verdict === "type") continue;
        for (const { value, pointer } of valuesFor(node, constraint, { seed, count: 3 })) {
          const problems: Problem[] = [];
          validate?.(value, problems);
          checked += 1;
          const isRight = constraint.verdict === "valid" || constraint.verdict === "absent";
          const isAlike = isRight
            ? problems.length === 0
            : problems.length > 0 && problems.every((each) => each.pointer === pointer);
          if (!isAlike)
            disagreements.push({
              id: operation.id,
              place: constraint.place,
              verdict: constraint.verdict,
              value: JSON.stringify(value),
              pointer,
              problems,
            });
        }
      }
    }
  expect(checked).toBeGreaterThan(10);
  expect(disagreements).toEqual([]);
});
