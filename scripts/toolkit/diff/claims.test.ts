/**
 * Checks what findings say against both documents, for random changes of real documents. `CLAIMS=3000` makes more
 * changes, `CLAIM_SEED=7` makes others.
 */
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { parseYaml } from "@redocly/openapi-core";
import { describe, expect, test } from "vitest";
import { randomFrom } from "../../../server/testing/random.ts";
import { entriesOf, isObject, type Json, type JsonObject, listOf, valueAt } from "../openapi/document.ts";
import { visitKinds } from "../openapi/grammar.ts";
import type { Change } from "./changes.ts";
import { specsOf } from "./testing/spec.ts";
import { wireChanges } from "./wire.ts";

const { CLAIMS = "60", CLAIM_SEED = "1" } = process.env;
const fixtures = "scripts/toolkit/generate/fixtures";

interface Documents {
  readonly old: Json;
  readonly now: Json;
}

/** What a sentence says about the documents. Each claim returns whether it is true, or undefined if it was not made. */
const claims: Readonly<Record<string, (change: Change, documents: Documents) => boolean | undefined>> = {
  "was added": ({ message, pointer }, { old, now }) =>
    /(?:was|were) added(?! to)/.test(message) && !message.includes(": value")
      ? !isThere(old, pointer) && isThere(now, pointer)
      : undefined,
  "was removed": ({ message, pointer }, { old, now }) =>
    /(?:was|were) removed/.test(message) && !/schema of the object|: value|`default`/.test(message)
      ? isThere(old, pointer) && !isThere(now, pointer)
      : undefined,
  "was …, is …": ({ message, pointer }, { old, now }) => {
    const [, keyword, was, is] = /`([\w$]+)` was (.+), is (.+?)(?: \(.*\))?$/.exec(message) ?? [];
    if (keyword === undefined) return undefined;
    return (
      isShown(was, valueAt(old, pointer) ?? valueAt(old, within(pointer, keyword))) &&
      isShown(is, valueAt(now, pointer) ?? valueAt(now, within(pointer, keyword)))
    );
  },
  "must now be present": ({ message, pointer }, { old, now }) =>
    message.endsWith("must now be present")
      ? isLonger(valueAt(now, pointer), valueAt(old, pointer))
      : undefined,
};

function within(pointer: string, keyword: string): string {
  return `${pointer}/${keyword}`;
}

function isShown(text: string | undefined, value: Json | undefined): boolean {
  const whole = JSON.stringify(value) ?? "absent";
  return (
    text !== undefined && (text === whole || (text.endsWith("…") && whole.startsWith(text.slice(0, -1))))
  );
}

function isLonger(now: Json | undefined, old: Json | undefined): boolean {
  return listOf(now).some((name) => !listOf(old).includes(name));
}

function isThere(document: Json, pointer: string): boolean {
  const value = valueAt(document, pointer);
  // A `content` without media types is no body.
  return value !== undefined && !(pointer.endsWith("/content") && isDeepStrictEqual(value, {}));
}

type Random = () => number;

function oneOf<T>(items: readonly T[], random: Random): T | undefined {
  return items[Math.floor(random() * items.length)];
}

/** Small edits of a schema, as editors of a document make them. */
const schemaEdits: readonly ((schema: JsonObject, random: Random) => void)[] = [
  (schema, random) => {
    const [name] = oneOf(entriesOf(schema.properties), random) ?? [];
    if (name !== undefined && isObject(schema.properties)) delete schema.properties[name];
  },
  (schema, random) => {
    if (isObject(schema.properties))
      schema.properties[`added${Math.floor(random() * 9)}`] = { type: "string" };
  },
  (schema, random) => {
    const [name = "a"] = oneOf(entriesOf(schema.properties), random) ?? [];
    if (schema.type === "object") schema.required = [...listOf(schema.required), name];
  },
  (schema, random) => {
    schema.required = listOf(schema.required).filter(() => random() < 0.5);
  },
  (schema, random) => {
    if (schema.type === "string") schema.maxLength = Math.floor(random() * 50);
  },
  (schema, random) => {
    if (schema.type === "integer") schema.minimum = Math.floor(random() * 50);
  },
  (schema, random) => {
    if (schema.type !== undefined)
      schema.type = oneOf(["string", "integer", "boolean", ["string", "null"]], random) ?? null;
  },
  (schema, random) => {
    schema.enum = [...listOf(schema.enum).filter(() => random() < 0.8), "added"];
  },
  (schema) => {
    if (schema.type === "object") schema.additionalProperties = schema.additionalProperties !== false;
  },
  (schema, random) => {
    const [keyword] = oneOf(entriesOf(schema), random) ?? [];
    if (keyword !== undefined && keyword !== "properties") delete schema[keyword];
  },
  (schema) => {
    const { ...inner } = schema;
    for (const keyword of Object.keys(schema)) delete schema[keyword];
    schema.oneOf = [inner, { type: "null" }];
  },
];

/** Edits the document in place, in one to three places. */
function edit(document: JsonObject, random: Random): void {
  const schemas: JsonObject[] = [];
  const maps: JsonObject[] = [];
  visitKinds("document", document, (kind, object) => {
    if (kind === "schema") schemas.push(object);
    if (["paths", "pathItem", "response", "operation"].includes(kind))
      maps.push(...[object, object.responses, object.content, object.headers].filter(isObject));
  });
  for (let left = 1 + Math.floor(random() * 3); left > 0; left -= 1) {
    const map = oneOf(maps, random) ?? {};
    const [key] = oneOf(entriesOf(map), random) ?? [];
    if (random() < 0.3 && key !== undefined) delete map[key];
    else oneOf(schemaEdits, random)?.(oneOf(schemas, random) ?? {}, random);
  }
}

const files = [
  `${fixtures}/real/museum/openapi.yaml`,
  `${fixtures}/accept/library.yaml`,
  "spec/openapi.yaml",
];

describe("no sentence is contradicted by the documents", () => {
  test.each(files)("%s", async (file) => {
    const random = randomFrom(Number(CLAIM_SEED));
    const old = parseYaml(readFileSync(file, "utf8")) as JsonObject;
    const made = new Map<string, number>();
    for (let round = 0; round < Number(CLAIMS) / files.length; round += 1) {
      const now = structuredClone(old);
      edit(now, random);
      if (isDeepStrictEqual(old, now)) continue;
      const [before, after] = await specsOf(old, now);
      for (const change of wireChanges(before, after)) {
        // A parameter may have another index, and a status another response. If a component is equal, only a reference to it changed.
        const component = change.pointer.split("/", 4).join("/");
        const isEqual = isDeepStrictEqual(
          valueAt(before.document, component),
          valueAt(after.document, component),
        );
        // The schema of bytes is compared where it is used.
        const isBytes = JSON.stringify(
          valueAt(after.document, change.pointer.replace(/\/[^/]*$/, "")),
        )?.startsWith('{"$ref"');
        const isOther = /\/parameters\/|^\/components\/(?!schemas)/.test(change.pointer);
        if (isOther || isEqual || isBytes) continue;
        for (const [name, isTrue] of Object.entries(claims)) {
          const verdict = isTrue(change, { old: before.document, now: after.document });
          if (verdict !== undefined) made.set(name, (made.get(name) ?? 0) + 1);
          expect(
            verdict,
            `${name}: ${change.message}\n${change.pointer}\n${JSON.stringify([before, after].map(({ document }) => valueAt(document, change.pointer.slice(0, change.pointer.lastIndexOf("/")))))}`,
          ).not.toBe(false);
        }
      }
    }
    expect(made.size).toBeGreaterThan(1);
  });
});
