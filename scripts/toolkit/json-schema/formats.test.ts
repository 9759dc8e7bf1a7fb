import { describe, expect, test } from "vitest";
import { formatMeantBy, formats } from "./formats.ts";
import { compileRoot } from "./testing/compiled.ts";
import { formatPatterns, timeOf } from "./testing/format-patterns.ts";

/** suite.test.ts checks which strings each format accepts. */
const textFormats = Object.keys(formats).filter((name) => formats[name]?.applies === "string");

describe("a format", () => {
  test.each(textFormats)(
    "%s rejects an invalid string with a message that names the format, and ignores other types",
    async (format) => {
      const { problemsOf, unenforceable } = await compileRoot({ format });
      expect(unenforceable).toEqual([]);
      expect(problemsOf(12)).toEqual([]);
      expect(problemsOf("\0 {")).toEqual([{ pointer: "", message: `must be ${formats[format]?.noun}` }]);
    },
  );

  test("byte is Base64 with padding", async () => {
    const { problemsOf } = await compileRoot({ format: "byte" });
    const texts = ["", "YQ==", "YWI=", "YWJj", "YQ", "YQ=", "YQ===", "Y_==", "YWJj\n", "===="];
    expect(texts.filter((text) => problemsOf(text).length === 0)).toEqual(["", "YQ==", "YWI=", "YWJj"]);
  });

  test.each([
    ["int8", [-128, 127], [-129, 128, 1.5]],
    ["uint8", [0, 255], [-1, 256]],
    ["uint32", [0, 4294967295], [-1, 4294967296]],
    ["uint64", [0, 2 ** 53 - 1], [-1, 2 ** 53]],
    ["double-int", [2 ** 53 - 1], [2 ** 53, 0.5]],
    ["int32", [2147483647, -2147483648], [2147483648, 1.5]],
    ["int64", [2 ** 53 - 1, 1 - 2 ** 53], [2 ** 53, -(2 ** 53), 2 ** 63, 0.5]],
    ["float", [3.4028235e38, 0.1], [3.5e38]],
    ["double", [1.7e308], []],
  ])("%s", async (format, good, bad) => {
    const { problemsOf } = await compileRoot({ type: "number", format });
    for (const value of good) expect(problemsOf(value)).toEqual([]);
    for (const value of bad)
      expect(problemsOf(value)).toEqual([{ pointer: "", message: `must be ${formats[format]?.noun}` }]);
  });

  const annotations = Object.keys(formats).filter((name) => formats[name]?.applies === undefined);
  test.each([
    ...annotations.map((format) => ({ format })),
    { type: "string", format: "int64" },
    { type: "string", format: "uint64" },
    { type: ["string", "null"], format: "int64" },
  ])("%j accepts every value, with a note unless it is a hint", async (schema) => {
    const { problemsOf, unenforceable } = await compileRoot(schema);
    const isHint = ["password", "binary", "commonmark", "html"].includes(schema.format);
    const message = `\`format\` has the value \`${schema.format}\`, which is not enforced; to check the values, add a \`pattern\``;
    expect(unenforceable).toEqual(isHint ? [] : [{ pointer: "/components/schemas/Root/format", message }]);
    expect(problemsOf("x")).toEqual([]);
  });

  test.each([
    ["DateTime", "date-time"],
    ["host-names", "hostname"],
    ["relative-json-pionters", "relative-json-pointer"],
    ["binray", "binary"],
  ])("%s is a misspelling of %s", (name, meant) => {
    expect(formatMeantBy(name)).toBe(meant);
  });

  test.each([
    ["", "a known format"],
    ["int", "a known format such as `int8`"],
    ["base64", "a known format"],
    ["uid", "a known format such as `uuid`"],
  ])(
    "%j is an annotation, because it resembles no enforced format, or has few letters",
    async (format, other) => {
      const { problemsOf, unenforceable } = await compileRoot({ format });
      const message = `\`format\` has the unknown value \`${format}\`, which is not enforced; use ${other}, or add a \`pattern\``;
      expect(unenforceable).toEqual([{ pointer: "/components/schemas/Root/format", message }]);
      expect(problemsOf("x")).toEqual([]);
    },
  );
});

describe("the time to match a pattern of a format", () => {
  test.each(formatPatterns)("%s grows with the length of the string at most", (pattern) => {
    expect(["safe", "linear"]).toContain(timeOf(pattern));
  });

  test("is analysed if it grows with the square of the length, or exponentially", () => {
    expect([/^\w*\d*$/u, /^(?:\w|\d)*$/u].map(timeOf)).toEqual(["polynomial", "exponential"]);
  });
});
