import type { SchemaRule } from "../../json-schema/schema.ts";
import type { DowngradeRule } from "../../openapi/downgrade.ts";
import type { TwinRule } from "../../openapi/twins.ts";
import type { ModelRule } from "../model.ts";

export const rules = {
  "inexact-integer": "The nearest integer that JavaScript can represent is used, even in `openapi.json`.",
  "openapi-3-2": "The part is left out. The style `cookie` is read as `form`.",
  "openapi-3-2-annotation": "The part is left out of `openapi.json`.",
  reference: "The reference is removed. The keywords next to it still apply.",
  "twin-differs": "`x-twin-of` is ignored: QUERY is a separate operation with a separate handler.",
  "path-segment": "The server has no route for the path. The client can call it.",
  parameter: "The parameter is not read, so handlers do not get it.",
  "optional-path-parameter": "The parameter is required.",
  "allow-empty-value":
    "`allowEmptyValue` has no effect; only the schema decides whether a value may be empty.",
  "allow-reserved": "Reserved characters that are not percent-encoded are read as in any other value.",
  "ignored-header": "A note. The header is not read.",
  "media-type":
    "The media type is removed from types and `openapi.json`. A request body of this media type is rejected, and a response with it is undocumented. In a response that has another media type, this is a note.",
  "content-without-schema": "A note. The value is not validated.",
  "item-schema": "A note. The items are not validated.",
  "content-without-media-type": "Every body is rejected.",
  "response-status": "The response is removed from types and `openapi.json`, so it is undocumented.",
  security: "No caller can satisfy the requirement.",
  "schema-dialect": "Schemas are read as draft 2020-12.",
  "secret-prefix": "No key of the scheme is treated as secret.",
  "unknown-keyword": "The keyword is not enforced.",
  "unsupported-keyword": "The keyword is not enforced.",
  "malformed-keyword": "The keyword is not enforced.",
  "invalid-pattern": "The pattern is not enforced.",
  "slow-pattern":
    "The pattern is not enforced. If its time is unknown, this is a note, and the pattern is enforced.",
  "unknown-format":
    "The format is not enforced. If the name is not similar to an enforced format, this is a note.",
  "format-of-another-type": "The format is not enforced.",
  "reference-circle": "The reference is not followed. A `$ref` is also removed from `openapi.json`.",
  "costly-unevaluated": "The keyword is not enforced.",
  webhooks: "The webhook has types under `webhooks`, and is not enforced.",
  callbacks: "The callback stays in `openapi.json`, and is not enforced.",
  links: "The link stays in `openapi.json` unchanged.",
  "default-contradicts": "The default is removed, even from `openapi.json`.",
} as const satisfies Record<DowngradeRule | ModelRule | SchemaRule | TwinRule | "inexact-integer", string>;
