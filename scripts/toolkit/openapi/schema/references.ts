/** Finds references that have no target or are circular. */

import { nearestWord } from "#specbind/nearest-word";
import { circular } from "../bundle.ts";
import {
  entriesOf,
  fragmentOf,
  isComponent,
  isObject,
  type Json,
  type JsonObject,
  localPointer,
  pointerTo,
  referenceTarget,
  referredValue,
  tokensOf,
  valueAt,
} from "../document.ts";
import { componentNamed, type Kind, mustPointInto, sections, visitKinds } from "../grammar.ts";
import { subschemas } from "./keywords.ts";

export interface ReferenceProblem {
  readonly pointer: string;
  readonly holder: JsonObject;
  readonly key: string;
  readonly message: string;
}

/** Removes references without a target, and returns them. Later stages rely on the targets. */
export function removeInvalidReferences(document: JsonObject): ReferenceProblem[] {
  const problems: ReferenceProblem[] = [];
  const isInCircle = circlesOf(document);
  visitKinds("document", document, (kind, object, pointer) => {
    const message = referenceProblem(document, kind, object, pointer, isInCircle);
    if (message !== undefined)
      problems.push({ pointer: `${pointer}/$ref`, holder: object, key: "$ref", message });
    if (kind === "schema") problems.push(...invalidMappings(document, object, pointer));
  });
  for (const { holder, key } of problems) delete holder[key];
  return problems;
}

/** No real document comes near these limits, and no stage overflows the stack below them. */
const mostLinks = 100;
const mostLevels = 200;
const tooManyLevels = `this reference leads through more than ${mostLevels} schemas; refer to the last of them`;

/** Lets a reference to a long chain of references without siblings refer to the end of the chain. */
export function shortenChains(document: JsonObject): void {
  const ends = new Map<string, { end: string; links: number }>();
  const endOf = (start: string) => {
    const way: string[] = [];
    let at = start;
    for (let next: string | undefined = start; next !== undefined && !ends.has(at); ) {
      way.push(at);
      const value = valueAt(document, at);
      next = isObject(value) && Object.keys(value).length === 1 ? referenceTarget(value) : undefined;
      at = next ?? at;
    }
    let { end, links } = ends.get(at) ?? { end: at, links: -1 };
    for (const each of way.reverse()) {
      links += 1;
      ends.set(each, { end, links });
    }
    return { end, links };
  };
  visitKinds("document", document, (_kind, object) => {
    const target = referenceTarget(object);
    if (target === undefined) return;
    const { end, links } = endOf(target);
    if (links > mostLinks) object.$ref = fragmentOf(end);
  });
}

/**
 * References that a schema cannot have: one of each cycle of schemas for the same value, and those that lead through
 * too many of them. Without these references, there are no cycles.
 */
export function endlessReferences(document: JsonObject): (ReferenceProblem & { rule: string })[] {
  const problems: (ReferenceProblem & { rule: string })[] = [];
  const open = new Set<JsonObject>();
  /** The number of levels below each schema. A part that is a reference is no level of its own. */
  const levels = new Map<JsonObject, number>();
  const walk = (schema: Json | undefined, pointer: string, depth = 1): number => {
    if (!isObject(schema)) return 0;
    const known = levels.get(schema);
    if (known !== undefined) return known;
    open.add(schema);
    let below = 0;
    const target = referenceTarget(schema);
    const referred = referredValue(document, schema);
    if (target !== undefined && isObject(referred)) {
      const isCircle = open.has(referred);
      const isTooDeep = depth + (levels.get(referred) ?? 0) >= mostLevels;
      if (isCircle || isTooDeep)
        problems.push({
          rule: isCircle ? "reference-circle" : "reference",
          pointer: `${pointer}/$ref`,
          holder: schema,
          key: "$ref",
          message: isCircle ? circleMessage : tooManyLevels,
        });
      else below = 1 + walk(referred, target, depth + 1);
    }
    for (const part of subschemas(schema, pointer))
      if (part.appliesTo === "value") {
        const own = referenceTarget(part.schema) === undefined ? 1 : 0;
        below = Math.max(below, own + walk(part.schema, part.pointer, depth + own));
      }
    open.delete(schema);
    levels.set(schema, below);
    return below;
  };
  visitKinds("document", document, (kind, schema, pointer) => {
    if (kind === "schema") walk(schema, pointer);
  });
  return problems;
}

/** A mapping has references or names of schemas (OpenAPI 3.1, Discriminator Object). */
function invalidMappings(document: JsonObject, schema: JsonObject, pointer: string): ReferenceProblem[] {
  const { discriminator } = schema;
  if (!isObject(discriminator)) return [];
  const { mapping, defaultMapping } = discriminator;
  const all = [
    ...entriesOf(mapping).map(([key, target]) => ({ holder: mapping, key, target, below: ["mapping", key] })),
    ...(defaultMapping === undefined
      ? []
      : [
          { holder: discriminator, key: "defaultMapping", target: defaultMapping, below: ["defaultMapping"] },
        ]),
  ];
  return all.flatMap(({ holder, key, target, below }) => {
    const place = typeof target === "string" ? localPointer(target) : undefined;
    if (typeof target !== "string" || (place !== undefined && valueAt(document, place) !== undefined))
      return [];
    const message =
      place === undefined
        ? `there is no schema \`${target}\` in \`components/schemas\`; correct the name, or define the schema`
        : noTarget(document, place);
    const at = pointerTo(pointer, "discriminator", ...below);
    return [{ pointer: at, holder: holder as JsonObject, key, message }];
  });
}

function referenceProblem(
  document: JsonObject,
  kind: Kind,
  object: JsonObject,
  pointer: string,
  isInCircle: (place: string) => boolean,
) {
  if (!Object.hasOwn(object, "$ref")) return undefined;
  if (typeof object.$ref !== "string") return "a `$ref` must be a string such as `#/components/schemas/Name`";
  const target = localPointer(object.$ref);
  if (target === undefined)
    return "a reference to a file is not possible here; move its target into this file";
  if (valueAt(document, target) === undefined) return noTarget(document, target);
  if (!isComponent(target)) return "this reference must begin with `#/components/`; move its target there";
  if (isInCircle(pointer)) return circular;
  const section = sections[kind];
  return section === undefined || tokensOf(target)[1] === section ? undefined : mustPointInto(kind);
}

function noTarget(document: JsonObject, pointer: string): string {
  const tokens = tokensOf(pointer);
  const section = valueAt(document, pointerTo("", ...tokens.slice(0, -1)));
  const nearest = nearestWord(tokens.at(-1) ?? "", isObject(section) ? Object.keys(section) : []);
  const fix =
    nearest === undefined
      ? (componentNamed(document, pointer) ?? "correct this reference, or define its target")
      : `did you mean \`${nearest}\`?`;
  return `there is no \`#${pointer}\`; ${fix}`;
}

/** Returns whether a chain of references leads from a place back to it. Each place is followed only once. */
function circlesOf(document: JsonObject): (place: string) => boolean {
  const known = new Map<string, boolean>();
  return (place) => {
    const way = new Set<string>();
    let at: string | undefined = place;
    while (at !== undefined && !known.has(at) && !way.has(at)) {
      way.add(at);
      at = referenceTarget(valueAt(document, at));
    }
    let isCircle = false;
    for (const each of way) {
      isCircle ||= each === at;
      known.set(each, isCircle);
    }
    return known.get(place) === true;
  };
}

export const circleMessage =
  "this reference makes the schema a part of itself, so no check would end; remove it, or move it into `properties` or `items`";
