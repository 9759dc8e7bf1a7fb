/** Reads and validates each keyword (JSON Schema 2020-12, OpenAPI 3.1 section 4.8.24). */
import { nearestWord } from "#specbind/nearest-word";
import { isObject, localPointer, pointerTo } from "../openapi/document.ts";
import { defaultMapping31 } from "../openapi/downgrade.ts";
import { applicators, isAnnotation } from "../openapi/schema/keywords.ts";
import { anchorForm, hasFragment } from "../openapi/schema/schema-resources.ts";
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

const notAlone = "is also that of another schema; give each schema its own, or remove it";

/** A bundled document has no valid identifiers, because its references are pointers. */
const anchor: KeywordReader = ({ value }) =>
  typeof value === "string" && anchorForm.test(value)
    ? notAlone
    : "must begin with a letter, and may have only letters, digits, `.`, `-` and `_`; rename it";

function access(access: "read-only" | "write-only"): KeywordReader {
  return ({ schema, value }) => {
    if (value === true) schema.access = access;
    return undefined;
  };
}

function number(keyword: Exclude<FieldOf<number>, undefined>): KeywordReader {
  return ({ schema, value }) => {
    if (typeof value === "boolean")
      return "must be a number since OpenAPI 3.1; write the bound itself instead of true or false";
    if (typeof value !== "number" || !Number.isFinite(value))
      return "must be a number; write it without quotes";
    if (keyword === "multipleOf" && value <= 0) return "must be greater than 0; correct it, or remove it";
    schema[keyword] = value;
  };
}

function count(keyword: FieldOf<number>): KeywordReader {
  return ({ schema, value }) => {
    if (typeof value !== "number" || !Number.isInteger(value) || value < 0)
      return "must be an integer of at least 0; correct it, or remove it";
    schema[keyword] = value;
  };
}

function subschema(keyword: FieldOf<Schema>): KeywordReader {
  return ({ schema, value, place, reader }) => {
    if (Array.isArray(value)) return "must be one schema, not a list; use `prefixItems` for a list";
    schema[keyword] = reader.read(place);
  };
}

function schemaList(keyword: "allOf" | "anyOf" | "oneOf" | "prefixItems"): KeywordReader {
  return ({ schema, value, place, reader }) => {
    if (!Array.isArray(value) || value.length === 0)
      return "must be a list of at least one schema; add one, or remove it";
    schema[keyword] = value.map((_, index) => reader.read(pointerTo(place, index)));
  };
}

function schemaMap(keyword: "properties" | "patternProperties" | "dependentSchemas"): KeywordReader {
  return ({ schema, value, place, reader }) => {
    if (!isObject(value)) return "must be an object that has a schema for each name; correct it";
    const map = new Map<string, Schema>();
    for (const name of Object.keys(value)) {
      const at = pointerTo(place, name);
      const found = keyword === "patternProperties" ? patternFinding(name) : undefined;
      if (found) reader.report(found.rule, at, `\`patternProperties\` ${found.why}`, found.isNote);
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
    const hint = reason === "Invalid escape" ? "; write a backslash only before special characters" : "";
    const why = `is not a valid regular expression (${reason})${hint || "; correct it"}`;
    return { rule: "invalid-pattern", why };
  }
  const growth = slownessOf(pattern);
  if (growth === undefined) return undefined;
  if (growth === "unknown")
    return {
      rule: "slow-pattern",
      why: "is too complex to find out how long it may take; simplify it if you can",
      isNote: true,
    };
  const why = `takes time that grows ${growth}, so one request can block the server; let each text match in only one way: \`a+\`, not \`(a+)+\``;
  return { rule: "slow-pattern", why };
}

/** An unknown format is an annotation (OpenAPI 3.1, section 4.4), but a misspelled one was meant to be enforced. */
function unknownFormat(name: string): Finding {
  const rule = "unknown-format";
  const meant = formatMeantBy(name);
  // Short names are similar by chance, so they stop nothing.
  const nearest = formatMeantBy(name, 1);
  const similar = nearest === undefined ? "a known format" : `a known format such as \`${nearest}\``;
  return meant === undefined
    ? {
        rule,
        why: `has the unknown value \`${name}\`, which is not enforced; use ${similar}, or add a \`pattern\``,
        isNote: true,
      }
    : { rule, why: `has the unknown value \`${name}\`; did you mean \`${meant}\`?` };
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

const twice = "has a name twice; keep one of them";
const notJson = "must have only values of JSON; correct it";

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
    if (typeof value !== "string") return "must be a string such as `#/components/schemas/Name`";
    const target = reader.reference(value, place);
    if (target) schema.ref = target;
  },
  $anchor: anchor,
  $dynamicAnchor: anchor,
  $id: ({ value }) =>
    typeof value === "string" && !hasFragment.test(value)
      ? `is not a URL, or ${notAlone}`
      : "must be a URL without a part that begins with `#`; remove that part",
  type: ({ schema, value }) => {
    const types = Array.isArray(value) ? value : [value];
    if (types.length === 0 || !types.every(isJsonType))
      return `must be one or more of ${jsonTypes.join(", ")}; write one of them`;
    if (new Set(types).size < types.length) return twice;
    schema.type = jsonTypes.filter((type) => types.includes(type));
  },
  enum: ({ schema, value }) => {
    if (!Array.isArray(value)) return "must be a list of values, such as `[a, b]`";
    if (!value.every(isFiniteJson)) return notJson;
    schema.enum = value;
  },
  const: ({ schema, value }) => {
    if (!isFiniteJson(value)) return notJson;
    schema.const = { value };
  },
  pattern: ({ schema, value }) => {
    if (typeof value !== "string") return "must be a regular expression; write it in quotes";
    const found = patternFinding(value);
    if (found === undefined || found.isNote) schema.pattern = value;
    return found;
  },
  format: ({ schema, value, source }) => {
    const types: unknown[] = Array.isArray(source.type) ? source.type : [source.type];
    // A format with the name of the type, such as `format: string`, has no effect.
    if (types.includes(value)) return;
    if (typeof value !== "string") return "must be the name of a format, such as `date-time`";
    if (!Object.hasOwn(formats, value)) return unknownFormat(value);
    if (!isEnforced(value, types)) {
      const why = `has the value \`${value}\`, which is not enforced; to check the values, add a \`pattern\``;
      return { rule: "unenforced-format", why, isNote: true };
    }
    const { applies } = formats[value] ?? {};
    const reached = types.some((type) => type === applies || (applies === "number" && type === "integer"));
    if (source.type !== undefined && applies !== undefined && !reached)
      return {
        rule: "format-of-another-type",
        why: `has the value \`${value}\`, which is for the type ${applies}, but \`type\` is ${types.join(", ")}; change one of the two`,
      };
    if (applies !== undefined) schema.format = value;
  },
  uniqueItems: ({ schema, value }) => {
    if (typeof value !== "boolean") return "must be true or false; write one of them, without quotes";
    if (value) schema.uniqueItems = true;
  },
  required: ({ schema, value }) => {
    if (!isNameList(value))
      return "must be a list of property names; write `required: [name]` next to `properties`";
    schema.required = [...new Set(value)];
    if (schema.required.length < value.length) return twice;
  },
  dependentRequired: ({ schema, value }) => {
    if (!isObject(value)) return "must have a list of names for each name, such as `{ card: [address] }`";
    const map = new Map<string, string[]>();
    for (const [name, names] of Object.entries(value)) {
      if (!isNameList(names)) return "must have a list of names for each name, such as `{ card: [address] }`";
      map.set(name, [...new Set(names)]);
    }
    schema.dependentRequired = map;
    if (Object.values(value).some((names) => isNameList(names) && new Set(names).size < names.length))
      return twice;
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
      return "needs `propertyName`; add it, with the name of the property that selects the schema";
    const mapping = new Map<string, string>();
    for (const [tag, target] of Object.entries(isObject(value.mapping) ? value.mapping : {})) {
      if (typeof target !== "string")
        return "must have the name of a schema for each value, such as `{ cat: Cat }`";
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
      : "is of another version of JSON Schema than 2020-12, and only that one is read; remove it",
  $recursiveRef: unsupported("exists only in JSON Schema 2019-09; use `$ref`"),
  $recursiveAnchor: unsupported("exists only in JSON Schema 2019-09; remove it"),
  contentSchema: unsupported(
    "is not enforced, because the content of a string is not decoded; remove it, and write about it in `description`",
  ),
  dependencies: unsupported(
    "exists only in older versions of JSON Schema; use `dependentRequired` or `dependentSchemas`",
  ),
  additionalItems: unsupported("exists only in older versions of JSON Schema; use `prefixItems` and `items`"),
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
          why: `has no meaning in a schema, so it is not enforced; remove it, or name it \`x-${keyword}\``,
          isNote: true,
        }
      : { rule, why: `has no meaning in a schema; did you mean \`${meant}\`?` };
}
