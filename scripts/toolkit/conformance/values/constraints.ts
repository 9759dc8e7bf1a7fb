/** Lists every place that a schema allows in a request, and each way in which the value there can be invalid. */
import { isObject, type Json, pointerTo } from "../../openapi/document.ts";
import { branchPlace, tagIn } from "../../openapi/schema/evaluate.ts";
import { formatRange } from "../../openapi/schema/format-ranges.ts";
import { itemsOf, othersOf, type SchemaNode, typesOf } from "../../openapi/schema/schema-node.ts";
import { formats, looseFormats } from "./formats.ts";
import { keywordsIn } from "./keywords.ts";
import { firstItems, patternedProperties } from "./least-size.ts";

export type Step =
  | { readonly kind: "property"; readonly name: string }
  /** An item, of which `prefixItems` may have the index, or an undeclared property. */
  | { readonly kind: "item"; readonly index?: number }
  | { readonly kind: "other"; readonly name?: string }
  | { readonly kind: "branch"; readonly label: string };

/** @see Visit for `place` and `verdict` */
export interface Constraint {
  readonly place: string;
  readonly steps: readonly Step[];
  readonly node: SchemaNode;
  readonly verdict: string;
  /** Properties of similar objects, with their schemas. A service may accept them by mistake. */
  readonly foreign?: ReadonlyMap<string, Json>;
}

/** A place for which no request is made. */
export interface Omission {
  readonly place: string;
  readonly why: string;
}

interface Constraints {
  readonly constraints: readonly Constraint[];
  readonly omissions: readonly Omission[];
}

/** Deep places are left out if a schema has more constraints. */
const mostConstraints = 5000;

/** Returns every place of a request schema, with every verdict that is possible there. */
export function constraintsOf(root: SchemaNode, most = mostConstraints): Constraints {
  const all = constraintsWithin(root, Infinity, most);
  if (all !== undefined) return all;
  let found: Constraints = { constraints: [], omissions: [] };
  for (let depth = 0; ; depth += 1) {
    const more = constraintsWithin(root, depth, most);
    const why = `is left out deeper than ${depth - 1} steps, because there are more than ${most} constraints`;
    if (more === undefined) return { ...found, omissions: [...found.omissions, { place: "", why }] };
    found = more;
  }
}

/** Undefined if there are more than `most`. */
function constraintsWithin(root: SchemaNode, depth: number, most: number): Constraints | undefined {
  const { nodeOf } = root;
  const constraints: Constraint[] = [];
  const omissions: Omission[] = [];
  const add = (
    node: SchemaNode,
    steps: readonly Step[],
    verdicts: readonly string[],
    foreign: ReadonlyMap<string, Json> = new Map(),
  ): void => {
    const place = placeOf(steps);
    constraints.push(...verdicts.map((verdict) => ({ place, steps, node, verdict, foreign })));
  };

  /**
   * @param apart verdicts that count for the union, not for the branch
   * @param tagApart the discriminator property, if the union has one
   * @param foreign the properties of all branches
   */
  const walk = (
    node: SchemaNode,
    steps: readonly Step[],
    within: readonly string[],
    apart: readonly string[] = [],
    tagApart?: string,
    foreign?: ReadonlyMap<string, Json>,
  ): void => {
    const omit = (why: string) => omissions.push({ place: placeOf(steps), why });
    if (node.isNever) {
      omit("no value is valid");
      return;
    }
    const own = ["valid", ...verdictsOf(node)].filter((verdict) => !apart.includes(verdict));
    add(node, steps, own, foreign);
    // Requests repeat a recursive schema once.
    if (node.references.some((reference) => within.includes(reference))) return;
    if (steps.length >= depth || constraints.length > most) return;
    for (const unsent of unsentAt(node)) omit(`${unsent}: no invalid value is generated`);
    const inside = [...within, ...node.references];
    for (const [name, { schema, isRequired, barredBy }] of node.properties) {
      const there: Step[] = [...steps, { kind: "property", name }];
      const below = nodeOf(schema);
      if (tagApart !== name) add(below, there, [barredBy ?? (isRequired ? "required" : "absent")]);
      if (barredBy === undefined) walk(below, there, inside, tagApart === name ? choosing : []);
    }
    for (const [index, item] of firstItems(node).entries())
      walk(item, [...steps, { kind: "item", index }], inside);
    const items = itemsOf(node);
    if (items !== undefined) walk(nodeOf(items), [...steps, { kind: "item" }], inside);
    for (const [name, { schema }] of patternedProperties(node))
      walk(nodeOf(schema), [...steps, { kind: "other", name }], inside);
    const others = othersOf(node);
    if (isObject(others)) walk(nodeOf(others), [...steps, { kind: "other" }], inside);
    for (const { keyword, branches } of node.unions) {
      const tag = keyword === "if" ? undefined : tagIn(nodeOf, branches);
      if (tag !== undefined) {
        const there: Step = { kind: "property", name: tag };
        add(node, [...steps, there], ["required"]);
        const place = placeOf([...steps, there]);
        // A service may treat an unknown tag like that of any branch.
        for (const { label } of branches)
          constraints.push({
            place,
            steps: [...steps, { kind: "branch", label }, there],
            node,
            verdict: "tag",
          });
      }
      for (const { label, schema } of branches)
        walk(
          nodeOf(schema),
          [...steps, { kind: "branch", label }],
          inside,
          keyword === "if" ? [] : ["type"],
          tag,
          propertiesOf(branches.map((each) => nodeOf(each.schema))),
        );
    }
  };

  walk(root, [], []);
  return constraints.length > most ? undefined : { constraints, omissions };
}

/** The properties of all schemas, by name. */
export function propertiesOf(nodes: readonly SchemaNode[]): Map<string, Json> {
  const all = nodes.flatMap(({ properties }) => [...properties]);
  return new Map(all.map(([name, { schema }]) => [name, schema]));
}

/** Verdicts that are left out for a tag, because another value selects another branch. */
const choosing = ["type", "const", "enum"];

function placeOf(steps: readonly Step[]): string {
  return steps.reduce((place, step) => {
    if (step.kind === "property") return pointerTo(place, step.name);
    if (step.kind === "branch") return branchPlace(place, step);
    return `${place}/${step.kind === "item" ? "*" : "{name}"}`;
  }, "");
}

function unsentAt({ parts }: SchemaNode): string[] {
  const known = [...Object.keys(formats), ...looseFormats];
  const unknown = parts.flatMap(({ format, type }) =>
    typeof format === "string" && ![...known, type].flat().includes(format) && !formatRange(format)
      ? [`the format ${format}`]
      : [],
  );
  return [
    ...keywordsIn(parts).flatMap(({ name, isSent }) => (isSent === false ? [`\`${name}\``] : [])),
    ...unknown,
  ];
}

function verdictsOf(node: SchemaNode): string[] {
  const isTyped = typesOf(node) !== undefined;
  const unions = node.unions.flatMap(({ keyword, branches }) => {
    if (keyword === "if") return [];
    const hasTag = tagIn(node.nodeOf, branches) !== undefined;
    const areTyped = branches.every(({ schema }) => typesOf(node.nodeOf(schema)) !== undefined);
    return [...(areTyped && !isTyped ? ["type"] : []), ...(hasTag || areTyped ? [] : [keyword])];
  });
  return [
    ...(isTyped ? ["type"] : []),
    ...keywordsIn(node.parts).flatMap(({ name, isSent }) => (isSent ? [name] : [])),
    ...new Set(unions),
  ];
}
