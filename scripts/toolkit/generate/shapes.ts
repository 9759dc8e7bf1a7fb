/** Finds the types that a schema allows. Text is converted to them before validation. */
import type { Shape } from "#specbind/contract";
import { entriesOf, isObject, type Json, type JsonObject, valueTypeOf } from "../openapi/document.ts";
import { viewOf } from "../openapi/schema/schema-view.ts";

interface Room {
  /** Undefined if no keyword restricts the types. */
  types: Set<string> | undefined;
  items: Json[];
  properties: Map<string, Json>;
  others: Json[];
}

/** Text cannot express deeper values. */
const maxDepth = 4;

export function shapeOf(document: JsonObject, schema: Json | undefined, depth = 0): Shape {
  const { types, items, properties, others } = roomOf(document, schema);
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
  return roomOf(document, schema).properties;
}

function roomOf(document: JsonObject, schema: Json | undefined): Room {
  const room: Room = { types: undefined, items: [], properties: new Map(), others: [] };
  const narrow = (types: Set<string> | undefined): void => {
    if (types !== undefined) room.types = room.types === undefined ? types : intersection(room.types, types);
  };
  const { parts, unions } = viewOf(document, schema);
  for (const { value } of parts) {
    const { type, items, properties, additionalProperties } = value;
    if (type !== undefined) narrow(new Set(Array.isArray(type) ? type.map(String) : [String(type)]));
    if (value.const !== undefined) narrow(new Set([valueTypeOf(value.const)]));
    if (Array.isArray(value.enum)) narrow(new Set(value.enum.map(valueTypeOf)));
    if (isObject(items)) room.items.push(items);
    if (isObject(additionalProperties)) room.others.push(additionalProperties);
    for (const [name, part] of entriesOf(properties)) addProperty(room, name, part);
  }
  for (const { branches } of unions) {
    const rooms = branches.map(({ value }) => roomOf(document, value));
    const types = rooms.map((branch) => branch.types);
    if (types.every((each) => each !== undefined)) narrow(new Set(types.flatMap((each) => [...each])));
    for (const branch of rooms) merge(room, branch);
  }
  return room;
}

function merge(room: Room, other: Room): void {
  room.items.push(...other.items);
  room.others.push(...other.others);
  for (const [name, part] of other.properties) addProperty(room, name, part);
}

function addProperty({ properties }: Room, name: string, part: Json): void {
  const known = properties.get(name);
  properties.set(name, known === undefined ? part : { anyOf: [known, part] });
}

/** `number` includes `integer`. */
function intersection(left: Set<string>, right: Set<string>): Set<string> {
  const both = left.intersection(right);
  if (left.has("integer") && right.has("number")) both.add("integer");
  if (left.has("number") && right.has("integer")) both.add("integer");
  return both;
}
