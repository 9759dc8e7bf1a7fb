/**
 * Code for `unevaluatedProperties` and `unevaluatedItems` (JSON Schema core, 11). It collects no annotations at run
 * time.
 */
import { below, type ValuePath } from "../code.ts";
import type { Scope } from "../module.ts";
import type { Schema } from "../schema.ts";
import { namedTest, present } from "./objects.ts";
import { patternTest } from "./strings.ts";
import { acceptTest, typeTest } from "./type-tests.ts";
import { clarifyUnevaluated } from "./unions.ts";

export function unevaluatedProperties(scope: Scope, schema: Schema, value: string, place: ValuePath): void {
  const { unevaluatedProperties: rest } = schema;
  if (!rest || rest.verdict === true) return;
  scope.when(typeTest("object", value), () => {
    const before = scope.variable("before");
    if (scope.mode === "collect") scope.lines.line(`const ${before} = problems.length;`);
    scope.eachProperty(value, (key) =>
      scope.untilEnough(() => {
        const own = `${value}[${key}] !== undefined && Object.hasOwn(${value}, ${key})`;
        scope.when(`${own} && !${coversKey(scope, schema, value, key)}`, () => {
          const at = below(place, { key });
          if (rest.verdict === false) return scope.problem(at, "is not a known property");
          scope.hold("part", `${value}[${key}]`, (hold) => scope.schema(rest, hold, at));
        });
      }),
    );
    if (rest.verdict === false) clarifyUnevaluated(scope, schema, before, value, place);
  });
}

export function unevaluatedItems(scope: Scope, schema: Schema, value: string, place: ValuePath): void {
  const { unevaluatedItems: rest } = schema;
  if (!rest || rest.verdict === true) return;
  scope.when(typeTest("array", value), () => {
    scope.eachIndex(value, 0, (index) =>
      scope.untilEnough(() =>
        scope.when(`!${coversIndex(scope, schema, value, index)}`, () =>
          scope.hold("item", `${value}[${index}]`, (hold) =>
            scope.schema(rest, hold, below(place, { index })),
          ),
        ),
      ),
    );
  });
}

/** Calls `apply` for each schema outside `properties` that applies to the key. */
export function otherParts(
  scope: Scope,
  schema: Schema,
  value: string,
  key: string,
  apply: (part: Schema, hold: string) => void,
): void {
  const hold = scope.variable("part");
  const rest = schema.additionalProperties ?? schema.unevaluatedProperties;
  scope.when(`Object.hasOwn(${value}, ${key})`, () =>
    scope.lines.prelude(`const ${hold} = ${value}[${key}];`, () => {
      for (const [pattern, part] of schema.patternProperties ?? [])
        scope.when(patternTest(scope, pattern, key), () => apply(part, hold));
      if (!rest || rest.verdict === false) return;
      const named = schema.additionalProperties
        ? namedTest(scope, schema, key) || "false"
        : coversKey(scope, schema, value, key);
      scope.when(`!(${named})`, () => apply(rest, hold));
    }),
  );
}

/** An expression contains the code of up to this number of shared schemas. A loop runs the tests in this code only once. */
const inlinable = 50;

/** @param inlined shared schemas whose code is already in the expression; if they occur again, their functions are called */
type Covers = (scope: Scope, schema: Schema, value: string, key: string, inlined?: Set<Schema>) => string;

export const coversKey: Covers = (scope, schema, value, key, inlined = new Set([schema])) => {
  if (schema.additionalProperties) return "true";
  const named = namedTest(scope, schema, key);
  const dependents = [...(schema.dependentSchemas ?? [])].map(([name, dependent]) =>
    both(present(scope, value, name), nested("coversKey", scope, dependent, value, key, inlined)),
  );
  return either([
    ...(named === "" ? [] : [named]),
    ...dependents,
    ...inPlaceCovers("coversKey", scope, schema, value, key, inlined),
  ]);
};

export const coversIndex: Covers = (scope, schema, value, index, inlined = new Set([schema])) => {
  if (schema.items) return "true";
  const own = schema.prefixItems ? [`${index} < ${schema.prefixItems.length}`] : [];
  if (schema.contains) own.push(acceptTest(scope, schema.contains, `${value}[${index}]`));
  const dependents = [...(schema.dependentSchemas ?? [])].map(([name, dependent]) =>
    both(
      `${typeTest("object", value)} && ${present(scope, value, name)}`,
      nested("coversIndex", scope, dependent, value, index, inlined),
    ),
  );
  return either([
    ...own,
    ...dependents,
    ...inPlaceCovers("coversIndex", scope, schema, value, index, inlined),
  ]);
};

/**
 * A branch is used only if it is valid. `allOf` and `$ref` need no test: if one is invalid, the value is rejected
 * anyway.
 */
function inPlaceCovers(
  kind: "coversKey" | "coversIndex",
  scope: Scope,
  schema: Schema,
  value: string,
  key: string,
  inlined: Set<Schema>,
): string[] {
  const covers = (part: Schema) => nested(kind, scope, part, value, key, inlined);
  const whole = (part: Schema) => scope.once(value, acceptTest(scope, part, value));
  const held = (part: Schema) => {
    const covered = covers(part);
    return covered === "false" ? "false" : both(whole(part), covered);
  };
  const always = [...(schema.ref ? [schema.ref] : []), ...(schema.allOf ?? [])].map(covers);
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].map(held);
  if (!schema.if) return [...always, ...branches];
  const holds = either([covers(schema.if), ...(schema.then ? [covers(schema.then)] : [])]);
  const fails = schema.else ? covers(schema.else) : "false";
  if (holds === "false" && fails === "false") return [...always, ...branches];
  return [...always, ...branches, `(${whole(schema.if)} ? ${holds} : ${fails})`];
}

function nested(
  kind: "coversKey" | "coversIndex",
  scope: Scope,
  schema: Schema,
  value: string,
  key: string,
  inlined: Set<Schema>,
): string {
  const own = kind === "coversKey" ? schema.unevaluatedProperties : schema.unevaluatedItems;
  if (own) return "true";
  if (scope.module.isShared(schema)) {
    if (inlined.has(schema) || inlined.size >= inlinable) return scope.call(kind, schema, value, key);
    inlined.add(schema);
  }
  const covers = kind === "coversKey" ? coversKey : coversIndex;
  return covers(scope, schema, value, key, inlined);
}

function both(left: string, right: string): string {
  if (left === "false" || right === "false") return "false";
  if (right === "true") return left;
  return left === "true" ? right : `(${left} && ${right})`;
}

function either(tests: string[]): string {
  const open = tests.filter((test) => test !== "false");
  if (open.length === 0 || open.includes("true")) return String(open.length > 0);
  return `(${open.join(" || ")})`;
}
