import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { withRejections } from "./add-rejections.ts";
import { undocumentedRejections, usualResponse } from "./rejections.ts";

const given = `openapi: 3.1.1
info: { title: Books, version: 1.0.0 }
paths:
  /books:
    post:
      security: [{ key: [write] }]
      requestBody: { $ref: "#/components/requestBodies/Book" }
      responses:
        204: { description: Stored. }
        400:
          $ref: "#/components/responses/Bad" # the usual one
        "401": # has its own body
          description: |
            Unknown.
          content:
            application/json: {}

    # Not guarded, and nothing can be invalid.
    get: { responses: { "200": { description: Books. } } }
  /books/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get:
      responses: { "200": { description: A book. }, default: { description: An error. } }
components:
  requestBodies: { Book: { content: { application/json: {} } } }
  responses:
    Bad: { description: Bad. }
  securitySchemes: { key: { type: oauth2, flows: {} } }`;

/** The media types, keyed by path, method and status. Undefined for a response without a body. */
function bodiesIn(text: string) {
  const { paths, components } = parse(text);
  const found: { [place: string]: string[] | undefined } = {};
  for (const [path, item] of Object.entries<{ [method: string]: { responses?: object } }>(paths))
    for (const [method, { responses = {} }] of Object.entries(item))
      for (const [status, each] of Object.entries(responses)) {
        const { content } = each.$ref === undefined ? each : components.responses.Bad;
        found[`${method} ${path} ${status}`] = content && Object.keys(content);
      }
  return found;
}

describe("the rejections of a document", () => {
  const problem = "application/problem+json";
  const bodies = {
    "post /books 204": undefined,
    "post /books 400": [problem],
    "post /books 401": ["application/json", problem],
    "post /books 403": [problem],
    "post /books 413": [problem],
    "post /books 415": [problem],
    "get /books 200": undefined,
    "get /books/{id} 200": undefined,
    "get /books/{id} default": undefined,
    "get /books/{id} 422": [problem],
  };

  it("are added if they are missing or have no body of problem details", () => {
    const { text, added, elsewhere } = withRejections(given);
    expect(bodiesIn(text)).toEqual(bodies);
    expect({ added, elsewhere }).toEqual({ added: 6, elsewhere: [] });
    expect(parse(text).components.schemas.Rejection.required).toContain("code");
  });

  it("do not change any other line", () => {
    const { text } = withRejections(given);
    const lines = text.split("\n");
    const kept = given.split("\n").filter((line) => !line.includes("A book.") && !line.includes("Bad."));
    expect(kept.filter((line) => !lines.includes(line))).toEqual([]);
    expect(text).toContain(`            application/json: {}
            application/problem+json:
              schema:
                $ref: "#/components/schemas/Rejection"
`);
  });

  it("are undocumented before, unless a class or `default` describes them, and not afterwards", () => {
    const post = ["403", "413", "415"].map((status) => `${status} of POST /books`);
    expect(
      undocumentedRejections(parse(given)).map(({ status, operation }) => `${status} of ${operation}`),
    ).toEqual(post);
    expect(undocumentedRejections(parse(withRejections(given).text))).toEqual([]);
  });

  it("are undocumented at the responses of their operation, whose usual response is that of most operations", () => {
    const document = parse(given);
    const get = (name: string) => ({
      get: { responses: { "403": { $ref: `#/components/responses/${name}` } } },
    });
    Object.assign(document.paths, { "/a": get("Other"), "/b": get("Forbidden"), "/c": get("Forbidden") });
    const pointer = "/paths/~1books/post/responses";
    expect(undocumentedRejections(document)[0]).toEqual({ status: "403", operation: "POST /books", pointer });
    const usual = ["403", "401"].map((status) => usualResponse(document, status));
    expect(usual).toEqual(["#/components/responses/Forbidden", undefined]);
  });

  it("have the usual schema of the errors of a media type if the server sends these", () => {
    const rejections = (schema: string) => {
      const errors = `openapi: 3.1.1
paths:
  /books/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get:
      responses:
        200: { description: A book., content: { application/json: { schema: { type: string } } } }
        404: { description: None., content: { application/json: { schema: ${schema} } } }
`;
      const { text } = withRejections(errors, "application/json");
      expect(withRejections(text, "application/json").added).toBe(0);
      const { paths, components } = parse(text);
      return [paths["/books/{id}"].get.responses["422"].content, components];
    };
    const own = ($ref: string) => [{ "application/json": { schema: { $ref } } }, undefined];
    expect(rejections('{ $ref: "error.yaml" }')).toEqual(own("error.yaml"));
    expect(rejections("{ type: object }")).toEqual(
      own("#/paths/~1books~1{id}/get/responses/404/content/application~1json/schema"),
    );
  });

  it("are not added again by a second run", () => {
    const { text } = withRejections(given);
    expect(withRejections(text, "application/json")).toEqual({
      text,
      added: 0,
      mediaType: problem,
      elsewhere: [],
    });
  });

  it("are not added to a document with syntax errors", () => {
    const broken = `${given}\nx: [`;
    expect(withRejections(broken)).toEqual({ text: broken, added: 0, mediaType: problem, elsewhere: [] });
  });

  it.each([undefined, "\t"])("are added to JSON that is indented by %j", (indent) => {
    const { text } = withRejections(JSON.stringify(parse(given), null, indent));
    expect(bodiesIn(JSON.stringify(JSON.parse(text)))).toEqual(bodies);
  });

  it("are added once to responses that several operations share by an alias", () => {
    const { text, added } = withRejections(`openapi: 3.2.0
paths:
  /books:
    parameters: [{ name: n, in: query, schema: { type: integer } }]
    get: { responses: &books { 200: { description: Books. } } }
    query: { responses: *books }
`);
    expect(added).toBe(1);
    expect(bodiesIn(text)).toMatchObject({ "get /books 422": [problem], "query /books 422": [problem] });
  });

  it("are not added to operations whose responses are in another file, and these operations are listed", () => {
    const { text, elsewhere } = withRejections(given.replace("#/components/responses/Bad", "bad.yaml"));
    expect(elsewhere).toEqual(["POST /books"]);
    expect(bodiesIn(text)["post /books 413"]).toEqual([problem]);
  });
});
