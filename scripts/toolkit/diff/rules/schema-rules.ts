/** Rules about schemas. The first rule that applies to a gap between two schemas reports it. */
import { isDeepStrictEqual } from "node:util";
import { isObject, type Json, pointerTo, valueAt, valueTypes } from "../../openapi/document.ts";
import { defaultMapping31 } from "../../openapi/downgrade.ts";
import { type Gap, otherTags } from "../containment/gaps.ts";
import { named, type Subject } from "../subjects.ts";
import { keepRequired, type RuleText } from "./rule.ts";

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
  /** True if both documents have the schema. */
  readonly isInBoth: boolean;
  readonly at: Subject;
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
    message: ({ at, is, kind, subjects: found, isInBoth }) => {
      // The place of a closed object's property is the property itself.
      const subjects = kind === "closed" ? [] : found;
      const isListed = found.every((name) => isObject(is) && Object.hasOwn(is, name));
      const how = isListed ? "can no longer have a value" : `${wasOrWere(found)} removed`;
      return `${named(at, subjects)} ${isInBoth ? how : "is no longer declared here"}`;
    },
  },
  {
    id: "schema-property-added",
    description:
      "A property was added. In responses, it breaks callers only if the object allowed no other properties.",
    remedy: "Let objects in responses allow other properties, so that properties can be added.",
    applies: ({ kind, keyword }) => kind === "closed" || (kind === "addition" && keyword === "properties"),
    message: ({ at, was, kind, subjects }) =>
      subjects.every((name) => isObject(was) && Object.hasOwn(was, name))
        ? `${named(at, subjects)} can now have a value`
        : `${named(at, kind === "closed" ? [] : subjects)} ${wasOrWere(subjects)} added${kind === "addition" ? "" : " to a closed object"}`,
  },
  {
    id: "schema-hidden",
    description: "`readOnly` or `writeOnly` of a property was added or removed.",
    remedy: "Do not add the keyword to an existing property. Add another property.",
    applies: keywords("readOnly", "writeOnly"),
    message: ({ at, kind, keyword }) =>
      `${named(at)} is ${kind === "addition" ? "no longer" : "now"} \`${keyword}\``,
  },
  {
    id: "schema-required",
    description: "A property became required or optional.",
    remedy: keepRequired,
    applies: keywords("required", "dependentRequired"),
    message: ({ at, subjects, isForward }) =>
      `${named(at, subjects)} ${isForward ? "must now be present" : "may now be absent"}`,
  },
  {
    id: "schema-null",
    description: "`null` became allowed or forbidden.",
    remedy: "Keep `null` in requests. Do not add it to responses.",
    applies: ({ kind, subjects }) => kind === "rejection" && isDeepStrictEqual(subjects, ["null"]),
    message: ({ at, isForward, isOpenApi30 }) => {
      const what = isOpenApi30 ? "`nullable` is" : "null is";
      return `${named(at)}: ${what} ${isForward ? "no longer" : "now"} ${isOpenApi30 ? "true" : "allowed"}`;
    },
  },
  {
    id: "schema-type",
    description: "The `type` changed.",
    remedy: "Keep the type, or add another property.",
    applies: keywords("type"),
    message: (each) => {
      const { at, was, is, subjects, isForward } = each;
      if (was !== undefined && is !== undefined) return comparison(each);
      const kinds = new Set(subjects.map((each) => (/^(?:true|false)$/.test(each) ? "boolean" : each)));
      if (kinds.size <= mostListed)
        return `${named(at)}: values of type ${[...kinds].join(", ")} are ${isForward ? "no longer" : "now"} allowed`;
      return `${named(at)}: ${isForward ? "only values of type" : "values of other types than"} ${shown(isForward ? is : was)} are allowed now`;
    },
  },
  {
    id: "schema-values",
    description: "The values of `enum` or `const` changed.",
    remedy: keepOrWiden,
    applies: keywords("enum", "const"),
    message: (each) =>
      each.subjects.every((subject) => valueTypes.some((type) => type === subject))
        ? comparison(each)
        : `${named(each.at)}: ${each.subjects.length > 1 ? "values" : "value"} ${each.subjects.join(", ")} ${wasOrWere(each.subjects)} ${each.isForward ? "removed" : "added"}`,
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
      const { at, kind, keyword, isForward, subjects } = each;
      if (kind === "alternative")
        return `${named(at)}: ${listed("alternative", subjects.map(shortened))} ${wasOrWere(subjects)} ${isForward ? "removed" : "added"}`;
      if (kind === "overlap")
        return `${named(at)}: a value may ${isForward ? "now match" : "have matched"} more than one alternative of \`${keyword}\`${isForward ? "" : " before"}`;
      const what = subjects.length === 0 ? "values" : `values (${subjects.join(", ")})`;
      return `${named(at)}: \`${keyword}\` allows ${isForward ? "fewer" : "more"} ${what} than the schema did before`;
    },
  },
  {
    id: "schema-discriminator",
    description: "A `discriminator` uses another property, or one of its values selects another schema.",
    remedy: "Keep the property and the mapping of existing values.",
    applies: keywords("discriminator"),
    message: ({ at, was, is, isForward, subjects }) => {
      const where = `${named(at)}: `;
      const [before, after] = [was, is].map((each) => shown(valueAt(each, "/propertyName")));
      if (before !== after && isObject(was) && isObject(is))
        return `${where}the property of \`discriminator\` was ${before}, is ${after}`;
      const [tag] = subjects;
      if (tag === undefined) return `${where}\`discriminator\` was ${is === undefined ? "removed" : "added"}`;
      const [old, now] = [was, is].map((each) => mapped(each, tag));
      if (tag === otherTags) return where + changed("defaultMapping", old, now, true);
      if (old !== undefined && now !== undefined)
        return `${where}discriminator value \`${tag}\` selected ${shown(old)}, selects ${shown(now)}`;
      return `${where}discriminator value \`${tag}\` was ${isForward ? "removed" : "added"}`;
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

function comparison(difference: SchemaDifference): string {
  const { at, keyword, subjects, was, is, isForward, isInBoth } = difference;
  const [before, after] = [shown(was), shown(is)];
  const about = subjects.length === 0 || keyword === "type" ? "" : ` (${subjects.join(", ")})`;
  if (before === after)
    return `${named(at)}: ${keyword === "" ? "the schema" : `\`${keyword}\``} allows ${isForward ? "fewer" : "more"} values than before${about}`;
  if (keyword === "") return `${named(at)}: the schema was ${before}, is ${after}`;
  return `${named(at)}: ${changed(keyword, was, is, isInBoth)}${about}`;
}

/** @param isInBoth false if one of the documents has no such schema, so that the keyword was neither added nor removed */
export function changed(
  keyword: string,
  was: Json | undefined,
  is: Json | undefined,
  isInBoth: boolean,
): string {
  if (was !== undefined && is !== undefined) return `\`${keyword}\` was ${shown(was)}, is ${shown(is)}`;
  if (is !== undefined) return `\`${keyword}\` ${isInBoth ? "was added:" : "is"} ${shown(is)}`;
  return `\`${keyword}\` ${isInBoth ? "was removed:" : "was"} ${shown(was)}`;
}

const mostListed = 3;

function listed(what: string, names: readonly string[]): string {
  const more = names.length > mostListed ? ` and ${names.length - mostListed} more` : "";
  return `${what}${names.length > 1 ? "s" : ""} ${names.slice(0, mostListed).join(", ")}${more}`;
}

/** Returns the name of the schema that the tag selects. */
function mapped(discriminator: Json | undefined, tag: string): string | undefined {
  const pointer = tag === otherTags ? `/${defaultMapping31}` : pointerTo("/mapping", tag);
  return valueAt(discriminator, pointer)?.toString().split("/").at(-1);
}

function wasOrWere(subjects: readonly string[]): string {
  return subjects.length > 1 ? "were" : "was";
}

const maxShown = 60;

function shown(value: Json | undefined): string {
  return value === undefined ? "absent" : shortened(JSON.stringify(value));
}

function shortened(text = ""): string {
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}
