/** The type of a rule, its input and its findings, with functions that make common rules and findings. */
import { isObject, type JsonObject, tokensOf } from "../../openapi/document.ts";
import type { Direction, SchemaPlace } from "../../openapi/schema/schema-view.ts";
import type { Change } from "../changes.ts";
import type { Pair } from "../pair.ts";

export interface RuleText {
  /** Reports print this id, and waivers refer to it. */
  readonly id: string;
  readonly description: string;
  readonly remedy: string;
}

/** One place of the interface. In a document without this place, its value is undefined. */
export interface Visit extends Pair {
  /** The name in messages, such as `path /users`. */
  readonly label: string;
  /** Who writes the values: callers (`request`) or the service (`response`). */
  readonly side: Direction;
}

export interface Finding extends Pick<Change, "impact" | "message" | "meaning"> {
  /** The place in the newer document, or in the older one if it was removed. */
  readonly at: SchemaPlace;
}

export interface Rule extends RuleText {
  readonly check: (visit: Visit) => Finding | readonly Finding[] | undefined;
}

/** The remedy of rules that report additions. */
export const raiseMinor = "Nothing breaks. Raise the minor version.";

export const keepRequired = "In requests, keep it optional. In responses, keep it required.";

/** Leaves out the sentences about the other side. */
export function remedyFor(side: string, remedy: string): string {
  const sentences = remedy.split(/(?<=\.) /);
  const isOfOther = (text: string): boolean =>
    /\b(?:requests|responses)\b/.test(text) && !text.includes(`${side}s`);
  const kept = sentences.filter((each) => !isOfOther(each));
  return ["request", "response"].includes(side) && kept.length > 0 ? kept.join(" ") : remedy;
}

/** The key of a place in the object that contains it, such as a path or a status. */
export function keyOf({ pointer }: SchemaPlace): string {
  return tokensOf(pointer).at(-1) ?? "";
}

export function breaking(at: SchemaPlace, message: string, meaning: string): Finding {
  return { impact: "major", at, message, meaning };
}

export function compatible(at: SchemaPlace, message: string, meaning: string): Finding {
  return { impact: "minor", at, message, meaning };
}

type Meaning = string | ((visit: Visit) => string);
type IsBreaking = (visit: Visit) => boolean;

/**
 * A rule about places that only the older document has.
 *
 * @param what the place in the description, such as `A server`
 */
export function removed(
  place: string,
  what: string,
  meaning: Meaning,
  isBreaking: IsBreaking = () => true,
  remedy = "Keep it.",
): Rule {
  const description = `${what} was removed.`;
  const check = (visit: Visit) =>
    visit.now.value === undefined && visit.old.value !== undefined
      ? finding(visit, visit.old, "was removed", meaning, isBreaking(visit))
      : undefined;
  return { id: `${place}-removed`, description, remedy, check };
}

/** A rule about places that only the newer document has. */
export function added(
  place: string,
  what: string,
  meaning: Meaning,
  isBreaking: IsBreaking = () => false,
  remedy = raiseMinor,
): Rule {
  const description = `${what} was added.`;
  const check = (visit: Visit) =>
    visit.old.value === undefined && visit.now.value !== undefined
      ? finding(visit, visit.now, "was added", meaning, isBreaking(visit))
      : undefined;
  return { id: `${place}-added`, description, remedy, check };
}

/** Runs the check only for places that both documents have. */
export function ifKept(check: Rule["check"]): Rule["check"] {
  return (visit) =>
    visit.old.value === undefined || visit.now.value === undefined ? undefined : check(visit);
}

function finding(visit: Visit, at: SchemaPlace, what: string, meaning: Meaning, isBreaking: boolean) {
  const make = isBreaking ? breaking : compatible;
  return make(at, `${visit.label} ${what}`, typeof meaning === "string" ? meaning : meaning(visit));
}

export function isTrue(at: SchemaPlace, keyword: string): at is SchemaPlace & { value: JsonObject } {
  return isObject(at.value) && at.value[keyword] === true;
}
