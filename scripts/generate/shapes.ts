/** How text is parsed before validation: by the types that a schema allows. */
import {
  entriesOf,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  referredValue,
  valueTypeOf,
} from "../openapi/document.ts";

type ScalarType = "string" | "number" | "integer" | "boolean" | "null";

/** A list has alternatives. */
export type Shape =
  | ScalarType
  | { readonly items: Shape }
  | { readonly properties: { readonly [name: string]: Shape }; readonly others?: Shape }
  | readonly Shape[];

interface Room {
  /** Undefined if no keyword decides it. */
  types: Set<string> | undefined;
  items: Json[];
  properties: Map<string, Json>;
  others: Json[];
}

/** Text cannot express more levels. */
const maxDepth = 4;

export function shapeOf(document: JsonObject, schema: Json | undefined, depth = 0): Shape {
  const { types, items, properties, others } = roomOf(document, schema, []);
  const said = types ?? new Set(properties.size > 0 ? ["object"] : items.length > 0 ? ["array"] : ["string"]);
  const shapes: Shape[] = [];
  for (const scalar of ["integer", "number", "boolean", "null", "string"] as const)
    if (said.has(scalar)) shapes.push(scalar);
  const below = (parts: readonly Json[]): Shape =>
    depth >= maxDepth
      ? "string"
      : shapeOf(document, parts.length === 1 ? parts[0] : { allOf: [...parts] }, depth + 1);
  if (said.has("array")) shapes.push({ items: below(items) });
  if (said.has("object"))
    shapes.push({
      properties: Object.fromEntries([...properties].map(([name, part]) => [name, below([part])])),
      ...(others.length > 0 && { others: below(others) }),
    });
  const [only] = shapes;
  return shapes.length === 1 && only !== undefined ? only : shapes.length === 0 ? "string" : shapes;
}

export function fieldsOf(document: JsonObject, schema: Json | undefined): ReadonlyMap<string, Json> {
  return roomOf(document, schema, []).properties;
}

function roomOf(document: JsonObject, schema: Json | undefined, around: readonly Json[]): Room {
  const room: Room = { types: undefined, items: [], properties: new Map(), others: [] };
  if (!isObject(schema) || around.includes(schema)) return room;
  const inside = [...around, schema];
  const narrow = (types: Set<string> | undefined): void => {
    if (types !== undefined) room.types = room.types === undefined ? types : intersection(room.types, types);
  };
  const { type } = schema;
  if (type !== undefined) narrow(new Set(Array.isArray(type) ? type.map(String) : [String(type)]));
  if (schema.const !== undefined) narrow(new Set([valueTypeOf(schema.const)]));
  if (Array.isArray(schema.enum)) narrow(new Set(schema.enum.map(valueTypeOf)));
  if (isObject(schema.items)) room.items.push(schema.items);
  for (const [name, part] of entriesOf(schema.properties)) room.properties.set(name, part);
  if (isObject(schema.additionalProperties)) room.others.push(schema.additionalProperties);
  for (const part of [referredValue(document, schema), ...listOf(schema.allOf)]) {
    const other = roomOf(document, part, inside);
    narrow(other.types);
    merge(room, other);
  }
  for (const choice of [schema.anyOf, schema.oneOf]) {
    if (!Array.isArray(choice)) continue;
    const branches = choice.map((part) => roomOf(document, part, inside));
    const types = branches.map((branch) => branch.types);
    if (types.every((each) => each !== undefined)) narrow(new Set(types.flatMap((each) => [...each])));
    for (const branch of branches) merge(room, branch);
  }
  return room;
}

function merge(room: Room, other: Room): void {
  room.items.push(...other.items);
  room.others.push(...other.others);
  for (const [name, part] of other.properties) {
    const known = room.properties.get(name);
    room.properties.set(name, known === undefined ? part : { anyOf: [known, part] });
  }
}

/** An integer is also a number. */
function intersection(left: Set<string>, right: Set<string>): Set<string> {
  const both = left.intersection(right);
  if (left.has("integer") && right.has("number")) both.add("integer");
  if (left.has("number") && right.has("integer")) both.add("integer");
  return both;
}
