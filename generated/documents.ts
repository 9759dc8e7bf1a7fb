/**
 * Generated from the OpenAPI document by specbind. Edit the document, not this file.
 * @noformat
 */
/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
// biome-ignore-all assist: generated

import document from "./openapi.json" with { type: "json" };
import openApi31 from "./openapi-3.1.json" with { type: "json" };

/** The document as OpenAPI 3.1 and, if it is OpenAPI 3.2, as it is. Keyed by the path that publishes it. */
export const documents: { readonly [path: string]: object } = { "/openapi.json": openApi31, "/openapi-3.2.json": document };
