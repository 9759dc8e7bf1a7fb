import { expect, it } from "vitest";
import { pathReader } from "./path-templates.ts";

const parameter = (name: string, type: "integer" | "string", style?: "label" | "matrix") =>
  ({ in: "path", name, type, ...(style && { style }) }) as const;

it.each([
  ["a text before the last separator", "/{x}-{y}", ["string", "string"], "/a-b-c", { x: "a-b", y: "c" }],
  [
    "a number before the first separator",
    "/{x}-{y}",
    ["integer", "string"],
    "/-1-b-c",
    { x: "-1", y: "b-c" },
  ],
  ["fixed text on both sides", "/v{x}.json", ["integer"], "/v1.json", { x: "1" }],
] as const)("a segment with several parameters is read: %s", (_, template, types, path, want) => {
  const parameters = types.map((type, index) => parameter(["x", "y"][index] ?? "", type));
  expect(pathReader(template, parameters)(path)).toEqual(want);
});

it("a parameter of the style matrix or label begins with its first character", () => {
  const matrix = [parameter("x", "string"), parameter("y", "integer", "matrix")];
  expect(pathReader("/{x}{y}", matrix)("/a.b;y=5")).toEqual({ x: "a.b", y: ";y=5" });
  const label = [parameter("x", "integer"), parameter("y", "string", "label")];
  expect(pathReader("/{x}{y}/z", label)("/12.json/z")).toEqual({ x: "12", y: ".json" });
});
