import { describe, expect, it } from "vitest";
import { type Parsed, parseJson, readJson } from "./json.ts";

const inexact = "cannot be represented exactly";
const outOfRange = "is out of range";

describe("a JSON number", () => {
  it.each([
    "9007199254740992",
    "-9007199254740992",
    "1152921504606846976",
    "1e21",
    "1E+22",
    "9007199254740992.000",
    "90071992547409920e-1",
    "0.9007199254740992e16",
    "4503599627370496e3",
    "-0",
    "0e999999999999",
    "0.1000000000000000055511151231257827",
    "9007199254740993.5",
    "1e-400",
    String(2n ** 1023n),
  ])("is accepted if it is a fraction, or an integer that a double can represent: %s", (literal) => {
    const { value, problems = [] } = parseJson(literal) as Parsed;
    expect({ value, problems }).toEqual({ value: Number(literal), problems: [] });
  });

  it.each([
    ["9007199254740993", inexact],
    ["-9007199254740993", inexact],
    ["9007199254740993.0", inexact],
    ["12345678901234567890.0", inexact],
    ["9007199254740993e0", inexact],
    ["90071992547409930e-1", inexact],
    ["9007199.254740993e9", inexact],
    ["1e23", inexact],
    ["1e400", outOfRange],
    ["-1E+400", outOfRange],
    ["9".repeat(400), outOfRange],
  ])("is a problem if its value would change: %s", (literal, message) => {
    expect(parseJson(literal)).toMatchObject({ problems: [{ pointer: "", message }] });
  });

  it("is checked everywhere except in strings and names", () => {
    const text = String.raw`{ "9007199254740993": "9007199254740993", "a/b~\u0063 \"" : [1, {"": 1e23}, "1e23,[{", 1e400],
      "list": [[], [{}, 9007199254740993 ]], "1e23": {"x": 1, "y" :9007199254740993}, "z": 1}`;
    expect(parseJson(text)).toEqual({
      value: JSON.parse(text),
      problems: [
        { pointer: '/a~1b~0c "/1/', message: inexact },
        { pointer: '/a~1b~0c "/3', message: outOfRange },
        { pointer: "/list/1/1", message: inexact },
        { pointer: "/1e23/y", message: inexact },
      ],
    });
  });

  it("is checked at any depth, and the list of problems has a limited length", () => {
    const deep = parseJson(`${"[".repeat(30_000)}1e23${"]".repeat(30_000)}`);
    expect(deep).toMatchObject({ problems: [{ pointer: "/0".repeat(30_000) }] });
    const named = parseJson(`{"${"n".repeat(30_000)}":[${Array(5000).fill("1e23").join()}]}`);
    expect(JSON.stringify((named as Parsed).problems).length).toBeLessThan(100_000);
  });

  it("is also checked in a parameter or a part of a form, and the problem has its place", () => {
    expect(readJson('{"a":[1e400]}')).toEqual({ problem: "/a/0 is out of range" });
    expect(readJson("1e400")).toEqual({ problem: "is out of range" });
  });
});

describe("a lone half of a surrogate pair", () => {
  it.each([
    String.raw`"\ud800"`,
    String.raw`[1, [{"a": ["b", "c\uDFFF"]}]]`,
    String.raw`{"a": {"\udc00\ud800": 1}}`,
  ])("makes JSON unusable at any place: %s", (text) => {
    expect(parseJson(text)).toEqual({ problem: "text" });
    expect(readJson(text)).toEqual({ problem: "must be Unicode text" });
  });

  it("is not found in a pair", () => {
    expect(parseJson(String.raw`[{"\ud83d\ude00": "\uD83D\uDE00"}, null, 1]`)).toEqual({
      value: [{ "😀": "😀" }, null, 1],
    });
  });
});
