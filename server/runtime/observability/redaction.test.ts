import { describe, expect, it } from "vitest";
import { loggable } from "./redaction.ts";

describe("an error in the log", () => {
  it("keeps its type, message, stack and other properties", () => {
    const error = Object.assign(new RangeError("no room"), { code: "EROOM", place: { row: 7, free: false } });
    expect(loggable(error, ["other"])).toEqual({
      type: "RangeError",
      message: "no room",
      stack: error.stack,
      code: "EROOM",
      place: { row: 7, free: false },
    });
  });

  it("contains no secret, even in JSON or in a URL", () => {
    const secret = 'p"ß $&.*\n';
    const cause = new Error(`cause: ${secret}`);
    const error = Object.assign(new Error(`raw ${secret}, JSON ${JSON.stringify(secret)}`, { cause }), {
      url: `https://shop.test/?p=${encodeURIComponent(secret)}`,
      parameters: [secret, 123_456, { [secret]: [secret] }, new TextEncoder().encode(secret)],
      [secret]: 1,
    });
    const shown = loggable(error, [secret, "123456"]);
    expect(shown).toMatchObject({
      message: 'raw [redacted], JSON "[redacted]": cause: [redacted]',
      url: "https://shop.test/?p=[redacted]",
      parameters: ["[redacted]", "[redacted]", { "[redacted]": ["[redacted]"] }, "[redacted]"],
      "[redacted]": 1,
    });
    for (const part of ["ß", "%C3%9F", "123456"]) expect(JSON.stringify(shown)).not.toContain(part);
  });

  it("contains neither of two secrets if one contains the other", () => {
    expect(loggable(new Error("abcdef abcd"), ["abcd", "abcdef"]).message).toBe("[redacted] [redacted]");
  });

  it("keeps a secret of a few letters in words, and hides it as a whole value", () => {
    const error = Object.assign(new Error('a value "a" of /find?pin=a is wrong'), { pin: "a", count: 7 });
    expect(loggable(error, ["a", "7"])).toMatchObject({
      message: 'a value "[redacted]" of /find?pin=[redacted] is wrong',
      pin: "[redacted]",
      count: "[redacted]",
    });
  });

  it("is also made for a thrown value that is not an error", () => {
    expect(loggable("just text with s3cret", ["s3cret"])).toMatchObject({
      type: "Error",
      message: "just text with [redacted]",
    });
  });

  it("is finite if the error contains itself", () => {
    const error = Object.assign(new Error("round"), { self: {} as unknown });
    error.self = error;
    expect(loggable(error, []).message).toBe("round");
  });
});
