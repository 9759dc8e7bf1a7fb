import { describe, expect, it } from "vitest";
import { parseErrors, shortErrors } from "./compile-error.ts";

const source = `export const getThing = handler("getThing", ({ path }) => {
  const thing = find(path.id);
  if (thing === undefined) return { status: 404, body: "none" };
  return { status: 200, body: { id: thing } };
});
`;
const withoutStatus = `export const getThing = handler("getThing", () => {
  return { body: { id: 1 } };
});
`;
const document = {
  paths: { "/things/{id}": { get: { operationId: "getThing", responses: { 200: {}, 401: {} } } } },
};
const files = { "made/openapi.json": JSON.stringify(document), "no-status.ts": withoutStatus };
const read = (file: string): string => files[file as keyof typeof files] ?? source;
const handler = "get-thing.ts(1,45): error TS2345: Argument of type '({ path }) => { status: 404; }'";

function short(...output: readonly string[]): readonly string[] {
  const errors = shortErrors(parseErrors(`${output.join("\n")}\n`), read, "made");
  return errors.map(({ file, line, column, code, message }) =>
    [`${file}:${line}:${column} ${code}`, ...message].join("\n"),
  );
}

it("errors in the service are first, and those in tests last", () => {
  const files = ["client/a.type-test.ts", "client/b.ts", "server/a.test.ts", "server/b.ts"];
  const output = files.map((file) => `${file}(1,1): error TS1: No.`).join("\n");
  const errors = shortErrors(parseErrors(output), read, "made");
  expect(errors.map(({ file }) => file)).toEqual([
    "server/b.ts",
    "client/b.ts",
    "client/a.type-test.ts",
    "server/a.test.ts",
  ]);
});

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
      "to the documented statuses, at the return with a status that is not documented",
      [handler, "  Type 'A' is not assignable to type '\"the spec has no status 404 for this operation\"'."],
      "get-thing.ts:3:35 TS2345\nthe spec has no status 404 for this operation; it has 200, 401",
    ],
    [
      "to the documented statuses, at the return with a number that is no status",
      [
        "get-thing.ts(2,20): error TS2345: Argument of type 'A' is not assignable to parameter of type 'B'.",
        "  Type '{ status: 404; }' is not assignable to type '{ readonly status: 200; }'.",
        "    Types of property 'status' are incompatible.",
        "      Type '404' is not assignable to type '200'.",
      ],
      "get-thing.ts:3:35 TS2345\nthe spec has no status 404 for this operation; it has 200, 401",
    ],
    [
      "to the end of a handler without a return",
      [
        handler,
        "  Type 'undefined' is not assignable to type 'AnyResponse | ResponseOf<\"getThing\", Spec>'.",
      ],
      "get-thing.ts:1:45 TS2345\nthe handler may end without a return; return a response in every case",
    ],
    [
      "to a misspelt property instead of the missing one",
      [
        "a.ts(1,1): error TS2741: Property 'url' is missing in type '{ id: number; ulr: { url: 1; }; }' but required in type '{ id: number; url: string; }'.",
      ],
      "a.ts:1:1 TS2741\n`ulr` is not allowed here; did you mean `url`?",
    ],
    [
      "to the nearest property of an object",
      [
        "a.ts(1,1): error TS2339: Property 'thingId' does not exist on type 'Readonly<{ thing_id: number; }>'.",
        "a.ts(2,1): error TS2339: Property 'other' does not exist on type '{ a: { b: 1; }; c: string; }'.",
        "a.ts(3,1): error TS2339: Property 'other' does not exist on type 'Named'.",
      ],
      [
        "a.ts:1:1 TS2339\n`thingId` does not exist here; did you mean `thing_id`?",
        "a.ts:2:1 TS2339\n`other` does not exist here; it has a, c",
        "a.ts:3:1 TS2339\nProperty 'other' does not exist on type 'Named'.",
      ],
    ],
    [
      "to the key of a map",
      [
        "a.ts(1,1): error TS2322: Type 'A' is not assignable to type 'B'.",
        "  Types of property 'body' are incompatible.",
        "    Property 'cats' is incompatible with index signature.",
        "      Type 'string' is not assignable to type 'number'.",
      ],
      "a.ts:1:1 TS2322\n`body.cats`: Type 'string' is not assignable to type 'number'.",
    ],
    [
      "to a missing await",
      ["a.ts(1,1): error TS2339: Property 'url' does not exist on type 'Promise<Webhook | undefined>'."],
      "a.ts:1:1 TS2339\n`url` does not exist on a promise; `await` it",
    ],
    [
      "to a response without a status",
      [
        "a.ts(1,1): error TS2741: Property 'status' is missing in type '{ body: { status: true; }; }' but required in type '{ readonly status: 503; }'.",
      ],
      "a.ts:1:1 TS2741\na response has no `status`; return it, for example `{ status: 200, body }`",
    ],
    [
      "to a response without a status, at its return",
      [
        "no-status.ts(1,30): error TS2322: Type 'A' is not assignable to type 'B'.",
        "  Type '{ status: 404; }' is not assignable to type 'C'.",
        "    Property 'status' is optional in type '{ body: { id: 1; }; }' but required in type 'DeclaredObject<{ readonly status: 400 | 401; } & D>'.",
      ],
      "no-status.ts:2:10 TS2322\na response has no `status`; return it, for example `{ status: 200, body }`",
    ],
    [
      "to the wrong name of an operation, without the handlers that do not fit because of it",
      [
        'a.ts(9,1): error TS2322: Type \'Handler<"getA" | "getB", C>\' is not assignable to type \'Handler<"getA", C>\'.',
        "  Property 'a' is missing in type '{}' but required in type '{ a: 1; }'.",
        `b.ts(1,1): error TS2345: Argument of type '"gteA"' is not assignable to parameter of type '"getA" | "getB"'.`,
      ],
      'b.ts:1:1 TS2345\n"gteA" is not allowed here; did you mean "getA"?',
    ],
    [
      "to the nearest value",
      [
        `a.ts(1,1): error TS2345: Argument of type '"nnoe"' is not assignable to parameter of type '"abc" | "none"'.`,
      ],
      'a.ts:1:1 TS2345\n"nnoe" is not allowed here; did you mean "none"?',
    ],
    [
      "to the values, if none is near",
      [`a.ts(1,1): error TS2322: Type '"x"' is not assignable to type '"abc" | "none"'.`],
      'a.ts:1:1 TS2322\n"x" is not allowed here\nallowed: "abc" | "none"',
    ],
    [
      "to some of many values",
      [
        `a.ts(1,1): error TS2322: Type '"x"' is not assignable to type '${Array.from({ length: 40 }, (_, index) => `"value${index}"`).join(" | ")}'.`,
      ],
      'a.ts:1:1 TS2322\n"x" is not allowed here\nallowed: "value0" | "value1" | "value2" | "value3" | "value4" | "value5" | "value6" | "value7" | "value8" | "value9" | "value10" | "value11" … and 28 more',
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
      "inside the types of a long sentence",
      [
        `a.ts(1,1): error TS1: Type '{ ${"id: number; ".repeat(20)}}' is wrong, but '{ ${"name: string; ".repeat(20)}}' is not.`,
      ],
      "a.ts:1:1 TS1\nType '{ id: number; id: number; id: number … and 18 more' is wrong, but '{ name: string; name: string; name: string … and 18 more' is not.",
    ],
    [
      "without a place, if it is in the configuration",
      ["error TS18003: No inputs."],
      "tsconfig.json:undefined:undefined TS18003\nNo inputs.",
    ],
  ])("%s", (_, output, expected) => {
    expect(short(...output)).toEqual([expected].flat());
  });

  it("and omitted if its status follows from a wrong value in the handler, which is another error", () => {
    const status =
      "  Type 'A' is not assignable to type '\"the spec has no status 405 for this operation\"'.";
    const wrong = "get-thing.ts(2,22): error TS1: Wrong.";
    expect(short(handler, status)).toEqual([
      "get-thing.ts:1:45 TS2345\nthe spec has no status 405 for this operation; it has 200, 401",
    ]);
    expect(short(handler, status, wrong)).toEqual(["get-thing.ts:2:22 TS1\nWrong."]);
    expect(short(handler, status, "get-thing.ts(6,1): error TS1: Wrong.")).toHaveLength(2);
  });

  it("separately from the next one", () => {
    expect(short("a.ts(1,1): error TS1: A.", "  Because.", "b.ts(2,2): error TS2: B.")).toEqual([
      "a.ts:1:1 TS1\nBecause.",
      "b.ts:2:2 TS2\nB.",
    ]);
  });
});
