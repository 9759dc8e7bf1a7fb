/** The string formats of JSON Schema 2020-12: which strings have them, and the strings that requests contain. */
import { isIPv4, isIPv6 } from "node:net";

interface Format {
  readonly isValid: (text: string) => boolean;
  /** Random strings of requests match it. Not all of them need to be valid. */
  readonly sent: RegExp;
  /** Unusual strings that are valid. */
  readonly right: readonly string[];
  /** Strings that differ from a valid one in one point. */
  readonly wrong: readonly string[];
}

function isDate(text: string): boolean {
  const [, year = "", month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  // A year below 100 would be read as one of the 20th century, so 400 years are added.
  const date = new Date(Date.UTC(Number(year) + 400, Number(month) - 1, Number(day)));
  return year !== "" && date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day);
}

/** RFC 3339, section 5.6. A leap second is the last second of a day in UTC (section 5.7). */
function isTime(text: string): boolean {
  const form = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i;
  const [, ...found] = form.exec(text) ?? [];
  const [hour = 24, minute = 60, second = 60, sign, offsetHour, offsetMinute] = found.map((each = "0") =>
    /[+-]/.test(each) ? Number(`${each}1`) : Number(each),
  );
  if (hour > 23 || minute > 59 || Number(offsetHour) > 23 || Number(offsetMinute) > 59) return false;
  const offset = (sign || 1) * (Number(offsetHour) * 60 + Number(offsetMinute));
  const inDay = (hour * 60 + minute - offset + 2880) % 1440;
  return second < 60 || (second === 60 && inDay === 1439);
}

function isDateTime(text: string): boolean {
  return isDate(text.slice(0, 10)) && /^t/i.test(text.slice(10)) && isTime(text.slice(11));
}

const words = (text: string) => text.split(" ");

const is = (form: RegExp) => (text: string) => form.test(text);

/** Each format is approximate where its standard has rare forms. */
export const formats: { readonly [format: string]: Format } = {
  date: {
    isValid: isDate,
    sent: /^(?:19|20)\d\d-(?:0[1-9]|1[0-2])-[01][1-9]$/,
    right: words(
      "2024-02-29 2000-02-29 2026-01-31 2026-03-31 2026-05-31 2026-07-31 2026-08-31 2026-10-31 1969-12-31 0001-01-01 9999-12-31",
    ),
    wrong: [
      ...words(
        "2026-02-30 2025-02-29 2026-04-31 2026-13-01 2026-00-10 2026-01-00 2026-1-01 2026-01-01T00:00:00Z",
      ),
      ...["2026-01-01\n", " 2026-01-01", ...words("1900-02-29 2026-06-31 2026-09-31 2026-11-31 2026-01-32")],
      ...["20260101", "2026/01/01", "01-01-2026", "January 1, 2026"],
    ],
  },
  "date-time": {
    isValid: isDateTime,
    sent: /^20\d\d-0[1-9]-[01][1-9]T[01]\d:[0-5]\d:[0-5]\dZ$/,
    right: words(
      "2024-02-29T23:59:59Z 2026-01-01T12:30:45+05:30 2026-01-01T12:30:45.123Z 1960-12-31T23:59:59-08:00 2026-01-01T12:30:45.1Z 2026-01-01T12:30:45.123456789Z 2000-02-29T00:00:00Z",
    ),
    wrong: [
      ...words(
        "2026-01-01T00:00:00 2026-01-01 2026-01-01T24:00:00Z 2026-01-01T00:60:00Z 2026-02-30T00:00:00Z",
      ),
      ...["2026-01-01 00:00:00Z", "2026-01-01T00:00:61Z", "2026-01-01T00:00:00+24:00", "2026-01-01T00:00Z"],
      ...words(
        "2026-01-01T12:30:60Z 2026-01-01T00:00:00+00:60 2026-01-01T00:00:00+0530 2026-01-01T00:00:00.Z",
      ),
      ...["2026-01-01T00:00:00Z\n", "00:00:00Z", "Thu, 01 Jan 2026 00:00:00 GMT", "1767225600"],
    ],
  },
  time: {
    isValid: isTime,
    sent: /^[01]\d:[0-5]\d:[0-5]\d(?:\.\d{1,3})?Z$/,
    right: ["23:59:59Z", "12:30:45+05:30"],
    wrong: ["12:30:45", "24:00:00Z", "12:60:00Z", "12:30:61Z", "12:30Z", "12:30:45Z\n", "12:30:45+24:00"],
  },
  uuid: {
    isValid: is(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i),
    sent: /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/,
    right: ["0192D3E4-56F7-7ABC-8DEF-0123456789AB", "00000000-0000-0000-0000-000000000000"],
    wrong: [
      "0192d3e456f77abc8def0123456789ab",
      "0192d3e4-56f7-7abc-8def-0123456789ag",
      "0192d3e4-56f7-7abc-8def-0123456789abc",
      "0192d3e4-56f7-7abc-8def-0123456789a",
      "{0192d3e4-56f7-7abc-8def-0123456789ab}",
      "0192d3e4-56f7-7abc-8def-0123456789ab\n",
    ],
  },
  email: {
    isValid: is(/^(?:"[^"\n]*"|[^\s@"]+)@[^\s@]+$/),
    sent: /^[a-z]{1,9}@[a-z]{1,9}\.test$/,
    right: ["first.last+tag@mail.shop.test", "o'neil_9@a-1.test", "Ada@Shop.test"],
    wrong: [
      "a.shop.test",
      "a@",
      "@shop.test",
      "a@b@shop.test",
      "a b@shop.test",
      "a@shop.test\n",
      "a@shop test",
    ],
  },
  uri: {
    isValid: is(
      /^[a-z][a-z\d+.-]*:(?:[\w.~:/?@!$&'()*+,;=-]|\[[\da-f:.]+\]|%[\da-f]{2})*(?:#(?:[\w.~:/?@!$&'()*+,;=-]|%[\da-f]{2})*)?$/i,
    ),
    sent: /^https?:\/\/[a-z]{1,9}\.test(?:\/[\w.~-]{1,9}){0,3}(?:\?[a-z]{1,3}=\w{0,5})?$/,
    right: words(
      "https://shop.test:8443/a/b%20c?d=e&f=g#h mailto:ada@shop.test urn:isbn:0451450523 http://[2001:db8::1]/",
    ),
    wrong: [
      ...["/relative", "shop.test", "//shop.test/a", "https://shop.test/a b", "https://shop.test/<a>"],
      ...["https://shop.test/%", "1https://shop.test", "https://shop.test/\n"],
    ],
  },
  "uri-reference": {
    isValid: is(/^[^\s<>"{}|\\^`]*$/),
    sent: /^(?:\/[\w.~-]{1,9}){1,3}$/,
    right: ["../a?b=c#d"],
    wrong: ["/a b", "/<a>", "\\\\a\\b", '/"a"', "/a\n"],
  },
  hostname: {
    isValid: is(/^(?=.{1,253}$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i),
    sent: /^[a-z]{1,9}\.test$/,
    right: ["a-1.shop.test"],
    wrong: [
      "shop test",
      "-a.test",
      "a-.test",
      "a..test",
      "a_b.test",
      `${"a".repeat(64)}.test`,
      "shop.test\n",
    ],
  },
  duration: {
    isValid: is(
      /^P(?:\d+W|(?=.)(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)?(?:T(?=.)(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))?)$/,
    ),
    sent: /^P[1-9]DT[1-9]H$/,
    right: ["P2W", "PT90M"],
    wrong: ["P", "PT", "1D", "P1", "P1H", "p1d", "P1D\n", "P-1D"],
  },
  ipv4: {
    isValid: isIPv4,
    sent: /^1\d\d(?:\.[1-9]?\d){3}$/,
    right: ["0.0.0.0", "255.255.255.255"],
    wrong: ["1.2.3", "1.2.3.256", "1.2.3.4.5", "1.2.3.4/8", "1.2.3.4\n", "::1"],
  },
  ipv6: {
    isValid: (text) => isIPv6(text) && !text.includes("%"),
    sent: /^(?:[\da-f]{1,4}:){7}[\da-f]{1,4}$/,
    right: ["::", "2001:db8::1"],
    wrong: ["1::2::3", "::g", "12345::", "1:2:3", "::1\n", "1.2.3.4", "::1%eth0"],
  },
};

export const looseFormats = ["password", "binary", "float", "double", "int64", "byte"];
