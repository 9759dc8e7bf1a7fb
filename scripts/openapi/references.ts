/** Finds references that have no target or are circular. */
import { isComponent } from "./bundle.ts";
import {
  entriesOf,
  isObject,
  type Json,
  type JsonObject,
  localPointer,
  pointerTo,
  referenceTarget,
  referredValue,
  tokensOf,
  valueAt,
} from "./document.ts";
import { type Kind, sections, visitKinds } from "./grammar.ts";
import { subschemas } from "./keywords.ts";

export interface ReferenceProblem {
  readonly pointer: string;
  readonly holder: JsonObject;
  readonly key: string;
  readonly message: string;
}

interface Reference {
  readonly problem: string | undefined;
  /** True if the target is a reference too. */
  readonly leadsOn: boolean;
}

export function invalidReferences(document: JsonObject): ReferenceProblem[] {
  const problems: ReferenceProblem[] = [];
  const known = new Map<string, Reference>();
  const read = (text: string): Reference => {
    const reference = known.get(text) ?? referenceOf(document, text);
    known.set(text, reference);
    return reference;
  };
  visitKinds("document", document, (kind, object, pointer) => {
    if (!Object.hasOwn(object, "$ref")) return;
    const message = problemOf(document, pointer, object.$ref, read) ?? kindProblem(kind, object);
    if (message !== undefined)
      problems.push({ pointer: `${pointer}/$ref`, holder: object, key: "$ref", message });
  });
  return [...problems, ...invalidMappings(document)];
}

/** One `$ref` of each cycle of schemas for the same value. Removing these references breaks all cycles. */
export function circularReferences(document: JsonObject): ReferenceProblem[] {
  const problems: ReferenceProblem[] = [];
  const open = new Set<JsonObject>();
  const done = new Set<JsonObject>();
  const walk = (schema: Json | undefined, pointer: string): void => {
    if (!isObject(schema) || done.has(schema)) return;
    open.add(schema);
    const target = referenceTarget(schema);
    const referred = referredValue(document, schema);
    if (isObject(referred) && open.has(referred))
      problems.push({
        pointer: `${pointer}/$ref`,
        holder: schema,
        key: "$ref",
        message: circleMessage("$ref"),
      });
    else if (target !== undefined) walk(referred, target);
    for (const part of subschemas(schema, pointer))
      if (part.appliesTo === "value") walk(part.schema, part.pointer);
    open.delete(schema);
    done.add(schema);
  };
  visitKinds("document", document, (kind, schema, pointer) => {
    if (kind === "schema") walk(schema, pointer);
  });
  return problems;
}

/** A mapping has references or names of schemas (OpenAPI 3.1, Discriminator Object). */
function invalidMappings(document: JsonObject): ReferenceProblem[] {
  const problems: ReferenceProblem[] = [];
  visitKinds("document", document, (kind, schema, pointer) => {
    const holder = isObject(schema.discriminator) ? schema.discriminator.mapping : undefined;
    if (kind !== "schema" || !isObject(holder)) return;
    for (const [key, target] of entriesOf(holder)) {
      const place = typeof target === "string" ? localPointer(target) : undefined;
      if (typeof target !== "string" || (place !== undefined && valueAt(document, place) !== undefined))
        continue;
      const message =
        place === undefined
          ? `there is no schema ${target} in \`components/schemas\`; correct the name or define the schema`
          : `this reference has no target: there is no #${place}; correct it or define its target`;
      problems.push({ pointer: pointerTo(pointer, "discriminator", "mapping", key), holder, key, message });
    }
  });
  return problems;
}

function kindProblem(kind: Kind, object: JsonObject): string | undefined {
  const target = referenceTarget(object);
  const section = sections[kind];
  if (target === undefined || section === undefined || tokensOf(target)[1] === section) return undefined;
  return `this reference must point into \`components/${section}\`; correct it`;
}

function problemOf(
  document: JsonObject,
  place: string,
  text: unknown,
  read: (text: string) => Reference,
): string | undefined {
  if (typeof text !== "string") return "a `$ref` must be a string such as `#/components/schemas/Name`";
  const { problem, leadsOn } = read(text);
  return leadsOn && isInCircle(document, place)
    ? "this reference is circular; replace one reference of the cycle with a definition"
    : problem;
}

function referenceOf(document: JsonObject, text: string): Reference {
  const wrong = (problem: string): Reference => ({ problem, leadsOn: false });
  const target = localPointer(text);
  if (target === undefined)
    return wrong("a reference to a file is not possible here; move its target into this file");
  const value = valueAt(document, target);
  if (value === undefined)
    return wrong(`this reference has no target: there is no #${target}; correct it or define its target`);
  if (!isComponent(target))
    return wrong("this reference must point into `components`; move its target there");
  return { problem: undefined, leadsOn: isObject(value) && typeof value.$ref === "string" };
}

function isInCircle(document: JsonObject, place: string): boolean {
  const seen = new Set<string>();
  for (let at = place; !seen.has(at); ) {
    seen.add(at);
    const value = valueAt(document, at);
    const target = referenceTarget(value);
    if (target === undefined) return false;
    if (target === place) return true;
    at = target;
  }
  return false;
}

export function circleMessage(keyword: "$ref" | "$dynamicRef"): string {
  return `${keyword} refers to its own schema for the same value; remove the cycle`;
}
