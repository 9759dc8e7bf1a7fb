import { expect, test } from "vitest";
import { isObject, type Json, type JsonObject } from "../document.ts";
import { endlessReferences, removeInvalidReferences, shortenChains } from "./references.ts";

const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** The schemas `S0` to `S<count>`. Each leads to the next one. */
function chained(
  count: number,
  link: (next: JsonObject) => Json,
): { document: JsonObject; schemas: JsonObject } {
  const names = Array.from({ length: count }, (_, index): [string, Json] => [
    `S${index}`,
    link(to(`S${index + 1}`)),
  ]);
  const schemas: JsonObject = { ...Object.fromEntries(names), [`S${count}`]: { type: "string" } };
  return { document: { components: { schemas } }, schemas };
}

test("a reference to a long chain of references refers to the end of the chain", () => {
  const { document, schemas } = chained(20_000, (next) => next);
  expect(removeInvalidReferences(document)).toEqual([]);
  shortenChains(document);
  expect([schemas.S0, schemas.S19000, schemas.S19990]).toEqual([to("S20000"), to("S20000"), to("S19991")]);
  expect(endlessReferences(document)).toEqual([]);
});

test("a chain of 150 references inside `allOf` is permitted, because each link counts once", () => {
  expect(endlessReferences(chained(150, (next) => ({ allOf: [next] })).document)).toEqual([]);
});

test.each([
  ["references with siblings", (next: JsonObject) => ({ ...next, maxLength: 5 })],
  ["`allOf`", (next: JsonObject) => ({ allOf: [next, { maxLength: 5 }] })],
  ["`oneOf`", (next: JsonObject) => ({ oneOf: [{ type: "integer" }, next] })],
])("%s that lead through more than 200 schemas for the same value are reported", (_, link) => {
  const { document, schemas } = chained(1000, link);
  shortenChains(document);
  const found = endlessReferences(document);
  expect(new Set(found.map(({ rule, message }) => `${rule}: ${message}`))).toEqual(
    new Set(["reference: this reference leads through more than 200 schemas; refer to the last of them"]),
  );
  for (const { holder, key } of found) delete holder[key];
  expect(endlessReferences(document)).toEqual([]);
  expect(isObject(schemas.S0) && found.length).toBeLessThan(15);
});

test("properties and items may lead through any number of schemas", () => {
  const { document } = chained(20_000, (items) => ({ items, properties: { next: items } }));
  expect(endlessReferences(document)).toEqual([]);
});
