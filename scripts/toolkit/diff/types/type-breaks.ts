/**
 * The TypeScript verdict. It compiles a program that uses each name of the older types with the newer types: the program
 * reads responses and writes requests. Each name that no longer compiles is reported.
 */
import { type DirectedSpec, inDirections } from "../../generate/directions.ts";
import { copyOf, isObject, mapEntries, pointerTo, valueAt } from "../../openapi/document.ts";
import { visitKinds } from "../../openapi/grammar.ts";
import { admitsNothing } from "../../openapi/schema/schema-view.ts";
import type { Impact } from "../changes.ts";
import { typeRules } from "../rules/other-rules.ts";
import type { Spec } from "../spec.ts";
import { Unchanged } from "../unchanged.ts";
import { namesOf, shownName } from "./type-names.ts";
import { changedParts, type RenamedPath, renamedPaths, typeView } from "./type-view.ts";
import type { NameBreak } from "./uses.ts";

export interface TypeBreak {
  /** The id of the rule that reports the break. */
  readonly rule: string;
  readonly impact: Impact;
  readonly name: string;
  readonly use: NameBreak["use"];
  readonly message: string;
  /** Points into the older document. */
  readonly pointer: string;
  readonly location: string;
  readonly near: string;
  /** Other names that break for the same reason. */
  readonly also: readonly string[];
  /** The reason of the waiver that allows the break and makes its impact minor. */
  readonly waived?: string;
  /** True if the configuration changed the impact. */
  readonly isConfigured?: boolean;
}

/** @throws SpecProblemsError if no types can be generated from a document */
export async function typeBreaks(older: Spec, newer: Spec): Promise<TypeBreak[]> {
  const renamed = renamedPaths(older, newer);
  const renamings = renamed.map((each) => renaming(each, newer));
  const [oldParts, newParts, unchanged] = changedParts(older, newer);
  const view = typeView(oldParts, older.document, renamed);
  const [before, after] = [directedOf(view), directedOf(typeView(newParts, older.document))];
  const names = namesOf(view, [before, after]).filter(({ pointer }) => !unchanged.isEqual(pointer, pointer));
  if (names.length === 0) return renamings;
  // The compiler is loaded here, because most changes need no types.
  const { renderCallerTypes } = await import("../../generate/render-types.ts");
  const same = new Unchanged(before.document, after.document);
  const isShared = (pointer: string): boolean => same.isEqual(pointer, pointer);
  const [old, now] = [before, after].map((each) => renderCallerTypes(each, isShared));
  if (old === now) return renamings;
  const schemas = mapEntries(Object(valueAt(before.document, "/components/schemas")), (name, schema) =>
    isShared(pointerTo("/components/schemas", name)) ? schema : undefined,
  );
  const shared = renderCallerTypes(
    { ...before, document: { paths: {}, components: { schemas } } },
    () => false,
  );
  const { brokenUses } = await import("./uses.ts");
  return [...renamings, ...joined(brokenUses({ old, now, shared }, names), older, newer)];
}

/** A property without values is the same as none: nobody can read or write it. */
function directedOf(spec: Spec): DirectedSpec {
  const directed = inDirections({ ...spec, report: () => {}, note: () => {} });
  const document = copyOf(directed.document);
  visitKinds("document", document, (kind, { properties }) => {
    if (kind !== "schema" || !isObject(properties)) return;
    for (const [name, schema] of Object.entries(properties))
      if (admitsNothing(schema)) delete properties[name];
  });
  return { ...directed, document };
}

function renaming({ old, now, names }: RenamedPath, after: Spec): TypeBreak {
  const changed = [...names].filter(([was, is]) => was !== is).map(([was, is]) => `\`${was}\` is \`${is}\``);
  return {
    rule: typeRules.renamed.id,
    impact: "major",
    name: `paths[${JSON.stringify(old)}]`,
    use: "name",
    message: `path parameter ${changed.join(", ")} now; callers' code uses the name`,
    pointer: pointerTo("/paths", old),
    location: after.locate(pointerTo("/paths", now)),
    near: after.locate(pointerTo("/paths", now)),
    also: [],
  };
}

/** Joins findings with the same cause into one break that lists all their names. The name of a component comes first. */
function joined(findings: readonly NameBreak[], before: Spec, after: Spec): TypeBreak[] {
  const groups = Map.groupBy(findings, ({ use, cause }) => `${use} ${cause}`);
  return [...groups.values()].flatMap((group) => {
    const ordered = group.toSorted((a, b) => rank(a) - rank(b));
    const [first] = ordered;
    if (first === undefined) return [];
    const [name = "", ...also] = new Set(ordered.map((each) => shownName(each.name)));
    return [
      {
        rule: typeRules[first.use === "name" ? "removed" : "changed"].id,
        impact: "major",
        name,
        use: first.use,
        message: first.message,
        pointer: first.name.pointer,
        location: (first.use === "name" ? before : after).locate(first.name.pointer),
        near: after.locate(first.name.pointer),
        also,
      },
    ];
  });
}

function rank({ name, message }: NameBreak): number {
  const place = ["components[", "operations["].findIndex((each) => name.text.startsWith(each));
  // Among components, the one with the shortest message comes first, because its own property breaks.
  return (place === -1 ? 2 : place) * 1000 + message.length;
}
