/** Rules about paths, operations, webhooks and callbacks. */
import { operationsIn } from "../../openapi/grammar.ts";
import { placeAt, type SchemaPlace } from "../../openapi/schema/schema-view.ts";
import { isTwin } from "../../openapi/twins.ts";
import { resolved } from "../facts.ts";
import { pathsIn, takesFrom } from "../path-templates.ts";
import {
  added,
  breaking,
  compatible,
  ifKept,
  isTrue,
  keyOf,
  type Rule,
  raiseMinor,
  removed,
} from "./rule.ts";

const deprecateFirst = "Keep it, and mark it `deprecated`.";

export const deprecated: Rule = {
  id: "deprecated",
  description: "An operation, a parameter or a header is now deprecated.",
  remedy: raiseMinor,
  check: ifKept(({ old, now, label }) =>
    isTrue(now, "deprecated") && !isTrue(old, "deprecated")
      ? compatible(now, `${label} is now deprecated`, "callers should stop using it")
      : undefined,
  ),
};

const pathRemoved = removed(
  "path",
  "A path with operations",
  "calls to it get 404",
  () => true,
  deprecateFirst,
);

export const pathRules: readonly Rule[] = [
  { ...pathRemoved, check: (visit) => (hasOperations(visit.old) ? pathRemoved.check(visit) : undefined) },
  // Ids rarely equal a segment of the new path, so the change counts as compatible. The report contains a warning.
  added("path", "A path", ({ old, now }) => {
    const others = pathsIn(placeAt(old.document, "/paths")).filter((each) => takesFrom(keyOf(now), each));
    return others.length === 0
      ? "callers may call it"
      : `callers may call it; calls that matched ${others.join(", ")} may reach it instead`;
  }),
];

function hasOperations(path: SchemaPlace): boolean {
  return operationsIn(resolved(path).value).length > 0;
}

export const operationRules: readonly Rule[] = [
  removed("operation", "A method of a path", "calls to it get 405", () => true, deprecateFirst),
  added("operation", "A method of a path", "callers may call it"),
  {
    id: "twin-separated",
    description: "A QUERY operation is no longer the twin of the path's GET.",
    remedy: "Keep `x-twin-of`.",
    check: ifKept(({ old, now, label }) =>
      isTwin(old.value) && !isTwin(now.value)
        ? breaking(now, `${label} is no longer a twin`, "the client cannot send its GET in browsers")
        : undefined,
    ),
  },
  deprecated,
];

const callbackRemoved = removed(
  "callback",
  "A webhook, a callback or one of their methods",
  "callers no longer receive it",
);

export const callbackRules: readonly Rule[] = [
  callbackRemoved,
  added("callback", "A webhook or a callback", "callers may receive it"),
];

export const callbackMethodRules: readonly Rule[] = [
  callbackRemoved,
  added(
    "callback-method",
    "A method of a webhook or a callback",
    "callers do not expect it",
    () => true,
    "Add another webhook or callback.",
  ),
  deprecated,
];
