/** The reference page: what the spec says is all there, and nothing that it says is more than text. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "../../../generated/contract.ts";
import document from "../../../generated/openapi.json" with { type: "json" };
import { specMessages } from "../../../server/testing/spec.ts";
import type { Json, JsonObject } from "../document.ts";
import type { Parameter } from "../model.ts";
import { generateDocs } from "../pipeline.ts";
import { clientCall } from "./client-call.ts";
import { type CurlRequest, curlCommand } from "./curl.ts";
import { markdown } from "./markdown.ts";
import { Schemas } from "./schemas.ts";
import { textOf } from "./testing.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "docs-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function pageOf(spec: JsonObject): Promise<string> {
  const file = join(folder, "openapi.json");
  await writeFile(file, JSON.stringify(spec));
  return (await generateDocs(file)).page;
}

const ownPage = readFileSync("generated/docs.html", "utf8");

/** What every block of code on a page holds. */
const codeIn = (page: string): string[] =>
  [...page.matchAll(/<pre tabindex="0"><code>(.*?)<\/code><\/pre>/gs)].map(([, code = ""]) => textOf(code));

describe("the page of this spec", () => {
  it("has a place for each operation and each of its answers, and a link to each operation", () => {
    const places = Object.entries(contract.operations).flatMap(([id, { responses }]) => [
      id,
      ...Object.keys(responses).map((status) => `${id}-${status}`),
    ]);
    expect(places.length).toBeGreaterThan(25);
    expect(places.filter((place) => !ownPage.includes(` id="${place}"`))).toEqual([]);
    const menu = /<nav .*?<\/nav>/s.exec(ownPage)?.[0] ?? "";
    for (const id of Object.keys(contract.operations)) expect(menu).toContain(`<a href="#${id}">`);
  });

  it("has every example of a response as it is, and sends every example of a request", () => {
    const blocks = codeIn(ownPage);
    const values = blocks.flatMap((block) =>
      /^[[{]/.test(block) ? [JSON.stringify(JSON.parse(block))] : [],
    );
    const sent = blocks.flatMap((block) => {
      const content = /^curl .*? -d '(.*)'$/s.exec(block)?.[1];
      return content === undefined ? [] : [JSON.stringify(JSON.parse(content))];
    });
    for (const { status, examples } of specMessages)
      for (const example of examples.values())
        expect(status === undefined ? sent : values).toContain(JSON.stringify(example));
  });

  it("says of every error code what it means, and with which statuses it comes", () => {
    const rows = [
      ...ownPage.matchAll(/<tr id="code-(\w+)"><td>.*?<\/td><td>(.*?)<\/td><td>(.*?)<\/td><\/tr>/gs),
    ];
    const { ErrorCode } = document.components.schemas;
    const meanings: { readonly [code: string]: string } = ErrorCode["x-enumDescriptions"];
    expect(Object.fromEntries(rows.map(([, code = "", , meaning = ""]) => [code, textOf(meaning)]))).toEqual(
      Object.fromEntries(ErrorCode.enum.map((code) => [code, meanings[code]?.replaceAll("`", "")])),
    );
    const statuses = Object.fromEntries(rows.map(([, code = "", status = ""]) => [code, status]));
    expect(statuses).toMatchObject({
      malformed_request: "400, 408, 431",
      totp_invalid: "401",
      unavailable: "503",
      webhook_not_found: "404",
    });
    expect(Object.values(statuses)).not.toContain("");
  });

  it("has no two places of one name, and every link leads to one of them", () => {
    const ids = [...ownPage.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const links = [...ownPage.matchAll(/ href="#([^"]*)"/g)].map(([, id]) => id);
    expect(links.filter((id) => !ids.includes(id))).toEqual([]);
  });

  it("asks no other host for anything", () => {
    const withoutText = ownPage.replaceAll(/>[^<]*</g, "><");
    expect(withoutText.match(/<(?:img|iframe|object|embed|video|audio|source|base|form)\b/g)).toBeNull();
    expect(withoutText.match(/<link [^>]*>/g)).toEqual(['<link rel="icon" href="data:,">']);
    expect(withoutText.match(/ src=/g)).toBeNull();
    expect(/<style>(.*?)<\/style>/s.exec(ownPage)?.[1]).not.toMatch(/url\(|@import/);
  });
});

/** Markup, attributes, addresses and code that would run if any of it were more than text. */
const hostile = [
  "</title></style></script><script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  "[a](javascript:alert(1)) ![b](https://evil.test/x.png) <javascript:alert(1)> <b onclick=alert(1)>c</b>",
  "[d]( java\nscript:alert(1)) [e](&#106;avascript:alert(1)) [f](data:text/html,<script>alert(1)</script>)",
  "<svg/onload=alert(1)>\n\n<script>alert(1)</script>\n\n    code </pre><script>alert(1)</script>",
  "| <script>alert(1)</script> |\n|---|\n| <img src=x onerror=alert(1)> |",
].join("\n\n");

const hostileSpec: JsonObject = {
  openapi: "3.1.0",
  info: {
    title: hostile,
    version: hostile,
    summary: hostile,
    description: hostile,
    "x-client-package": hostile,
  },
  servers: [{ url: "https://a.test/'$(id)`id`", description: hostile }],
  tags: [{ name: hostile, description: hostile }],
  paths: {
    "/things/{id}": {
      post: {
        operationId: "makeThing",
        summary: hostile,
        description: hostile,
        tags: [hostile],
        security: [{ key: [hostile] }],
        parameters: [
          {
            name: "id",
            in: "path",
            required: true,
            description: hostile,
            schema: { type: "string" },
            example: hostile,
          },
          { name: hostile, in: "query", required: true, schema: { type: "string", default: hostile } },
        ],
        requestBody: {
          required: true,
          description: hostile,
          content: {
            "application/json": {
              schema: {
                type: "object",
                title: hostile,
                properties: {
                  [hostile]: { type: "string", description: hostile, enum: [hostile], default: hostile },
                  other: { type: "string", pattern: "</script><script>alert\\(1\\)", examples: [hostile] },
                },
              },
              examples: { one: { summary: hostile, value: { [hostile]: hostile } } },
            },
          },
        },
        responses: {
          200: {
            description: hostile,
            headers: { "X-One": { description: hostile, schema: { type: "string", const: hostile } } },
            content: { "application/json": { schema: { type: "string" }, example: hostile } },
          },
        },
      },
    },
  },
  components: {
    securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key", description: hostile } },
  },
};

describe("a hostile spec", () => {
  it("has no element and no attribute of its own on the page", async () => {
    const page = await pageOf(hostileSpec);
    const [, head = "", rest = ""] = /^(.*?<style>).*?(<\/style>.*)$/s.exec(page) ?? [];
    const body = rest.replace(/<script>.*?<\/script>\n<\/body>/s, "</body>");
    const tags = [...`${head}${body}`.matchAll(/<(\/?[a-z][\w-]*)((?:\s[^<>]*)?)>/gi)];
    const allowed = [...new Set([...ownPage.matchAll(/<(\/?[a-z][\w-]*)/g)].map(([, tag]) => tag))];
    const foreign = tags.map(([, tag]) => tag).filter((tag) => !allowed.includes(tag));
    expect([...new Set(foreign)].toSorted()).toEqual([]);
    expect(body).not.toMatch(/<\/?(?:script|img|svg|iframe)\b/i);
    // Whatever stands in an attribute stands in quotes: with them taken away, names alone are left.
    const names = tags.flatMap(([, , attributes = ""]) => [
      ...attributes.replaceAll(/="[^"]*"/g, "").matchAll(/[^\s]+/g),
    ]);
    expect(
      [...new Set(names.map(([name]) => name))].filter((name) => !/^[a-z-]+$/.test(name) || /^on/.test(name)),
    ).toEqual([]);
    const addresses = [...body.matchAll(/ href="([^"]*)"/g)].map(([, address = ""]) => textOf(address));
    expect(addresses.filter((address) => !/^(?:#|https:\/\/evil\.test\/x\.png$)/.test(address))).toEqual([]);
  });

  it("is shown as it is", async () => {
    const text = textOf(await pageOf(hostileSpec));
    expect(text).toContain("</title></style></script><script>alert(1)</script>");
    expect(text).toContain('"><img src=x onerror=alert(1)>');
  });

  it("does not get into the policy of the page, which is the same for every spec", async () => {
    const policyOf = (page: string) => /Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1];
    expect(policyOf(await pageOf(hostileSpec))).toBe(policyOf(ownPage));
    expect(policyOf(ownPage)).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; script-src 'sha256-[\w+/=]{44}'; img-src data:; base-uri 'none'; form-action 'none'$/,
    );
  });
});

describe("a command", () => {
  const parameter = (part: Partial<Parameter>): Parameter => ({
    in: "query",
    name: "q",
    required: true,
    type: "string",
    style: undefined,
    explode: undefined,
    mediaType: undefined,
    schema: { name: "Q", pointer: "", use: "parameter" },
    ...part,
  });
  const request: CurlRequest = {
    method: "GET",
    baseUrl: "http://a.test/",
    path: "/x",
    parameters: [],
    security: [],
    content: undefined,
  };

  /** The words that a shell makes of it, after `curl`. */
  async function wordsOf(part: Partial<CurlRequest>): Promise<string[]> {
    const script = `curl() { printf '%s\\0' "$@"; }\n${curlCommand({ ...request, ...part })}`;
    const env = { PATH: process.env.PATH, API_KEY: "sk_'x", USERNAME: "me", PASSWORD: "p w" };
    const { stdout } = await promisify(execFile)("sh", ["-c", script], { env });
    return stdout.split("\0").slice(0, -1);
  }

  const nasty = `'; touch /tmp/x; $(id) \`id\` "\\ \n & ?#%`;

  it("is read by a shell as what was meant, whatever the values are", async () => {
    const media = { mediaType: "application/json", schema: undefined, fields: [] };
    const words = await wordsOf({
      method: "GET",
      path: "/x/{id}",
      parameters: [
        { parameter: parameter({ in: "path", name: "id" }), value: nasty },
        { parameter: parameter({ name: "q'" }), value: nasty },
        { parameter: parameter({ in: "header", name: "X-A" }), value: "it's $HOME" },
        { parameter: parameter({ in: "cookie", name: "c" }), value: "it's" },
      ],
      security: [{ scheme: "a", roles: [], sent: "bearer" }],
      content: { media, value: { nasty } },
    });
    expect(words).toEqual([
      "-X",
      "GET",
      `http://a.test/x/${encodeURIComponent(nasty)}?q'=${encodeURIComponent(nasty)}`,
      "-H",
      "Authorization: Bearer sk_'x",
      "-H",
      "X-A: it's $HOME",
      "-b",
      "c=it's",
      "-H",
      "Content-Type: application/json",
      "-d",
      expect.any(String),
    ]);
    expect(JSON.parse(words.at(-1) ?? "")).toEqual({ nasty });
  });

  it.each<[string, Partial<Parameter>, Json, string]>([
    ["a list", {}, ["a", "b c"], "?q=a&q=b%20c"],
    ["a list in one", { explode: false }, ["a", "b"], "?q=a,b"],
    ["a list with pipes", { style: "pipeDelimited" }, ["a", "b"], "?q=a%7Cb"],
    ["an object", {}, { a: 1, b: true }, "?a=1&b=true"],
    ["a deep object", { style: "deepObject", explode: true }, { a: 1 }, "?q%5Ba%5D=1"],
    ["JSON", { mediaType: "application/json" }, { a: 1 }, "?q=%7B%22a%22%3A1%7D"],
  ])("writes %s in a query as the spec has it", async (_, part, value, search) => {
    const words = await wordsOf({ parameters: [{ parameter: parameter(part), value }] });
    expect(words).toEqual(["-X", "GET", `http://a.test/x${search}`]);
  });

  it.each<[Partial<Parameter>, Json, string]>([
    [{ style: "label" }, "a", "/.a"],
    [{ style: "matrix" }, "a", "/;id=a"],
    [{ style: "matrix", explode: true }, ["a", "b"], "/;id=a;id=b"],
    [{}, ["a", "b/c"], "/a,b%2Fc"],
  ])("writes %j in a path", async (part, value, path) => {
    const one = { parameter: parameter({ in: "path", name: "id", ...part }), value };
    expect(await wordsOf({ path: "/{id}", parameters: [one] })).toEqual([
      "-X",
      "GET",
      `http://a.test${path}`,
    ]);
  });

  it.each<[CurlRequest["security"][number]["sent"], string[]]>([
    ["basic", ["-u", "me:p w"]],
    [{ in: "header", name: "X-Key" }, ["-H", "X-Key: sk_'x"]],
    [{ in: "cookie", name: "key" }, ["-b", "key=sk_'x"]],
  ])("sends a credential by %j", async (sent, words) => {
    const security = [{ scheme: "a", roles: [], sent }];
    expect(await wordsOf({ security })).toEqual(["-X", "GET", "http://a.test/x", ...words]);
  });

  it("sends a credential in the query, and a form field by field", async () => {
    const security = [{ scheme: "a", roles: [], sent: { in: "query", name: "key" } }];
    const media = { mediaType: "application/x-www-form-urlencoded", schema: undefined, fields: [] };
    expect(
      await wordsOf({ method: "POST", security, content: { media, value: { a: "b c", d: 1 } } }),
    ).toEqual([
      "-X",
      "POST",
      "http://a.test/x?key=sk_'x",
      "--data-urlencode",
      "a=b c",
      "--data-urlencode",
      "d=1",
    ]);
  });

  it("sends a file of a form as a file, and text that looks like one as text", async () => {
    const field = { type: "string", style: undefined, explode: undefined } as const;
    const fields = [{ ...field, name: "photo", mediaType: "application/octet-stream" }];
    const media = { mediaType: "multipart/form-data", schema: undefined, fields };
    expect(
      await wordsOf({ method: "POST", content: { media, value: { photo: "", title: "@/etc/passwd" } } }),
    ).toEqual(["-X", "POST", "http://a.test/x", "-F", "photo=@FILE", "--form-string", "title=@/etc/passwd"]);
  });
});

describe("a call of the client", () => {
  it("has values that no text of the spec can end, and names that set no prototype", () => {
    const body = JSON.parse('{"__proto__":{"a":1},"b-c":"\\"\\n\\u2028"}');
    expect(
      clientCall({ operationId: "make", parameters: [{ in: "path", name: "i d", value: 1 }], body }),
    ).toBe(
      `client.make({\n  params: { path: { "i d": 1 } },\n  body: { ["__proto__"]: { a: 1 }, "b-c": "\\"\\n\u2028" },\n})`,
    );
    expect(clientCall({ operationId: "list", parameters: [], body: undefined })).toBe("client.list()");
  });
});

describe("a description", () => {
  it.each([
    ["**a** _b_ ~~c~~ `d < e`", "<p><strong>a</strong> <em>b</em> <del>c</del> <code>d &lt; e</code></p>"],
    ["# One\n\n### Two", "<h4>One</h4><h6>Two</h6>"],
    ["- a\n- b", "<ul><li>a</li><li>b</li></ul>"],
    ["3. a", '<ol start="3"><li>a</li></ol>'],
    ["[a](https://b.test)", '<p><a href="https://b.test">a</a></p>'],
    ["[a](#b) [c](/d) [e](ftp://f)", '<p><a href="#b">a</a> c e</p>'],
    ["![a](https://b.test/c.png)", '<p><a href="https://b.test/c.png">a</a></p>'],
    ["a &amp; b &copy; &nope; <i>c</i>", "<p>a &amp; b &copy; &nope; &lt;i&gt;c&lt;/i&gt;</p>"],
    ["\\*a\\* <!-- b -->", "<p>*a* &lt;!-- b --&gt;</p>"],
    ["> a\n\n---", "<blockquote><p>a</p></blockquote><hr>"],
  ])("%j is CommonMark", (text, html) => {
    expect(markdown(text).text).toBe(html);
  });
});

describe("schemas", () => {
  const shown = (schemas: { [name: string]: Json }, name = "A"): string =>
    textOf(
      new Schemas({ components: { schemas } })
        .contentInFull(`/components/schemas/${name}`)
        .text.replaceAll("<", " <"),
    ).trim();

  it("are told property by property, with what each must keep to", () => {
    expect(
      shown({
        A: {
          type: "object",
          required: ["b"],
          properties: {
            b: { type: "string", minLength: 1, maxLength: 9, pattern: "^x", description: "Bee." },
            c: { type: ["integer", "null"], minimum: 1, exclusiveMaximum: 5, default: 2, deprecated: true },
            d: { type: "array", minItems: 1, uniqueItems: true, items: { type: "string", enum: ["e", "f"] } },
            g: { type: "object", additionalProperties: { type: "number" } },
            h: { type: "string", format: "uuid", "x-sensitive": true },
          },
        },
      }).replaceAll(/\s+/g, " "),
    ).toBe(
      "b string required Bee. 1 to 9 characters · matches ^x c integer or null deprecated at least 1 · less than 5 · default 2 d array of string at least 1 item · no item twice · each one of e , f g object any other name number h string (uuid) secret",
    );
  });

  it("have what `allOf` adds up, and each branch of `oneOf`", () => {
    expect(
      shown({
        A: {
          allOf: [
            { $ref: "#/components/schemas/B" },
            { properties: { c: { oneOf: [{ $ref: "#/components/schemas/B" }, { type: "string" }] } } },
          ],
        },
        B: { required: ["b"], properties: { b: { type: "boolean" } } },
      }).replaceAll(/\s+/g, " "),
    ).toBe("b boolean required c one of several One of: B b boolean required string");
  });

  it("that hold themselves end in a link to their own section", () => {
    const tree = {
      type: "object",
      properties: { up: { $ref: "#/components/schemas/A" }, n: { type: "number" } },
    };
    const through = {
      allOf: [{ $ref: "#/components/schemas/C" }, { properties: { x: { type: "string" } } }],
    };
    const schemas = new Schemas({
      components: { schemas: { A: tree, C: { properties: { more: through, n: { type: "number" } } } } },
    });
    expect(schemas.content("/components/schemas/A").text).toContain('<a href="#schema-A">A</a>');
    expect(schemas.contentInFull("/components/schemas/C").text).toContain('<a href="#schema-C">C</a>');
    const sections = schemas
      .sections((name) => markdown(name))
      .map(({ text }) => / id="([^"]*)"/.exec(text)?.[1]);
    expect(sections).toEqual(["schema-A", "schema-C"]);
  });
});
