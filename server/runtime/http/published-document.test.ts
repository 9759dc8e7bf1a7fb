import { expect, it } from "vitest";
import { shareBytes } from "../contract/bind.ts";
import { publishedDocuments } from "./published-document.ts";

const responses = { 204: { description: "Done." } };
const info = { title: "Shelf", version: "1.0.0" };
const limit = { name: "limit", in: "query" };
const filter = { name: "filter", in: "querystring" };
const paths = { "/a": { get: { parameters: [limit], responses } }, "/b": {}, "x-note": null };

const published = (document: Parameters<typeof publishedDocuments>[0]) =>
  Object.entries(publishedDocuments(document)).map(([path, respond]) => [
    path,
    respond("r", () => undefined),
  ]);
const served = (document: object) => ({ status: 200, body: shareBytes(JSON.stringify(document)) });

it("publishes a document of OpenAPI 3.2 unchanged, and as 3.1 without the parts that only 3.2 has", () => {
  const read = {
    ...paths,
    "/a": {
      get: { parameters: [limit, filter, { $ref: "#/components/parameters/filter" }], responses },
      query: { responses },
    },
    "/b": { query: { responses }, additionalOperations: { COPY: { responses } } },
  };
  const tags = [{ name: "a", description: "A.", "x-rank": 1 }];
  const readTags = [{ ...tags[0], summary: "A", parent: "b", kind: "nav" }];
  const described = { example: { itemSchema: 1, content: "text", parameters: null } };
  const components = {
    parameters: { limit },
    responses: { a: { content: { "text/event-stream": described } } },
  };
  const readComponents = {
    parameters: { limit, filter },
    responses: { a: { content: { "text/event-stream": { ...described, itemSchema: {} } } } },
  };
  for (const [whole, reduced] of [
    [
      { openapi: "3.2.0", info, tags: readTags, paths: read, components: readComponents },
      { openapi: "3.1.1", info, tags, paths, components },
    ],
    [
      { openapi: "3.2.0", info, paths: { "/a": { ...paths["/a"], query: { responses } } } },
      { openapi: "3.1.1", info, paths: { "/a": paths["/a"] } },
    ],
  ] as const)
    expect(published(whole)).toEqual([
      ["/openapi.json", served(reduced)],
      ["/openapi-3.2.json", served(whole)],
    ]);
});

it("publishes a document of OpenAPI 3.1 once", () => {
  const document = { openapi: "3.1.1", info, paths };
  expect(published(document)).toEqual([["/openapi.json", served(document)]]);
});
