/** Renders `documents.ts`, which a server imports to publish the document. */
import { banner } from "./source-text.ts";

/** @param hasOpenApi31 true if the document is OpenAPI 3.2 */
export function renderDocuments(hasOpenApi31: boolean): string {
  const [imports, documents] = hasOpenApi31
    ? [
        `\nimport openApi31 from "./openapi-3.1.json" with { type: "json" };`,
        `"/openapi.json": openApi31, "/openapi-3.2.json": document`,
      ]
    : ["", `"/openapi.json": document`];
  return `${banner}
import document from "./openapi.json" with { type: "json" };${imports}

/** The document as OpenAPI 3.1 and, if it is OpenAPI 3.2, as it is. Keyed by the path that publishes it. */
export const documents: { readonly [path: string]: object } = { ${documents} };
`;
}
