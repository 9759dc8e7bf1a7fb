/** Request bodies that differ from a valid one in a single point that no schema describes: the media type or the bytes. */
import { gzipSync } from "node:zlib";
import { entriesOf, isObject, type Json, pointerTo, tokensOf, valueAt } from "../../openapi/document.ts";
import { isValid } from "../../openapi/schema/evaluate.ts";
import { alternativeOf, type SchemaNode, schemaOfProperty } from "../../openapi/schema/schema-node.ts";
import { type MediaTypeSchema, writeBody } from "../bodies.ts";
import { type Headers, jsonIn } from "../exchange.ts";
import { type BodyKind, bodyKindOf, matchingMediaType } from "../media-types.ts";
import type { RejectionReason } from "../service-under-test.ts";
import { edited } from "../values/values.ts";

export interface BodyVariant {
  /** What is special about the body. */
  readonly what: string;
  /**
   * An `alike` body means the same as the valid one, so it must not be rejected. A `long` one does too, but it may be too
   * large. The result of a `harmless` body is open, but it must be documented, and the service must not fail.
   */
  readonly kind: "valid" | "alike" | "long" | "harmless" | RejectionReason;
  /** True if HTTP or the media type permit to accept the body. Then it is only rejected if the service promises to. */
  readonly isOpen?: true;
  readonly mediaType: string | undefined;
  readonly bytes: Uint8Array;
  /** Headers in addition to Content-Type. */
  readonly headers?: Headers;
}

export interface ValidBody {
  readonly media: MediaTypeSchema;
  readonly value: Json;
}

/** Text that a service reads as JSON only if it does not follow RFC 8259. Undefined if the JSON text has no place for it. */
const malformedJson: { readonly [what: string]: (json: string) => string | undefined } = {
  "cut off": (json) => json.slice(0, -1),
  "followed by a bracket": (json) => `${json}}`,
  "followed by more text": (json) => `${json}x`,
  "followed by another value": (json) => `${json} ${json}`,
  "with a comma at its end": (json) => replacedIn(json, /(?<=[^[{])([}\]])$/, ",$1"),
  "with a comment": (json) => replacedIn(json, /^([{[])/, "$1/* a */"),
  "with single quotes": (json) => replacedIn(json, /"([^"\\']*)"/g, "'$1'"),
  "with a name without quotes": (json) => replacedIn(json, /([{,])"([a-z]\w*)":/i, "$1$2:"),
  "with NaN": (json) => withNumber(json, /.+/, "NaN"),
  "with a leading zero": (json) => withNumber(json, /(?=[1-9])/, "0"),
  "with a line break in a string": (json) => replacedIn(json, /"(?=[^"]*"(?:[,}\]]|$))/, '"\n'),
  "only spaces": () => "  ",
};

/** Other texts of the same JSON value. */
const sameJson: { readonly [what: string]: (json: string, value: Json) => string | undefined } = {
  // It is an integer (JSON Schema 2020-12, section 4.2.2).
  "with an integer written as 1.0": (json) => withNumber(json, /(?<=^-?\d+)$/, ".0"),
  "with an integer written as 1e0": (json) => withNumber(json, /(?<=^-?\d+)$/, "e0"),
  "with escaped letters": (json) =>
    json.replaceAll(/(?<=[{,:[]")[a-z]/gi, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`),
  "with its names in another order": (_, value) => JSON.stringify(reordered(value)),
  "between spaces": (json) => ` \r\n\t${json} `,
};

function reordered(value: Json): Json {
  if (Array.isArray(value)) return value.map(reordered);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, held]) => [name, reordered(held)] as const);
  return Object.fromEntries(entries.toReversed());
}

function replacedIn(text: string, form: RegExp, replacement: string): string | undefined {
  const replaced = text.replace(form, replacement);
  return replaced === text ? undefined : replaced;
}

/** Replaces a part of the first number that has it. Undefined if there is none. */
function withNumber(json: string, part: RegExp, replacement: string): string | undefined {
  for (const { 0: token, index } of json.matchAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.e+-]*/gi))
    if (!token.startsWith('"') && part.test(token))
      return json.slice(0, index) + token.replace(part, replacement) + json.slice(index + token.length);
  return undefined;
}

const otherTypes = [
  ...["application/x-undocumented", "text/x-undocumented", "application/vnd.undocumented+json"],
  ...["text/plain", "application/json", "application/x-www-form-urlencoded", "application/xml"],
];

/**
 * Variants of each body. The first variant of each is the body itself.
 *
 * @param maxBytes the largest body that the service reads
 */
export function bodyVariants(bodies: readonly ValidBody[], maxBytes: number | undefined): BodyVariant[] {
  const documented = bodies.map(({ media }) => media);
  return bodies.flatMap(({ media, value }, index) => {
    const { mediaType, bytes } = writeBody(media, value);
    const own = variantsOf[bodyKindOf(mediaType)];
    const sized =
      bodyKindOf(mediaType) !== "json"
        ? []
        : maxBytes === undefined
          ? [{ what: "with 300,000 spaces", kind: "long" as const, mediaType, bytes: padded(bytes, 300_000) }]
          : [
              {
                what: "as large as allowed",
                kind: "alike" as const,
                mediaType,
                bytes: padded(bytes, maxBytes),
              },
              {
                what: "too large",
                kind: "content_too_large" as const,
                mediaType,
                bytes: padded(bytes, maxBytes + 1),
              },
            ];
    return [
      { what: "itself", kind: "valid", mediaType, bytes },
      ...(index === 0 ? typeVariants(documented, bytes) : []),
      ...own(media, value).map((each) => ({ mediaType, ...each })),
      { what: "in capital letters", kind: "alike" as const, mediaType: inCapitals(mediaType), bytes },
      ...["x-undocumented", "deflate"].map((coding) => ({
        what: `that does not have its content coding, ${coding}`,
        kind: "content_coding_unsupported" as const,
        isOpen: true as const,
        mediaType,
        bytes,
        headers: [["Content-Encoding", coding]] as const,
      })),
      {
        what: "compressed with gzip",
        kind: "harmless",
        mediaType,
        bytes: gzipSync(bytes),
        headers: [["Content-Encoding", "gzip"]],
      },
      ...(["json", "text", "form"].includes(bodyKindOf(mediaType))
        ? ["; charset=utf-8", '; charset="UTF-8"'].map((charset) => ({
            what: `with ${charset.replace(/^\W+/, "")}`,
            kind: "alike" as const,
            mediaType: mediaType + charset,
            bytes,
          }))
        : []),
      // A service may require Content-Length, with 411 (RFC 9110, section 8.6).
      { what: "in chunks", kind: "alike", mediaType, bytes, headers: [["Transfer-Encoding", "chunked"]] },
      ...sized,
    ];
  });
}

function typeVariants(documented: readonly MediaTypeSchema[], bytes: Uint8Array): BodyVariant[] {
  // A body without a media type may be read as bytes (RFC 9110, section 8.3).
  return [...otherTypes, "application/octet-stream"]
    .filter((mediaType) => matchingMediaType(mediaType, documented) === undefined)
    .map((type) => ({
      what: type === "application/octet-stream" ? "without a media type" : `of the media type ${type}`,
      kind: "media_type_unsupported",
      mediaType: type === "application/octet-stream" ? undefined : type,
      bytes,
    }));
}

/** Types and subtypes have no case (RFC 9110, section 8.3.1). */
function inCapitals(mediaType: string): string {
  return mediaType.replace(/^[^;]+/, (essence) => essence.toUpperCase());
}

/** Spaces around JSON mean nothing. */
function padded(json: Uint8Array, length: number): Uint8Array {
  return Buffer.concat([json, Buffer.alloc(Math.max(0, length - json.byteLength), " ")]);
}

type OwnVariant = Pick<BodyVariant, "what" | "kind" | "isOpen" | "bytes"> & { readonly mediaType?: string };

const variantsOf: {
  readonly [K in BodyKind]: (media: MediaTypeSchema, value: Json) => readonly OwnVariant[];
} = {
  json: (media, value) => {
    const text = JSON.stringify(value);
    const malformed = Object.entries(malformedJson).flatMap(([what, change]): OwnVariant[] => {
      const changed = change(text);
      const bytes = Buffer.from(changed ?? text);
      // A number that is cut off may remain a number.
      return jsonIn(bytes) === undefined ? [{ what, kind: "malformed_content", bytes }] : [];
    });
    const withText = (what: string, character: string) =>
      withCharacter(media, value, character).map(
        (changed): OwnVariant => ({ what, kind: "harmless", bytes: Buffer.from(JSON.stringify(changed)) }),
      );
    const halves = withCharacter(media, value, "\ufffd").map((changed): OwnVariant => {
      const bytes = Buffer.from(JSON.stringify(changed).replace("\ufffd", "\\ud800"));
      return { what: "with half of a surrogate pair", kind: "malformed_content", isOpen: true, bytes };
    });
    const deep = `${"[".repeat(5000)}${"]".repeat(5000)}`;
    return [
      ...malformed,
      ...notUtf8(media, value),
      // A service may keep a part of the body before.
      { what: "after a malformed one", kind: "alike", bytes: Buffer.from(text) },
      ...halves,
      ...withText("with a NUL character", "\u0000"),
      ...withText("with an emoji", "\u{1f600}"),
      { what: "deeply nested", kind: "harmless", bytes: Buffer.from(deep) },
      {
        what: "with a huge number",
        kind: "harmless",
        bytes: Buffer.from(withNumber(text, /.+/, "1e400") ?? text),
      },
      {
        what: "with a name twice",
        kind: "harmless",
        bytes: Buffer.from(text.replace(/^\{("[^"]*":)/, "{$1null,$1")),
      },
      {
        what: "with a byte order mark",
        kind: "harmless",
        bytes: Buffer.from(`\ufeff${text}`),
      },
      // RFC 8259, section 8.1.
      { what: "in UTF-16", kind: "malformed_content", isOpen: true, bytes: Buffer.from(text, "utf16le") },
      ...Object.entries(sameJson).flatMap(([what, change]): OwnVariant[] => {
        const changed = change(text, value);
        return changed === undefined || changed === text
          ? []
          : [{ what, kind: "alike", bytes: Buffer.from(changed) }];
      }),
    ];
  },
  text: (media, value) => [
    ...notUtf8(media, value),
    {
      what: "in an unknown charset",
      kind: "media_type_unsupported",
      mediaType: `${media.mediaType}; charset=x-undocumented`,
      bytes: writeBody(media, value).bytes,
    },
  ],
  form: (media, value) => {
    const textOf = (fields: Json) => Buffer.from(writeBody(media, fields).bytes).toString();
    const text = textOf(value);
    const single = entriesOf(value).find(
      ([name]) => !isList(media.node.nodeOf(schemaOfProperty(media.node, name) ?? true)),
    );
    return [
      { what: "with a broken escape", kind: "harmless", bytes: Buffer.from(`${text}%zz`) },
      ...(single === undefined
        ? []
        : [
            {
              what: "with a field twice",
              kind: "harmless" as const,
              isOpen: true as const,
              bytes: Buffer.from(`${text}&${textOf(Object.fromEntries([single]))}`),
            },
          ]),
    ];
  },
  multipart: (media, value) => {
    const { mediaType, bytes } = writeBody(media, value);
    return [
      {
        what: "with another boundary",
        kind: "malformed_content",
        mediaType: mediaType.replace(/boundary=.*/, "boundary=a"),
        bytes,
      },
      { what: "cut off", kind: "malformed_content", bytes: bytes.subarray(0, -4) },
    ];
  },
  bytes: () => [],
};

export function isList(node: SchemaNode): boolean {
  return alternativeOf(node, "array") !== undefined;
}

/** A body in which one byte is not UTF-8. With the replacement character in its place, it would be valid. */
function notUtf8(media: MediaTypeSchema, value: Json): OwnVariant[] {
  return withCharacter(media, value, "\ufffd").map((changed) => {
    const { bytes } = writeBody(media, changed);
    const hex = Buffer.from(bytes).toString("hex").replace("efbfbd", "ff");
    return { what: "not UTF-8", kind: "malformed_content", bytes: Buffer.from(hex, "hex") };
  });
}

/** The value with a character at the end of one of its strings. It is the first one that remains valid. */
function withCharacter({ node }: MediaTypeSchema, value: Json, character: string): Json[] {
  const changed = stringsIn(value).flatMap((pointer) => {
    const text = String(valueAt(value, pointer));
    return [text + character, text.slice(0, -1) + character].map((each) =>
      edited(value, tokensOf(pointer), each),
    );
  });
  const found = changed.find((each) => isValid(node, each)) ?? changed[0];
  return found === undefined ? [] : [found];
}

export function stringsIn(value: Json, pointer = ""): string[] {
  if (typeof value === "string") return [pointer];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, held]) => stringsIn(held, pointerTo(pointer, key)));
}
