/** Rules about paths, operations, webhooks and callbacks. */
import { isObject } from "../../openapi/document.ts";
import { methods } from "../../openapi/grammar.ts";
import { nodeAt, resolved, type SpecNode } from "../facts.ts";
import { pathsIn, takesFrom } from "../path-templates.ts";
import { compatible, ifAdded, ifKept, ifRemoved, isTrue, type Rule, raiseMinor } from "./rule.ts";

export const deprecated: Rule = {
  id: "deprecated",
  description: "An operation, a parameter or a header is now deprecated.",
  remedy: raiseMinor,
  check: ifKept(({ old, now }) =>
    isTrue(now, "deprecated") && !isTrue(old, "deprecated")
      ? compatible(now, "is now deprecated", "callers should stop using it")
      : undefined,
  ),
};

export const pathRules: readonly Rule[] = [
  {
    id: "path-removed",
    description: "A path with operations was removed.",
    remedy: "Keep the path, and mark its operations `deprecated`.",
    check: (visit) => (hasOperations(visit.old) ? ifRemoved("calls to it get 404")(visit) : undefined),
  },
  {
    id: "path-added",
    description: "A path was added. The message names existing paths whose calls it takes over.",
    remedy: raiseMinor,
    // Ids rarely equal a word of a path, so a new path counts as compatible. The report warns of it.
    check: ifAdded(({ old, label }) => {
      const path = label.replace("path ", "");
      const others = pathsIn(nodeAt(old.spec, "/paths")).filter((each) => takesFrom(path, each));
      return others.length === 0
        ? "callers may call it"
        : `callers may call it; calls that matched ${others.join(", ")} may reach it instead`;
    }),
  },
];

function hasOperations(path: SpecNode): boolean {
  const { value } = resolved(path);
  return isObject(value) && methods.some((method) => value[method] !== undefined);
}

export const operationRules: readonly Rule[] = [
  {
    id: "operation-removed",
    description: "A method of a path was removed.",
    remedy: "Keep the operation, and mark it `deprecated`.",
    check: ifRemoved("calls to it get 405"),
  },
  {
    id: "operation-added",
    description: "A method was added to a path.",
    remedy: raiseMinor,
    check: ifAdded("callers may call it"),
  },
  deprecated,
];

const callbackRemoved: Rule = {
  id: "callback-removed",
  description: "A webhook, a callback or one of their methods was removed.",
  remedy: "Keep it until no caller relies on it.",
  check: ifRemoved("callers no longer receive it"),
};

export const callbackRules: readonly Rule[] = [
  callbackRemoved,
  {
    id: "callback-added",
    description: "A webhook or a callback was added.",
    remedy: raiseMinor,
    check: ifAdded("callers may receive it"),
  },
];

export const callbackMethodRules: readonly Rule[] = [
  callbackRemoved,
  {
    id: "callback-method-added",
    description: "A method was added to an existing webhook or callback.",
    remedy: "Add another webhook or callback instead.",
    check: ifAdded("callers do not expect it", () => true),
  },
  deprecated,
];
