import { expect, it } from "vitest";
import { readText } from "./shapes.ts";

it.each(["", "1.5", "1e3", "0x10", "+1", "01", " 1", "١"])("an integer is not read from %j", (text) => {
  expect(readText(text, "integer")).toBe(text);
});
