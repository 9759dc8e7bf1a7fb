/** The texts of the rules about wording and generated types. Their checks are in other files. */
import type { RuleText } from "./rule.ts";

export const wordingRule: RuleText = {
  id: "wording-changed",
  description:
    "A description, an example, a name, an order or the place of a definition changed. Nothing changes on the wire.",
  remedy: "Nothing breaks. Raise the patch version.",
};

export const unreadableRule: RuleText = {
  id: "unreadable",
  description: "A reference of one document has no target, so `--lenient` compares without it.",
  remedy: "Correct the reference.",
};

export const typeRules = {
  removed: {
    id: "type-removed",
    description: "A name of the generated types was removed.",
    remedy: "Restore the name of the component, the path, the method or the operation.",
  },
  changed: {
    id: "type-changed",
    description: "Code that reads or writes a generated type no longer compiles.",
    remedy: "Do not narrow the types of requests. Do not widen the types of responses.",
  },
  renamed: {
    id: "path-parameter-renamed",
    description: "A path parameter has another name. URLs stay the same, but callers' code uses the name.",
    remedy: "Restore the name.",
  },
} satisfies Record<string, RuleText>;
