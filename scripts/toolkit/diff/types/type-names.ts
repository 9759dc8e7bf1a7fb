/** The names of the generated types that callers use, and how they use them. */
import type { DirectedSpec } from "../../generate/directions.ts";
import {
  entriesOf,
  type Json,
  pointerTo,
  referenceTarget,
  tokensOf,
  valueAt,
} from "../../openapi/document.ts";
import { operationsIn } from "../../openapi/grammar.ts";
import type { Spec } from "../spec.ts";
import { referredFrom } from "../unchanged.ts";

export interface Name {
  /** The name without its namespace, such as `components["schemas"]["User"]`. */
  readonly text: string;
  /** The part of the operation with this name, such as `parameters`. */
  readonly part?: string;
  /** The name in the newer types, if it differs. */
  readonly now?: string | undefined;
  readonly pointer: string;
  readonly uses: readonly ("read" | "write")[];
  /** True for request bodies. Their type has one property for each media type. */
  readonly isBody?: boolean;
}

/** Sections of `components` without types. */
const untyped = new Set(["securitySchemes", "examples", "links", "callbacks"]);

/**
 * The names of the types of a document.
 *
 * @param directed the older and the newer document, as the generator splits it into requests and responses
 */
export function namesOf(
  { document }: Spec,
  directed: readonly [old: DirectedSpec, now: DirectedSpec],
): Name[] {
  const names: Name[] = [];
  const [, { document: newer }] = directed;
  for (const [path, item] of entriesOf(document.paths)) {
    const used = operationsIn(item);
    if (!path.startsWith("/") || (used.length === 0 && referenceTarget(item) === undefined)) continue;
    const pointer = pointerTo("/paths", path);
    names.push({ text: `paths[${JSON.stringify(path)}]`, pointer, uses: [] });
    for (const { pointer: at, method, operation } of used) {
      const key = tokensOf(at).length === 1 ? method.toLowerCase() : method;
      const { operationId: id } = operation;
      const [whole, ...parts] = operationNames(`paths[${JSON.stringify(path)}]["${key}"]`, pointer + at);
      names.push(whole);
      // In both documents, the types of the path are those of the operation.
      const isNamed = typeof id === "string" && valueAt(newer, `${pointer}${at}/operationId`) === id;
      if (!isNamed) names.push(...parts);
      if (typeof id === "string")
        names.push(...operationNames(`operations[${JSON.stringify(id)}]`, pointer + at));
    }
  }
  for (const [name, item] of entriesOf(document.webhooks))
    for (const { pointer: at, method, operation } of operationsIn(item)) {
      const text = `webhooks[${JSON.stringify(name)}]["${method.toLowerCase()}"]`;
      const pointer = pointerTo("/webhooks", name) + at;
      names.push(...operationNames(text, pointer, "received"));
      // Its types are those of the webhook.
      if (typeof operation.operationId === "string")
        names.push({ text: `operations[${JSON.stringify(operation.operationId)}]`, pointer, uses: [] });
    }
  const other = [document["x-unmatched-responses"], document.webhooks];
  const used = referredFrom(document, [document.paths, ...other]);
  const inRequests = referredFrom(document, valuesOf(document, "parameters", "requestBody"));
  const inResponses = referredFrom(document, [...valuesOf(document, "responses"), ...other]);
  for (const [section, group] of entriesOf(document.components)) {
    if (untyped.has(section) || section.startsWith("x-")) continue;
    for (const [name] of entriesOf(group)) {
      const pointer = pointerTo("/components", section, name);
      if (!used.has(pointer)) continue;
      const isBody = section === "requestBodies";
      const isEither = !inRequests.has(pointer) && !inResponses.has(pointer);
      const text = `components[${JSON.stringify(section)}][${JSON.stringify(name)}]`;
      // A component may have a separate type for requests.
      const [was = text, is = text] = directed.map(({ document }) =>
        section === "schemas" && valueAt(document, pointerTo("/sent/schemas", name)) !== undefined
          ? `sent["schemas"][${JSON.stringify(name)}]`
          : text,
      );
      const isOneType = was === text && is === text;
      const [reads, writes] = [isEither || inResponses.has(pointer), isEither || inRequests.has(pointer)];
      if (reads || isOneType)
        names.push({
          text,
          pointer,
          uses: [...(writes && isOneType ? ["write" as const] : []), ...(reads ? ["read" as const] : [])],
          isBody,
        });
      if (writes && !isOneType) names.push({ text: was, now: is, pointer, uses: ["write"] });
    }
  }
  return names;
}

/** @param request whether callers send the request, or receive it as that of a webhook */
function operationNames(
  text: string,
  pointer: string,
  request: "sent" | "received" = "sent",
): [whole: Name, ...parts: Name[]] {
  const [given, returned] = request === "sent" ? (["write", "read"] as const) : (["read", "write"] as const);
  return [
    { text, pointer, uses: [] },
    { text, part: "parameters", pointer: `${pointer}/parameters`, uses: [given] },
    { text, part: "requestBody", pointer: `${pointer}/requestBody`, uses: [given], isBody: true },
    { text, part: "responses", pointer: `${pointer}/responses`, uses: [returned] },
  ];
}

/** The values that all path items and operations have for the keywords. */
function valuesOf(document: Json, ...keywords: string[]): (Json | undefined)[] {
  const items = entriesOf(valueAt(document, "/paths")).map(([, item]) => item);
  const operations = items.flatMap((item) => operationsIn(item).map(({ operation }) => operation));
  return [...items, ...operations].flatMap((holder) =>
    keywords.map((keyword) => valueAt(holder, pointerTo("", keyword))),
  );
}

export function shownName({ text, part }: Name): string {
  return part === undefined ? text : `${text}["${part}"]`;
}
