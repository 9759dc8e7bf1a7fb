import { expect, it } from "vitest";
import { publishedDocuments } from "./published-document.ts";

const responses = { 204: { description: "Done." } };
const info = { title: "Shelf", version: "1.0.0" };
const paths = { "/a": { get: { responses } }, "/b": {}, "x-note": null };

const published = (document: Parameters<typeof publishedDocuments>[0]) =>
  Object.entries(publishedDocuments(document)).map(([path, respond]) => [
    path,
    respond("r", () => undefined),
  ]);
const served = (document: object) => ({ status: 200, body: JSON.stringify(document) });

it("publishes a document of OpenAPI 3.2 as it is, and as one of 3.1 without the parts that only 3.2 has", () => {
  const read = {
    ...paths,
    "/a": { get: { responses }, query: { responses } },
    "/b": { query: { responses } },
  };
  const tags = [{ name: "a", description: "A.", "x-rank": 1 }];
  const readTags = [{ ...tags[0], summary: "A", parent: "b", kind: "nav" }];
  for (const [whole, reduced] of [
    [
      { openapi: "3.2.0", info, tags: readTags, paths: read },
      { openapi: "3.1.1", info, tags, paths },
    ],
    [
      { openapi: "3.2.0", info, paths: read },
      { openapi: "3.1.1", info, paths },
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
