/** The formats that are validated, the types that they apply to, and their words in messages. */

interface Format {
  /** Absent if nothing is validated. */
  applies?: "string" | "number";
  /** A function or regular expression of `runtime/`. */
  helper?: string;
  /** Follows "must be". */
  noun: string;
}

const text = (helper: string, noun: string): Format => ({ applies: "string", helper, noun });

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
  int32: { applies: "number", noun: "an integer of 32 bits" },
  // A double represents only these exactly.
  int64: {
    applies: "number",
    noun: `an integer from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`,
  },
  float: { applies: "number", noun: "a number of single precision" },
  double: { applies: "number", noun: "a finite number" },
  password: { noun: "a password" },
  binary: { noun: "binary data" },
};
