import { describe, expect, test } from "vitest";
import { formats } from "./formats.ts";
import { compileRoot } from "./testing.ts";

const label = "a".repeat(63);

const texts: Record<string, { good: string[]; bad: string[] }> = {
  "date-time": {
    good: [
      "2024-02-29T23:59:59Z",
      "1985-04-12t23:20:50.52z",
      "1998-12-31T23:59:60Z",
      "1998-12-31T15:59:60.1-08:00",
    ],
    bad: [
      "2023-02-29T00:00:00Z",
      "2024-01-01 00:00:00Z",
      "2024-01-01T24:00:00Z",
      "1998-12-31T22:59:60Z",
      "2024-01-01T00:00:00",
    ],
  },
  date: {
    good: ["2000-02-29", "0000-01-01"],
    bad: ["1900-02-29", "2024-1-01", "2024-04-31", "2024-13-01", "２024-01-01"],
  },
  time: {
    good: ["08:30:06.283185Z", "23:59:59+23:59"],
    bad: ["8:30:06Z", "08:30:06", "08:30:06.Z", "08:30:06+24:00", "08:30:06Zx"],
  },
  duration: {
    good: ["P4DT12H30M5S", "P1Y2M", "PT0S", "P2W"],
    bad: ["", "P", "PT", "P1Y2D", "PT1H2S", "P1D2H", "P1W1D", "4D"],
  },
  uuid: {
    good: ["2EB8AA08-AA98-11EA-B4AA-73B441D16380"],
    bad: ["2eb8aa08aa9811eab4aa73b441d16380", "2eb8aa08-aa98-11ea-b4aa-73b441d1638g"],
  },
  email: {
    good: ["joe@example.com", "te~st+x@a.b", '"joe \\" b"@example.com', "joe@[127.0.0.1]", "joe@[IPv6:::1]"],
    bad: [
      "joe",
      "@a.b",
      ".a@b.c",
      "a..b@c.d",
      "a.@b.c",
      "joe@a_b.c",
      "joe@[127.0.0.300]",
      "jöe@a.b",
      `${"a".repeat(65)}@b.c`,
    ],
  },
  "idn-email": { good: ["실례@실례.테스트", "joe@a.b"], bad: ["2962", "실례@-x"] },
  uri: {
    good: [
      "http://a:b@c.d:80/e?f#g",
      "urn:x:y",
      "http://[::1]/",
      "mailto:a@b.c",
      "file:///etc",
      "http://a/%20?/?:@",
    ],
    bad: [
      "//a",
      "a/b",
      "http://a b",
      "http://a/%2",
      "http://[::1",
      "1x:y",
      "http://a/<b>",
      "http://ä/",
      "http://a:b/",
      "\u212Aa:b",
      "http://a\\b",
    ],
  },
  "uri-reference": { good: ["", "#a", "?q", "../a", "//a/b", "http://a"], bad: ["\\a", "a b", ":a", "#a#b"] },
  "uri-template": {
    good: ["/a/{b}", "{?x,y*,z:3}", "{+a.b}", "%20"],
    bad: ["{", "}", "{a", "{a b}", "<", "{a:0}", "%2"],
  },
  iri: { good: ["http://ƒøø.ßår/?∂éœ=πîx#πîüx"], bad: ["/ä", "http://a b", "http://a\u{e000}"] },
  "iri-reference": { good: ["âππ", "#ƒ"], bad: ["\\\\WINDOWS", "#a\\b"] },
  "idn-hostname": {
    good: ["실례.테스트", "a。b", "faß.de", "xn--fa-hia.de", "می‌خواهم‌ها", "ب٠", "123", "a.1"],
    bad: [
      "",
      "a..b",
      "☃.net",
      "a b",
      "a/b",
      "a:80",
      "a@b",
      "xn--a",
      "xn--99999999",
      "0a.א",
      "l·a",
      "ab--ü",
      "Ⅷ_",
    ],
  },
  hostname: {
    good: ["a", "a-b.c1", `${label}.com`],
    bad: ["", "-a", "a-", "a..b", "a.", "a_b", `${label}a`, "\u212A.a", "ä.a", `${label}.`.repeat(4)],
  },
  ipv4: {
    good: ["0.0.0.0", "255.255.255.255"],
    bad: ["1.2.3", "1.2.3.256", "01.2.3.4", "1.2.3.4.", "1.2.3.4\n"],
  },
  ipv6: {
    good: ["::", "::1", "1::", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4", "1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:7::"],
    bad: [
      "",
      ":",
      ":::",
      "1::2::3",
      "12345::",
      "1:2:3:4:5:6:7",
      "1:2:3:4:5:6:7:8:9",
      "::1%eth0",
      "1.2.3.4::1.2.3.4",
      ":1:2:3:4:5:6:7:8",
    ],
  },
  "json-pointer": { good: ["", "/", "/a~0b~1c/0"], bad: ["a", "/~", "/~2", "#/a"] },
  "relative-json-pointer": { good: ["0", "1/a", "0#", "10/~01"], bad: ["", "/a", "01", "0##", "-1", "1a"] },
  regex: { good: ["^a+$", ""], bad: ["(", "\\a"] },
  byte: { good: ["", "YQ==", "YWI=", "YWJj"], bad: ["YQ", "YQ=", "YQ===", "Y_==", "YWJj\n", "===="] },
};

describe("a format accepts and refuses by its RFC", () => {
  test.each(Object.entries(texts))("%s", async (format, { good, bad }) => {
    const { problemsOf, unenforceable } = await compileRoot({ format });
    const wrong = [{ pointer: "", message: `must be ${formats[format]?.noun}` }];
    expect(unenforceable).toEqual([]);
    expect(good.filter((text) => problemsOf(text).length > 0)).toEqual([]);
    expect(bad.filter((text) => problemsOf(text).length === 0)).toEqual([]);
    for (const text of bad) expect(problemsOf(text)).toEqual(wrong);
    expect(problemsOf(12)).toEqual([]);
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

  test("every format of the table is tried here", () => {
    const tried = [...Object.keys(texts), "int32", "int64", "float", "double", "password", "binary"];
    expect(tried.toSorted()).toEqual(Object.keys(formats).toSorted());
  });

  test("a long hostile text is judged in linear time", async () => {
    const { problemsOf } = await compileRoot({
      anyOf: Object.keys(texts).map((format) => ({ format, minLength: 70000 })),
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
