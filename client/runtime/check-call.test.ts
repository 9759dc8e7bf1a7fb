import { describe, expect, it } from "vitest";
import type { ParameterDescription } from "#specbind/contract";
import { createClient, type InvalidCallError } from "../index.ts";
import { isParameter, problemsOf } from "./check-call.ts";
import type { HeaderRecord } from "./headers.ts";
import { bodyCheckOf } from "./parts/bodies.ts";
import { writePath } from "./parts/parameters.ts";

const operation = {
  method: "POST",
  path: "/shelves/{shelf}/books/v{isbn}.json",
  requestBody: { required: false, mediaTypes: ["application/json"] },
  responses: {},
};
const path = { shelf: 1, isbn: "9" };
interface Given {
  readonly path?: Record<string, unknown>;
  readonly query?: Record<string, unknown>;
  readonly header?: Record<string, unknown>;
  readonly cookie?: Record<string, unknown>;
  readonly headers?: HeaderRecord;
  readonly body?: unknown;
  readonly mediaType?: string;
  /** The default has every name that is given. */
  readonly parameters?: ParameterDescription[];
}
function problems({ headers = {}, body, mediaType, ...given }: Given, template = operation.path) {
  const params = { path, ...given, parameters: undefined };
  const parameters =
    given.parameters ??
    (["query", "header"] as const).flatMap((place) =>
      Object.keys(given[place] ?? {}).map((name) => ({ in: place, name })),
    );
  return problemsOf(
    { ...operation, path: template, parameters },
    (text, values) => writePath(text, parameters, values),
    isParameter,
    params,
    headers,
    body,
    bodyCheckOf(mediaType),
  ).map(({ in: place, pointer, message }) => `${place} ${pointer} ${message}`);
}

describe("a path value", () => {
  const elsewhere = "must not be empty, `.` or `..`";
  it.each<[values: Record<string, unknown>, problem: string]>([
    [{ isbn: "9" }, "path /shelf is missing"],
    [{ shelf: undefined, isbn: "9" }, "path /shelf is missing"],
    [{ shelf: null, isbn: "9" }, "path /shelf is missing"],
    [Object.assign(Object.create({ shelf: 1 }), { isbn: "9" }), "path /shelf is missing"],
    ...["", [], {}, [""], ".", ".."].map((shelf): [Record<string, unknown>, string] => [
      { shelf, isbn: "9" },
      `path /shelf ${elsewhere}`,
    ]),
    [{ shelf: "1", isbn: "" }, `path /isbn ${elsewhere}`],
    [{ shelf: Number.NaN, isbn: "9" }, "path /shelf must not be NaN"],
    [{ shelf: "\ud800", isbn: "9" }, "path /shelf must not have unpaired surrogates"],
  ])("is rejected if it is missing, would change the path or cannot be sent: %j", (values, problem) => {
    expect(problems({ path: values })).toEqual([problem]);
  });

  it.each([["..."], ["a/.."], ["%2e%2e"], [0], [false], [".."]])(
    "is sent if it does not change the path: %j",
    (isbn) => {
      expect(problems({ path: { shelf: 1, isbn } })).toEqual([]);
    },
  );

  it("is checked together with the text that the template and the style add to it", () => {
    const parameters: ParameterDescription[] = [{ in: "path", name: "a", style: "label" }];
    const sent = (a: string, b: string) => problems({ path: { a, b }, parameters }, "/{a}/.{b}");
    expect([sent(".", "x"), sent("x", "."), sent("x", "x")]).toEqual([
      [`path /a ${elsewhere}`],
      [`path /b ${elsewhere}`],
      [],
    ]);
  });
});

it("the name of a parameter must be declared by the operation, and may have any letter case in a header", () => {
  const parameters: ParameterDescription[] = [
    { in: "query", name: "page" },
    { in: "header", name: "X-Mine" },
  ];
  expect(problems({ query: { page: 1 }, header: { "x-mine": 1 }, parameters })).toEqual([]);
  const unknown = { path: { ...path, book: 1 }, query: { Page: 1, isbn: 1 }, cookie: { page: 1 } };
  expect(problems({ ...unknown, parameters })).toEqual(
    ["path /book", "query /Page", "query /isbn", "cookie /page"].map((each) => `${each} is not a parameter`),
  );
});

describe("a value", () => {
  const circular: Record<string, unknown> = {};
  circular.again = [circular];
  let deep: unknown = 1;
  for (let depth = 0; depth < 20_000; depth++) deep = [deep];

  it.each<[value: unknown, problem: string | undefined]>([
    [Number.NaN, "must not be NaN"],
    [Number.NEGATIVE_INFINITY, "must not be -Infinity"],
    [() => 1, "must not be a function"],
    [1n, "must not be a bigint"],
    [Symbol("s"), "must not be a symbol"],
    ["a\udc00", "must not have unpaired surrogates"],
    [new Date(0), "must be a plain value, such as date.toISOString(), not Date"],
    [new Blob([]), "must be a plain value, such as date.toISOString(), not Blob"],
    [{ toJSON: () => 1 }, "must be a plain value, such as date.toISOString(), not Object"],
  ])("that JSON would change or omit is rejected in every part of a request: %s", (value, message) => {
    expect(problems({ body: { "a/b": [0, { "c~": value }] } })).toEqual([`body /a~1b/1/c~0 ${message}`]);
    expect(problems({ query: { at: value } })).toEqual([`query /at ${message}`]);
    expect(problems({ header: { at: value } })[0]).toBe(`header /at ${message}`);
  });

  it.each([
    ["null, true, 0, -1.5, '' and a pair of surrogates", [null, true, 0, -1.5, "", "😀"]],
    ["an object without a prototype", Object.assign(Object.create(null), { a: 1 })],
    ["an undefined property", { a: undefined }],
    ["one object in two places", [circular.none ?? path, path]],
  ])("that JSON can represent is sent: %s", (_, value) => {
    expect(problems({ body: value })).toEqual([]);
  });

  it.each([
    ["undefined in a list", [1, undefined], ["body /1 must not contain undefined in a list"]],
    ["a gap in a list", new Array(1), ["body /0 must not contain undefined in a list"]],
    ["itself", circular, ["body /again/0 must not be circular or more than 500 levels deep"]],
    [
      "a name with an unpaired surrogate",
      { "\ud800": 1 },
      ["body /\ud800 must not have unpaired surrogates"],
    ],
  ])("must not contain %s", (_, value, want) => {
    expect(problems({ body: value })).toEqual(want);
  });

  it("must not be nested so deeply that the stack overflows", () => {
    expect(problems({ body: deep })).toEqual([
      expect.stringMatching(/^body (?:\/0)+ must not be circular or more than 500 levels deep$/),
    ]);
  });

  it("can be a file in a multipart form", () => {
    const body = { file: new File(["x"], "x"), more: [new Blob(["y"])] };
    expect([problems({ body, mediaType: "multipart/form-data" }), problems({ body }).length]).toEqual([
      [],
      2,
    ]);
  });

  it.each([[new FormData()], [new URLSearchParams("a=b")], [new Blob(["x"])], [new Uint8Array(1)]])(
    "that fetch accepts as a body is sent unchanged",
    (body) => {
      expect(problems({ body })).toEqual([]);
    },
  );
});

describe("the body of a form", () => {
  it.each(["multipart/form-data; boundary=x", "application/x-www-form-urlencoded"])(
    "that has no fields is rejected: %s",
    (mediaType) => {
      for (const body of [5, null, ["a=b"]])
        expect(problems({ body, mediaType })).toEqual(["body  must be an object with the form's fields"]);
      for (const body of ["a=b", {}, { a: [1] }]) expect(problems({ body, mediaType })).toEqual([]);
    },
  );
});

describe("a header", () => {
  it.each([
    ["X-A", "a\r\nX-B: b", "/x-a must be one line of Latin-1 characters"],
    ["X-A", "€", "/x-a must be one line of Latin-1 characters"],
    ["X-A", ["a", "b\n"], "/x-a must be one line of Latin-1 characters"],
    ["", "a", "/ must have a valid header name"],
    ["X/A\n", "a", "/x~1a\n must have a valid header name"],
  ])("with a line break or other invalid characters is rejected: %j", (name, value, problem) => {
    expect([
      problems({ headers: { [name.toLowerCase()]: value } }),
      problems({ header: { [name]: value } }),
    ]).toEqual([[`header ${problem}`], [`header ${problem}`]]);
  });

  it.each([[null], [""], ["a\tb"], ["é"], [["a", "b"]], [1]])("is sent: %j", (value) => {
    expect(problems({ headers: { "x-a": value } })).toEqual([]);
  });
});

it("an invalid call throws an error with all problems and their places, and is not sent", async () => {
  const fetch = () => expect.fail("this must not be sent");
  const call = createClient({ baseUrl: "http://service.test", apiKey: "sk_1", fetch }).submitCommission({
    body: { commission: { title: "t", type: "supply", default_value: Number.NaN } },
    headers: { "X-Mine": "a\nhush" },
  });
  const error: InvalidCallError = await call.catch((thrown) => thrown);
  expect({ ...error, message: error.message }).toEqual({
    name: "InvalidCallError",
    operationId: "submitCommission",
    requestId: undefined,
    message:
      "submitCommission: body /commission/default_value must not be NaN; " +
      "header /x-mine must be one line of Latin-1 characters",
    problems: [
      { in: "body", pointer: "/commission/default_value", message: "must not be NaN" },
      { in: "header", pointer: "/x-mine", message: "must be one line of Latin-1 characters" },
    ],
  });
});
