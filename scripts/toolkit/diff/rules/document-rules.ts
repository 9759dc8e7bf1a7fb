/** Rules about servers and about the whole document. */
import { valueAt } from "../../openapi/document.ts";
import { placeBelow } from "../../openapi/schema/schema-view.ts";
import { textsOf } from "../facts.ts";
import { added, breaking, compatible, ifKept, type Rule, removed } from "./rule.ts";

export const serverRules: readonly Rule[] = [
  removed("server", "A server URL", "calls to this URL reach no server"),
  added("server", "A server URL", "callers may call it"),
];

export const serverVariableRules: readonly Rule[] = [
  {
    id: "server-variable-changed",
    description: "A variable of a server URL has another default or other values.",
    remedy: "Keep the default and all values.",
    check: ({ old, now, label }) => {
      if (old.value === undefined) return undefined;
      const [was = [], is = []] = [old, now].map(({ value }) => textsOf(valueAt(value, "/enum")));
      const isClosed = is.length > 0 && valueAt(old.value, "/enum") === undefined;
      const isNarrower = isClosed || (is.length > 0 && was.some((value) => !is.includes(value)));
      const isWider = !isClosed && is.some((value) => !was.includes(value));
      const isMoved = valueAt(old.value, "/default") !== valueAt(now.value, "/default");
      return [
        ...(isMoved ? [breaking(now, `the default of ${label} changed`, "calls reach another server")] : []),
        ...(isWider ? [compatible(now, `${label} has more values`, "callers may use them")] : []),
        ...(isNarrower
          ? [breaking(now, `${label} has fewer values`, "calls with the removed values reach no server")]
          : []),
      ];
    },
  },
];

export const documentRules: readonly Rule[] = [
  {
    id: "dialect-changed",
    description: "`jsonSchemaDialect` changed. Schemas of two dialects are not compared.",
    remedy: "Restore the dialect.",
    check: ifKept(({ old, now }) => {
      const [was, is] = [old, now].map((each) => placeBelow(each, "jsonSchemaDialect"));
      if (was === undefined || is === undefined || was.value === is.value) return undefined;
      const at = is.value === undefined ? was : is;
      return breaking(at, "the dialect of all schemas changed", "their compatibility cannot be proven");
    }),
  },
];
