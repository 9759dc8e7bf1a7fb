/** Rules about schemas. The first rule that applies to a gap between two schemas reports it. */
import { isDeepStrictEqual } from "node:util";
import { isObject, type Json, valueAt, valueTypes } from "../../openapi/document.ts";
import { type Gap, otherTags } from "../containment/gaps.ts";
import type { RuleText } from "./rule.ts";

/** One difference between two schemas. */
export interface SchemaDifference {
  readonly keyword: string;
  readonly kind: Gap["kind"];
  /** True if a value of the older schema is invalid for the newer one, false for the reverse. */
  readonly isForward: boolean;
  /** The properties, values, types or tags that differ. */
  readonly subjects: readonly string[];
  /** The values of the keyword. */
  readonly was: Json | undefined;
  readonly is: Json | undefined;
  readonly isOpenApi30: boolean;
}

interface SchemaRule extends RuleText {
  readonly applies: (difference: SchemaDifference) => boolean;
  readonly message?: (difference: SchemaDifference) => string;
}

const keywords =
  (...names: string[]) =>
  ({ keyword }: SchemaDifference): boolean =>
    names.includes(keyword);
const keepOrWiden = "In requests, allow at least the earlier values. In responses, do not allow new values.";

function keywordRule(id: string, description: string, applies: SchemaRule["applies"]): SchemaRule {
  return { id, description, remedy: keepOrWiden, applies };
}

export const defaultRule: RuleText = {
  id: "schema-default",
  description: "A `default` changed.",
  remedy: "Keep the default, because callers that omit the value rely on it.",
};

export const schemaRules: readonly SchemaRule[] = [
  {
    id: "schema-property-removed",
    description: "A property was removed.",
    remedy: "Keep the property, and mark it `deprecated`.",
    applies: (each) =>
      (each.kind === "removal" && each.keyword === "properties") ||
      (each.kind === "closed" && each.isForward),
    message: ({ subjects }) => `property ${named(subjects)} was removed`,
  },
  {
    id: "schema-property-added",
    description:
      "A property was added. In responses, it breaks callers only if the object allowed no other properties.",
    remedy: "Let objects in responses allow other properties, so that properties can be added.",
    applies: ({ kind, keyword }) => kind === "closed" || (kind === "addition" && keyword === "properties"),
    message: ({ kind, subjects }) =>
      `property ${named(subjects)} was added${kind === "addition" ? "" : " to a closed object"}`,
  },
  {
    id: "schema-hidden",
    description: "`readOnly` or `writeOnly` of a property was added or removed.",
    remedy: "Do not add the keyword to an existing property. Add another property.",
    applies: keywords("readOnly", "writeOnly"),
    message: ({ kind, keyword, subjects }) =>
      `${named(subjects)} ${isOrAre(subjects)} ${kind === "addition" ? "no longer" : "now"} \`${keyword}\``,
  },
  {
    id: "schema-required",
    description: "A property became required or optional.",
    remedy: "Keep it optional in requests, and required in responses.",
    applies: keywords("required", "dependentRequired"),
    message: ({ subjects, isForward }) =>
      `${named(subjects)} ${isOrAre(subjects)} ${isForward ? "now" : "no longer"} required`,
  },
  {
    id: "schema-null",
    description: "`null` became allowed or forbidden.",
    remedy: "Keep `null` in requests, and do not add it to responses.",
    applies: ({ kind, subjects }) => kind === "rejection" && isDeepStrictEqual(subjects, ["null"]),
    message: ({ isForward, isOpenApi30 }) => {
      if (isOpenApi30) return `\`nullable\` is ${isForward ? "no longer" : "now"} true`;
      return `null is ${isForward ? "no longer" : "now"} allowed`;
    },
  },
  {
    id: "schema-type",
    description: "The `type` changed.",
    remedy: "Keep the type, or add another property.",
    applies: keywords("type"),
  },
  {
    id: "schema-values",
    description: "The values of `enum` or `const` changed.",
    remedy: keepOrWiden,
    applies: keywords("enum", "const"),
    message: (each) =>
      each.subjects.every((subject) => valueTypes.some((type) => type === subject))
        ? comparison(each)
        : `${each.subjects.length > 1 ? "values" : "value"} ${each.subjects.join(", ")} ${wasOrWere(each.subjects)} ${each.isForward ? "removed" : "added"}`,
  },
  keywordRule(
    "schema-range",
    "The range of a number changed, for example by `minimum`, `maximum` or `multipleOf`.",
    keywords("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
  ),
  keywordRule(
    "schema-size",
    "`uniqueItems` or the allowed size of a string, array or object changed.",
    ({ keyword }) => /^(?:min|max)(?:Length|Items|Properties)$|^uniqueItems$/.test(keyword),
  ),
  keywordRule("schema-pattern", "The `pattern` of a string changed.", keywords("pattern")),
  keywordRule(
    "schema-format",
    "`format`, `contentEncoding`, `contentMediaType` or `contentSchema` changed.",
    ({ keyword }) => keyword === "format" || keyword.startsWith("content"),
  ),
  keywordRule(
    "schema-contains",
    "`contains`, `minContains`, `maxContains` or `unevaluatedItems` changed.",
    keywords("contains", "minContains", "maxContains", "unevaluatedItems"),
  ),
  keywordRule(
    "schema-other-properties",
    "The rules for properties that a schema does not list changed, for example `additionalProperties`.",
    keywords("additionalProperties", "unevaluatedProperties", "patternProperties", "propertyNames"),
  ),
  {
    id: "schema-alternative",
    description: "An alternative of `oneOf` or `anyOf` was added or removed, or alternatives now overlap.",
    remedy: "Keep the alternatives of requests. Add none to responses.",
    applies: keywords("oneOf", "anyOf"),
    message: (each) => {
      const { kind, keyword, isForward, subjects } = each;
      if (kind === "alternative")
        return `alternative ${shortened(subjects[0])} was ${isForward ? "removed" : "added"}`;
      if (kind === "overlap")
        return `a value may ${isForward ? "now match" : "have matched"} more than one alternative of \`${keyword}\`${isForward ? "" : " before"}`;
      const what = subjects.length === 0 ? "values" : `values (${subjects.join(", ")})`;
      return `\`${keyword}\` allows ${isForward ? "fewer" : "more"} ${what} than the schema did before`;
    },
  },
  {
    id: "schema-discriminator",
    description: "A `discriminator` uses another property, or one of its values selects another schema.",
    remedy: "Keep the property and the mapping of existing values.",
    applies: keywords("discriminator"),
    message: ({ was, is, isForward, subjects }) => {
      const [before, after] = [was, is].map((each) => shown(valueAt(each, "/propertyName")));
      if (before !== after && isObject(was) && isObject(is))
        return `the property of \`discriminator\` was ${before}, is ${after}`;
      const [tag] = subjects;
      if (tag === undefined) return `\`discriminator\` was ${is === undefined ? "removed" : "added"}`;
      const [old, now] = [was, is].map((each) => mapped(each, tag));
      if (tag === otherTags) return `\`defaultMapping\` was ${shown(old)}, is ${shown(now)}`;
      if (old !== undefined && now !== undefined)
        return `discriminator value \`${tag}\` selected ${shown(old)}, selects ${shown(now)}`;
      return `discriminator value \`${tag}\` was ${isForward ? "removed" : "added"}`;
    },
  },
  keywordRule(
    "schema-condition",
    "`not`, `if`, `then`, `else` or `dependentSchemas` changed.",
    keywords("not", "if", "then", "else", "dependentSchemas"),
  ),
  keywordRule(
    "schema-replaced",
    "The schema changed as a whole, or in a keyword that no other rule covers.",
    () => true,
  ),
];

export function messageOf(rule: SchemaRule, difference: SchemaDifference): string {
  return (rule.message ?? comparison)(difference);
}

function comparison({ keyword, subjects, was, is, isForward }: SchemaDifference): string {
  const [before, after] = [shown(was), shown(is)];
  if (keyword === "") return `the schema was ${before}, is ${after}`;
  const about = subjects.length === 0 || keyword === "type" ? "" : ` (${subjects.join(", ")})`;
  if (before === after)
    return `\`${keyword}\` allows ${isForward ? "fewer" : "more"} values than before${about}`;
  return `\`${keyword}\` was ${before}, is ${after}${about}`;
}

function mapped(discriminator: Json | undefined, tag: string): Json | undefined {
  if (tag === otherTags) return valueAt(discriminator, "/defaultMapping");
  const mapping = valueAt(discriminator, "/mapping");
  return isObject(mapping) && Object.hasOwn(mapping, tag) ? mapping[tag] : undefined;
}

function named(subjects: readonly string[]): string {
  return subjects.map((subject) => `\`${subject}\``).join(", ");
}

function isOrAre(subjects: readonly string[]): string {
  return subjects.length > 1 ? "are" : "is";
}

function wasOrWere(subjects: readonly string[]): string {
  return subjects.length > 1 ? "were" : "was";
}

const maxShown = 60;

export function shown(value: Json | undefined): string {
  return value === undefined ? "absent" : shortened(JSON.stringify(value));
}

function shortened(text = ""): string {
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}
