/** Reads and validates each keyword (JSON Schema 2020-12, OpenAPI 3.1 section 4.8.24). */
import { nearestWord } from "#specbind/nearest-word";
import { isObject, localPointer, pointerTo } from "../openapi/document.ts";
import { defaultMapping31 } from "../openapi/downgrade.ts";
import { applicators, isAnnotation } from "../openapi/schema/keywords.ts";
import { slownessOf } from "../openapi/schema/slow-patterns.ts";
import { formatMeantBy, formats, isEnforced } from "./formats.ts";
import { isScalar, type JsonType, jsonTypes, type Schema, type SchemaRule } from "./schema.ts";

export interface References {
  read(pointer: string): Schema;
  reference(reference: string, place: string): Schema | undefined;
  report(rule: SchemaRule, pointer: string, message: string, isNote?: boolean): void;
}

interface KeywordUse {
  schema: Schema;
  value: unknown;
  place: string;
  source: Record<string, unknown>;
  reader: References;
}

/** The message after the keyword's name. A plain string has the rule `malformed-keyword`. */
type Complaint = string | Finding;

interface Finding {
  rule: SchemaRule;
  why: string;
  isNote?: boolean;
}

export type KeywordReader = (found: KeywordUse) => Complaint | undefined;

type FieldOf<T> = { [K in keyof Schema]-?: NonNullable<Schema[K]> extends T ? K : never }[keyof Schema];

const ignored: KeywordReader = () => undefined;

function unsupported(why: string): KeywordReader {
  return () => ({ rule: "unsupported-keyword", why });
}

const notAlone = "is also used by another schema; give each schema its own name";

/** A bundled document has no valid identifiers, because its references are pointers. */
const anchor: KeywordReader = ({ value }) =>
  typeof value === "string" && /^[A-Za-z_][\w.-]*$/u.test(value)
    ? notAlone
    : "must start with a letter or an underscore, and contain only letters, digits, dots, hyphens and underscores";

function access(access: "read-only" | "write-only"): KeywordReader {
  return ({ schema, value }) => {
    if (value === true) schema.access = access;
    return undefined;
  };
}

function number(keyword: Exclude<FieldOf<number>, undefined>): KeywordReader {
  return ({ schema, value }) => {
    if (typeof value === "boolean")
      return "must be a number since OpenAPI 3.1; replace the boolean with the bound";
    if (typeof value !== "number" || !Number.isFinite(value)) return "must be a finite number";
    if (keyword === "multipleOf" && value <= 0) return "must be greater than 0";
    schema[keyword] = value;
  };
}

function count(keyword: FieldOf<number>): KeywordReader {
  return ({ schema, value }) => {
    if (typeof value !== "number" || !Number.isInteger(value) || value < 0)
      return "must be an integer of at least 0";
    schema[keyword] = value;
  };
}

function subschema(keyword: FieldOf<Schema>): KeywordReader {
  return ({ schema, value, place, reader }) => {
    if (Array.isArray(value)) return "must be one schema, not a list; use prefixItems for a list";
    schema[keyword] = reader.read(place);
  };
}

function schemaList(keyword: "allOf" | "anyOf" | "oneOf" | "prefixItems"): KeywordReader {
  return ({ schema, value, place, reader }) => {
    if (!Array.isArray(value) || value.length === 0) return "must be a list of at least one schema";
    schema[keyword] = value.map((_, index) => reader.read(pointerTo(place, index)));
  };
}

function schemaMap(keyword: "properties" | "patternProperties" | "dependentSchemas"): KeywordReader {
  return ({ schema, value, place, reader }) => {
    if (!isObject(value)) return "must be an object that maps names to schemas";
    const map = new Map<string, Schema>();
    for (const name of Object.keys(value)) {
      const at = pointerTo(place, name);
      const found = keyword === "patternProperties" ? patternFinding(name) : undefined;
      if (found) reader.report(found.rule, at, `patternProperties ${found.why}`, found.isNote);
      if (found === undefined || found.isNote) map.set(name, reader.read(at));
    }
    schema[keyword] = map;
  };
}

function patternFinding(pattern: string): Finding | undefined {
  try {
    new RegExp(pattern, "u");
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(error.message.lastIndexOf(": ") + 2) : "";
    const why = `must be a regular expression that is valid with the u flag (ECMA-262); correct it: ${reason}`;
    return { rule: "invalid-pattern", why };
  }
  const growth = slownessOf(pattern);
  if (growth === undefined) return undefined;
  if (growth === "unknown")
    return {
      rule: "slow-pattern",
      why: "is too complex to find out how long it may take; simplify it",
      isNote: true,
    };
  const why = `takes time that grows ${growth}, so that one request can block the server; write it so that no text can match in two ways`;
  return { rule: "slow-pattern", why };
}

/** An unknown format is an annotation (OpenAPI 3.1, section 4.4), but a misspelled one was meant to be enforced. */
function unknownFormat(name: string): Finding {
  const rule = "unknown-format";
  const shown = JSON.stringify(name);
  const meant = formatMeantBy(name);
  return meant === undefined
    ? {
        rule,
        why: `${shown} is not a known format, so it is not enforced; use a known one, or describe the values with a pattern`,
        isNote: true,
      }
    : { rule, why: `${shown} is not a known format; did you mean "${meant}"?` };
}

function isNameList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

function isJsonType(value: unknown): value is JsonType {
  return jsonTypes.some((type) => type === value);
}

function isFiniteJson(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isFiniteJson);
  return isObject(value) ? Object.values(value).every(isFiniteJson) : value === null || isScalar(value);
}

const notJson = "must contain only JSON values";

const numbers = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"] as const;
const counts = ["Length", "Items", "Contains", "Properties"] as const;

export const keywordReaders: Record<string, KeywordReader> = {
  ...Object.fromEntries(numbers.map((keyword) => [keyword, number(keyword)])),
  ...Object.fromEntries(
    counts.flatMap((size) =>
      [`min${size}` as const, `max${size}` as const].map((each) => [each, count(each)]),
    ),
  ),
  ...Object.fromEntries(
    applicators.flatMap(([keyword, form, appliesTo]): [string, KeywordReader][] => {
      if (appliesTo === "nothing") return [];
      if (form === "list") return [[keyword, schemaList(keyword)]];
      return [[keyword, form === "map" ? schemaMap(keyword) : subschema(keyword)]];
    }),
  ),
  $ref: ({ schema, value, place, reader }) => {
    if (typeof value !== "string") return "must be a string such as #/components/schemas/Name";
    const target = reader.reference(value, place);
    if (target) schema.ref = target;
  },
  $anchor: anchor,
  $dynamicAnchor: anchor,
  $id: ({ value }) =>
    typeof value === "string" && !/#./u.test(value)
      ? `is not a URI, or ${notAlone}`
      : "must be a URI reference without a fragment",
  type: ({ schema, value }) => {
    const types = Array.isArray(value) ? value : [value];
    if (types.length === 0 || !types.every(isJsonType))
      return `must be one or more of ${jsonTypes.join(", ")}`;
    schema.type = jsonTypes.filter((type) => types.includes(type));
  },
  enum: ({ schema, value }) => {
    if (!Array.isArray(value)) return "must be a list of values";
    if (!value.every(isFiniteJson)) return notJson;
    schema.enum = value;
  },
  const: ({ schema, value }) => {
    if (!isFiniteJson(value)) return notJson;
    schema.const = { value };
  },
  pattern: ({ schema, value }) => {
    if (typeof value !== "string") return "must be a string with a regular expression";
    const found = patternFinding(value);
    if (found === undefined || found.isNote) schema.pattern = value;
    return found;
  },
  format: ({ schema, value, source }) => {
    const types: unknown[] = Array.isArray(source.type) ? source.type : [source.type];
    // A format with the name of the type, such as `format: string`, has no effect.
    if (types.includes(value)) return;
    if (typeof value !== "string") return "must be the name of a format";
    if (!Object.hasOwn(formats, value)) return unknownFormat(value);
    if (!isEnforced(value, types)) {
      const why = `${JSON.stringify(value)} is not enforced; describe the values with other keywords, such as \`pattern\``;
      return { rule: "unenforced-format", why, isNote: true };
    }
    const { applies } = formats[value] ?? {};
    const reached = types.some((type) => type === applies || (applies === "number" && type === "integer"));
    if (source.type !== undefined && applies !== undefined && !reached)
      return {
        rule: "format-of-another-type",
        why: `${JSON.stringify(value)} applies to a ${applies}, which the type excludes; change one of the two`,
      };
    if (applies !== undefined) schema.format = value;
  },
  uniqueItems: ({ schema, value }) => {
    if (typeof value !== "boolean") return "must be true or false";
    if (value) schema.uniqueItems = true;
  },
  required: ({ schema, value }) => {
    if (!isNameList(value))
      return "must be a list of property names; write required: [name] next to properties";
    schema.required = [...new Set(value)];
  },
  dependentRequired: ({ schema, value }) => {
    if (!isObject(value)) return "must be an object that maps names to lists of names";
    const map = new Map<string, string[]>();
    for (const [name, names] of Object.entries(value)) {
      if (!isNameList(names)) return "must map each name to a list of strings";
      map.set(name, [...new Set(names)]);
    }
    schema.dependentRequired = map;
  },
  not: (found) => {
    if (!isObject(found.value) || Object.keys(found.value).length > 0) return subschema("not")(found);
    found.schema.verdict = false;
    return undefined;
  },
  readOnly: access("read-only"),
  writeOnly: access("write-only"),
  // Without `if`, these two have no effect (JSON Schema core, 10.2.2), so errors in them are ignored.
  // biome-ignore lint/suspicious/noThenProperty: the keyword's own name
  then: (found) => ("if" in found.source ? subschema("then")(found) : undefined),
  else: (found) => ("if" in found.source ? subschema("else")(found) : undefined),
  default: ({ schema, value }) => {
    if (!isFiniteJson(value)) return notJson;
    schema.default = { value };
  },
  discriminator: ({ schema, value }) => {
    if (!isObject(value) || typeof value.propertyName !== "string")
      return "needs a propertyName; add it: the property that distinguishes the schemas";
    const mapping = new Map<string, string>();
    for (const [tag, target] of Object.entries(isObject(value.mapping) ? value.mapping : {})) {
      if (typeof target !== "string") return "must map each value to a reference or a schema name";
      mapping.set(tag, localPointer(target) ?? pointerTo("/components/schemas", target));
    }
    const otherwise = localPointer(String(value[defaultMapping31]));
    schema.discriminator = {
      propertyName: value.propertyName,
      mapping,
      ...(otherwise !== undefined && { otherwise }),
    };
  },
  $schema: ({ value }) =>
    value === "https://json-schema.org/draft/2020-12/schema" ||
    String(value).startsWith("https://spec.openapis.org/oas/3.1/")
      ? undefined
      : "is another dialect than draft 2020-12; remove it and write the schema in that draft",
  $recursiveRef: unsupported("belongs to draft 2019-09; use $ref"),
  $recursiveAnchor: unsupported("belongs to draft 2019-09; remove it"),
  contentSchema: unsupported(
    "describes the content of a string, which is not decoded; remove it, and describe the content in the description",
  ),
  dependencies: unsupported("was replaced in draft 2019-09; use dependentRequired or dependentSchemas"),
  additionalItems: unsupported("was removed in draft 2020-12; use prefixItems and items"),
};

const withoutEffect = new Set(["$vocabulary", "xml", "contentMediaType", "contentEncoding"]);

/** Schemas may have any keyword (OpenAPI 3.1, Schema Object), but a misspelled one was meant to be enforced. */
export function unknownKeyword(keyword: string): KeywordReader {
  if (isAnnotation(keyword) || withoutEffect.has(keyword)) return ignored;
  const rule = "unknown-keyword";
  const meant = nearestWord(keyword, Object.keys(keywordReaders));
  return () =>
    meant === undefined
      ? {
          rule,
          why: "is not a keyword of JSON Schema, so it is not enforced; start its name with x-",
          isNote: true,
        }
      : { rule, why: `is not a keyword of JSON Schema; did you mean ${meant}?` };
}
