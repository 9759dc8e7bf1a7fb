/** Rules that have no effect until a waiver contains their id. Each allows removals that callers had to expect. */
import { isObject, type Json } from "../../openapi/document.ts";
import { operationsIn } from "../../openapi/grammar.ts";
import type { SchemaPlace } from "../../openapi/schema/schema-view.ts";
import { resolved } from "../facts.ts";
import type { RuleText } from "./rule.ts";

const levels = ["draft", "alpha", "beta"] as const;
const afterSunset = "removed-after-sunset";

export const policyRules: readonly RuleText[] = [
  {
    id: afterSunset,
    description: "Something was removed that was `deprecated` and had an `x-sunset` date in the past.",
    remedy: "Waive this rule to allow such removals.",
  },
  ...levels.map((level) => ({
    id: `removed-while-${level}`,
    description: `Something with \`x-stability: ${level}\` was removed.`,
    remedy: "Waive this rule to allow such removals.",
  })),
];

export function isPolicy(rule: string): boolean {
  return policyRules.some(({ id }) => id === rule);
}

/**
 * The policies that allow the removal of a place of the older document. A path needs the policy on all its operations.
 */
export function policiesFor(removed: SchemaPlace): string[] {
  const { value } = resolved(removed);
  if (!isObject(value)) return [];
  const operations = operationsIn(value).map(({ operation }) => operation);
  const [first = [], ...others] = (operations.length > 0 ? operations : [value]).map(policiesOf);
  return first.filter((policy) => others.every((each) => each.includes(policy)));
}

function policiesOf(value: Json): string[] {
  if (!isObject(value)) return [];
  const { deprecated, "x-sunset": sunset, "x-stability": stability } = value;
  const isPast = typeof sunset === "string" && Date.parse(sunset) < Date.now();
  const level = levels.find((each) => each === stability);
  return [
    ...(deprecated === true && isPast ? [afterSunset] : []),
    ...(level === undefined ? [] : [`removed-while-${level}`]),
  ];
}
