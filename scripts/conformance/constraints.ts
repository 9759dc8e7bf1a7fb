/** Lists everything that a schema allows in a request, and each way of being invalid. */
import { isObject, type Json, pointerTo } from "../openapi/document.ts";
import { branchPlace, judgedFormats, ownKeywords, tagIn } from "./evaluate.ts";
import { itemsOf, type NodeOf, othersOf, type SchemaNode, typesOf, unjudgedIn } from "./schema-node.ts";

export type Step =
  | { readonly kind: "property"; readonly name: string }
  | { readonly kind: "item" | "other" }
  | { readonly kind: "branch"; readonly label: string };

/** @see Visit for `place` and `verdict` */
export interface Constraint {
  readonly place: string;
  readonly steps: readonly Step[];
  readonly schema: Json;
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

/** The name of a property that is sent where a schema allows any name. */
export const otherName = "other";

/** Formats that restrict no text, or only repeat the type. */
const looseFormats = ["password", "binary", "float", "double", "int64", "byte"];

/** Every place of a schema for requests, with every verdict that is possible there. */
export function constraintsOf(nodeOf: NodeOf, schema: Json): Constraints {
  const constraints: Constraint[] = [];
  const omissions: Omission[] = [];

  const walk = (
    at: Json,
    place: string,
    steps: readonly Step[],
    within: readonly string[],
    apart: Apart,
  ): void => {
    const node = nodeOf(at);
    if (node.isNever) {
      omissions.push({ place, why: "has no value at all" });
      return;
    }
    const inside = [...within, ...node.references];
    for (const verdict of ["valid", ...verdictsOf(nodeOf, node)])
      if (!apart.verdicts.includes(verdict)) constraints.push({ place, steps, schema: at, verdict });
    // A recursive schema is sent within itself once.
    if (node.references.some((reference) => within.includes(reference))) return;
    omissions.push(...unjudgedAt(node).map((why) => ({ place, why })));

    for (const [name, { schema: below, isRequired, barredBy }] of node.properties) {
      const there = { place: pointerTo(place, name), steps: [...steps, { kind: "property", name } as const] };
      const isTag = apart.tag === name;
      const verdict = barredBy ?? (isRequired ? "required" : "absent");
      if (!isTag) constraints.push({ ...there, schema: below, verdict });
      if (barredBy === undefined)
        walk(below, there.place, there.steps, inside, { verdicts: isTag ? choosing : [] });
    }
    const items = itemsOf(node);
    if (items !== undefined)
      walk(items, `${place}/*`, [...steps, { kind: "item" }], inside, { verdicts: [] });
    const others = othersOf(node);
    if (isObject(others))
      walk(others, `${place}/{name}`, [...steps, { kind: "other" }], inside, { verdicts: [] });

    for (const { branches } of node.unions) {
      const tag = tagIn(nodeOf, branches);
      if (tag !== undefined) {
        const there = {
          place: pointerTo(place, tag),
          steps: [...steps, { kind: "property", name: tag } as const],
        };
        for (const verdict of ["required", "tag"]) constraints.push({ ...there, schema: at, verdict });
      }
      for (const branch of branches)
        walk(
          branch.schema,
          branchPlace(place, branch),
          [...steps, { kind: "branch", label: branch.label }],
          inside,
          { verdicts: ["type"], tag },
        );
    }
  };

  walk(schema, "", [], [], { verdicts: [] });
  return { constraints, omissions };
}

/** Verdicts that belong to the union instead of the branch. */
interface Apart {
  readonly verdicts: readonly string[];
  /** The property that distinguishes the branches. */
  readonly tag?: string | undefined;
}

const choosing = ["type", "const", "enum"];

function unjudgedAt(node: SchemaNode): string[] {
  const formats = node.parts.flatMap(({ format }) => (typeof format === "string" ? [format] : []));
  return [
    ...unjudgedIn(node).map((keyword) => `\`${keyword}\` is not judged: no fault of it is generated`),
    ...formats
      .filter((format) => !judgedFormats.includes(format) && !looseFormats.includes(format))
      .map((format) => `the format ${format} is not judged: no fault of it is generated`),
  ];
}

function verdictsOf(nodeOf: NodeOf, node: SchemaNode): string[] {
  const isTyped = typesOf(node) !== undefined;
  const own = ownKeywords.filter((keyword) =>
    node.parts.some((part) => {
      const limit = part[keyword];
      if (keyword === "format") return judgedFormats.includes(String(limit));
      return (
        limit !== undefined &&
        limit !== false &&
        !(keyword.startsWith("min") && keyword !== "minimum" && limit === 0)
      );
    }),
  );
  const unions = node.unions.flatMap(({ keyword, branches }) => {
    const isTold = tagIn(nodeOf, branches) !== undefined;
    const areTyped = branches.every(({ schema }) => typesOf(nodeOf(schema)) !== undefined);
    return [...(areTyped && !isTyped ? ["type"] : []), ...(isTold || areTyped ? [] : [keyword])];
  });
  return [
    ...(isTyped ? ["type"] : []),
    ...own,
    ...(othersOf(node) === false ? ["additionalProperties"] : []),
    ...new Set(unions),
  ];
}
