/** Waivers of breaks, in `diff-waivers.yaml` next to the spec. They have the same format as the generator's waivers. */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { copyOf, isObject, pointerTo, tokensOf, valueAt } from "../openapi/document.ts";
import { locationOf, type Place, SpecFiles } from "../openapi/files.ts";
import { placeAt } from "../openapi/schema/schema-view.ts";
import { lineOf, SpecProblemsError } from "../openapi/spec-problems.ts";
import { covers, readWaivers, type Waiver } from "../openapi/waivers.ts";
import type { Change } from "./changes.ts";
import { allRules, unknownRule } from "./rules/index.ts";
import { isPolicy, policiesFor } from "./rules/policy-rules.ts";
import type { Spec } from "./spec.ts";

/** @throws SpecProblemsError if a waiver is malformed, has ended, has no reason, or has an unknown rule */
export async function readDiffWaivers(spec: string): Promise<DiffWaivers> {
  const path = join(dirname(spec), "diff-waivers.yaml");
  if (!existsSync(path)) return new DiffWaivers([], spec);
  const waivers = await readWaivers(spec, path, new SpecFiles());
  const problems = waivers.flatMap(({ rule, place: { file, pointer } }) => {
    const message = unknownRule(rule, allRules);
    return message === undefined
      ? []
      : [{ location: locationOf({ file, pointer: pointerTo(pointer, "rule") }), message }];
  });
  if (problems.length > 0) throw new SpecProblemsError(problems);
  return new DiffWaivers(waivers, spec);
}

/** The name of a type is never gone, because a policy allows what was removed on the wire. */
type Break = Pick<Change, "rule" | "pointer"> & { readonly isGone?: boolean };

/** The file with the place. If only the older document has the place, the file that has the place around it. */
function placeIn(spec: Spec, pointer: string, rest = ""): Place {
  if (pointer !== "" && valueAt(spec.document, pointer) === undefined) {
    const end = pointer.lastIndexOf("/");
    return placeIn(spec, pointer.slice(0, end), pointer.slice(end) + rest);
  }
  const { file, pointer: within } = spec.placeOf(pointer);
  return { file, pointer: within + rest };
}

export class DiffWaivers {
  readonly #waivers: readonly Waiver[];
  readonly #path: string;
  readonly #used = new Set<Waiver>();

  constructor(waivers: readonly Waiver[], spec: string) {
    this.#waivers = waivers;
    this.#path = resolve(spec);
  }

  /**
   * The reason of the waiver that covers a break, by the break's rule or by a policy. The waiver's place is a pointer
   * into the bundled document, or into the file that contains the place.
   */
  reasonFor({ rule, pointer, isGone }: Break, before: Spec, after: Spec): string | undefined {
    const rules = isGone ? [rule, ...policiesFor(placeAt(before.document, pointer))] : [rule];
    const { file, pointer: within } = placeIn(after, pointer);
    const waiver = this.#waivers.find(
      (each) =>
        rules.includes(each.rule) && (covers(each, this.#path, pointer) || covers(each, file.path, within)),
    );
    if (waiver === undefined) return undefined;
    this.#used.add(waiver);
    return String(valueAt(waiver.place.file.value, pointerTo(waiver.place.pointer, "reason")));
  }

  /** Returns a line for each waiver that covers no break. A waiver of a policy may cover none, so it is not listed. */
  unused(): string[] {
    const message = "no breaking change matches this waiver; remove it, or correct its `rule` or `at`";
    return this.#waivers
      .filter((each) => !this.#used.has(each) && !isPolicy(each.rule))
      .map(({ place }) => lineOf({ location: locationOf(place), message }));
  }
}

/** The older document with the newer values of these places, so that a waived change is not also a break of types. */
export function withNewer(older: Spec, newer: Spec, pointers: readonly string[]): Spec {
  if (pointers.length === 0) return older;
  const document = copyOf(older.document);
  for (const pointer of pointers) {
    const tokens = tokensOf(pointer);
    const name = tokens.pop() ?? "";
    const holder = valueAt(document, pointerTo("", ...tokens));
    const value = valueAt(newer.document, pointer);
    // A schema may refer to another one, which the older document lacks.
    if (isObject(holder) && Object.hasOwn(holder, name) && !isObject(value))
      Object.assign(holder, { [name]: value });
  }
  return { ...older, document };
}

/** Removes the places from the document, so that their removal is not reported as a break of types. */
export function without(spec: Spec, pointers: readonly string[]): Spec {
  if (pointers.length === 0) return spec;
  const document = copyOf(spec.document);
  // Later places are removed first, so that the indexes of list items stay valid.
  for (const pointer of pointers.toSorted((a, b) => b.localeCompare(a, "en", { numeric: true }))) {
    const tokens = tokensOf(pointer);
    const name = tokens.pop() ?? "";
    const holder = valueAt(document, pointerTo("", ...tokens));
    if (Array.isArray(holder)) holder.splice(Number(name), 1);
    else if (isObject(holder)) delete holder[name];
    const schema = tokens.pop() === "properties" ? valueAt(document, pointerTo("", ...tokens)) : undefined;
    if (isObject(schema) && Array.isArray(schema.required))
      schema.required = schema.required.filter((each) => each !== name);
  }
  return { ...spec, document };
}
