import { expect, it } from "vitest";
import { parse } from "yaml";
import { specChanges, withRaisedVersion } from "./spec-changes.ts";

const spec = `# Notes.
openapi: 3.1.0
info:
  title: Notes
  version: 1.0.0
paths:
  /notes:
    get:
      description: The list.
      deprecated: false
components:
  schemas:
    Note:
      required: [text]
      properties:
        text: { type: string, maxLength: 9, examples: [required] }
`;
const changes = specChanges("a.yaml", spec, 1000, 1);
const changed = (from: string, to: string) => spec.replace("1.0.0", "99.0.0").replace(from, to);

it.each([
  ["a boolean", "deprecated: false", "deprecated: true"],
  ["a number", "maxLength: 9", "maxLength: 10"],
  ["a type", "type: string", 'type: [ string, "null" ]'],
  ["a text", "[text]", "[textx]"],
  ["the name of a property", "        text: {", "        textx: {"],
  ["a method", "    get:", "    post:"],
])("%s is changed, and the version is raised", (_, from, to) => {
  expect(changes.map(({ text }) => text)).toContain(changed(from, to));
});

it("every place is removed, except texts and places inside of examples", () => {
  const removed = changes.flatMap(({ kind, before }) => (kind === "remove" ? [before.split(":")[0]] : []));
  expect(removed.toSorted()).toEqual(
    [
      "components",
      "components/schemas",
      "components/schemas/Note",
      "components/schemas/Note/properties",
      "components/schemas/Note/properties/text",
      "components/schemas/Note/properties/text/examples",
      "components/schemas/Note/properties/text/examples/0",
      "components/schemas/Note/properties/text/maxLength",
      "components/schemas/Note/properties/text/type",
      "components/schemas/Note/required",
      "components/schemas/Note/required/0",
      "paths",
      "paths//notes",
      "paths//notes/get",
      "paths//notes/get/deprecated",
    ].toSorted(),
  );
});

it("the values of examples are not changed", () => {
  expect(changes.filter(({ text }) => text.includes("requiredx"))).toEqual([]);
});

it("each change has another id and another document, and the seed selects some of them", () => {
  expect(new Set(changes.map(({ id }) => id)).size).toBe(changes.length);
  const raised = parse(withRaisedVersion(spec));
  for (const { text } of changes) expect(parse(text)).not.toEqual(raised);
  const [first, other] = [1, 2].map((seed) => specChanges("a.yaml", spec, 5, seed).map(({ id }) => id));
  expect(first).toEqual(changes.slice(0, 5).map(({ id }) => id));
  expect(other).not.toEqual(first);
});
