import { nearestWord } from "#specbind/nearest-word";

interface Format {
  /** Missing if the format is not validated. */
  applies?: "string" | "number";
  /** The value may also be a string, which is not validated. */
  orText?: true;
  /** The format says how a value is shown or sent, and restricts no value. */
  isHint?: true;
  /** The name of a function or regular expression in `runtime/`. */
  helper?: string;
  /** Completes the message "must be …". */
  noun: string;
}

const text = (helper: string, noun: string): Format => ({ applies: "string", helper, noun });
const integer = (noun: string): Format => ({ applies: "number", noun: `an integer ${noun}` });
const annotation: Format = { noun: "" };
const hint: Format = { noun: "", isHint: true };

/** The formats of JSON Schema 2020-12 and of the OpenAPI format registry. */
export const formats: Record<string, Format> = {
  "date-time": text("formatDateTime", "a valid date-time"),
  date: text("formatDate", "a valid date"),
  time: text("formatTime", "a valid time"),
  duration: text("formatDuration", "a valid duration"),
  uuid: text("formatUuid", "a valid uuid"),
  email: text("formatEmail", "a valid email address"),
  "idn-email": text("formatIdnEmail", "a valid email address"),
  uri: text("formatUri", "a valid uri"),
  "uri-reference": text("formatUriReference", "a valid uri reference"),
  "uri-template": text("formatUriTemplate", "a valid uri template"),
  iri: text("formatIri", "a valid iri"),
  "iri-reference": text("formatIriReference", "a valid iri reference"),
  hostname: text("formatHostname", "a valid hostname"),
  "idn-hostname": text("formatIdnHostname", "a valid hostname"),
  ipv4: text("formatIpv4", "a valid IPv4 address"),
  ipv6: text("formatIpv6", "a valid IPv6 address"),
  "json-pointer": text("formatJsonPointer", "a valid JSON pointer"),
  "relative-json-pointer": text("formatRelativeJsonPointer", "a valid relative JSON pointer"),
  regex: text("formatRegex", "a valid regular expression"),
  byte: text("formatByte", "valid base64"),
  int8: integer("of 8 bits"),
  uint8: integer("from 0 to 255"),
  int16: integer("of 16 bits"),
  uint16: integer("from 0 to 65535"),
  int32: integer("of 32 bits"),
  uint32: integer("from 0 to 4294967295"),
  // A double represents only integers in this range exactly.
  int64: { ...integer(`from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`), orText: true },
  uint64: { ...integer(`from 0 to ${Number.MAX_SAFE_INTEGER}`), orText: true },
  "double-int": integer(`from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`),
  float: { applies: "number", noun: "a number of single precision" },
  double: { applies: "number", noun: "a finite number" },
  password: hint,
  binary: hint,
  base64url: annotation,
  char: annotation,
  commonmark: hint,
  "date-time-local": annotation,
  decimal: annotation,
  decimal128: annotation,
  html: hint,
  "http-date": annotation,
  "ipv4-cidr": annotation,
  "ipv6-cidr": annotation,
  language: annotation,
  "media-range": annotation,
  "sf-binary": annotation,
  "sf-boolean": annotation,
  "sf-decimal": annotation,
  "sf-integer": annotation,
  "sf-string": annotation,
  "sf-token": annotation,
  "time-local": annotation,
  unixtime: annotation,
};

/** False for a format that restricts values of the type, and is not validated. */
export function isEnforced(name: string, type: unknown): boolean {
  const { applies, orText, isHint } = (Object.hasOwn(formats, name) ? formats[name] : undefined) ?? {};
  return isHint === true || (applies !== undefined && !(orText && [type].flat().includes("string")));
}

/** The enforced format that was probably meant. */
export function formatMeantBy(name: string, mostLetters?: number): string | undefined {
  const enforced = Object.entries(formats).filter(
    ([known, { applies }]) => applies !== undefined || known === "binary",
  );
  return nearestWord(
    name,
    enforced.map(([known]) => known),
    mostLetters,
  );
}
