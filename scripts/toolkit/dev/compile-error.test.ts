import { describe, expect, it } from "vitest";
import { parseErrors, shortError } from "./compile-error.ts";

const source = `export const getThing = handler("getThing", ({ path }) => {
  const thing = find(path.id);
  if (thing === undefined) return { status: 404, body: "none" };
  return { status: 200, body: { id: thing } };
});
`;
const handler = "get-thing.ts(1,45): error TS2345: Argument of type '({ path }) => { status: 404; }'";

function short(...output: readonly string[]): readonly string[] {
  return parseErrors(`${output.join("\n")}\n`).map((error) => {
    const { file, line, column, code, message } = shortError(error, () => source);
    return [`${file}:${line}:${column} ${code}`, ...message].join("\n");
  });
}

describe("a compile error is shortened", () => {
  it.each([
    [
      "to what a response lacks, at its return",
      [
        handler,
        "  Type '{ status: 200; body: { id: 1; }; }' is not assignable to type 'DeclaredObject<{ readonly status: 200; }>'.",
        "    The types of 'body.data' are incompatible between these types.",
        "      Property 'events' is missing in type '{ id: 1; }' but required in type '{ id: number; events: string[]; }'.",
      ],
      "get-thing.ts:4:10 TS2345\n`body.data`: `events` is missing\nrequired: { id: number; events: string[]; }",
    ],
    [
      "to the sentence of a type, at the return with the status that it names",
      [handler, "  Type 'A' is not assignable to type '\"the spec has no status 404 for this operation\"'."],
      "get-thing.ts:3:35 TS2345\nthe spec has no status 404 for this operation",
    ],
    [
      "to the last reason, if no return has the status",
      [handler, "  Type '{ status: 500; }' is not assignable to type 'B'.", "    Because."],
      "get-thing.ts:1:45 TS2345\nBecause.",
    ],
    [
      "to the way to leave out an optional property",
      [
        "a.ts(1,1): error TS2375: Type '{ note: undefined; }' is not assignable to type '{ note?: string; }' with 'exactOptionalPropertyTypes: true'. Consider adding 'undefined' to the types of the target's properties.",
      ],
      "a.ts:1:1 TS2375\nan optional property must not be undefined; leave it out: `...(note !== undefined && { note })`\ngiven: { note: undefined; }; required: { note?: string; }",
    ],
    [
      "to the property that is too much",
      [
        "a.ts(2,3): error TS2353: Object literal may only specify known properties, and 'more' does not exist in type '{ id: number; }'.",
      ],
      "a.ts:2:3 TS2353\n`more` is not allowed here\nallowed: { id: number; }",
    ],
    [
      "to the property that is meant",
      [
        "a.ts(2,3): error TS2561: Object literal may only specify known properties, but 'baseURL' does not exist in type 'ClientOptions'. Did you mean to write 'baseUrl'?",
      ],
      "a.ts:2:3 TS2561\n`baseURL` is not allowed here; did you mean `baseUrl`?",
    ],
    [
      "in the middle of a long sentence",
      [`a.ts(1,1): error TS1: ${"x".repeat(500)} is wrong`],
      `a.ts:1:1 TS1\n${"x".repeat(80)} … ${"x".repeat(68)} is wrong`,
    ],
    [
      "without a place, if it is in the configuration",
      ["error TS18003: No inputs."],
      "tsconfig.json:undefined:undefined TS18003\nNo inputs.",
    ],
  ])("%s", (_, output, expected) => {
    expect(short(...output)).toEqual([expected]);
  });

  it("separately from the next one", () => {
    expect(short("a.ts(1,1): error TS1: A.", "  Because.", "b.ts(2,2): error TS2: B.")).toEqual([
      "a.ts:1:1 TS1\nBecause.",
      "b.ts:2:2 TS2\nB.",
    ]);
  });
});
