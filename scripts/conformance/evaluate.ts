/**
 * Reports for each place of a schema whether a value is valid there, or which keyword it violates. Unlike the messages
 * of validators, these verdicts do not change.
 */
import { isIP } from "node:net";
import { isObject, type Json, type JsonObject, pointerTo } from "../openapi/document.ts";
import { keywordChecks, violates } from "../openapi/keyword-checks.ts";
import {
  type Branch,
  itemsOf,
  type NodeOf,
  othersOf,
  type PropertyNode,
  type SchemaNode,
  typesOf,
} from "./schema-node.ts";

interface VisitedPlace {
  /**
   * In the schema: property names, `*` for items, `{name}` for other properties, and branches of unions in parentheses.
   */
  readonly place: string;
  /** In the value, as a JSON pointer (RFC 6901). */
  readonly pointer: string;
}

interface Visit extends VisitedPlace {
  /** `valid`, `absent` for an optional property that is missing, or the violated keyword. */
  readonly verdict: string;
}

export function faultsIn(visits: readonly Visit[]): Visit[] {
  return visits.filter(({ verdict }) => verdict !== "valid" && verdict !== "absent");
}

/** Whether a place has the verdict, and nothing else is wrong. */
export function isAlone(visits: readonly Visit[], { place, verdict }: Omit<Visit, "pointer">): boolean {
  const isMeant = (each: Visit): boolean => each.place === place && each.verdict === verdict;
  const faults = faultsIn(visits);
  return visits.some(isMeant) && faults.length <= 1 && faults.every(isMeant);
}

export function isValid(node: SchemaNode, value: Json): boolean {
  return faultsIn(evaluate(node, value)).length === 0;
}

export function evaluate(node: SchemaNode, value: Json, place = "", pointer = ""): Visit[] {
  const at = { place, pointer };
  const broken = ownFaults(node, value).map((verdict) => ({ ...at, verdict }));
  if (broken.some(({ verdict }) => verdict === "type" || verdict === "false")) return broken;
  const below = [
    ...(Array.isArray(value) ? itemVisits(node, value, at) : []),
    ...(isObject(value) ? propertyVisits(node, value, at) : []),
    ...node.unions.flatMap((union) => unionVisits(node, union, value, at)),
  ];
  const isSound =
    broken.length === 0 && !below.some((each) => each.place === place && each.verdict !== "valid");
  return [...(isSound ? [{ ...at, verdict: "valid" }] : broken), ...below];
}

/** The keywords that the value itself violates, without its parts. */
export function ownFaults(node: SchemaNode, value: Json): string[] {
  if (node.isNever) return ["false"];
  const types = typesOf(node);
  if (types !== undefined && !types.some((type) => isOfType(value, type))) return ["type"];
  return [...new Set(node.parts.flatMap((part) => ownKeywords.filter((each) => breaks(part, each, value))))];
}

function breaks(part: JsonObject, keyword: string, value: Json): boolean {
  if (keyword !== "format") return violates(part, keyword, value);
  return typeof value === "string" && formatChecks[String(part.format)]?.(value) === false;
}

function isOfType(value: Json, type: string): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type;
}

export const ownKeywords = [...Object.keys(keywordChecks), "format"];

/** Approximate: only for clearly valid or invalid values. Other formats always pass. */
const formatChecks: { readonly [format: string]: (text: string) => boolean } = {
  date: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)),
  "date-time": (text) => /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/i.test(text),
  time: (text) => /^\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/i.test(text),
  uuid: (text) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text),
  email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
  uri: (text) => /^[a-z][a-z\d+.-]*:\S*$/i.test(text),
  ipv4: (text) => isIP(text) === 4,
  ipv6: (text) => isIP(text) === 6,
};

export const judgedFormats: readonly string[] = Object.keys(formatChecks);

function itemVisits(node: SchemaNode, value: Json[], { place, pointer }: VisitedPlace): Visit[] {
  const schema = itemsOf(node);
  if (schema === undefined) return [];
  const items = node.nodeOf(schema);
  return value.flatMap((item, index) => evaluate(items, item, `${place}/*`, pointerTo(pointer, index)));
}

function propertyVisits(node: SchemaNode, value: JsonObject, { place, pointer }: VisitedPlace): Visit[] {
  const declared = [...node.properties].flatMap(([name, property]) => {
    const at = { place: pointerTo(place, name), pointer: pointerTo(pointer, name) };
    const held = Object.hasOwn(value, name) ? value[name] : undefined;
    if (held === undefined) return property.barredBy ? [] : [{ ...at, verdict: absenceOf(property) }];
    if (property.barredBy) return [{ ...at, verdict: property.barredBy }];
    return evaluate(node.nodeOf(property.schema), held, at.place, at.pointer);
  });
  const others = othersOf(node);
  const unnamed = Object.entries(value).flatMap(([name, held]): Visit[] => {
    if (others === undefined || node.properties.has(name)) return [];
    const at = pointerTo(pointer, name);
    if (others === false) return [{ place, pointer: at, verdict: "additionalProperties" }];
    return evaluate(node.nodeOf(others), held, `${place}/{name}`, at);
  });
  return [...declared, ...unnamed];
}

function absenceOf({ isRequired }: PropertyNode): string {
  return isRequired ? "required" : "absent";
}

function unionVisits(
  { nodeOf }: SchemaNode,
  { keyword, branches }: SchemaNode["unions"][number],
  value: Json,
  { place, pointer }: VisitedPlace,
): Visit[] {
  const judged = branches.map((branch) => {
    const node = nodeOf(branch.schema);
    return { node, visits: evaluate(node, value, branchPlace(place, branch), pointer) };
  });
  const fitting = judged.filter(({ visits }) => faultsIn(visits).length === 0);
  if (fitting.length > 1 && keyword === "oneOf") return [{ place, pointer, verdict: "oneOf" }];
  if (fitting.length > 0) return fitting.flatMap(({ visits }) => visits);
  const tag = tagIn(nodeOf, branches);
  if (tag !== undefined && isObject(value)) {
    const meant = judged.find(({ node }) => tagHolds(node, tag, value[tag]));
    if (meant !== undefined) return meant.visits;
    const verdict = value[tag] === undefined ? "required" : "tag";
    return [{ place: pointerTo(place, tag), pointer: pointerTo(pointer, tag), verdict }];
  }
  const ofType = judged.filter(({ node }) => !ownFaults(node, value).includes("type"));
  const [only, ...more] = ofType;
  if (only !== undefined && more.length === 0) return only.visits;
  return [{ place, pointer, verdict: only === undefined ? "type" : keyword }];
}

export function branchPlace(place: string, { label }: Branch): string {
  return `${place}/(${label})`;
}

/** The property that distinguishes the branches: each requires it and allows few values. */
export function tagIn(nodeOf: NodeOf, branches: readonly Branch[]): string | undefined {
  const [first, ...others] = branches.map(({ schema }) => tagsOf(nodeOf, schema));
  return first?.find((name) => others.length > 0 && others.every((names) => names.includes(name)));
}

function tagsOf(nodeOf: NodeOf, schema: Json): string[] {
  return [...nodeOf(schema).properties].flatMap(([name, property]) => {
    const { parts } = nodeOf(property.schema);
    const isTold = parts.some((part) => part.const !== undefined || part.enum !== undefined);
    return property.isRequired && isTold ? [name] : [];
  });
}

function tagHolds(branch: SchemaNode, tag: string, value: Json | undefined): boolean {
  const property = branch.properties.get(tag);
  if (property === undefined || value === undefined) return false;
  return ownFaults(branch.nodeOf(property.schema), value).length === 0;
}
