import { type ValueType, valueTypeOf, valueTypes } from "../openapi/document.ts";
import { circleMessage } from "../openapi/schema/references.ts";
import { allWithin, composition, inPlace, reachable, type Schema } from "./schema.ts";
import type { SchemaReader } from "./schema-reader.ts";

const typesOf = new WeakMap<Schema, ReadonlySet<ValueType>>();

/** The types that a valid value may have. The result may contain too many types, because `not` is ignored. */
export function acceptedTypes(schema: Schema): ReadonlySet<ValueType> {
  const known = typesOf.get(schema) ?? readTypes(schema);
  typesOf.set(schema, known);
  return known;
}

function readTypes(schema: Schema): ReadonlySet<ValueType> {
  let accepted = new Set<ValueType>(schema.verdict === false ? [] : valueTypes);
  const narrow = (types: Iterable<ValueType>) => {
    accepted = accepted.intersection(new Set(types));
  };
  if (schema.type) narrow(schema.type.map((type) => (type === "integer" ? "number" : type)));
  if (schema.const) narrow([valueTypeOf(schema.const.value)]);
  if (schema.enum) narrow(schema.enum.map(valueTypeOf));
  if (schema.ref) narrow(acceptedTypes(schema.ref));
  for (const part of schema.allOf ?? []) narrow(acceptedTypes(part));
  for (const branches of [schema.anyOf, schema.oneOf])
    if (branches) narrow(branches.flatMap((branch) => [...acceptedTypes(branch)]));
  return accepted;
}

export function haveDistinctTypes(schemas: readonly Schema[]): boolean {
  const types = schemas.flatMap((schema) => [...acceptedTypes(schema)]);
  return new Set(types).size === types.length;
}

export function isClosed(schema: Schema): boolean {
  return composition(schema).some(
    ({ additionalProperties, unevaluatedProperties, properties }) =>
      additionalProperties?.verdict === false ||
      unevaluatedProperties?.verdict === false ||
      [...(properties?.values() ?? [])].some((property) => property.verdict === false),
  );
}

export function declaredNames(schema: Schema, seen = new Set<Schema>()): Set<string> {
  const names = new Set<string>();
  if (seen.has(schema)) return names;
  seen.add(schema);
  for (const [name, property] of schema.properties ?? []) if (property.verdict !== false) names.add(name);
  for (const part of inPlace(schema))
    if (part !== schema.not) for (const name of declaredNames(part, seen)) names.add(name);
  return names;
}

/** Returns the targets and all schemas from which a target can be reached. */
export function leadingTo(
  targets: Iterable<Schema>,
  all: Iterable<Schema>,
  next: (schema: Schema) => Schema[],
): Set<Schema> {
  const before = new Map<Schema, Schema[]>();
  for (const schema of all) {
    for (const successor of next(schema)) {
      const list = before.get(successor);
      if (list) list.push(schema);
      else before.set(successor, [schema]);
    }
  }
  const found = new Set(targets);
  // The loop also visits schemas that are added to the Set while it runs.
  for (const schema of found) for (const predecessor of before.get(schema) ?? []) found.add(predecessor);
  return found;
}

/** Returns at least one schema of each cycle, and the schema that leads to it. */
export function cycleHeads(roots: Iterable<Schema>, next: (schema: Schema) => Schema[]): Map<Schema, Schema> {
  const heads = new Map<Schema, Schema>();
  const open = new Set<Schema>();
  const done = new Set<Schema>();
  for (const root of roots) {
    // A recursion would overflow the stack.
    const way: { schema: Schema; left: Schema[] }[] = [];
    const enter = (schema: Schema) => {
      open.add(schema);
      way.push({ schema, left: next(schema).reverse() });
    };
    if (!done.has(root)) enter(root);
    for (let top = way.at(-1); top; top = way.at(-1)) {
      const { schema, left } = top;
      const successor = left.pop();
      if (successor === undefined) {
        way.pop();
        open.delete(schema);
        done.add(schema);
      } else if (open.has(successor)) heads.set(successor, schema);
      else if (!done.has(successor)) enter(successor);
    }
  }
  return heads;
}

/** Marks recursive schemas. Reports and removes circular references and keywords that take too much time. */
export function analyse(roots: readonly Schema[], reader: SchemaReader): void {
  for (;;) {
    const [cycle] = cycleHeads(reachable(roots), inPlace);
    if (!cycle) break;
    const [head, last] = cycle;
    const { pointer } = cutReference(head, last);
    reader.report("reference-circle", `${pointer}/$ref`, circleMessage);
  }
  const all = reachable(roots);
  for (const schema of leadingTo(cycleHeads(roots, allWithin).keys(), all, allWithin))
    schema.recursive = true;
  for (const schema of all) reportCostlyUnevaluated(schema, reader);
}

/** Removes the `$ref` that closes the cycle. Each cycle of schemas for the same value has one. */
function cutReference(head: Schema, last: Schema): Schema {
  const around = reachable([head], inPlace);
  const inCircle = around.intersection(leadingTo([last], around, inPlace));
  for (const schema of [last, ...inCircle]) {
    if (schema.ref && inCircle.has(schema.ref)) {
      delete schema.ref;
      return schema;
    }
  }
  throw new Error(`no reference closes the cycle at ${head.pointer}`);
}

/** These keywords evaluate branches twice. If a branch is recursive, each level of a hostile value doubles the work. */
function reportCostlyUnevaluated(schema: Schema, reader: SchemaReader): void {
  for (const keyword of ["unevaluatedProperties", "unevaluatedItems"] as const) {
    if (!schema[keyword]) continue;
    const branches = [...reachable([schema], inPlace)].flatMap((part) => [
      ...(part.anyOf ?? []),
      ...(part.oneOf ?? []),
      part.if,
      keyword === "unevaluatedItems" ? part.contains : undefined,
    ]);
    if (!branches.some((part) => part?.recursive)) continue;
    reader.report(
      "costly-unevaluated",
      `${schema.pointer}/${keyword}`,
      `\`${keyword}\` next to a recursive branch lets a deeply nested value block the server; write it inside each branch instead`,
    );
    delete schema[keyword];
  }
}
