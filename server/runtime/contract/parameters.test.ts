/** Sends values in the styles of OpenAPI 3.1, section 4.8.12.6, to an operation that returns what it has received. */
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import type { Contract, ParameterContract, RequestBodyContract, Shape, Validate } from "#specbind/contract";
import { type ContractEnv, serveContract } from "../http/hono.ts";
import { bindContract } from "./bind.ts";

const anything: Validate = () => true;

interface Sent {
  /** The path's last segment. */
  readonly path?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | FormData;
}

type Parameter = Partial<ParameterContract> & Pick<ParameterContract, "in">;

/** Declares `color` if a parameter has no name. @returns what the handler received, or the rejection */
async function received(
  parameters: readonly Parameter[],
  { path = "colors", query = "", headers = {}, body }: Sent,
  mediaTypes?: RequestBodyContract["mediaTypes"],
): Promise<unknown> {
  const response = { headers: [], mediaTypes: { "application/json": { validate: anything } } };
  const contract: Contract = {
    format: 1,
    validators: 1,
    operations: {
      echo: {
        method: "POST",
        path: parameters.some((each) => each.in === "path") ? "/{color}" : "/colors",
        security: [],
        parameters: parameters.map((each) => {
          return { name: "color", required: false, type: "string", validate: anything, ...each };
        }),
        ...(mediaTypes && { requestBody: { required: true, mediaTypes } }),
        responses: { 200: response, 422: response, 500: response },
      },
    },
    unmatched: {},
    sensitive: [],
  };
  const app = new Hono<ContractEnv>();
  const binding = bindContract<string>({
    contract,
    handlers: { echo: async (request: unknown) => ({ status: 200, body: await shown(request) }) },
    authenticate: {},
    reject: (detail) => ({ status: 422, body: detail }),
    fail: (error) => ({ status: 500, body: String(error) }),
    requestIdOf: () => "r",
    onViolation: () => {},
    responsePolicy: "off",
    maxContentBytes: 100_000,
  });
  serveContract(app, binding);
  const request = { method: "POST", headers, ...(body !== undefined && { body }) };
  return (await app.request(`/${path}${query}`, request)).json();
}

const integers: Shape = { items: "integer" };
const object: Shape = { properties: { R: "integer", G: "integer" }, others: "string" };
const either: Shape = ["integer", integers];
const rgb = { R: 100, G: 200 };

const places = {
  path: (text: string): Sent => ({ path: text }),
  query: (text: string): Sent => ({ query: `?${text}` }),
  header: (text: string): Sent => ({ headers: { color: text } }),
  cookie: (text: string): Sent => ({ headers: { cookie: text } }),
  querystring: (text: string): Sent => ({ query: text && `?${text}` }),
};
type Row = readonly [
  place: keyof typeof places,
  written: Partial<ParameterContract>,
  text: string,
  value: unknown,
];

const label = { style: "label" } as const;
const matrix = { style: "matrix" } as const;
const deep = { style: "deepObject", type: object } as const;
const asJson = { mediaType: "application/json", type: object } as const;

describe("a parameter", () => {
  it.each<Row>([
    ["path", {}, "a%2Cb%20c+d", "a,b c+d"],
    ["path", { type: "integer" }, "7", 7],
    ["path", { type: integers }, "1,2", [1, 2]],
    ["path", { type: integers }, "1", [1]],
    ["path", { type: { items: "string" } }, "a%2Cb,c", ["a,b", "c"]],
    ["path", { type: either }, "1", 1],
    ["path", { type: either }, "1,2", [1, 2]],
    ["path", { type: object }, "R,100,G,200", rgb],
    ["path", { type: object, explode: true }, "R=100,G=200", rgb],
    ["path", { ...label, type: "integer" }, ".7", 7],
    ["path", { ...label, type: integers }, ".1,2", [1, 2]],
    ["path", { ...label, type: integers, explode: true }, ".1.2", [1, 2]],
    ["path", { ...label, type: object, explode: true }, ".R=100.G=200", rgb],
    ["path", { ...matrix, type: "integer" }, ";color=7", 7],
    ["path", { ...matrix, type: integers }, ";color=1,2", [1, 2]],
    ["path", { ...matrix, type: integers }, ";color", []],
    ["path", { ...matrix, type: integers, explode: true }, ";color=1;color=2", [1, 2]],
    ["path", { ...matrix, type: object }, ";color=R,100,G,200", rgb],
    ["path", { ...matrix, type: object, explode: true }, ";R=100;G=200", rgb],
    ["path", { ...matrix, type: object, explode: true }, ";R=100", { R: 100 }],
    ["path", asJson, "%7B%22R%22:100%7D", { R: 100 }],
    ["query", {}, "color=a+b%2B", "a b+"],
    ["query", { type: "boolean" }, "color=true", true],
    ["query", { type: "boolean" }, "color=false", false],
    ["query", { type: "number" }, "color=1.5e1", 15],
    ["query", { type: ["integer", "null"] }, "color=", null],
    ["query", { type: ["integer", "null"] }, "color=null", null],
    ["query", { type: ["string", "null"] }, "color=null", "null"],
    ["query", { type: integers }, "color=1&color=2", [1, 2]],
    ["query", { type: either }, "color=1", 1],
    ["query", { type: either }, "color=1&color=2", [1, 2]],
    ["query", { type: integers }, "color=1", [1]],
    ["query", { type: integers, explode: false }, "color=1,2", [1, 2]],
    ["query", { type: integers, explode: false }, "color=", []],
    ["query", { type: integers, explode: false, style: "spaceDelimited" }, "color=1%202+3", [1, 2, 3]],
    ["query", { type: integers, explode: false, style: "pipeDelimited" }, "color=1|2%7C3", [1, 2, 3]],
    ["query", { type: object }, "R=100&G=200", rgb],
    ["query", { type: object }, "R=100&other=1", { R: 100, other: "1" }],
    ["query", { type: { properties: { R: "integer" } } }, "R=100&other=1", { R: 100 }],
    ["query", { type: object, explode: false }, "color=R,100,G,200", rgb],
    ["query", deep, "color[R]=100&color%5BG%5D=200&color=1&colors[R]=1", rgb],
    [
      "query",
      { ...deep, type: { properties: { a: object } } },
      "color[a][R]=1&color[a][x]=1",
      { a: { R: 1, x: "1" } },
    ],
    ["query", { ...deep, type: { properties: { a: integers } } }, "color[a][]=1&color[a][]=2", { a: [1, 2] }],
    [
      "query",
      { ...deep, type: { properties: { a: integers } } },
      "color[a][0]=1&color[a][1]=2",
      { a: [1, 2] },
    ],
    ["query", { ...deep, type: { properties: { a: integers } } }, "color[a]=1&color[a]=2", { a: [1, 2] }],
    ["query", asJson, "color=%7B%22R%22:100%7D", { R: 100 }],
    ["query", { mediaType: "text/plain", type: "integer" }, "color=7", "7"],
    ["header", { type: integers }, "1, 2", [1, 2]],
    ["header", { type: object }, "R,100,G,200", rgb],
    ["header", { type: object, explode: true }, "R=100,G=200", rgb],
    ["header", {}, "a%20b", "a%20b"],
    ["cookie", { type: "integer" }, "other=1; color=7", 7],
    ["cookie", {}, 'color="a%20b+c"', "a b+c"],
    ["cookie", {}, "color=100%", "100%"],
    ["cookie", { type: object }, "R=100; G=200", rgb],
  ])("in %s with %j is read from %s", async (place, written, text, value) => {
    const request = await received([{ in: place, ...written }], places[place](text));
    expect(request).toHaveProperty([place, "color"], value);
  });

  it.each<Row>([
    ["path", {}, "%ff", "must be percent-encoded UTF-8"],
    ["path", { ...label, type: integers }, "1.2", "must be written in style label"],
    ["path", { ...matrix, type: integers }, "color=1", "must be written in style matrix"],
    [
      "path",
      { ...matrix, type: integers, explode: true },
      ";color=1;colors=2",
      "must be written in style matrix",
    ],
    ["path", { type: object }, "R,100,G", "must alternate names and values"],
    ["path", { type: object, explode: true }, "R=100,G", "must be written as name=value"],
    ["path", asJson, "{", "must be JSON"],
    ["query", { required: true }, "other=1", "is required"],
    ["query", {}, "color=1&color=2", "must be given once"],
    ["query", { type: integers, explode: false }, "color=1&color=2", "must be given once"],
    ["query", asJson, "color={}&color={}", "must be given once"],
    ["query", { mediaType: "text/plain" }, "color=1&color=2", "must be given once"],
    ["query", {}, "color=%ff", "must be percent-encoded UTF-8"],
    ["query", { type: object }, "R=1&R=2", "R must be given once"],
    ["query", deep, `color${"[a]".repeat(33)}=1`, "must not be nested more than 32 levels deep"],
    ["header", { required: true }, "", "is required"],
    ["cookie", { required: true }, "colors=1", "is required"],
  ])("in %s with %j is rejected as %s", async (place, written, text, message) => {
    const sent = text === "" ? {} : places[place](text);
    expect(await received([{ in: place, ...written }], sent)).toEqual({
      reason: "request_invalid",
      problems: [{ in: place, pointer: "/color", message }],
    });
  });

  it("that is absent gets its default, and is otherwise absent for the handler", async () => {
    const complete = (value: unknown) => value ?? "red";
    const parameters: Parameter[] = [
      { in: "query", complete },
      { in: "query", name: "shade" },
    ];
    expect(await received(parameters, {})).toMatchObject({ query: { color: "red" } });
    const given = { query: "?color=blue&shade=dark" };
    expect(await received(parameters, given)).toMatchObject({ query: { color: "blue", shade: "dark" } });
  });

  it("does not take the names of other parameters as properties of an object", async () => {
    const parameters: Parameter[] = [
      { in: "query", type: object },
      { in: "query", name: "page", type: "integer" },
      { in: "query", name: "deep", style: "deepObject", type: object },
    ];
    expect(await received(parameters, { query: "?R=1&page=2&deep[R]=3&x=4" })).toMatchObject({
      query: { color: { R: 1, x: "4" }, page: 2, deep: { R: 3 } },
    });
  });

  it("that is the whole query is a form or JSON", async () => {
    const form: Parameter = {
      in: "querystring",
      mediaType: "application/x-www-form-urlencoded",
      fields: { R: { type: "integer" }, list: { type: integers } },
    };
    expect(await received([form], { query: "?R=1&list=2&x=y+z" })).toMatchObject({
      query: { R: 1, list: [2], x: "y z" },
    });
    const json: Parameter = { in: "querystring", mediaType: "application/json", required: true };
    expect(await received([json], { query: "?%7B%22R%22:1%7D" })).toMatchObject({ query: { R: 1 } });
    const problem = (message: string) => {
      return { reason: "request_invalid", problems: [{ in: "query", pointer: "", message }] };
    };
    expect(await received([json], {})).toEqual(problem("is required"));
    expect(await received([json], { query: "?{" })).toEqual(problem("must be JSON"));
    expect(await received([json], { query: "?%ff" })).toEqual(problem("must be percent-encoded UTF-8"));
  });
});

const fields = {
  count: { type: "integer" },
  list: { type: integers },
  data: { type: object, mediaType: "application/json" },
  items: { type: { items: object }, mediaType: "application/json" },
  deep: { type: object, style: "deepObject" },
} as const;

describe("a form", () => {
  const form = { "application/x-www-form-urlencoded": { fields } };
  const post = (body: string) =>
    received([], { body, headers: { "content-type": "application/x-www-form-urlencoded" } }, form);

  it("is read with the types and styles of its fields", async () => {
    const text =
      "count=1&list=2&list=3&data=%7B%22R%22:1%7D&items={}&items=[]&deep[R]=4&other=a+b&twice=1&twice=2";
    expect(await post(text)).toMatchObject({
      body: {
        ...{ count: 1, list: [2, 3], data: { R: 1 }, items: [{}, []], deep: { R: 4 } },
        ...{ other: "a b", twice: ["1", "2"] },
      },
    });
  });

  it("reports each field that cannot be read", async () => {
    const problems = [
      { pointer: "/a%ff~1b", message: "must be percent-encoded UTF-8" },
      { pointer: "/count", message: "must be given once" },
      { pointer: "/items", message: "must be JSON" },
    ].map((problem) => ({ in: "body", ...problem }));
    expect(await post("count=1&count=2&items={}&items={&a%ff/b=1")).toEqual({
      reason: "request_invalid",
      problems,
    });
  });

  it("may be empty", async () => {
    expect(await post("")).toMatchObject({ body: {} });
  });
});

describe("a multipart form", () => {
  const media = {
    fields: {
      ...fields,
      photo: { type: "string", mediaType: "image/png, image/jpeg" },
      photos: { type: { items: "string" }, mediaType: "application/octet-stream" },
    },
  } as const;
  const post = (parts: readonly (readonly [name: string, value: string | Blob])[]) => {
    const body = new FormData();
    for (const [name, value] of parts) body.append(name, value);
    return received([], { body }, { "multipart/form-data": media });
  };
  const blob = (text: string, type: string) => new Blob([text], { type });

  it("is read with the types of its fields", async () => {
    const parts: [string, string | Blob][] = [
      ...Object.entries({ count: "1", list: "2", data: '{"R":1}', items: "{}", other: "a", twice: "1" }),
      ["items", blob("[]", "application/json")],
      ["twice", "2"],
      ["photo", blob("ä", "image/jpeg")],
      ["photos", blob("1", "image/png")],
      ["file", blob("2", "text/plain")],
    ];
    expect(await post(parts)).toMatchObject({
      body: {
        ...{ count: 1, list: [2], data: { R: 1 }, items: [{}, []], other: "a", twice: ["1", "2"] },
        ...{ photo: "file ä", photos: ["file 1"], file: "file 2" },
      },
    });
  });

  it("reports each field that cannot be read", async () => {
    const parts: [string, string | Blob][] = [
      ["count", "1"],
      ["count", "2"],
      ["data", "{"],
      ["photo", blob("", "image/gif")],
    ];
    const problems = [
      { pointer: "/count", message: "must be given once" },
      { pointer: "/data", message: "must be JSON" },
      { pointer: "/photo", message: "must have the media type image/png or image/jpeg" },
    ].map((problem) => ({ in: "body", ...problem }));
    expect(await post(parts)).toEqual({ reason: "request_invalid", problems });
  });

  it("that is malformed is rejected", async () => {
    const headers = { "content-type": "multipart/form-data; boundary=b" };
    expect(await received([], { body: "--c", headers }, { "multipart/form-data": media })).toEqual({
      reason: "malformed_content",
      problem: "multipart",
    });
  });
});

it.each([
  ["application/octet-stream", "bytes ä"],
  ["text/plain", "ä"],
  ["application/problem+json", { R: 1 }],
])("a body of type %s is received as %j", async (type, value) => {
  const body = typeof value === "string" ? "ä" : JSON.stringify(value);
  const sent = { body, headers: { "content-type": type } };
  expect(await received([], sent, { [type]: {} })).toHaveProperty("body", value);
});

/** Replaces files and bytes by their text, because JSON has none. */
async function shown(value: unknown): Promise<unknown> {
  if (value instanceof Blob) return `file ${await value.text()}`;
  if (value instanceof Uint8Array) return `bytes ${new TextDecoder().decode(value)}`;
  if (Array.isArray(value)) return Promise.all(value.map(shown));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(async ([name, each]) => [name, await shown(each)] as const);
  return Object.fromEntries(await Promise.all(entries));
}
