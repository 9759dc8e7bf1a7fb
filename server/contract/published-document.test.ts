import { expect, it } from "vitest";
import { asOpenApi31 } from "./published-document.ts";

it("publishes no part that only OpenAPI 3.2 has, and keeps everything else", () => {
  const responses = { 204: { description: "Done." } };
  const info = { title: "Shelf", version: "1.0.0" };
  const limit = { name: "limit", in: "query" };
  const whole = { name: "filter", in: "querystring" };
  const paths = { "/a": { get: { parameters: [limit], responses } }, "/b": {}, "x-note": null };
  const read = {
    ...paths,
    "/a": {
      get: { parameters: [limit, whole, { $ref: "#/components/parameters/filter" }], responses },
      query: { responses },
    },
    "/b": { query: { responses }, additionalOperations: { COPY: { responses } } },
  };
  const tags = [{ name: "a", description: "A.", "x-rank": 1 }];
  const readTags = [{ ...tags[0], summary: "A", parent: "b", kind: "nav" }];
  const described = { example: { itemSchema: 1 } };
  const components = {
    parameters: { limit },
    responses: { a: { content: { "text/event-stream": described } } },
  };
  const readComponents = {
    parameters: { limit, filter: whole },
    responses: { a: { content: { "text/event-stream": { ...described, itemSchema: {} } } } },
  };
  expect(
    asOpenApi31({ openapi: "3.2.0", info, tags: readTags, paths: read, components: readComponents }),
  ).toEqual({ openapi: "3.1.1", info, tags, paths, components });
  const { "/b": _, ...others } = paths;
  expect(asOpenApi31({ openapi: "3.2.0", info, paths: others })).toEqual({
    openapi: "3.1.1",
    info,
    paths: others,
  });
});
