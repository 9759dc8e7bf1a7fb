/** Code for array keywords (JSON Schema validation, 6.4, and core, 10.3.1). */
import { below, type ValuePath } from "../code.ts";
import type { Scope } from "../module.ts";
import type { Schema } from "../schema.ts";
import { containsMessage, sizeMessage } from "./messages.ts";
import { acceptTest } from "./type-tests.ts";

export function arrayKeywords(scope: Scope, schema: Schema, value: string, place: ValuePath): void {
  const { minItems, maxItems, prefixItems = [], items } = schema;
  if (minItems)
    scope.problemWhen(`${value}.length < ${minItems}`, place, sizeMessage("least", minItems, "items"));
  if (maxItems !== undefined)
    scope.problemWhen(`${value}.length > ${maxItems}`, place, sizeMessage("most", maxItems, "items"));
  for (const [index, item] of prefixItems.entries())
    scope.when(`${value}.length > ${index}`, () =>
      scope.hold("item", `${value}[${index}]`, (hold) =>
        scope.schema(item, hold, below(place, String(index))),
      ),
    );
  if (items) eachItem(scope, value, prefixItems.length, items, place);
  if (schema.contains) containsKeywords(scope, schema, schema.contains, value, place);
  if (schema.uniqueItems) {
    const memory = schema.remembered ? "memory" : "new Map()";
    const repeated = `${scope.module.helper("repeatedItems")}(${value}, ${memory})`;
    if (scope.mode === "test") {
      scope.problemWhen(`${repeated} !== ""`, place, "");
      return;
    }
    const pair = scope.variable("pair");
    scope.lines.line(`const ${pair} = ${repeated};`);
    scope.when(`${pair} !== ""`, () => scope.problemExpression(place, `"must not repeat items " + ${pair}`));
  }
}

function eachItem(scope: Scope, value: string, from: number, items: Schema, place: ValuePath): void {
  scope.eachIndex(value, from, (index) =>
    scope.untilEnough(() =>
      scope.hold("item", `${value}[${index}]`, (hold) => scope.schema(items, hold, below(place, { index }))),
    ),
  );
}

/** `contains` requires one match unless `minContains` is present (JSON Schema validation, 6.4.4 and 6.4.5). */
function containsKeywords(
  scope: Scope,
  schema: Schema,
  contains: Schema,
  value: string,
  place: ValuePath,
): void {
  const { minContains = 1, maxContains } = schema;
  if (minContains === 0 && maxContains === undefined) return;
  const count = scope.variable("count");
  scope.lines.line(`let ${count} = 0;`);
  scope.eachIndex(value, 0, (index) =>
    scope.hold("item", `${value}[${index}]`, (hold) =>
      scope.lines.line(`if (${acceptTest(scope, contains, hold)}) ${count} += 1;`),
    ),
  );
  if (minContains > 0)
    scope.problemWhen(`${count} < ${minContains}`, place, containsMessage("least", minContains));
  if (maxContains !== undefined)
    scope.problemWhen(`${count} > ${maxContains}`, place, containsMessage("most", maxContains));
}
