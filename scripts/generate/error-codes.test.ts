import { expect, it } from "vitest";
import { withErrorCodes } from "./error-codes.ts";
import type { Operation } from "./model.ts";

it("a document has a table of the error codes in its examples", () => {
  const content = (...codes: string[]) => ({
    "application/json": {
      schema: { $ref: "#/components/schemas/Failure" },
      examples: Object.fromEntries(codes.map((code) => [code, { value: { errors: { code } } }])),
    },
  });
  const document = {
    info: { title: "T", description: "About.\n" },
    paths: {
      "/a": {
        get: {
          responses: {
            200: { content: content("fine") },
            404: { $ref: "#/components/responses/Missing" },
            422: { content: content("wrong", "unknown") },
          },
        },
      },
    },
    "x-unmatched-responses": { 400: { content: content("wrong") } },
    components: {
      responses: { Missing: { content: content("missing") } },
      schemas: {
        Failure: {
          oneOf: [
            { $ref: "#/components/schemas/Failure" },
            { properties: { errors: { properties: { code: { $ref: "#/components/schemas/Code" } } } } },
          ],
        },
        Code: {
          enum: ["fine", "missing", "wrong", "unknown"],
          "x-enumDescriptions": { fine: "No.", missing: "It\nis | gone.", wrong: "It is wrong." },
        },
      },
    },
  };
  const operation: Operation = {
    ...{ id: "getA", pointer: "/paths/~1a/get", method: "GET", path: "/a", isRouted: true, security: [] },
    ...{ parameters: [], content: undefined, responses: [] },
  };
  const model = { operations: [operation], unmatched: [], secretKeyPrefixes: [], schemas: [], sensitive: [] };
  const description = `About.

## Error codes

| status | code and meaning |
|---|---|
| 400, 422 | \`wrong\`: It is wrong. |
| 404 | \`missing\`: It is \\| gone. |
`;
  expect(withErrorCodes(document, document, model)).toEqual({
    ...document,
    info: { title: "T", description },
  });
});
