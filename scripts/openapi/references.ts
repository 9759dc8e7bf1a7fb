/** Finds references that have no target or are circular. */
import { circular, isComponent } from "./bundle.ts";
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
import { nearestWord } from "./nearest-word.ts";

export interface ReferenceProblem {
  readonly pointer: string;
  readonly holder: JsonObject;
  readonly key: string;
  readonly message: string;
}

/** Removes references without a target, and returns them. Later stages rely on the targets. */
export function removeInvalidReferences(document: JsonObject): ReferenceProblem[] {
  const problems: ReferenceProblem[] = [];
  visitKinds("document", document, (kind, object, pointer) => {
    const message = referenceProblem(document, kind, object, pointer);
    if (message !== undefined)
      problems.push({ pointer: `${pointer}/$ref`, holder: object, key: "$ref", message });
    if (kind === "schema") problems.push(...invalidMappings(document, object, pointer));
  });
  for (const { holder, key } of problems) delete holder[key];
  return problems;
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
function invalidMappings(document: JsonObject, schema: JsonObject, pointer: string): ReferenceProblem[] {
  const holder = isObject(schema.discriminator) ? schema.discriminator.mapping : undefined;
  return entriesOf(holder).flatMap(([key, target]) => {
    const place = typeof target === "string" ? localPointer(target) : undefined;
    if (typeof target !== "string" || (place !== undefined && valueAt(document, place) !== undefined))
      return [];
    const message =
      place === undefined
        ? `there is no schema ${target} in \`components/schemas\`; correct the name or define the schema`
        : noTarget(document, place);
    const at = pointerTo(pointer, "discriminator", "mapping", key);
    return [{ pointer: at, holder: holder as JsonObject, key, message }];
  });
}

function referenceProblem(document: JsonObject, kind: Kind, object: JsonObject, pointer: string) {
  if (!Object.hasOwn(object, "$ref")) return undefined;
  if (typeof object.$ref !== "string") return "a `$ref` must be a string such as `#/components/schemas/Name`";
  const target = localPointer(object.$ref);
  if (target === undefined)
    return "a reference to a file is not possible here; move its target into this file";
  if (valueAt(document, target) === undefined) return noTarget(document, target);
  if (!isComponent(target)) return "this reference must point into `components`; move its target there";
  if (isInCircle(document, pointer)) return circular;
  const section = sections[kind];
  return section === undefined || tokensOf(target)[1] === section
    ? undefined
    : `this reference must point into \`components/${section}\`; correct it`;
}

function noTarget(document: JsonObject, pointer: string): string {
  const tokens = tokensOf(pointer);
  const section = valueAt(document, pointerTo("", ...tokens.slice(0, -1)));
  const nearest = nearestWord(tokens.at(-1) ?? "", isObject(section) ? Object.keys(section) : []);
  const fix = nearest === undefined ? "correct it or define its target" : `did you mean ${nearest}?`;
  return `this reference has no target: there is no #${pointer}; ${fix}`;
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
