/** The rules by which problems are waived, and what is generated for a waived problem. */

import type { SchemaRule } from "../../json-schema/schema.ts";
import type { ModelRule } from "../model.ts";

export const rules = {
  "inexact-integer": "The nearest integer that JavaScript has is taken, in `openapi.json` too.",
  reference: "The reference is taken out, and what stands beside it holds.",
  "path-segment": "The path has no operations.",
  parameter: "The parameter is not read: handlers do not get it.",
  "optional-path-parameter": "The parameter is required all the same.",
  "allow-empty-value": "The schema alone says whether a value may be empty.",
  "allow-reserved": "Reserved characters that are not percent-encoded are read as in any other value.",
  "ignored-header": "The header is not read.",
  "media-type": "Content of the media type is refused, and a response of it is undocumented.",
  "content-without-schema": "Content is taken as it comes, unchecked.",
  "content-without-media-type": "Any content is refused.",
  "response-status": "Responses of these statuses are undocumented.",
  security: "No caller can meet the requirement: it refuses everyone.",
  "schema-dialect": "Schemas are read in draft 2020-12 all the same.",
  "secret-prefix": "No key of the scheme counts as secret.",
  "unknown-keyword": "The keyword is not enforced.",
  "unsupported-keyword": "The keyword is not enforced.",
  "malformed-keyword": "The keyword is not enforced.",
  "invalid-pattern": "The pattern is not enforced.",
  "unknown-format": "The format is not enforced.",
  "format-of-another-type": "The format is not enforced.",
  "reference-circle": "The reference is not followed; a `$ref` is taken out, of `openapi.json` too.",
  "costly-unevaluated": "The keyword is not enforced.",
  webhooks: "It is typed under `webhooks`, and nothing is held to it.",
  callbacks: "It stands in `openapi.json`, and nothing is held to it.",
  links: "The link stands in `openapi.json` as it is.",
  "default-contradicts": "The default is left out, of `openapi.json` too.",
} as const satisfies Record<ModelRule | SchemaRule | "inexact-integer", string>;
