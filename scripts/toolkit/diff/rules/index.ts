/** All rules, grouped by the kind of place that they check. docs/diff.md lists them. */
import { nearestWord } from "#specbind/nearest-word";
import {
  bodyRules,
  encodingRules,
  headerRules,
  linkRules,
  mediaTypeRules,
  responseRules,
} from "./body-rules.ts";
import { documentRules, serverRules, serverVariableRules } from "./document-rules.ts";
import { callbackMethodRules, callbackRules, operationRules, pathRules } from "./operation-rules.ts";
import { typeRules, unreadableRule, wordingRule } from "./other-rules.ts";
import { parameterRules } from "./parameter-rules.ts";
import { policyRules } from "./policy-rules.ts";
import type { RuleText } from "./rule.ts";
import { defaultRule, schemaRules } from "./schema-rules.ts";
import { securityRules } from "./security-rules.ts";

export const rulesByPlace = {
  document: documentRules,
  server: serverRules,
  serverVariable: serverVariableRules,
  path: pathRules,
  operation: operationRules,
  callback: callbackRules,
  callbackMethod: callbackMethodRules,
  security: securityRules,
  parameter: parameterRules,
  body: bodyRules,
  mediaType: mediaTypeRules,
  encoding: encodingRules,
  response: responseRules,
  header: headerRules,
  link: linkRules,
};

/** Each rule once. Some rules check several kinds of places. */
export const allRules: readonly RuleText[] = [
  ...new Set<RuleText>([
    ...Object.values(rulesByPlace).flat(),
    ...schemaRules,
    defaultRule,
    ...Object.values(typeRules),
    unreadableRule,
    wordingRule,
    ...policyRules,
  ]),
];

/** Why an id is wrong, and how to correct it. Undefined if it is right. */
export function unknownRule(id: string, rules: readonly RuleText[]): string | undefined {
  const ids = rules.map((rule) => rule.id);
  if (ids.includes(id)) return undefined;
  const nearest = nearestWord(id, ids);
  const fix =
    nearest === undefined ? "use one that `diff` prints in brackets" : `did you mean \`${nearest}\`?`;
  return `there is no rule \`${id}\`; ${fix}`;
}
