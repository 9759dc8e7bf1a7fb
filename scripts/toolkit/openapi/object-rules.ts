/** What OpenAPI requires of its objects, in addition to the names and types of their fields. Redocly checks other rules. */
import { isObject, type JsonObject, listOf, placesAt, referenceTarget, valueAt } from "./document.ts";
import { type Kind, visitKinds } from "./grammar.ts";
import type { OpenApiVersion } from "./redocly.ts";
import { exclusiveFields } from "./rules/exclusive-fields.ts";
import { malformedFields } from "./rules/malformed-fields.ts";
import { misplacedFields } from "./rules/misplaced-fields.ts";
import { missingFields } from "./rules/missing-fields.ts";
import type { Requirement } from "./rules/requirement.ts";

export type ObjectRule = "exclusive-fields" | "missing-field" | "misplaced-field" | "malformed-field";

const rules: { readonly [Rule in ObjectRule]: readonly Requirement[] } = {
  "exclusive-fields": exclusiveFields,
  "missing-field": missingFields,
  "misplaced-field": misplacedFields,
  "malformed-field": malformedFields,
};

interface ObjectProblem {
  readonly rule: ObjectRule;
  readonly pointer: string;
  /** The problem and its fix. */
  readonly message: string;
}

interface Check extends Pick<Requirement, "message" | "wrong"> {
  readonly rule: ObjectRule;
  readonly path: string;
  /** Without this field, the object has no part at the path. Absent for the object itself. */
  readonly field: string | undefined;
}

export function objectProblems(document: JsonObject, version: OpenApiVersion): ObjectProblem[] {
  const found: ObjectProblem[] = [];
  const checks = checksOf(version);
  let known: Set<string> | undefined;
  const extended = (): Set<string> => (known ??= extendedIn(document));
  visitKinds("document", document, (kind, object, pointer) => {
    for (const { rule, path, field, message, wrong } of checks.get(kind) ?? []) {
      if (field !== undefined && object[field] === undefined) continue;
      for (const place of placesAt(object, path)) {
        const part = valueAt(object, place);
        const at = pointer + place;
        if (isObject(part))
          for (const inside of wrong(part, { document, pointer: at, extended }))
            found.push({ rule, pointer: at + inside, message });
      }
    }
  });
  return found;
}

function checksOf(version: OpenApiVersion): Map<Kind, Check[]> {
  const all = (Object.entries(rules) as [ObjectRule, readonly Requirement[]][]).flatMap(([rule, list]) =>
    list
      .filter(({ only = [version] }) => only.includes(version))
      .flatMap(({ kinds, paths = [""], ...each }) =>
        kinds.flatMap((kind) =>
          paths.map((path) => ({ rule, kind, path, field: path.split("/", 1)[0] || undefined, ...each })),
        ),
      ),
  );
  return Map.groupBy(all, ({ kind }) => kind);
}

function extendedIn(document: JsonObject): Set<string> {
  const pointers = new Set<string>();
  visitKinds("document", document, (kind, { allOf }) => {
    if (kind === "schema") for (const part of listOf(allOf)) pointers.add(referenceTarget(part) ?? "");
  });
  return pointers;
}
