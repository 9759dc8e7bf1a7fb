import { expect, it } from "vitest";
import { asOpenApi31 } from "./downgrade.ts";

const responses = { 204: { description: "Done." } };
const info = { title: "Shelf", version: "1.0.0" };
const limit = { name: "limit", in: "query" };
const filter = { name: "filter", in: "querystring" };
const paths = { "/a": { get: { parameters: [limit], responses } }, "/b": {}, "x-note": null };

it("removes the parts of a document that only OpenAPI 3.2 has, and keeps the order of the others", () => {
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
  const link = { operationId: "a", parameters: { filter: "$url" } };
  const ofResponses = (media: object) => ({
    a: { content: { "text/event-stream": media }, links: { link } },
  });
  for (const [whole, reduced] of [
    [
      {
        openapi: "3.2.0",
        info,
        tags: readTags,
        paths: read,
        components: {
          parameters: { limit, filter },
          responses: ofResponses({ ...described, itemSchema: {} }),
        },
      },
      {
        openapi: "3.1.1",
        info,
        tags,
        paths,
        components: { parameters: { limit }, responses: ofResponses(described) },
      },
    ],
    [
      { openapi: "3.2.0", info, paths: { "/a": { ...paths["/a"], query: { responses } } } },
      { openapi: "3.1.1", info, paths: { "/a": paths["/a"] } },
    ],
  ] as const)
    expect(JSON.stringify(asOpenApi31(JSON.parse(JSON.stringify(whole))))).toBe(JSON.stringify(reduced));
});
