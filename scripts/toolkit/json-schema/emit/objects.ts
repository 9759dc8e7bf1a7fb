/**
 * Code for object keywords (JSON Schema validation, 6.5, and core, 10.3.2). Inherited and undefined properties are
 * ignored.
 */
import { below, literal, quote, type ValuePath } from "../code.ts";
import type { Scope } from "../module.ts";
import type { Schema } from "../schema.ts";
import { sizeMessage } from "./messages.ts";
import { patternTest } from "./strings.ts";
import { acceptTest } from "./type-tests.ts";

/** The code compares up to this number of names one by one. For more, it uses a set. */
const comparable = 24;

export function objectKeywords(scope: Scope, schema: Schema, value: string, place: ValuePath): void {
  const { properties = new Map<string, Schema>(), required = [], minProperties, maxProperties } = schema;
  const one = ([name, property]: [string, Schema]) =>
    scope.hold(name, scope.property(value, name), (hold) => {
      const missing = () => scope.problem(below(place, name), "is required");
      const check = () => scope.schema(property, hold, below(place, name));
      if (required.includes(name)) scope.when(`${hold} === undefined`, missing, check);
      else scope.when(`${hold} !== undefined`, check);
    });
  // Any error ends mode `test`, so recursive properties come last.
  const isLate = ([, property]: [string, Schema]) => scope.mode === "test" && property.recursive === true;
  for (const each of properties) if (!isLate(each)) one(each);
  for (const name of required)
    if (!properties.has(name))
      scope.problemWhen(absent(scope, value, name), below(place, name), "is required");
  dependencies(scope, schema, value, place);
  if (minProperties || maxProperties !== undefined) {
    const count = scope.variable("count");
    scope.lines.line(`const ${count} = ${scope.module.helper("countProperties")}(${value});`);
    if (minProperties)
      scope.problemWhen(
        `${count} < ${minProperties}`,
        place,
        sizeMessage("least", minProperties, "properties"),
      );
    if (maxProperties !== undefined)
      scope.problemWhen(
        `${count} > ${maxProperties}`,
        place,
        sizeMessage("most", maxProperties, "properties"),
      );
  }
  otherProperties(scope, schema, value, place);
  for (const each of properties) if (isLate(each)) one(each);
}

function absent(scope: Scope, object: string, name: string): string {
  return `${scope.property(object, name)} === undefined`;
}

export function present(scope: Scope, object: string, name: string): string {
  return `${scope.property(object, name)} !== undefined`;
}

function dependencies(scope: Scope, schema: Schema, value: string, place: ValuePath): void {
  for (const [name, needed] of schema.dependentRequired ?? [])
    scope.when(present(scope, value, name), () => {
      for (const other of needed)
        scope.problemWhen(
          absent(scope, value, other),
          below(place, other),
          `is required when ${name} is present`,
        );
    });
  for (const [name, dependent] of schema.dependentSchemas ?? [])
    scope.when(present(scope, value, name), () => scope.schema(dependent, value, place));
}

/** Returns an expression that is true if the key is in `properties` or matches `patternProperties`. */
export function namedTest(scope: Scope, schema: Schema, key: string): string {
  const names = [...(schema.properties?.keys() ?? [])];
  const tests =
    names.length > comparable
      ? [`${scope.module.constant("names", `new Set(${literal(names)})`)}.has(${key})`]
      : names.map((name) => `${key} === ${quote(name)}`);
  for (const pattern of schema.patternProperties?.keys() ?? []) tests.push(patternTest(scope, pattern, key));
  return tests.join(" || ");
}

function otherProperties(scope: Scope, schema: Schema, value: string, place: ValuePath): void {
  const { additionalProperties, patternProperties = new Map<string, Schema>(), propertyNames } = schema;
  scope.eachProperty(value, (key) =>
    scope.untilEnough(() => {
      const hold = scope.variable("part");
      const named = namedTest(scope, schema, key);
      const at = below(place, { key });
      const own = `${value}[${key}] !== undefined && Object.hasOwn(${value}, ${key})`;
      const others = named === "" ? own : `!(${named}) && ${own}`;
      if (propertyNames) scope.when(own, () => nameKeyword(scope, propertyNames, key, at));
      if (patternProperties.size > 0)
        scope.when(own, () =>
          scope.lines.prelude(`const ${hold} = ${value}[${key}];`, () => {
            for (const [pattern, part] of patternProperties)
              scope.when(patternTest(scope, pattern, key), () => scope.schema(part, hold, at));
          }),
        );
      if (additionalProperties?.verdict === false) scope.problemWhen(others, at, "is not a known property");
      else if (additionalProperties) {
        const other = scope.variable("part");
        scope.when(others, () =>
          scope.lines.prelude(`const ${other} = ${value}[${key}];`, () =>
            scope.schema(additionalProperties, other, at),
          ),
        );
      }
    }),
  );
}

/** Errors of a property's name are reported at the property. */
function nameKeyword(scope: Scope, names: Schema, key: string, at: ValuePath): void {
  if (names.verdict === false) {
    scope.problem(at, "is not a known property");
    return;
  }
  if (scope.mode === "test") {
    scope.problemWhen(`!${acceptTest(scope, names, key)}`, at, "");
    return;
  }
  const before = scope.variable("before");
  scope.lines.line(`const ${before} = problems.length;`);
  scope.schema(names, key, at);
  scope.lines.line(`if (problems.length > ${before}) ${scope.module.helper("ofName")}(problems, ${before});`);
}
