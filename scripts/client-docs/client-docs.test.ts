/** The client's pages for people: every operation is there, and every snippet compiles, runs and prints what it says. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { examplesOf } from "../../client/mock/examples.ts";
import { contract } from "../../generated/contract.ts";
import document from "../../generated/openapi.json" with { type: "json" };
import { type Listening, listen } from "../../server/listen.ts";
import { currentPage, pageFile } from "../client-docs.ts";
import { createMockApp } from "../mock/app.ts";
import { printedBy, snippetErrors, snippetsOf } from "../testing/snippets.ts";
import { operationsPage } from "./operations-page.ts";

let mock: Listening;
beforeAll(async () => {
  const app = createMockApp({ contract, examples: examplesOf(document, contract.operations), log: () => {} });
  mock = await listen(app, { host: "127.0.0.1", port: 0, onMalformed: () => {} });
});
afterAll(() => mock.stop(0));

const pages = [pageFile, "client/README.md"].map((path) => ({ path, text: readFileSync(path, "utf8") }));
const snippets = pages.flatMap(({ path, text }) =>
  snippetsOf(text).map((snippet, index) => ({ place: `${path}, snippet ${index + 1}`, ...snippet })),
);

describe("the page of the operations", () => {
  it("is what the spec says; `npm run docs:client` makes it so", () => {
    expect(readFileSync(pageFile, "utf8")).toBe(currentPage());
  });

  it("has a snippet for each", () => {
    expect(snippetsOf(currentPage()).map(({ text }) => /client\.(\w+)\(/.exec(text)?.[1])).toEqual(
      Object.keys(contract.operations),
    );
  });
});

describe("what a page shows", () => {
  it("compiles", () => {
    expect(snippets.length).toBeGreaterThan(pages.length);
    expect(snippetErrors(...snippets.map(({ text }) => text))).toEqual([]);
  });

  it.each(snippets)("runs, and prints what the page says: $place", async ({ text, prints }) => {
    expect(await printedBy(text.replaceAll("http://127.0.0.1:4010", mock.url))).toBe(prints);
  });
});

describe("for another spec", () => {
  it("the page has parameters of every place, names that are no identifiers, and operations without content", () => {
    const operation = {
      summary: "List books",
      responses: { 200: { description: "Books | all\nof them", content: { "application/json": {} } } },
    };
    const page = operationsPage({
      document: { paths: { "/shelves/{shelf}/books": { get: operation } } },
      operations: {
        listBooks: {
          method: "GET",
          path: "/shelves/{shelf}/books",
          security: [],
          parameters: [],
          responses: {},
        },
      },
      examples: new Map([
        [
          "listBooks",
          {
            contents: new Map(),
            parameters: [
              { in: "path", name: "shelf", value: "a" },
              { in: "query", name: "sort-by", value: "title" },
              { in: "query", name: "limit", value: 5 },
            ],
            responses: new Map([[200, { headers: {}, bodies: new Map([["two", [1, 2]]]) }]]),
          },
        ],
      ]),
      module: "library/client",
      baseUrl: "http://library.test",
    });
    expect(page.slice(page.indexOf("## "))).toBe(`## listBooks

\`GET /shelves/{shelf}/books\`: List books

\`\`\`ts
import { createClient, unwrap } from "library/client";

const client = createClient({ baseUrl: "http://library.test", apiKey: "none" });

const answer = await unwrap(client.listBooks({
  params: { path: { shelf: "a" }, query: { "sort-by": "title", limit: 5 } },
}));
console.log(JSON.stringify(answer, null, 2));
\`\`\`

\`\`\`json
[
  1,
  2
]
\`\`\`

| status | means | examples |
|---|---|---|
| 200 | Books \\| all of them | \`two\` |
`);
  });

  it("an answer without content is printed as null, as the client prints it", () => {
    const page = operationsPage({
      document: { paths: { "/books": { delete: { responses: { 204: { description: "Gone." } } } } } },
      operations: {
        deleteBooks: { method: "DELETE", path: "/books", security: [], parameters: [], responses: {} },
      },
      examples: new Map([
        [
          "deleteBooks",
          {
            contents: new Map(),
            parameters: [],
            responses: new Map([[204, { headers: {}, bodies: new Map() }]]),
          },
        ],
      ]),
      module: "library/client",
      baseUrl: "http://library.test",
    });
    expect(page).toContain(
      "```json\nnull\n```\n\n| status | means | examples |\n|---|---|---|\n| 204 | Gone. |  |\n",
    );
  });
});
