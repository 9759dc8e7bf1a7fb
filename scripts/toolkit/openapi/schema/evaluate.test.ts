/** The evaluator passes the JSON Schema Test Suite, except for schemas that a bundled document cannot contain. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Json } from "../document.ts";
import { admits } from "./evaluate.ts";
import { nodesOf } from "./schema-node.ts";

interface Group {
  readonly description: string;
  readonly schema: Json;
  readonly tests: readonly { readonly description: string; readonly data: Json; readonly valid: boolean }[];
}

const suite = new URL("../../json-schema/suite/tests.json", import.meta.url);
const files: { readonly [file: string]: readonly Group[] } = JSON.parse(readFileSync(suite, "utf8"));

/** Bundling replaces identifiers and references to other files by local references. */
const isBundled = ({ schema }: Group) =>
  !/"\$(?:id|anchor|dynamicRef|dynamicAnchor)":|"\$ref":"[^#]/.test(JSON.stringify(schema));
const required = Object.entries(files).filter(([file]) => !file.startsWith("optional/"));

test("returns the suite's result for every required case, and unknown for encoded content", () => {
  let cases = 0;
  const wrong = required.flatMap(([file, groups]) =>
    groups.filter(isBundled).flatMap(({ description, schema, tests }) => {
      const node = nodesOf(schema, "request", () => true)(schema);
      cases += tests.length;
      return tests
        .filter(({ data, valid }) => {
          const isContent = file === "content.json" && typeof data === "string";
          return admits(node, data) !== (isContent ? undefined : valid);
        })
        .map((each) => `${file}: ${description}: ${each.description}`);
    }),
  );
  expect(wrong).toEqual([]);
  expect(cases).toBeGreaterThan(1100);
});

test("ends if unions inside unions double the visits, or a union contains itself", () => {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const list = { type: "array", items: ref("Nested") };
  const schemas = {
    Nested: { anyOf: [list, { ...list, minItems: 0 }] },
    Self: { anyOf: [ref("Self"), { type: "string" }] },
  };
  const nodeOf = nodesOf({ components: { schemas } }, "request", () => true);
  const nest = (depth: number): Json => (depth === 0 ? [] : [nest(depth - 1)]);
  const verdicts = [nest(3), nest(40)].map((value) => admits(nodeOf(ref("Nested")), value));
  expect([...verdicts, ...["a", 1].map((value) => admits(nodeOf(ref("Self")), value))]).toEqual([
    true,
    true,
    true,
    undefined,
  ]);
});

test("is unknown for a pattern whose time grows exponentially, so that no text can take years", () => {
  const schema = { type: "string", pattern: "^(([-0-9]+),?)+$" };
  const node = nodesOf(schema, "request", () => true)(schema);
  expect(["1", `${"1".repeat(60)}!`].map((value) => admits(node, value))).toEqual([undefined, undefined]);
});
