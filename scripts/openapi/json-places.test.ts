/** Compares places in JSON with those of a parser that keeps the position of every value. */
import { getLineColLocation, Source } from "@redocly/openapi-core";
import { expect, it } from "vitest";
import { pointerTo } from "./document.ts";
import { JsonPlaces } from "./json-places.ts";

const text = `
{ "a": {"b" : [1, -2.5e3,true ,null,"]}\\"", [], {}, [ { "c":[[0]] } ]], "": 1},
\t"\\u0065\\"/~" :\t{ "é😀": "x\\\\", "d": {
"e":false}
}, "f":[]}
`;

/** The pointers of a value and of everything in it. */
function pointersIn(value: unknown, pointer = ""): string[] {
  const inside = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return [pointer, ...inside.flatMap(([key, part]) => pointersIn(part, pointerTo(pointer, key)))];
}

const places = new JsonPlaces(text);
const source = new Source("text.json", text);

it.each(pointersIn(JSON.parse(text)).filter((pointer) => !pointer.endsWith("/")))(
  "stand where the YAML parser finds them: %s",
  (pointer) => {
    for (const reportOnKey of [true, false]) {
      const { start } = getLineColLocation({ source, pointer: `#${pointer || "/"}`, reportOnKey });
      expect(places.of(pointer, reportOnKey)).toEqual({ line: start.line, column: start.col });
    }
  },
);

it("are found for the empty key, which that parser passes over", () => {
  expect(places.of("/a/", true)).toEqual({ line: 2, column: 73 });
  expect(places.of("/a/", false)).toEqual({ line: 2, column: 77 });
});

it("of a missing place are those of the nearest one around it", () => {
  expect(places.of("/a/b/7/0/nowhere/at/all", true)).toEqual(places.of("/a/b/7/0", true));
  expect(places.of("/a/b/99", true)).toEqual(places.of("/a/b", true));
});
