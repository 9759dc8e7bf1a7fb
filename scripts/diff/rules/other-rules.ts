/** The texts of rules whose checks do not look at one place: wording and generated types. */
import type { RuleText } from "./rule.ts";

export const wordingRule: RuleText = {
  id: "wording-changed",
  description: "A description, an example, a name, an order or a place changed. Nothing changes on the wire.",
  remedy: "Nothing breaks. Raise the patch version.",
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
    remedy: "Keep the types of requests as wide, and those of responses as narrow, as they were.",
  },
  renamed: {
    id: "path-parameter-renamed",
    description: "A path parameter has another name. URLs stay the same, but callers name it in their code.",
    remedy: "Restore the name.",
  },
} satisfies Record<string, RuleText>;
