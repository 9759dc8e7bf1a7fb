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

/** A property or an item, by the variables of its holder and of its name or index. */
interface Part {
  kind: "coversKey" | "coversIndex";
  scope: Scope;
  value: string;
  key: string;
  /** Shared schemas whose code is already in the expression. If they occur again, their functions are called. */
  inlined: Set<Schema>;
}

export function coversKey(scope: Scope, schema: Schema, value: string, key: string): string {
  return covers({ kind: "coversKey", scope, value, key, inlined: new Set([schema]) }, schema);
}

export function coversIndex(scope: Scope, schema: Schema, value: string, key: string): string {
  return covers({ kind: "coversIndex", scope, value, key, inlined: new Set([schema]) }, schema);
}

function covers(part: Part, schema: Schema): string {
  const { kind, scope, value } = part;
  const isKey = kind === "coversKey";
  if (isKey ? schema.additionalProperties : schema.items) return "true";
  const own = isKey ? keyTests(part, schema) : indexTests(part, schema);
  const dependents = [...(schema.dependentSchemas ?? [])].map(([name, dependent]) => {
    const isPresent = present(scope, value, name);
    return both(isKey ? isPresent : `${typeTest("object", value)} && ${isPresent}`, nested(part, dependent));
  });
  return either([...own, ...dependents, ...inPlaceCovers(part, schema)]);
}

function keyTests({ scope, key }: Part, schema: Schema): string[] {
  const named = namedTest(scope, schema, key);
  return named === "" ? [] : [named];
}

function indexTests({ scope, value, key }: Part, { prefixItems, contains }: Schema): string[] {
  const own = prefixItems ? [`${key} < ${prefixItems.length}`] : [];
  return contains ? [...own, acceptTest(scope, contains, `${value}[${key}]`)] : own;
}

/**
 * A branch is used only if it is valid. `allOf` and `$ref` need no test: if one is invalid, the value is rejected
 * anyway.
 */
function inPlaceCovers(part: Part, schema: Schema): string[] {
  const { scope, value } = part;
  const whole = (branch: Schema) => scope.once(value, acceptTest(scope, branch, value));
  const held = (branch: Schema) => {
    const covered = nested(part, branch);
    return covered === "false" ? "false" : both(whole(branch), covered);
  };
  const always = [...(schema.ref ? [schema.ref] : []), ...(schema.allOf ?? [])];
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const tests = [...always.map((each) => nested(part, each)), ...branches.map(held)];
  if (!schema.if) return tests;
  const consequence = [schema.if, ...(schema.then ? [schema.then] : [])];
  const holds = either(consequence.map((each) => nested(part, each)));
  const fails = schema.else ? nested(part, schema.else) : "false";
  if (holds === "false" && fails === "false") return tests;
  return [...tests, `(${whole(schema.if)} ? ${holds} : ${fails})`];
}

function nested(part: Part, schema: Schema): string {
  const { kind, scope, value, key, inlined } = part;
  if (kind === "coversKey" ? schema.unevaluatedProperties : schema.unevaluatedItems) return "true";
  if (scope.module.isShared(schema)) {
    if (inlined.has(schema) || inlined.size >= inlinable) return scope.call(kind, schema, value, key);
    inlined.add(schema);
  }
  return covers(part, schema);
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
