/** Compares the values of a record that were sent with those that a service returns. */
import { isDeepStrictEqual } from "node:util";
import { isObject, type Json, pointerTo, tokensOf, valueAt, valueTypeOf } from "../../openapi/document.ts";
import { isValid } from "../../openapi/schema/evaluate.ts";
import { othersOf, type SchemaNode } from "../../openapi/schema/schema-node.ts";
import { edited } from "../values/values.ts";
import { stringsIn } from "./body-variants.ts";

/** Returns the names of properties that the value has, and that the other one lacks or has with another value. */
export function differentNames(value: Json | undefined, other: Json | undefined): string[] {
  const [own, others] = [value, other].map((each) => (each === undefined ? each : unwrapped(each)));
  if (!isObject(own) || !isObject(others)) return [];
  return Object.keys(own).filter((name) => !isDeepStrictEqual(own[name], others[name]));
}

/**
 * Returns the name of a property that a replacement left out, and that the record still has. PUT replaces the whole
 * record (RFC 9110, section 9.3.4).
 */
export function leftOver(before: Json, after: Json, read: Json | undefined): string | undefined {
  const [old, sent] = [unwrapped(before), unwrapped(after)];
  if (!isObject(old) || !isObject(sent) || !isObject(read)) return undefined;
  // A boolean may have its default value by chance.
  return Object.keys(old).find(
    (name) =>
      !Object.hasOwn(sent, name) &&
      !["boolean", "null"].includes(valueTypeOf(old[name] ?? null)) &&
      isDeepStrictEqual(read[name], old[name]),
  );
}

/** Merges two values of a schema. The result has the properties of both, and the longer values. */
export function fullest(one: Json, other: Json): Json {
  if (isObject(one) && isObject(other)) {
    const entries = Object.entries(other).map(([name, held]): [string, Json] => [
      name,
      Object.hasOwn(one, name) ? fullest(one[name] ?? null, held) : held,
    ]);
    return { ...one, ...Object.fromEntries(entries) };
  }
  return JSON.stringify(other).length > JSON.stringify(one).length ? other : one;
}

/** A service may escape these characters, end a text at one of them, replace one, or write it in another form. */
const specialText = [..."\u00e9\"'<&\u{1f600}\\%41\n  E\u0301"];

/** Begins the texts in a value with special characters, where that is valid. The texts keep their lengths. */
export function withSpecialTexts(node: SchemaNode, value: Json): Json {
  return stringsIn(value).reduce((changed, pointer) => {
    const text = [...String(valueAt(value, pointer))];
    const made = text.map((character, at) => specialText[at] ?? character).join("");
    const special = edited(changed, tokensOf(pointer), made);
    return isValid(node, special) ? special : changed;
  }, value);
}

/** Returns the object inside of an envelope. */
export function unwrapped(value: Json): Json {
  const [only, ...others] = isObject(value) ? Object.values(value) : [];
  return isObject(only) && others.length === 0 ? only : value;
}

/**
 * Returns the pointer of a value that was sent and that the response has with another value, or lacks although its
 * schema has the property.
 */
export function differenceIn(
  sent: Json,
  read: Json,
  node: SchemaNode | undefined,
  depth = 0,
): string | undefined {
  if (!isObject(sent) || !isObject(read)) return undefined;
  const names = Object.keys(sent).filter((name) => Object.hasOwn(read, name));
  if (names.length > 0) return difference(sent, read, node);
  const inner =
    depth > 3
      ? []
      : Object.entries(read).map(([name, each]) => differenceIn(sent, each, nodeAt(node, name), depth + 1));
  return inner.find((each) => each !== undefined);
}

/** Returns the pointer of a value that is not null and that a merge patch did not set (RFC 7396). */
export function lostIn(patch: Json, read: Json): string | undefined {
  if (!isObject(patch) || !isObject(read)) return undefined;
  // A response that has none of the names may have no representation of the record.
  const isRecord = Object.keys(read).some((name) => Object.hasOwn(patch, name));
  const lost = Object.keys(patch).find((name) => patch[name] !== null && !Object.hasOwn(read, name));
  return isRecord && lost !== undefined ? pointerTo("", lost) : undefined;
}

function nodeAt(node: SchemaNode | undefined, name: string): SchemaNode | undefined {
  const property = node?.properties.get(name);
  const others = node && othersOf(node);
  if (property === undefined) return isObject(others) ? node?.nodeOf(others) : undefined;
  return property.barredBy === undefined ? node?.nodeOf(property.schema) : undefined;
}

/** Services may leave out values that are usual defaults. */
const emptyValues = ["null", "false", "0", '""', "[]", "{}"];

function difference(
  sent: Json | undefined,
  read: Json | undefined,
  node?: SchemaNode,
  pointer = "",
): string | undefined {
  if (sent === undefined || read === null) return undefined;
  if (read === undefined)
    return node === undefined || emptyValues.includes(JSON.stringify(sent)) ? undefined : pointer;
  if (Array.isArray(sent) && Array.isArray(read))
    return sent.length === read.length
      ? sent
          .map((each, at) => difference(each, read[at], undefined, `${pointer}/${at}`))
          .find((each) => each !== undefined)
      : pointer;
  if (isObject(sent) && isObject(read))
    return Object.keys(sent)
      .map((name) =>
        difference(
          sent[name],
          Object.hasOwn(read, name) ? read[name] : undefined,
          nodeAt(node, name),
          pointerTo(pointer, name),
        ),
      )
      .find((each) => each !== undefined);
  // Null may mean that the service chooses the value.
  if (sent === null) return [...emptyValues, '"null"'].includes(JSON.stringify(read)) ? pointer : undefined;
  return typeof sent !== typeof read || plain(sent) === plain(read) ? undefined : pointer;
}

/** A service may store texts without outer spaces, single words in lower case, and times in another form, in seconds. */
export function plain(value: Json): Json {
  if (typeof value !== "string") return value;
  if (/^\d{4}-\d\d-\d\dT/i.test(value) && !Number.isNaN(Date.parse(value)))
    return Math.floor(Date.parse(value) / 1000);
  const text = value.trim();
  return /\s/.test(text) ? text : text.toLowerCase();
}
