/** Parses the body of a request according to its media type, and validates it. */
import type { MediaContract, Problem, RequestBodyContract } from "#specbind/contract";
import { bodyKindOf, matchType } from "../shared/media-type.ts";
import type { RequestProblem } from "../shared/rejection-reasons.ts";
import type { Awaitable } from "./awaitable.ts";
import { type Decoded, decodeForm } from "./forms.ts";
import { parseJson } from "./json.ts";
import { decodeMultipart } from "./multipart.ts";
import { Rejection, type RequestView } from "./request.ts";

/**
 * @returns a function that adds every problem of a body to `problems`. If it adds none, it returns the body with
 *   defaults filled in
 */
export function bodyReader(
  contract: RequestBodyContract | undefined,
): (
  request: Pick<RequestView, "header">,
  bytes: Uint8Array,
  problems: RequestProblem[],
) => Awaitable<unknown> {
  if (contract === undefined) return () => undefined;
  const supported = Object.keys(contract.mediaTypes);
  const [first] = Object.values(contract.mediaTypes);
  const takesForms = matchType(formType, supported) !== undefined;
  const readerOf = (key: string, essence: string) => {
    const media = contract.mediaTypes[key] ?? {};
    return { media, decode: decoderOf(essence, media) };
  };
  /** Nearly every caller sends a media type exactly as it is in the spec. Then no other media type is more specific. */
  const exact = new Map(supported.filter(isBare).map((key) => [key, readerOf(key, key)]));

  return (request, bytes, problems) => {
    const contentType = request.header("content-type");
    if (bytes.byteLength === 0 && !(takesForms && isForm(contentType, supported))) {
      if (contract.required) problems.push({ in: "body", pointer: "", message: "is required" });
      return first?.complete?.(undefined);
    }
    assertNoContentCoding(request.header("content-encoding"));
    let reader = contentType === undefined ? undefined : exact.get(contentType);
    if (reader === undefined) {
      const matched = matchType(contentType ?? "application/octet-stream", supported);
      if (!matched?.isUtf8) throw new Rejection({ reason: "media_type_unsupported", supported });
      reader = readerOf(matched.key, matched.essence);
    }
    const { media, decode } = reader;
    const decoded = decode(bytes, contentType ?? "");
    return decoded instanceof Promise
      ? decoded.then((later) => validated(later, media, problems))
      : validated(decoded, media, problems);
  };
}

const formType = "application/x-www-form-urlencoded";

/** True if a media type has no parameters and no capital letters. */
function isBare(mediaType: string): boolean {
  return /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+$/.test(mediaType);
}

/** The body of a form without values is empty (URL standard, section 5.2). */
function isForm(contentType: string | undefined, supported: readonly string[]): boolean {
  return contentType !== undefined && matchType(contentType, supported)?.essence === formType;
}

/** @throws Rejection `content_coding_unsupported` if the body is compressed (RFC 9110, section 8.4) */
function assertNoContentCoding(header: string | undefined): void {
  if (header !== undefined && header.trim().toLowerCase() !== "identity")
    throw new Rejection({ reason: "content_coding_unsupported" });
}

type Decode = (bytes: Uint8Array, contentType: string) => Awaitable<Decoded>;

function decoderOf(essence: string, { fields }: MediaContract): Decode {
  switch (bodyKindOf(essence)) {
    case "json":
      return (bytes) => decodeJson(decodeUtf8(bytes));
    case "text":
      return (bytes) => ({ value: decodeUtf8(bytes) });
    case "form":
      return (bytes) => decodeForm(decodeUtf8(bytes), fields);
    case "multipart":
      return (bytes, contentType) => decodeMultipart(bytes, contentType, fields);
    case "bytes":
      return (bytes) => ({ value: "\0".repeat(bytes.byteLength), withBytes: () => bytes });
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** @throws Rejection `malformed_content` for bytes that are not UTF-8 (RFC 8259, section 8.1) */
function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Rejection({ reason: "malformed_content", problem: "encoding" });
  }
}

function decodeJson(text: string): Decoded {
  const parsed = parseJson(text);
  if ("problem" in parsed) throw new Rejection({ reason: "malformed_content", problem: parsed.problem });
  return parsed;
}

export function validated(
  { value, withBytes, problems: written = [] }: Decoded,
  media: Pick<MediaContract, "validate" | "complete">,
  problems: RequestProblem[],
  place: RequestProblem["in"] = "body",
): unknown {
  const found: Problem[] = [];
  media.validate?.(value, found);
  if (found.length === 0 && written.length === 0) {
    const completed = media.complete ? media.complete(value) : value;
    return withBytes ? withBytes(completed) : completed;
  }
  const places = new Set(written.map(({ pointer }) => pointer));
  const others = found.filter(({ pointer }) => !isWithin(places, pointer));
  for (const problem of [...written, ...others]) problems.push({ in: place, ...problem });
  return value;
}

/**
 * Checks rules for an operation's body that JSON Schema cannot express. The problems are reported together with those
 * of the schema. The body may violate the schema: only places for which `isValid` returns true are valid.
 */
export type BodyCheck = (body: unknown, isValid: IsValid) => readonly Problem[];

/** True for the JSON pointer of a place if it, the values inside it and the values around it have no problem. */
type IsValid = (pointer: string) => boolean;

/** A request can have many problems and many places, so the check of one place must not read all problems. */
export function validityOf(problems: readonly RequestProblem[]): IsValid {
  const invalid = new Set<string>();
  const aroundInvalid = new Set<string>();
  for (const problem of problems) {
    if (problem.in !== "body") continue;
    const pointer = upperLevels(problem.pointer);
    invalid.add(pointer);
    for (const place of placesAround(pointer)) {
      // If a place is in the set, all places around it are too.
      if (aroundInvalid.has(place)) break;
      aroundInvalid.add(place);
    }
  }
  return (pointer) => !aroundInvalid.has(pointer) && !isWithin(invalid, pointer);
}

/** Limits the time: the total length of the pointers around a place grows with the square of its depth. */
const mostLevels = 32;

/** The pointer, cut to at most `mostLevels` tokens. */
function upperLevels(pointer: string): string {
  let end = 0;
  for (let level = 0; level < mostLevels; level += 1) {
    end = pointer.indexOf("/", end + 1);
    if (end === -1) return pointer;
  }
  return pointer.slice(0, end);
}

/** True if one of `places` is the pointer's value or contains it. */
function isWithin(places: ReadonlySet<string>, pointer: string): boolean {
  if (places.has(pointer)) return true;
  for (const place of placesAround(pointer)) if (places.has(place)) return true;
  return false;
}

/** The pointers of the values that contain a place, innermost first. */
function* placesAround(pointer: string): Generator<string, undefined> {
  for (let end = pointer.lastIndexOf("/"); end >= 0; end = end > 0 ? pointer.lastIndexOf("/", end - 1) : -1)
    yield pointer.slice(0, end);
}
