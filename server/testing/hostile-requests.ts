/**
 * Requests that nobody means well with, as the bytes of a connection: families of faults, each aimed at every operation.
 * What the answers must be is left to the test, but for the error codes that a family may get.
 */
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { randomFrom } from "./random.ts";
import { specOperations } from "./spec.ts";

export interface HostileRequest {
  /** Operation, family and variant; unlike any other. */
  readonly name: string;
  /** At whose address it is aimed; undefined for none's. */
  readonly operationId: string | undefined;
  readonly bytes: Buffer;
  /** The methods of the requests in it, as many as may be answered. */
  readonly methods: readonly string[];
  /** What its sender does then: send a good request behind it, end its half of the connection, or go away. */
  readonly after: "next" | "end" | "leave";
  /** The error codes that it may get, and "ok" for a success; undefined where any answer will do. */
  readonly codes: readonly string[] | undefined;
}

export interface HostileSenders {
  readonly secretKey: string;
  readonly publishableKey: string;
  readonly revokedKey: string;
  /** Stands where secrets do, and where they do not belong. Letters and digits. */
  readonly marked: string;
}

/** An id that no answer may carry: of requests that hide in others. */
export const smuggledId = "smuggled";

/** A request to be written out. */
interface Draft {
  readonly method: string;
  readonly target: string;
  readonly version: string;
  /** Lines of the header, as they stand. */
  readonly lines: readonly string[];
  readonly content: string | Uint8Array;
  /** How the content is framed; not at all where `lines` do it. */
  readonly framing: "sized" | "chunked" | "none";
}

interface Aim {
  readonly operationId: string;
  /** Its number among the operations, and how many there are: for families that they share between them. */
  readonly turn: readonly [number, number];
  /** The path with the text in the place of each parameter. */
  readonly path: (text: string) => string;
  /** With everything right. */
  readonly good: Draft;
  /** An example of the content. */
  readonly example: unknown;
}

type Variants = Iterable<readonly [name: string, hostile: Partial<Draft> | Buffer | string]>;

interface Family {
  readonly name: string;
  readonly codes?: readonly string[];
  readonly after?: HostileRequest["after"];
  /** Of the requests in each, where they are not one of the draft's method. */
  readonly methods?: readonly string[];
  variants(aim: Aim, senders: HostileSenders): Variants;
}

const crlf = "\r\n";
const json = "Content-Type: application/json";
const mostContent = 65_536;

export function hostileRequests(senders: HostileSenders): HostileRequest[] {
  const aims = aimsOf(senders);
  const aimed = aims.flatMap((aim) =>
    families.flatMap((family) => requestsOf(family, aim, senders, aim.operationId)),
  );
  const [first] = aims;
  if (first === undefined) throw new Error("the spec has no operation");
  return [...aimed, ...addressless.flatMap((family) => requestsOf(family, first, senders, undefined))];
}

function aimsOf({ secretKey }: HostileSenders): Aim[] {
  return specOperations.map(({ operationId, method, path, requestBody }, index, { length }) => {
    const [example] = Object.values(requestBody?.content?.["application/json"]?.examples ?? {});
    const pathWith = (text: string) => path.replaceAll(/\{\w+\}/g, () => text);
    const good: Draft = {
      method,
      target: pathWith("1"),
      version: "HTTP/1.1",
      lines: ["Host: a", bearer(secretKey), json],
      content: JSON.stringify(example?.value ?? {}),
      framing: "sized",
    };
    return { operationId, turn: [index, length], path: pathWith, good, example: example?.value ?? {} };
  });
}

function requestsOf(
  { name: family, codes, after = "next", methods, variants }: Family,
  aim: Aim,
  senders: HostileSenders,
  operationId: string | undefined,
): HostileRequest[] {
  return [...variants(aim, senders)].map(([variant, hostile]) => {
    const isDraft = typeof hostile === "object" && !Buffer.isBuffer(hostile);
    const draft = isDraft ? { ...aim.good, ...hostile } : aim.good;
    return {
      name: `${operationId ?? "no operation"}: ${family}: ${variant}`,
      operationId,
      bytes: isDraft ? written(draft) : Buffer.from(hostile as Buffer | string),
      methods: methods ?? [draft.method],
      after,
      codes,
    };
  });
}

function written({ method, target, version, lines, content, framing }: Draft): Buffer {
  const bytes = Buffer.from(content);
  const length = framing === "sized" ? [`Content-Length: ${bytes.byteLength}`] : [];
  const chunks = framing === "chunked" ? ["Transfer-Encoding: chunked"] : [];
  const head = [`${method} ${target} ${version}`, ...lines, ...length, ...chunks].join(crlf);
  // Bytes above 0x7f in the head are those of Latin-1.
  const headBytes = Buffer.from(`${head}${crlf}${crlf}`, "latin1");
  return Buffer.concat([headBytes, framing === "chunked" ? chunked(bytes) : bytes]);
}

function chunked(bytes: Buffer): Buffer {
  const last = Buffer.from(`0${crlf}${crlf}`);
  if (bytes.byteLength === 0) return last;
  const size = Buffer.from(`${bytes.byteLength.toString(16)}${crlf}`);
  return Buffer.concat([size, bytes, Buffer.from(crlf), last]);
}

function bearer(key: string): string {
  return `Authorization: Bearer ${key}`;
}

/** The draft's lines with those of the same names left out, and these behind. */
function withLines({ good }: Aim, ...lines: string[]): Pick<Draft, "lines"> {
  const names = lines.map((line) => `${line.split(":")[0]?.trim().toLowerCase()}:`);
  const kept = good.lines.filter((line) => !names.some((name) => line.toLowerCase().startsWith(name)));
  return { lines: [...kept, ...lines] };
}

function named(texts: readonly string[]): [string, string][] {
  return texts.map((text) => [nameOf(text), text]);
}

function nameOf(text: string): string {
  const shown = JSON.stringify(text);
  return shown.length <= 60 ? shown : `${shown.slice(0, 40)}…${shown.slice(-8)} of ${text.length}`;
}

const words = (text: string): string[] => text.trim().split(/\s+/);

const notJson = [
  ...words(`
  { } [ ] " ' : , {] [} {,} [,] [1,] [,1] nul {"a"} {"a":} {"a":1,} {'a':1} {a:1} {"a":1}{ {}{} undefined
  NaN Infinity -Infinity TRUE None 0x10 01 1. .5 +1 1e --1 "\\x" "\\u12" "\\u{41}" "\u0000" \u0000 // #
  <xml/> a=1&b=2 !!js/function %7B%7D {}\u0000
`),
  "[1 2]",
  '{"a":1 "b":2}',
  "{} x",
  '"a\nb"',
  '"a\tb"',
  " ",
  "\r\n",
  "\ufeff{}",
  "/* */{}",
  "\u00a0{}",
  "\u2028{}",
  "[".repeat(mostContent),
  '{"a":'.repeat(10_000),
  "-".repeat(1000),
];

/** Whole JSON that no operation takes. */
const wrongJson = [
  ...words(`
  null true 0 -0 1e400 "" [] [[]] [{}] {"a":1} "\\u0000" [null] 1e-400 {"__proto__":{}}
  {"constructor":{"prototype":{}}} {"":""} {"toString":1,"valueOf":1}
`),
  `${"[".repeat(30_000)}${"]".repeat(30_000)}`,
  `${'{"a":'.repeat(9000)}1${"}".repeat(9000)}`,
  `[${"0,".repeat(30_000)}0]`,
  `{${Array.from({ length: 4000 }, (_, index) => `"p${index}":${index}`).join()}}`,
  "9".repeat(60_000),
  JSON.stringify("x".repeat(60_000)),
];

/** Values, as JSON, for every place of a content. */
const wrongValues = [
  ...words(`
  null true false 0 -1 -0 1.5 1e308 1e309 -1e309 5e-324 9007199254740993 [] {} [[[[]]]] "" "\\u0000"
  "\\n\\r\\n" "\\ud83d\\ude00" "\\u202e\\ufeff" "e\\u0301" "../../etc/passwd" "%00" "$(jndi:ldap://a)"
  "<script>" "{{7*7}}" "true" "1e3" "-1" "__proto__" {"__proto__":null} {"$ne":1} ["a",1,null] {"length":-1}
  {"toJSON":1}
`),
  "9".repeat(400),
  "0.1".padEnd(400, "1"),
  '" "',
  `"' OR 1=1 --"`,
  JSON.stringify("x".repeat(20_000)),
  JSON.stringify("\u{1F4A9}".repeat(5000)),
  `${"[".repeat(5000)}${"]".repeat(5000)}`,
];

const loneSurrogates = [
  '"\\ud800"',
  '"\\udc00x"',
  '"\\ud800\\ud800"',
  '{"\\udfff":1}',
  '["\\uD83D \\uDE00"]',
];

/** Properties, as JSON, added to every object of a content. */
const wrongProperties = [
  ...words(`
  "":1 "\\u0000":1 "a/b~c":1 "0":1 "-1":1 "length":1 "then":{} "$ref":"#" "\\u202e":1 "id":1 "tenant_id":"x"
  "role":"admin"
`),
  ...[
    "__proto__",
    "constructor",
    "prototype",
    "toString",
    "hasOwnProperty",
    "__defineGetter__",
    "valueOf",
  ].map((name) => `"${name}":{"polluted":true}`),
  `${JSON.stringify("k".repeat(10_000))}:1`,
];

const notUtf8 = words(`c0af e080af f08080af c080 eda080 edb080 f4908080 fe ff 80 e282 f0`);

const wrongTypes = [
  ...words(`
  text/plain text/json application/xml application/octet-stream multipart/form-data
  application/x-www-form-urlencoded application application/ /json */* application/* application/json5
  application/jsonp application/x-json json application/problem+json application/vnd.api+json
  application/ld+json application\\json application/json\u00ff "application/json"
  application/json;charset=ucs-2 __proto__ constructor application/json/
`),
  "",
  "multipart/form-data; boundary=x",
  "application/json, text/html",
  "application/json charset=utf-8",
  "application/json; charset=utf-16",
  "application/json; charset=latin1",
  "application/json; charset=utf-7",
  "application/json; charset=",
  "application/json; CHARSET=UTF-32",
  "a".repeat(5000),
];

function codings(content: string): [string, string, Uint8Array][] {
  const bytes = Buffer.from(content);
  const bomb = Buffer.alloc(5_000_000, " ");
  return [
    ["gzip", "gzip", gzipSync(bytes)],
    ["x-gzip", "x-gzip", gzipSync(bytes)],
    ["deflate", "deflate", deflateSync(bytes)],
    ["br", "br", brotliCompressSync(bytes)],
    ["zstd", "zstd", zstdCompressSync(bytes)],
    ["twice", "gzip, gzip", gzipSync(gzipSync(bytes))],
    ["a bomb", "gzip", gzipSync(bomb)],
    ["a bomb of brotli", "br", brotliCompressSync(bomb)],
    ["said but not done", "gzip", bytes],
    ["truncated", "gzip", gzipSync(bytes).subarray(0, 12)],
    ["unknown", "rot13", bytes],
    ["upper case", "GZIP", gzipSync(bytes)],
    ["identity among others", "identity, gzip", gzipSync(bytes)],
    ["prototype", "__proto__", bytes],
  ];
}

function wrongKeys({ secretKey, publishableKey, revokedKey, marked }: HostileSenders): string[] {
  const bent = secretKey.slice(0, -1) + (secretKey.endsWith("0") ? "1" : "0");
  return [
    ...words(`__proto__ null undefined 0 ../.. = * sk_ \u00ff eyJhbGciOiJub25lIn0.e30.`),
    marked,
    `sk_${marked}`,
    `pk_${marked}`,
    revokedKey,
    bent,
    secretKey.slice(0, -1),
    `${secretKey}0`,
    secretKey.toUpperCase(),
    secretKey.slice(3),
    `pk_${secretKey.slice(3)}`,
    `sk_${publishableKey.slice(3)}`,
    `${secretKey},${secretKey}`,
    `${secretKey} ${revokedKey}`,
    `"${secretKey}"`,
    `<${secretKey}>`,
    secretKey.replace("sk_", "sk-"),
    `${secretKey}=`,
    `${secretKey}%00`,
    `${secretKey}\u00a0`,
    `${secretKey};`,
    "' OR ''='",
    "a".repeat(7000),
    `sk_${"0".repeat(49)}`,
    `sk_${"z".repeat(49)}`,
  ];
}

function wrongSchemes({ secretKey, marked }: HostileSenders): string[] {
  const basic = Buffer.from(`${secretKey}:${marked}`).toString("base64");
  return [
    ...[
      secretKey,
      `Basic ${basic}`,
      `Bearer${secretKey}`,
      `Bearer\t${secretKey}`,
      "Bearer",
      `Token ${secretKey}`,
    ],
    ...[
      `Bearer: ${secretKey}`,
      `Bearer Bearer ${secretKey}`,
      `Digest username="${marked}"`,
      `Bearer=${secretKey}`,
    ],
    ...[
      `ApiKey ${secretKey}`,
      `Negotiate ${marked}`,
      `AWS4-HMAC-SHA256 Credential=${marked}`,
      `bearers ${secretKey}`,
    ],
  ];
}

/** Values that a header may come with, whether it has a meaning or not. */
function strangeValues({ marked }: HostileSenders): string[] {
  return [
    ...words(`
  , ; = " \\ * -1 0 NaN 1e999 null undefined __proto__ $(id) \u00ff\u00fe %00%0d%0a ../../.. <script>
  127.0.0.1 ::1 http://a/
`),
    "",
    "' OR 1=1 --",
    "\t\t",
    `not ${marked}`,
    ",".repeat(4000),
    "a;".repeat(4000),
    "9".repeat(5000),
    `${"127.0.0.1, ".repeat(300)}x`,
  ];
}

/** Headers that something on the way might read. */
const readHeaders = words(`
  X-Request-Id traceparent tracestate baggage X-Forwarded-For X-Forwarded-Host Forwarded X-Real-IP Origin
  Cookie Accept Accept-Encoding Range If-None-Match If-Modified-Since Expect TE Trailer Keep-Alive Via
  Max-Forwards X-HTTP-Method-Override Content-Language Date Sec-WebSocket-Key Referer User-Agent
  Content-Disposition Idempotency-Key
`);

/** Paths to every place in a value, that of the value itself first. */
function placesIn(value: unknown, place: readonly string[] = []): string[][] {
  const inner = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return [[...place], ...inner.flatMap(([name, item]) => placesIn(item, [...place, name]))];
}

/** The value as JSON, with what `exchange` makes of the JSON at the place. */
function exchanged(value: unknown, place: readonly string[], exchange: (text: string) => string): string {
  const [name, ...rest] = place;
  if (name === undefined) return exchange(JSON.stringify(value));
  const entries = Object.entries(value as object).map(([key, item]) => {
    const text = key === name ? exchanged(item, rest, exchange) : JSON.stringify(item);
    return Array.isArray(value) ? text : `${JSON.stringify(key)}:${text}`;
  });
  return Array.isArray(value) ? `[${entries.join()}]` : `{${entries.join()}}`;
}

function* inEveryPlace(
  { example }: Aim,
  exchanges: readonly (readonly [name: string, exchange: (text: string) => string])[],
  where: (text: string) => boolean = () => true,
): Generator<readonly [string, Partial<Draft>]> {
  for (const place of placesIn(example)) {
    for (const [name, exchange] of exchanges) {
      let isMeant = true;
      const content = exchanged(example, place, (text) => {
        isMeant = where(text);
        return exchange(text);
      });
      if (isMeant) yield [`${name} at /${place.join("/")}`, { content }];
    }
  }
}

/** Aimed at every operation. */
const families: readonly Family[] = [
  {
    name: "content that is no JSON",
    codes: ["malformed_content"],
    *variants() {
      for (const [name, content] of named(notJson)) {
        yield [name, { content }];
        yield [`${name} in chunks`, { content, framing: "chunked" }];
      }
    },
  },
  {
    name: "content cut short",
    codes: ["malformed_content"],
    *variants({ good }) {
      const bytes = Buffer.from(good.content);
      const step = Math.ceil(bytes.byteLength / 40);
      for (let end = 1; end < bytes.byteLength; end += step)
        yield [`${end}`, { content: bytes.subarray(0, end) }];
    },
  },
  {
    name: "content with bytes exchanged",
    *variants({ good }) {
      const random = randomFrom(1);
      for (let round = 0; round < 60; round += 1) {
        const content = Buffer.from(good.content);
        for (let times = 0; times <= round % 3; times += 1)
          content[Math.floor(random() * content.byteLength)] = Math.floor(random() * 256);
        yield [`${round}`, { content }];
      }
    },
  },
  {
    name: "content that is another value",
    codes: ["request_invalid"],
    *variants() {
      for (const [name, content] of named(wrongJson)) yield [name, { content }];
    },
  },
  {
    name: "content that is not UTF-8",
    codes: ["malformed_content"],
    *variants({ good }) {
      for (const hex of notUtf8) {
        const bad = Buffer.from(hex, "hex");
        yield [`${hex} alone`, { content: bad }];
        yield [
          `${hex} in a string`,
          { content: Buffer.concat([Buffer.from('{"a":"'), bad, Buffer.from('"}')]) },
        ];
        yield [`${hex} behind`, { content: Buffer.concat([Buffer.from(good.content), bad]) }];
      }
      for (const encoding of ["utf16le", "utf-32"] as const) {
        const text = String(good.content);
        const wide = encoding === "utf16le" ? text : [...text].map((letter) => `${letter}\0`).join("");
        yield [
          encoding,
          { content: Buffer.concat([Buffer.from("fffe", "hex"), Buffer.from(wide, "utf16le")]) },
        ];
      }
    },
  },
  {
    name: "half a surrogate pair",
    codes: ["malformed_content"],
    *variants(aim) {
      for (const [name, content] of named(loneSurrogates)) yield [name, { content }];
      yield* inEveryPlace(aim, [["half", () => '"\\ud800"']]);
      yield* inEveryPlace(
        aim,
        [["a half name", (text) => text.replace("{", '{"\\udfff":1,').replace(",}", "}")]],
        isObject,
      );
    },
  },
  {
    name: "a value of another kind",
    *variants(aim) {
      yield* inEveryPlace(
        aim,
        wrongValues.map((text) => [nameOf(text), () => text] as const),
      );
    },
  },
  {
    name: "a property that does not belong",
    codes: ["request_invalid"],
    *variants(aim) {
      const added = (property: string) => (text: string) =>
        text.replace("{", `{${property},`).replace(",}", "}");
      yield* inEveryPlace(
        aim,
        wrongProperties.map((property) => [nameOf(property), added(property)] as const),
        isObject,
      );
    },
  },
  {
    name: "a property given twice",
    *variants(aim) {
      const twice = (text: string) => text.replace(/^\{(.+)\}$/, "{$1,$1}");
      const otherwise = (text: string) => text.replace(/^\{("[^"]+":)(.+)\}$/, "{$1null,$1$2,$1null}");
      yield* inEveryPlace(
        aim,
        [
          ["twice", twice],
          ["thrice", otherwise],
        ],
        isObject,
      );
    },
  },
  {
    name: "another media type",
    codes: ["unsupported_media_type"],
    *variants(aim) {
      for (const [name, type] of named(wrongTypes)) yield [name, withLines(aim, `Content-Type: ${type}`)];
      yield ["none", { lines: aim.good.lines.filter((line) => line !== json) }];
    },
  },
  {
    name: "compressed content",
    codes: ["unsupported_media_type"],
    *variants(aim) {
      for (const [name, coding, content] of codings(String(aim.good.content)))
        yield [name, { ...withLines(aim, `Content-Encoding: ${coding}`), content }];
    },
  },
  {
    name: "too much content",
    codes: ["content_too_large"],
    *variants({ good }) {
      yield ["sized", { content: " ".repeat(mostContent + 1) }];
      yield ["in one chunk", { content: " ".repeat(mostContent + 1), framing: "chunked" }];
      const small = `1${crlf} ${crlf}`.repeat(mostContent + 1);
      const lines = [...good.lines, "Transfer-Encoding: chunked"];
      yield ["in small chunks", { lines, content: `${small}0${crlf}${crlf}`, framing: "none" }];
    },
  },
  {
    name: "a key that is none",
    codes: ["api_key_invalid"],
    *variants(aim, senders) {
      for (const [name, key] of named(wrongKeys(senders))) yield [name, withLines(aim, bearer(key))];
      for (const [name, text] of named(wrongSchemes(senders)))
        yield [`as ${name}`, withLines(aim, `Authorization: ${text}`)];
    },
  },
  {
    name: "a key elsewhere",
    codes: ["api_key_missing"],
    *variants(aim, { secretKey }) {
      const { good } = aim;
      const lines = good.lines.filter((line) => !line.startsWith("Authorization"));
      yield ["nowhere", { lines }];
      yield ["empty", { lines: [...lines, "Authorization:"] }];
      yield ["blank", { lines: [...lines, "Authorization: \t "] }];
      for (const name of ["X-Api-Key", "Proxy-Authorization", "X-Authorization", "Authorization2", "Api-Key"])
        yield [name, { lines: [...lines, `${name}: Bearer ${secretKey}`] }];
      for (const name of ["key", "api_key", "access_token", "Authorization"]) {
        yield [`in the query as ${name}`, { lines, target: `${good.target}?${name}=${secretKey}` }];
        yield [`in a cookie as ${name}`, { lines: [...lines, `Cookie: ${name}=Bearer ${secretKey}`] }];
      }
    },
  },
  {
    name: "a publishable key, or two keys",
    *variants(aim, { secretKey, publishableKey, revokedKey }) {
      yield ["publishable", withLines(aim, bearer(publishableKey))];
      for (const [name, first, second] of [
        ["right and revoked", secretKey, revokedKey],
        ["revoked and right", revokedKey, secretKey],
        ["publishable and secret", publishableKey, secretKey],
      ] as const)
        yield [name, withLines(aim, bearer(first), bearer(second))];
    },
  },
  {
    name: "a strange value of a header",
    *variants(aim, senders) {
      const [turn, turns] = aim.turn;
      const all = readHeaders.flatMap((header) =>
        strangeValues(senders).map((value) => [header, value] as const),
      );
      for (const [index, [header, value]] of all.entries())
        if (index % turns === turn)
          yield [`${header}: ${nameOf(value)}`, withLines(aim, `${header}: ${value}`)];
    },
  },
  {
    name: "a method that is not taken",
    *variants({ good }) {
      const own = [good.method, "CONNECT"];
      for (const method of knownMethods.filter((each) => !own.includes(each))) yield [method, { method }];
      for (const asked of [...words(`POST GET * post __proto__ \u00ff`), "", "POST, GET", "x".repeat(3000)])
        for (const origin of [
          ...words(`null https://shop.example https://shop.example.evil * file://`),
          "",
        ]) {
          const lines = ["Host: a", `Origin: ${origin}`, `Access-Control-Request-Method: ${asked}`];
          const wanted = "Access-Control-Request-Headers: authorization, __proto__, *";
          yield [
            `preflight of ${nameOf(origin)} for ${nameOf(asked)}`,
            { method: "OPTIONS", lines: [...lines, wanted], content: "", framing: "none" },
          ];
        }
    },
  },
  {
    name: "a method that is none",
    codes: ["malformed_request"],
    *variants() {
      for (const method of wrongMethods) yield [nameOf(method), { method }];
    },
  },
  {
    name: "a header that is none",
    codes: ["malformed_request"],
    *variants({ good }, { marked }) {
      const wrong: Record<string, readonly string[]> = {
        folded: ["X-A: 1", ` ${marked}`],
        "folded Authorization": ["Authorization: Bearer", `\t${marked}`],
        "a space before the colon": [`X-A : ${marked}`],
        "a tab before the colon": [`X-A\t: ${marked}`],
        "no colon": [marked],
        "no name": [`: ${marked}`],
        "a space in the name": [`X A: ${marked}`],
        "a NUL in the name": [`X\0A: ${marked}`],
        "a NUL in the value": [`X-A: \0${marked}`],
        "a bell in the value": [`X-A: \u0007${marked}`],
        "DEL in the value": [`X-A: \u007f${marked}`],
        "Latin-1 in the name": [`X-\u00ff: ${marked}`],
        "a bare CR": [`X-A: 1\r${marked}`],
        "a bare CR before a name": [`X-A: 1\rX-B: ${marked}`],
        "brackets in the name": [`X-(A): ${marked}`],
        "quotes in the name": [`"X-A": ${marked}`],
        "two hosts": ["Host: b"],
        "the same host twice": ["Host: a"],
        "a host folded": ["Host:", " b"],
      };
      for (const [name, lines] of Object.entries(wrong)) {
        yield [name, { lines: [...good.lines, ...lines] }];
        yield [`${name}, first`, { lines: [...lines, ...good.lines] }];
      }
      const hostless = good.lines.slice(1);
      yield ["no host", { lines: hostless }];
      for (const host of [...words(`a/b a@b a\\b a?b a#b [ [::1 a:b a:99999 % \u00ff <`), "a b"])
        yield [`host ${nameOf(host)}`, { lines: [`Host: ${host}`, ...hostless] }];
    },
  },
  {
    name: "a flood of headers",
    codes: ["malformed_request"],
    *variants({ good }, { marked }) {
      const flood = (count: number, line: (index: number) => string) => ({
        lines: [...good.lines, ...Array.from({ length: count }, (_, index) => line(index))],
      });
      yield ["101 lines", flood(101, (index) => `X-${index}: ${index}`)];
      yield ["1000 lines", flood(1000, () => "a:")];
      yield ["3000 lines", flood(3000, () => "a:b")];
      yield ["two thousand of one name", flood(2000, () => "Cookie: a")];
      yield ["lines of a kilobyte", flood(30, (index) => `X-${index}: ${marked.repeat(40)}`)];
      yield ["one long line", flood(1, () => `X-A: ${"a".repeat(20_000)}`)];
      yield ["one long name", flood(1, () => `${"X".repeat(20_000)}: a`)];
      yield ["a long target", { target: `/?${"a".repeat(20_000)}` }];
      yield ["a long key", flood(1, () => bearer(marked.repeat(1500)))];
      yield ["a long host", { lines: [`Host: ${"a".repeat(20_000)}`] }];
    },
  },
  {
    name: "framing that is ambiguous",
    codes: ["malformed_request"],
    *variants({ good }) {
      const hidden = `GET /healthz HTTP/1.1${crlf}Host: a${crlf}X-Request-Id: ${smuggledId}${crlf}${crlf}`;
      const framed = (...lines: string[]) => ({
        lines: [...good.lines, ...lines],
        content: `0${crlf}${crlf}${hidden}`,
        framing: "none" as const,
      });
      const length = String(`0${crlf}${crlf}${hidden}`.length);
      const te = "Transfer-Encoding: chunked";
      yield ["a length and chunks", framed(`Content-Length: ${length}`, te)];
      yield ["chunks and a length", framed(te, `Content-Length: ${length}`)];
      yield ["chunks and no length", framed(te, "Content-Length: 0")];
      yield ["two lengths", framed("Content-Length: 0", `Content-Length: ${length}`)];
      yield ["two equal lengths", framed(`Content-Length: ${length}`, `Content-Length: ${length}`)];
      const lengths = [...words(`+5 -5 -0 0x5 5e1 5.0 five`), `${length},${length}`, `0, ${length}`, "5 5"];
      for (const text of [
        ...words(`"5" 5;a \u00b2 99999999999999999999999 18446744073709551621`),
        ...lengths,
        "",
      ])
        yield [`length ${nameOf(text)}`, framed(`Content-Length: ${text}`)];
      const transfers = ["chunked, identity", "identity", "xchunked", "chunkedx", "chunked, gzip", "gzip"];
      for (const text of [
        ...transfers,
        "\u000bchunked",
        '"chunked"',
        "chunked;a=b",
        "cow",
        "chunked\u0000",
        "",
      ])
        yield [`transfer coding ${nameOf(text)}`, framed(`Transfer-Encoding: ${text}`)];
      yield ["two transfer codings", framed(te, "Transfer-Encoding: identity")];
      yield ["a spaced transfer coding", framed("Transfer-Encoding : chunked", `Content-Length: ${length}`)];
      yield [
        "a folded transfer coding",
        framed("Transfer-Encoding:", " chunked", `Content-Length: ${length}`),
      ];
    },
  },
  {
    name: "chunks that are none",
    codes: ["malformed_request"],
    *variants({ good }, { marked }) {
      const chunks = (content: string) => ({
        lines: [...good.lines, "Transfer-Encoding: chunked"],
        content: `${content}${crlf}0${crlf}${crlf}`,
        framing: "none" as const,
      });
      const sizes = [...words(`-2 +2 0x2 2g zz ffffffffffffffffff 2\u0000 \u00ff`), "", " 2", marked, "2 2"];
      for (const size of sizes) yield [`size ${nameOf(size)}`, chunks(`${size}${crlf}{}`)];
      yield ["more than its size", chunks(`2${crlf}{}{}`)];
      yield ["a bare LF", chunks(`2\n{}`)];
      yield ["a bare LF behind", chunks(`2${crlf}{}\n`)];
      yield ["a bare CR", chunks(`2\r{}`)];
      yield ["an extension with a LF", chunks(`2;a=\n${crlf}{}`)];
      yield ["an extension with a NUL", chunks(`2;a=\0${crlf}{}`)];
      yield ["a flood of extensions", chunks(`2;${"a=b;".repeat(10_000)}${crlf}{}`)];
      yield ["a trailer that is none", chunks(`2${crlf}{}${crlf}0${crlf}${marked}${crlf}`)];
    },
  },
  {
    name: "lines that end in LF",
    codes: ["malformed_request"],
    *variants({ good }) {
      const text = written(good).toString("latin1");
      yield ["all of them", Buffer.from(text.replaceAll(crlf, "\n"), "latin1")];
      yield ["the first", Buffer.from(text.replace(crlf, "\n"), "latin1")];
      yield ["the last", Buffer.from(text.replace(`${crlf}${crlf}`, `${crlf}\n`), "latin1")];
      yield ["CR alone", Buffer.from(text.replaceAll(crlf, "\r"), "latin1")];
    },
  },
  {
    name: "a version that is none",
    codes: ["malformed_request"],
    *variants({ good }) {
      const versions = words(`HTTP/0.9 HTTP/2.0 HTTP/3.0 HTTP/1 HTTP/1.10 HTTP/1.2 HTTP/11 http/1.1`);
      for (const version of [...versions, "HTTP/-1.1", "HTTP/1.1 x", "HTTPS/1.1", "ICE/1.0", "HTTP/"])
        yield [nameOf(version), { ...good, version }];
    },
  },
  {
    name: "a path parameter that is none",
    codes: ["request_invalid", "webhook_not_found", "malformed_request", "route_not_found"],
    *variants({ good, path }) {
      if (path("1") === path("2")) return;
      const numbers = words(`0 -1 +2 00 1.5 1e3 0x1 NaN Infinity 9007199254740992 -0 %31%30`);
      const texts = words(`null true a %00 1%00 1;2 1,2 [1] {} %7B%7D ..%31 1%20 %201 %0a1`);
      const wide = [...words(`%D9%A1 %EF%BC%91 %c0%b1 % %3 %gg ' 1'-- \u00b2 1%2f2`), "9".repeat(5000)];
      for (const text of [...numbers, ...texts, ...wide])
        yield [nameOf(text), { ...good, target: path(text) }];
    },
  },
  {
    name: "a query that nobody asked for",
    *variants({ good }) {
      const queries = words(`? ?? ?&&& ?= ?a ?% ?%zz ?__proto__=1 ?a[__proto__]=1 ?constructor ?a=%00`);
      for (const query of [
        ...queries,
        `?${"a=b&".repeat(3000)}`,
        "?\u00ff",
        "?%ff",
        "?a=1#b",
        `?${"[".repeat(3000)}`,
      ])
        yield [nameOf(query), { target: `${good.target}${query}` }];
    },
  },
  {
    name: "a wish for another protocol",
    *variants(aim) {
      for (const protocol of ["websocket", "h2c", "TLS/1.0", "HTTP/3.0", "__proto__", ",", "\u00ff"])
        for (const connection of ["Upgrade", "upgrade, HTTP2-Settings", "close, upgrade", "keep-alive"])
          yield [
            `${nameOf(protocol)} with ${connection}`,
            withLines(aim, `Connection: ${connection}`, `Upgrade: ${protocol}`, "HTTP2-Settings: AAMAAABk"),
          ];
    },
  },
  {
    name: "several requests at once",
    methods: ["GET", "GET", "GET"],
    *variants({ good }) {
      const healthy = `GET /healthz HTTP/1.1${crlf}Host: a${crlf}${crlf}`;
      const faulty = written({ ...good, content: "{" });
      yield ["of which one is bad", Buffer.concat([Buffer.from(healthy), faulty, Buffer.from(healthy)])];
      yield ["of which the last is none", `${healthy}${healthy}${crlf}${crlf}${crlf}\0${crlf}${crlf}`];
      yield ["behind empty lines", `${crlf}${crlf}${healthy}${crlf}${healthy}${crlf}${healthy}`];
      const late = written({ ...good, lines: [...good.lines, "Expect: 100-continue"] });
      yield ["one that was to wait", Buffer.concat([late, late, Buffer.from(healthy)])];
    },
  },
  {
    name: "a request that ends half-way",
    codes: ["malformed_request"],
    after: "end",
    *variants({ good }) {
      const bytes = written(good);
      for (let part = 1; part < 20; part += 1)
        yield [`${part} of 20`, bytes.subarray(0, Math.floor((bytes.byteLength * part) / 20))];
    },
  },
  {
    name: "a sender who goes away",
    after: "leave",
    *variants({ good }) {
      const bytes = written(good);
      for (let part = 0; part <= 20; part += 1)
        yield [`after ${part} of 20`, bytes.subarray(0, Math.floor((bytes.byteLength * part) / 20))];
      const late = { ...good, lines: [...good.lines, "Expect: 100-continue"] };
      yield [
        "instead of sending what was asked for",
        written(late).subarray(0, -Buffer.from(good.content).byteLength),
      ];
    },
  },
];

function isObject(text: string): boolean {
  return text.startsWith("{");
}

const knownMethods = words(`
  GET HEAD POST PUT DELETE CONNECT OPTIONS TRACE PATCH COPY LOCK MKCOL MOVE PROPFIND PROPPATCH SEARCH UNLOCK
  BIND REBIND UNBIND ACL REPORT MKACTIVITY QUERY CHECKOUT MERGE M-SEARCH NOTIFY SUBSCRIBE UNSUBSCRIBE PURGE
  MKCALENDAR LINK UNLINK
`);

const wrongMethods = [
  ...words(`
  get Get GETT G\u0000ET G \u00ff GET/ __proto__ DEBUG TRACK constructor <GET> GET,POST PRI
`),
  "G ET",
  "GE\tT",
  "",
  " GET",
  "A".repeat(5000),
];

/** Aimed at no operation. */
const addressless: readonly Family[] = [
  {
    name: "a path that leads nowhere",
    codes: ["route_not_found", "method_not_allowed", "malformed_request"],
    *variants(_, { marked }) {
      const ups = words(`/.. /../.. /%2e%2e/ /..%2f..%2fetc/passwd /....// /.;/ /..;/ /%252e%252e/x`);
      const bent = words(`
  //v1/users/login /v1//users/login /v1/users/login/ /V1/users/login /v1/users/LOGIN
`);
      const added = [
        "/v1/users/login;a=b",
        "/v1/users/login%00",
        "/v1/users/login%20",
        "/v1/users/login.json",
      ];
      const coded = words(`/v1%2fusers%2flogin /v1/users%5clogin /v1/webhooks/ /v1/users /v1/webhooks/1/`);
      const broken = [...words(`/% /%2 /%zz /%c0%af /%ff /%e0%80%af /%u0041 /%00 /%ed%a0%80`), "/%0d%0aX: y"];
      const odd = words(`/:p1 /*x /{webhook_id} /__proto__ /constructor /toString /favicon.ico /.env`);
      const more = [...words(`/.git/config /wp-login.php /actuator /metrics /admin /v1 /v1/`), `/${marked}`];
      for (const path of [...ups, ...bent, ...added, ...coded, ...broken, ...odd, ...more])
        for (const method of ["GET", "POST", "DELETE"]) {
          if (path === "/.." || path === "/../.." || path === "/%2e%2e/") continue;
          yield [`${method} ${path}`, { method, target: path }];
        }
      yield ["a very long one", { target: `/${"a/".repeat(6000)}` }];
    },
  },
  {
    name: "a target that is none",
    codes: ["malformed_request", "route_not_found", "method_not_allowed"],
    *variants(_, { marked }) {
      const targets = [...words(`* a a/b \\ /a\\b /\\\\a // /// ? # /#a /a#b http: http:/a`), ""];
      const absolute = words(`
  http://a https://b/healthz http://a:99999/ http://[::1/ http://u:p@a/x http:///x
`);
      const others = [...words(`file:///etc/passwd javascript:1 a:80 ftp://a/ //a/b ws://a/`), `x:${marked}`];
      const bytes = [...words(`/\u00ff /\u0000 /\u0007 /\u007f /<> /| /^ /" /\` /{}`), "/a b", "/a\tb"];
      for (const target of [...targets, ...absolute, ...others, ...bytes])
        for (const method of ["POST", "OPTIONS", "CONNECT"])
          yield [`${method} ${nameOf(target)}`, { method, target }];
    },
  },
  {
    name: "a method that a resource does not take",
    codes: ["method_not_allowed"],
    *variants() {
      for (const target of ["/healthz", "/readyz", "/openapi.json"])
        for (const method of knownMethods.filter((each) => !["GET", "HEAD", "CONNECT"].includes(each)))
          yield [`${method} ${target}`, { method, target, lines: ["Host: a"], content: "{}" }];
    },
  },
  {
    name: "bytes that are no request",
    codes: ["malformed_request"],
    methods: ["?"],
    after: "end",
    *variants(_, { marked }) {
      yield ["the preface of HTTP/2", `PRI * HTTP/2.0${crlf}${crlf}SM${crlf}${crlf}`];
      yield ["a hello of TLS", Buffer.from("16030100a5010000a10303", "hex")];
      yield ["a hello of SSH", `SSH-2.0-OpenSSH_9.9${crlf}`];
      yield ["SOCKS", Buffer.from("050100", "hex")];
      yield ["a response", `HTTP/1.1 200 OK${crlf}Content-Length: 0${crlf}${crlf}`];
      yield ["PROXY", `PROXY TCP4 1.2.3.4 5.6.7.8 1 2${crlf}GET / HTTP/1.1${crlf}Host: a${crlf}${crlf}`];
      yield ["a start-up of PostgreSQL", Buffer.from("0000000804d2162f", "hex")];
      yield ["a text", `${marked}${crlf}${crlf}`];
      yield ["HTTP/0.9", `GET /${crlf}`];
      yield ["NULs", Buffer.alloc(1000)];
      const random = randomFrom(2);
      for (let round = 0; round < 60; round += 1) {
        const bytes = Buffer.from(Array.from({ length: 1 + round * 7 }, () => Math.floor(random() * 256)));
        yield [`of chance, ${bytes.byteLength}`, Buffer.concat([Buffer.from([0xff]), bytes])];
      }
    },
  },
];
