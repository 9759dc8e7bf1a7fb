/**
 * Reports for each place of a schema whether a value is valid there, and if not, which keyword it violates (JSON Schema
 * 2020-12). It interprets the schema, so that it does not depend on generated validators.
 */
import { entriesOf, isObject, type Json, type JsonObject, pointerTo, valueTypeOf } from "../document.ts";
import { allOf, keywordChecks, type Verdict } from "./keyword-checks.ts";
import {
  type Branch,
  type NodeOf,
  type SchemaNode,
  schemaOfItem,
  schemaOfProperty,
  typesOf,
  type Union,
} from "./schema-node.ts";

interface VisitedPlace {
  /**
   * The place in the schema: property names, `*` for items, `{name}` for other properties, and union branches in
   * parentheses.
   */
  readonly place: string;
  /** The place in the value, as a JSON pointer (RFC 6901). */
  readonly pointer: string;
}

interface Visit extends VisitedPlace {
  /** `valid`, `absent` for an optional property that is missing, or the violated keyword. */
  readonly verdict: string;
  /** The value of the keyword, if that explains the violation. */
  readonly limit?: Json | undefined;
  /** True if the value may be invalid for a reason that the evaluator does not check. */
  readonly isUnsure?: boolean;
}

export function violationsIn(visits: readonly Visit[]): Visit[] {
  return visits.filter(isViolation);
}

function isViolation({ verdict }: Pick<Visit, "verdict">): boolean {
  return verdict !== "valid" && verdict !== "absent";
}

/** True if the place has the verdict and no other place has a violation. Several items have the same place. */
export function isOnlyAt(visits: readonly Visit[], { place, verdict }: Omit<Visit, "pointer">): boolean {
  const isMeant = (each: Visit): boolean => each.place === place && each.verdict === verdict;
  const mayViolate = isViolation({ verdict });
  return visits.some(isMeant) && violationsIn(visits).every((each) => mayViolate && each.place === place);
}

/** Undefined if the evaluator cannot decide whether the value is valid. */
export function admits(node: SchemaNode, value: Json): Verdict {
  return verdictOf(evaluate(node, value));
}

function verdictOf(visits: readonly Visit[]): Verdict {
  if (visits.some(isViolation)) return false;
  return visits.some(({ isUnsure }) => isUnsure) ? undefined : true;
}

/** True even if the evaluator cannot decide. */
export function isValid(node: SchemaNode, value: Json): boolean {
  return admits(node, value) !== false;
}

/** The limits of an evaluation. Unions inside unions multiply the visits, and a union may contain itself. */
const mostVisits = 50_000;
const mostDepth = 400;
/** The visits and the depth of the evaluation that runs now. */
let visited = 0;
let depth = 0;

/** Beyond the limits, the result is unsure. */
export function evaluate(node: SchemaNode, value: Json, place = "", pointer = ""): Visit[] {
  visited = depth === 0 ? 0 : visited + 1;
  if (visited > mostVisits || depth > mostDepth)
    return [{ place, pointer, verdict: "valid", isUnsure: true }];
  depth += 1;
  try {
    return visitsOf(node, value, { place, pointer });
  } finally {
    depth -= 1;
  }
}

function visitsOf(node: SchemaNode, value: Json, at: VisitedPlace): Visit[] {
  const { place } = at;
  const { violations, isUnsure } = ownResult(node, value);
  const own = violations.map((each) => ({ ...at, ...each }));
  if (own.some(({ verdict }) => verdict === "type" || verdict === "false")) return own;
  const below = [
    ...(Array.isArray(value) ? itemVisits(node, value, at) : []),
    ...(isObject(value) ? propertyVisits(node, value, at) : []),
    ...node.unions.flatMap((union) => unionVisits(node, union, value, at)),
  ];
  const isSound = own.length === 0 && !below.some((each) => each.place === place && each.verdict !== "valid");
  return [...(isSound ? [{ ...at, verdict: "valid", isUnsure }] : own), ...below];
}

type Violation = Pick<Visit, "verdict" | "limit">;

/** The keywords that the value itself violates, without its items, properties and unions. */
export function ownViolations(node: SchemaNode, value: Json): Violation[] {
  return ownResult(node, value).violations;
}

function ownResult(node: SchemaNode, value: Json): { violations: Violation[]; isUnsure: boolean } {
  if (node.isNever) return { violations: [{ verdict: "false" }], isUnsure: false };
  const types = typesOf(node);
  if (types !== undefined && !types.some((type) => isOfType(value, type))) {
    const limit = types.length === 1 ? (types[0] ?? null) : [...types];
    return { violations: [{ verdict: "type", limit }], isUnsure: false };
  }
  const { nodeOf, hasFormat } = node;
  const fits = (held: Json, schema: Json = true): Verdict => admits(nodeOf(schema), held);
  const violated = new Map<string, Violation>();
  let isUnsure = false;
  for (const part of node.sources) {
    const acceptsRest = (keyword: string): Verdict => restVerdict(nodeOf, part, keyword, value);
    for (const [keyword, limit] of Object.entries(part)) {
      const check = Object.hasOwn(keywordChecks, keyword) ? keywordChecks[keyword] : undefined;
      if (check === undefined) continue;
      const verdict = check(value, limit, { part, fits, hasFormat, acceptsRest });
      if (verdict === undefined) isUnsure = true;
      if (verdict === false && !violated.has(keyword)) violated.set(keyword, { verdict: keyword, limit });
    }
  }
  return { violations: [...violated.values()], isUnsure };
}

/** Whether the keyword's schema accepts the properties or items that no other keyword evaluates. */
function restVerdict(nodeOf: NodeOf, source: JsonObject, keyword: string, value: Json): Verdict {
  const { [keyword]: schema = true, ...others } = source;
  const verdictWithout = (known: ReadonlySet<string>): Verdict =>
    allOf(
      Object.entries(Object(value)).map(
        ([key, held]) => known.has(key) || admits(nodeOf(schema), held as Json),
      ),
    );
  const surely = verdictWithout(evaluatedKeys(nodeOf(others), value, (verdict) => verdict === true));
  if (surely === true) return true;
  return verdictWithout(evaluatedKeys(nodeOf(others), value, (verdict) => verdict !== false)) === false
    ? false
    : undefined;
}

/** The properties or items that the keywords evaluate (JSON Schema 2020-12 core, section 11). */
function evaluatedKeys(node: SchemaNode, value: Json, counts: (verdict: Verdict) => boolean): Set<string> {
  const { nodeOf } = node;
  const fits = (held: Json, schema: Json): boolean => counts(admits(nodeOf(schema), held));
  const isSaid = (key: string, held: Json): boolean =>
    Array.isArray(value)
      ? schemaOfItem(node, Number(key)) !== undefined ||
        node.parts.some(({ contains }) => contains !== undefined && fits(held, contains))
      : schemaOfProperty(node, key) !== undefined;
  const all = Object.entries(Object(value)) as [string, Json][];
  const unevaluated = Array.isArray(value) ? "unevaluatedItems" : "unevaluatedProperties";
  if (node.parts.some((part) => part[unevaluated] !== undefined)) return new Set(all.map(([key]) => key));
  const within = [
    ...node.unions.flatMap(({ branches }) =>
      branches.flatMap(({ when = true, schema }) =>
        fits(value, when) && fits(value, schema) ? [schema] : [],
      ),
    ),
    ...node.sources.flatMap(({ if: condition }) =>
      condition !== undefined && fits(value, condition) ? [condition] : [],
    ),
    ...node.parts.flatMap(({ dependentSchemas }) =>
      entriesOf(dependentSchemas).flatMap(([name, schema]) =>
        isObject(value) && Object.hasOwn(value, name) ? [schema] : [],
      ),
    ),
  ];
  return new Set([
    ...all.filter(([key, held]) => isSaid(key, held)).map(([key]) => key),
    ...within.flatMap((schema) => [...evaluatedKeys(nodeOf(schema), value, counts)]),
  ]);
}

function isOfType(value: Json, type: string): boolean {
  return type === "integer" ? Number.isInteger(value) : valueTypeOf(value) === type;
}

function itemVisits(node: SchemaNode, value: Json[], { place, pointer }: VisitedPlace): Visit[] {
  return value.flatMap((item, index) => {
    const schema = schemaOfItem(node, index);
    if (schema === undefined) return [];
    return evaluate(node.nodeOf(schema), item, `${place}/*`, pointerTo(pointer, index));
  });
}

function propertyVisits(node: SchemaNode, value: JsonObject, { place, pointer }: VisitedPlace): Visit[] {
  const declared = [...node.properties].flatMap(([name, property]) => {
    const at = { place: pointerTo(place, name), pointer: pointerTo(pointer, name) };
    const held = Object.hasOwn(value, name) ? value[name] : undefined;
    const { schema, isRequired, barredBy } = property;
    if (held === undefined) return barredBy ? [] : [{ ...at, verdict: isRequired ? "required" : "absent" }];
    if (barredBy) return [{ ...at, verdict: barredBy }];
    return evaluate(node.nodeOf(schema), held, at.place, at.pointer);
  });
  const unnamed = Object.entries(value).flatMap(([name, held]): Visit[] => {
    const schema = node.properties.has(name) ? undefined : schemaOfProperty(node, name);
    if (schema === undefined) return [];
    const at = pointerTo(pointer, name);
    if (schema === false) return [{ place, pointer: at, verdict: "additionalProperties" }];
    return evaluate(node.nodeOf(schema), held, `${place}/{name}`, at);
  });
  return [...declared, ...unnamed];
}

function unionVisits(
  { nodeOf }: SchemaNode,
  { keyword, branches }: Union,
  value: Json,
  { place, pointer }: VisitedPlace,
): Visit[] {
  const evaluated = branches.flatMap((branch) => {
    const applies = branch.when === undefined || admits(nodeOf(branch.when), value);
    if (applies === false) return [];
    const node = nodeOf(branch.schema);
    const visits = evaluate(node, value, branchPlace(place, branch), pointer);
    return [{ node, visits, applies, result: verdictOf(visits) }];
  });
  if (keyword === "if")
    return evaluated.flatMap(({ visits, applies, result }) =>
      applies || result ? visits : [{ place, pointer, verdict: "valid", isUnsure: true }],
    );
  const sure = evaluated.filter(({ result }) => result === true);
  if (sure.length > 1 && keyword === "oneOf") return [{ place, pointer, verdict: "oneOf" }];
  const fitting =
    sure.length > 0 && keyword === "anyOf" ? sure : evaluated.filter(({ result }) => result !== false);
  if (fitting.length > 0) return fitting.flatMap(({ visits }) => visits);
  const tag = tagIn(nodeOf, branches);
  if (tag !== undefined && isObject(value)) {
    const meant = evaluated.find(({ node }) => tagHolds(node, tag, value[tag]));
    if (meant !== undefined) return meant.visits;
    const verdict = value[tag] === undefined ? "required" : "tag";
    return [{ place: pointerTo(place, tag), pointer: pointerTo(pointer, tag), verdict }];
  }
  const ofType = evaluated.filter(
    ({ node }) => !ownViolations(node, value).some(({ verdict }) => verdict === "type"),
  );
  const [only, ...more] = ofType;
  if (only !== undefined && more.length === 0) return only.visits;
  return [{ place, pointer, verdict: only === undefined ? "type" : keyword }];
}

export function branchPlace(place: string, { label }: Pick<Branch, "label">): string {
  return `${place}/(${label})`;
}

/** The property that distinguishes the branches. Each branch requires it and lists its values. */
export function tagIn(nodeOf: NodeOf, branches: readonly Branch[]): string | undefined {
  const [first, ...others] = branches.map(({ schema }) => tagsOf(nodeOf, schema));
  return first?.find((name) => others.length > 0 && others.every((names) => names.includes(name)));
}

function tagsOf(nodeOf: NodeOf, schema: Json): string[] {
  return [...nodeOf(schema).properties].flatMap(([name, property]) => {
    const { parts } = nodeOf(property.schema);
    const hasFewValues = parts.some((part) => part.const !== undefined || part.enum !== undefined);
    return property.isRequired && hasFewValues ? [name] : [];
  });
}

function tagHolds(branch: SchemaNode, tag: string, value: Json | undefined): boolean {
  const property = branch.properties.get(tag);
  if (property === undefined || value === undefined) return false;
  return ownViolations(branch.nodeOf(property.schema), value).length === 0;
}

const messages: { readonly [verdict: string]: string } = {
  required: "is required",
  additionalProperties: "is not a known property",
  readOnly: "is read-only",
  writeOnly: "is write-only",
  false: "is not allowed",
  oneOf: "matches no schema of `oneOf`, or several",
  anyOf: "matches no schema of `anyOf`",
  tag: "is not the discriminator value of any alternative",
};
/** Longer values of keywords are cut off. */
const mostText = 80;

/** The message never quotes the value, because it may be a secret. */
export function messageOf({ verdict, limit }: Violation): string {
  const known = messages[verdict];
  if (known !== undefined) return known;
  if (limit === undefined) return `violates \`${verdict}\``;
  const text = typeof limit === "string" && verdict !== "const" ? limit : JSON.stringify(limit);
  return `violates \`${verdict}: ${text.length > mostText ? `${text.slice(0, mostText)}…` : text}\``;
}
