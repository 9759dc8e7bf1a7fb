/** Lists everything that a schema allows in a request, and each way of being invalid. */
import { isObject, pointerTo } from "../openapi/document.ts";
import { branchPlace, tagIn } from "./evaluate.ts";
import { formats, keywordsIn, looseFormats } from "./keywords.ts";
import { itemsOf, othersOf, type SchemaNode, typesOf } from "./schema-node.ts";

export type Step =
  | { readonly kind: "property"; readonly name: string }
  | { readonly kind: "item" | "other" }
  | { readonly kind: "branch"; readonly label: string };

/** @see Visit for `place` and `verdict` */
export interface Constraint {
  readonly place: string;
  readonly steps: readonly Step[];
  readonly node: SchemaNode;
  readonly verdict: string;
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

/** Every place of a schema for requests, with every verdict that is possible there. */
export function constraintsOf(root: SchemaNode): Constraints {
  const { nodeOf } = root;
  const constraints: Constraint[] = [];
  const omissions: Omission[] = [];

  const walk = (
    node: SchemaNode,
    place: string,
    steps: readonly Step[],
    within: readonly string[],
    { verdictsApart = [], tagApart }: Apart = {},
  ): void => {
    if (node.isNever) {
      omissions.push({ place, why: "has no value at all" });
      return;
    }
    const inside = [...within, ...node.references];
    for (const verdict of ["valid", ...verdictsOf(node)])
      if (!verdictsApart.includes(verdict)) constraints.push({ place, steps, node, verdict });
    // A recursive schema is sent within itself once.
    if (node.references.some((reference) => within.includes(reference))) return;
    omissions.push(...unsentAt(node).map((why) => ({ place, why })));

    const propertyAt = (name: string) => ({
      place: pointerTo(place, name),
      steps: [...steps, { kind: "property", name } as const],
    });
    for (const [name, { schema, isRequired, barredBy }] of node.properties) {
      const there = propertyAt(name);
      const below = nodeOf(schema);
      const isTag = tagApart === name;
      const verdict = barredBy ?? (isRequired ? "required" : "absent");
      if (!isTag) constraints.push({ ...there, node: below, verdict });
      if (barredBy === undefined)
        walk(below, there.place, there.steps, inside, { verdictsApart: isTag ? choosing : [] });
    }
    const items = itemsOf(node);
    if (items !== undefined) walk(nodeOf(items), `${place}/*`, [...steps, { kind: "item" }], inside);
    const others = othersOf(node);
    if (isObject(others)) walk(nodeOf(others), `${place}/{name}`, [...steps, { kind: "other" }], inside);

    for (const { keyword, branches } of node.unions) {
      const isCondition = keyword === "if";
      const tag = isCondition ? undefined : tagIn(nodeOf, branches);
      if (tag !== undefined)
        for (const verdict of ["required", "tag"]) constraints.push({ ...propertyAt(tag), node, verdict });
      for (const branch of branches) {
        const chosen = [...steps, { kind: "branch", label: branch.label } as const];
        const apart = isCondition ? {} : { verdictsApart: ["type"], tagApart: tag };
        walk(nodeOf(branch.schema), branchPlace(place, branch), chosen, inside, apart);
      }
    }
  };

  walk(root, "", [], []);
  return { constraints, omissions };
}

/** What belongs to the union instead of the branch. */
interface Apart {
  readonly verdictsApart?: readonly string[];
  /** The property that distinguishes the branches. */
  readonly tagApart?: string | undefined;
}

const choosing = ["type", "const", "enum"];

function unsentAt({ parts }: SchemaNode): string[] {
  const unknown = parts.flatMap(({ format }) =>
    (formats[String(format ?? "date")] ?? looseFormats.includes(String(format)))
      ? []
      : [`the format ${format}`],
  );
  return [
    ...keywordsIn(parts).flatMap(({ name, isSent }) => (isSent ? [] : [`\`${name}\``])),
    ...unknown,
  ].map((what) => `${what}: no invalid value is generated`);
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
