/**
 * Hostile requests, as bytes to send on a connection. All requests of a family contain the same kind of error and
 * allow the same error codes. The test also checks everything else that responses must fulfil.
 */
import { specOperations } from "./spec.ts";

export interface HostileRequest {
  /** Unique. It consists of operation, family and variant. */
  readonly name: string;
  /** The operation whose path is used. Undefined if the request has the path of no operation. */
  readonly operationId: string | undefined;
  readonly bytes: Buffer;
  /** The methods of the requests in `bytes`. At most one response to each is allowed. */
  readonly methods: readonly string[];
  /** What the sender does next: it sends a valid request on the same connection, half-closes it (FIN) or disconnects. */
  readonly after: "next" | "end" | "leave";
  /** The allowed error codes, or "ok" for a success. Undefined if any response is allowed. */
  readonly codes: readonly string[] | undefined;
}

export interface HostileSenders {
  readonly secretKey: string;
  readonly publishableKey: string;
  readonly revokedKey: string;
  /** Letters and digits that are sent as a secret and in other places. No response and no log line may contain them. */
  readonly marked: string;
}

/** The request id of smuggled requests, which are hidden in the body of another request. No response may contain it. */
export const smuggledId = "4bf92f3577b34da6a3ce929d0e0e4736";

interface Draft {
  readonly method: string;
  readonly target: string;
  /** The lines of the header, as they are sent. */
  readonly lines: readonly string[];
  readonly body: string | Uint8Array;
  /** The framing of the body, or `none` if `lines` define it. */
  readonly framing: "sized" | "chunked" | "none";
}

interface Aim {
  readonly operationId: string;
  /** A valid request. */
  readonly good: Draft;
  /** An example of the request body. */
  readonly example: unknown;
}

type Variants = Iterable<readonly [name: string, hostile: Partial<Draft> | Buffer | string]>;

interface Family {
  readonly name: string;
  readonly codes?: readonly string[];
  readonly after?: HostileRequest["after"];
  /** The methods of the requests in each variant. The default is one request with the draft's method. */
  readonly methods?: readonly string[];
  variants(aim: Aim, senders: HostileSenders): Variants;
}

const crlf = "\r\n";
const mostBodyBytes = 65_536;

export function hostileRequests(senders: HostileSenders): HostileRequest[] {
  const aims = aimsOf(senders);
  const aimed = aims.flatMap((aim) =>
    families.flatMap((family) => requestsOf(family, aim, senders, aim.operationId)),
  );
  const [first] = aims;
  if (first === undefined) throw new Error("the spec has no operation");
  return [...aimed, ...addressless.flatMap((family) => requestsOf(family, first, senders, undefined))];
}

/** Operations without a JSON body are left out, because most requests are wrong in their body. */
function aimsOf({ secretKey }: HostileSenders): Aim[] {
  return specOperations.flatMap(({ operationId, method, path, requestBody }) => {
    const [example] = Object.values(requestBody?.content?.["application/json"]?.examples ?? {});
    if (example === undefined) return [];
    const good: Draft = {
      method,
      target: path.replaceAll(/\{\w+\}/g, "1"),
      lines: ["Host: a", bearer(secretKey), "Content-Type: application/json"],
      body: JSON.stringify(example.value),
      framing: "sized",
    };
    return [{ operationId, good, example: example.value }];
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

function written({ method, target, lines, body, framing }: Draft): Buffer {
  const bytes = Buffer.from(body);
  const length = framing === "sized" ? [`Content-Length: ${bytes.byteLength}`] : [];
  const chunks = framing === "chunked" ? ["Transfer-Encoding: chunked"] : [];
  const head = [`${method} ${target} HTTP/1.1`, ...lines, ...length, ...chunks].join(crlf);
  // Bytes above 0x7f in the head are Latin-1.
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

/** Appends the given lines, and removes the draft's lines that have the same names. */
function withLines({ good }: Aim, ...lines: string[]): Pick<Draft, "lines"> {
  const names = lines.map((line) => `${line.split(":")[0]?.trim().toLowerCase()}:`);
  const others = good.lines.filter((line) => !names.some((name) => line.toLowerCase().startsWith(name)));
  return { lines: [...others, ...lines] };
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
  { } [ " {,} [1,] nul {"a"} {"a":1,} {'a':1} {"a":1}{ {}{} undefined NaN 0x10 01 1. --1 "\\x" "\\u12" "\u0000" // #
  <xml/> a=1&b=2 %7B%7D {}\u0000
`),
  '{"a":1 "b":2}',
  '"a\nb"',
  " ",
  "\ufeff{}",
  "\u00a0{}",
  "[".repeat(mostBodyBytes),
  '{"a":'.repeat(10_000),
];

/** Valid JSON that no operation accepts. */
const wrongJson = [
  ...words(`
  null true 0 -0 1e400 "" [] [[]] {"a":1} "\\u0000" {"__proto__":{}} {"constructor":{"prototype":{}}} {"":""}
  {"toString":1,"valueOf":1}
`),
  `${"[".repeat(30_000)}${"]".repeat(30_000)}`,
  `{${Array.from({ length: 4000 }, (_, index) => `"p${index}":${index}`).join()}}`,
  "9".repeat(60_000),
  JSON.stringify("x".repeat(60_000)),
];

/** JSON values that replace every part of a request body. */
const wrongValues = [
  ...words(`
  null true 0 -1 -0 1.5 1e308 1e309 5e-324 9007199254740993 [] {} [[[[]]]] "" "\\u0000" "\\n\\r\\n" "\\ud83d\\ude00"
  "\\u202e\\ufeff" "../../etc/passwd" "%00" "$(jndi:ldap://a)" "<script>" "{{7*7}}" "1e3" "-1" "__proto__"
  {"__proto__":null} {"$ne":1} ["a",1,null] {"length":-1} {"toJSON":1}
`),
  "9".repeat(400),
  `"' OR 1=1 --"`,
  JSON.stringify("x".repeat(20_000)),
  JSON.stringify("\u{1F4A9}".repeat(5000)),
  `${"[".repeat(5000)}${"]".repeat(5000)}`,
];

/** JSON properties that are added to every object in a request body. */
const wrongProperties = [
  ...words(`"":1 "\\u0000":1 "a/b~c":1 "0":1 "length":1 "then":{} "$ref":"#" "id":1 "role":"admin"`),
  ...words(`__proto__ constructor prototype toString hasOwnProperty __defineGetter__`).map(
    (name) => `"${name}":{"polluted":true}`,
  ),
  `${JSON.stringify("k".repeat(10_000))}:1`,
];

function wrongKeys({ secretKey, publishableKey, revokedKey, marked }: HostileSenders): string[] {
  const basic = Buffer.from(`${secretKey}:${marked}`).toString("base64");
  const keys = [
    ...words(
      `__proto__ null ../.. = sk_ \u00ff eyJhbGciOiJub25lIn0.e30. ${marked} sk_${marked} ${revokedKey}`,
    ),
    `${secretKey}0`,
    `pk_${secretKey.slice(3)}`,
    `sk_${publishableKey.slice(3)}`,
    `${secretKey},${secretKey}`,
    `${secretKey} ${revokedKey}`,
    `"${secretKey}"`,
    "' OR ''='",
    "a".repeat(7000),
  ];
  return [
    ...keys.map((key) => `Bearer ${key}`),
    ...[secretKey, `Basic ${basic}`, "Bearer", `Bearer\t${secretKey}`, `Bearer Bearer ${secretKey}`],
    `Digest username="${marked}"`,
  ];
}

/** Values for any header. Some of them have a meaning there. */
function strangeValues({ marked }: HostileSenders): string[] {
  return [
    ...words(`, ; = " -1 1e999 null __proto__ $(id) \u00ff\u00fe %00%0d%0a ../../.. ::1 http://a/`),
    "",
    `not ${marked}`,
    ",".repeat(4000),
    "9".repeat(5000),
    `${"127.0.0.1, ".repeat(300)}x`,
  ];
}

/** Headers that the server or a proxy might read. */
const readHeaders = words(`
  X-Request-Id traceparent tracestate baggage X-Forwarded-For Forwarded Origin Cookie Accept-Encoding Range
  If-None-Match Expect TE Trailer Keep-Alive Upgrade X-HTTP-Method-Override Date Content-Encoding
`);

/** Returns the paths of a value and of all values in it. Its own path comes first. */
function placesIn(value: unknown, place: readonly string[] = []): string[][] {
  const inner = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return [[...place], ...inner.flatMap(([name, item]) => placesIn(item, [...place, name]))];
}

/** Returns the value as JSON. `exchange` replaces the JSON at the place. */
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
      let isFound = true;
      const body = exchanged(example, place, (text) => {
        isFound = where(text);
        return exchange(text);
      });
      if (isFound) yield [`${name} at /${place.join("/")}`, { body }];
    }
  }
}

/** Families that are sent to every operation. */
const families: readonly Family[] = [
  {
    name: "a body that is not JSON",
    codes: ["malformed_content"],
    *variants() {
      for (const [name, body] of named(notJson)) {
        yield [name, { body }];
        yield [`${name} in chunks`, { body, framing: "chunked" }];
      }
    },
  },
  {
    name: "a body with another value",
    codes: ["request_invalid"],
    *variants() {
      for (const [name, body] of named(wrongJson)) yield [name, { body }];
    },
  },
  {
    name: "a body that is not Unicode text",
    codes: ["malformed_content"],
    *variants(aim) {
      for (const hex of words(`c0af e080af f08080af eda080 f4908080 fe ff 80 e282`)) {
        const bad = Buffer.from(hex, "hex");
        yield [
          `${hex} in a string`,
          { body: Buffer.concat([Buffer.from('{"a":"'), bad, Buffer.from('"}')]) },
        ];
        yield [`${hex} behind`, { body: Buffer.concat([Buffer.from(aim.good.body), bad]) }];
      }
      yield* inEveryPlace(aim, [["half a surrogate pair", () => '"\\ud800"']]);
      const named = (text: string) => text.replace("{", '{"\\udfff":1,').replace(",}", "}");
      yield* inEveryPlace(aim, [["half a surrogate pair as a name", named]], isObject);
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
    name: "a property that is not allowed here",
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
      yield* inEveryPlace(aim, [["twice", twice]], isObject);
    },
  },
  {
    name: "an invalid key",
    codes: ["api_key_invalid"],
    *variants(aim, senders) {
      for (const [name, text] of named(wrongKeys(senders)))
        yield [name, withLines(aim, `Authorization: ${text}`)];
    },
  },
  {
    name: "a strange value of a header",
    *variants(aim, senders) {
      for (const header of readHeaders)
        for (const [name, value] of named(strangeValues(senders)))
          yield [`${header}: ${name}`, withLines(aim, `${header}: ${value}`)];
    },
  },
  {
    name: "several requests in one write",
    methods: ["GET", "GET", "GET"],
    *variants({ good }) {
      const healthy = `GET /healthz HTTP/1.1${crlf}Host: a${crlf}${crlf}`;
      const invalid = written({ ...good, body: "{" });
      yield ["one of them is invalid", Buffer.concat([Buffer.from(healthy), invalid, Buffer.from(healthy)])];
      yield ["the last is invalid", `${healthy}${healthy}${crlf}${crlf}${crlf}\0${crlf}${crlf}`];
      yield ["they follow empty lines", `${crlf}${crlf}${healthy}${crlf}${healthy}${crlf}${healthy}`];
      const late = written({ ...good, lines: [...good.lines, "Expect: 100-continue"] });
      yield ["they do not wait for 100 Continue", Buffer.concat([late, late, Buffer.from(healthy)])];
    },
  },
  {
    name: "a request that ends half-way",
    codes: ["malformed_request"],
    after: "end",
    *variants({ good }) {
      yield* partsOf(written(good));
    },
  },
  {
    name: "a sender who disconnects",
    after: "leave",
    *variants({ good }) {
      yield* partsOf(written(good));
      yield ["after the whole request", written(good)];
      const late = written({ ...good, lines: [...good.lines, "Expect: 100-continue"] });
      yield [
        "after 100 Continue, instead of sending the body",
        late.subarray(0, -Buffer.from(good.body).byteLength),
      ];
    },
  },
];

function isObject(text: string): boolean {
  return text.startsWith("{");
}

function* partsOf(bytes: Buffer): Variants {
  for (let part = 1; part < 20; part += 1)
    yield [`after ${part} of 20`, bytes.subarray(0, Math.floor((bytes.byteLength * part) / 20))];
}

/** Families that are sent to no operation. Most are not HTTP, so the server must reject them before it reads the path. */
const addressless: readonly Family[] = [
  {
    name: "an unknown path",
    codes: ["route_not_found", "method_not_allowed", "malformed_request"],
    *variants(_, { marked }) {
      const paths = words(`
  /..%2f..%2fetc/passwd /....// /..;/ /%252e%252e/x //v1/users/login /v1//users/login /v1/users/login/ /V1/users/login
  /v1/users/login;a=b /v1/users/login%00 /v1/users/login%20 /v1%2fusers%2flogin /v1/users%5clogin /v1/webhooks/
  /v1/webhooks/1/ /% /%2 /%zz /%c0%af /%ff /%u0041 /%00 /%ed%a0%80 /%0d%0aX:y /:p1 /*x /{webhook_id} /__proto__
  /constructor /.env /metrics /v1/ /?a[__proto__]=1&b=%00 /${marked}
`);
      for (const target of [...paths, `/${"a/".repeat(6000)}`])
        for (const method of ["POST", "DELETE"]) yield [`${method} ${nameOf(target)}`, { method, target }];
    },
  },
  {
    name: "an invalid target",
    codes: ["malformed_request", "route_not_found", "method_not_allowed"],
    *variants(_, { marked }) {
      const targets = words(`
  * a a/b \\ /a\\b // /// ? # /a#b http: http:/a http://a https://b/healthz http://a:99999/ http://[::1/ http:///x
  http://u:p@a/x file:///etc/passwd javascript:1 a:80 //a/b x:${marked} http://a/${marked} /\u00ff /\u0000 /\u007f /<> /| /" /{}
`);
      for (const target of [...targets, "", "/a b", "/a\tb"])
        for (const method of ["POST", "OPTIONS"]) yield [`${method} ${nameOf(target)}`, { method, target }];
    },
  },
  {
    name: "an invalid request line",
    codes: ["malformed_request", "method_not_allowed"],
    *variants({ good }, { marked }) {
      const methods = [
        ...words(`get GETT G\u0000ET \u00ff <GET> GET,POST PRI ${marked}`),
        "G ET",
        "GE\tT",
        "",
        " GET",
      ];
      const versions = [
        ...words(`HTTP/0.9 HTTP/2.0 HTTP/1 HTTP/1.10 HTTP/1.2 http/1.1 HTTPS/1.1 ${marked}`),
        "HTTP/1.1 x",
      ];
      const rest = written(good)
        .toString("latin1")
        .replace(/^[^\r]*/, "");
      for (const line of [
        ...methods.map((method) => `${method} / HTTP/1.1`),
        ...versions.map((version) => `GET / ${version}`),
        `${"A".repeat(5000)} / HTTP/1.1`,
        `CONNECT ${marked}:80 HTTP/1.1`,
      ])
        yield [nameOf(line), Buffer.from(`${line}${rest}`, "latin1")];
    },
  },
  {
    name: "an invalid header",
    codes: ["malformed_request"],
    *variants({ good }, { marked }) {
      const wrong: Record<string, readonly string[]> = {
        folded: ["X-A: 1", ` ${marked}`],
        "folded Authorization": ["Authorization: Bearer", `\t${marked}`],
        "a space before the colon": [`X-A : ${marked}`],
        "no colon": [marked],
        "no name": [`: ${marked}`],
        "a space in the name": [`X A: ${marked}`],
        "a NUL in the value": [`X-A: \0${marked}`],
        "DEL in the value": [`X-A: \u007f${marked}`],
        "Latin-1 in the name": [`X-\u00ff: ${marked}`],
        "a bare CR": [`X-A: 1\r${marked}`],
        "a bare CR before a name": [`X-A: 1\rX-B: ${marked}`],
        "two hosts": ["Host: b"],
        "a host folded": ["Host:", " b"],
        "3000 lines": Array(3000).fill("a:b"),
        "lines of a kilobyte": Array.from({ length: 30 }, (_, index) => `X-${index}: ${marked.repeat(70)}`),
        "one long name": [`${"X".repeat(20_000)}: a`],
      };
      for (const [name, lines] of Object.entries(wrong)) yield [name, { lines: [...good.lines, ...lines] }];
      const hostless = good.lines.slice(1);
      yield ["no host", { lines: hostless }];
      for (const host of [...words(`a/b a@b a#b [::1 a:99999 \u00ff`), "a b", "a".repeat(20_000)])
        yield [`host ${nameOf(host)}`, { lines: [`Host: ${host}`, ...hostless] }];
    },
  },
  {
    name: "ambiguous framing",
    codes: ["malformed_request"],
    *variants({ good }) {
      const hidden = `GET /healthz HTTP/1.1${crlf}Host: a${crlf}X-Request-Id: ${smuggledId}${crlf}${crlf}`;
      const body = `0${crlf}${crlf}${hidden}`;
      const length = `Content-Length: ${body.length}`;
      const te = "Transfer-Encoding: chunked";
      const framings = [
        ...[
          [length, te],
          [te, length],
          [te, "Content-Length: 0"],
          ["Content-Length: 0", length],
          [length, length],
        ],
        ...[
          [te, "Transfer-Encoding: identity"],
          ["Transfer-Encoding : chunked", length],
        ],
        ["Transfer-Encoding:", " chunked", length],
        ...[
          ...words(`+5 -5 0x5 5e1 5.0 five "5" 5;a \u00b2 18446744073709551621 5,5`),
          "0, 5",
          "5 5",
          "",
        ].map((text) => [`Content-Length: ${text}`]),
        ...[
          ...words(`identity xchunked chunkedx gzip "chunked" chunked;a=b cow`),
          "chunked, gzip",
          "\u000bchunked",
        ].map((text) => [`Transfer-Encoding: ${text}`]),
      ];
      for (const lines of framings)
        yield [nameOf(lines.join()), { lines: [...good.lines, ...lines], body, framing: "none" }];
    },
  },
  {
    name: "invalid chunks",
    codes: ["malformed_request"],
    *variants({ good }, { marked }) {
      const sizes = [...words(`-2 +2 0x2 2g ffffffffffffffffff 2\u0000 \u00ff ${marked}`), "", " 2", "2 2"];
      const chunks = [
        ...sizes.map((size) => `${size}${crlf}{}`),
        ...[`2${crlf}{}{}`, `2\n{}`, `2${crlf}{}\n`, `2\r{}`, `2;a=\n${crlf}{}`, `2;a=\0${crlf}{}`],
        `2;${"a=b;".repeat(10_000)}${crlf}{}`,
        `2${crlf}{}${crlf}0${crlf}${marked}${crlf}`,
      ];
      const lines = [...good.lines, "Transfer-Encoding: chunked"];
      for (const [name, chunk] of named(chunks))
        yield [name, { lines, body: `${chunk}${crlf}0${crlf}${crlf}`, framing: "none" }];
    },
  },
  {
    name: "bytes that are not a request",
    codes: ["malformed_request"],
    methods: ["?"],
    after: "end",
    *variants({ good }, { marked }) {
      const text = written(good).toString("latin1");
      yield ["lines that end in LF", Buffer.from(text.replaceAll(crlf, "\n"), "latin1")];
      yield [
        "a last line that ends in LF",
        Buffer.from(text.replace(`${crlf}${crlf}`, `${crlf}\n`), "latin1"),
      ];
      yield ["lines that end in CR", Buffer.from(text.replaceAll(crlf, "\r"), "latin1")];
      yield ["the preface of HTTP/2", `PRI * HTTP/2.0${crlf}${crlf}SM${crlf}${crlf}`];
      yield ["a hello of TLS", Buffer.from("16030100a5010000a10303", "hex")];
      yield ["a response", `HTTP/1.1 200 OK${crlf}Content-Length: 0${crlf}${crlf}`];
      yield ["PROXY", `PROXY TCP4 1.2.3.4 5.6.7.8 1 2${crlf}GET / HTTP/1.1${crlf}Host: a${crlf}${crlf}`];
      yield ["plain text", `${marked}${crlf}${crlf}`];
      yield ["HTTP/0.9", `GET /${crlf}`];
      yield ["NULs", Buffer.alloc(1000)];
    },
  },
];
