import { describe, expect, test } from "vitest";
import { formats } from "./formats.ts";
import { compileRoot } from "./testing/compiled.ts";

/** suite.test.ts checks what each text format accepts. */
const textFormats = Object.keys(formats).filter((name) => formats[name]?.applies === "string");

describe("a format", () => {
  test.each(textFormats)("%s is named by its noun, and is nothing to other types", async (format) => {
    const { problemsOf, unenforceable } = await compileRoot({ format });
    expect(unenforceable).toEqual([]);
    expect(problemsOf(12)).toEqual([]);
    expect(problemsOf("\0 {")).toEqual([{ pointer: "", message: `must be ${formats[format]?.noun}` }]);
  });

  test("byte is Base64 with its padding", async () => {
    const { problemsOf } = await compileRoot({ format: "byte" });
    const texts = ["", "YQ==", "YWI=", "YWJj", "YQ", "YQ=", "YQ===", "Y_==", "YWJj\n", "===="];
    expect(texts.filter((text) => problemsOf(text).length === 0)).toEqual(["", "YQ==", "YWI=", "YWJj"]);
  });

  test.each([
    ["int32", [2147483647, -2147483648], [2147483648, 1.5]],
    ["int64", [2 ** 53 - 1, 1 - 2 ** 53], [2 ** 53, -(2 ** 53), 2 ** 63, 0.5]],
    ["float", [3.4e38, 0.1], [3.5e38]],
    ["double", [1.7e308], []],
  ])("%s", async (format, good, bad) => {
    const { problemsOf } = await compileRoot({ type: "number", format });
    for (const value of good) expect(problemsOf(value)).toEqual([]);
    for (const value of bad)
      expect(problemsOf(value)).toEqual([{ pointer: "", message: `must be ${formats[format]?.noun}` }]);
  });

  test("password and binary assert nothing", async () => {
    const { problemsOf, unenforceable } = await compileRoot({
      anyOf: [{ format: "password" }, { format: "binary" }],
    });
    expect(unenforceable).toEqual([]);
    expect(problemsOf("x")).toEqual([]);
  });

  test("a long hostile text is validated in linear time", async () => {
    const { problemsOf } = await compileRoot({
      anyOf: textFormats.map((format) => ({ format, minLength: 70000 })),
    });
    const hostile = [
      "a".repeat(65536),
      "1".repeat(65536),
      "a.".repeat(32768),
      `"${"\\a".repeat(30000)}`,
      "{a".repeat(30000),
      "%20".repeat(20000),
    ];
    const start = process.cpuUsage();
    for (const text of hostile) problemsOf(`${text}\n`);
    expect(process.cpuUsage(start).user).toBeLessThan(1_000_000);
  });
});
