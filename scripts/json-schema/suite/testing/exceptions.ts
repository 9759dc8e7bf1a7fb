/** Schemas that the compiler rejects (`refused`), and cases with other results even if waived (`wrong`). */
import type { SchemaRule } from "../../schema.ts";

export interface Exception {
  file: string;
  group: string;
  refused?: SchemaRule[];
  wrong?: string[];
  why: string;
}

const asserted = "A format is held to here, as callers of an API expect, while the draft leaves it a remark.";

const inexact =
  "Beyond 2^53 JavaScript reads some integers as others: they are refused rather than altered, as RFC 7493 has it.";

const exceptFormats: Exception[] = [
  "email",
  "idn-email",
  "regex",
  "ipv4",
  "ipv6",
  "idn-hostname",
  "hostname",
  "date",
  "date-time",
  "time",
  "json-pointer",
  "relative-json-pointer",
  "iri",
  "iri-reference",
  "uri",
  "uri-reference",
  "uri-template",
  "uuid",
  "duration",
].map((format) => ({
  file: "format",
  group: `${format} format`,
  wrong: [`invalid ${format} string is only an annotation by default`],
  why: asserted,
}));

const dependencies: Exception[] = Object.entries({
  "single dependency": ["missing dependency"],
  "empty dependents": [],
  "multiple dependents required": [
    "missing dependency",
    "missing other dependency",
    "missing both dependencies",
  ],
  "dependencies with escaped characters": ["CRLF missing dependent", "quoted quotes missing dependent"],
  "single schema dependency": ["wrong type", "wrong type other", "wrong type both"],
  "boolean subschemas": [
    "object with property having schema false is invalid",
    "object with both properties is invalid",
  ],
  "schema dependencies with escaped characters": [
    "quoted quote",
    "quoted tab invalid under dependent schema",
    "quoted quote invalid under dependent schema",
  ],
}).map(([group, wrong]) => ({
  file: "optional/dependencies-compatibility",
  group,
  refused: ["unsupported-keyword"],
  wrong,
  why: "`dependencies` is of older drafts; dependentRequired and dependentSchemas say the same.",
}));

const unknownKeywords: Exception[] = [
  ["optional/refOfUnknownKeyword", "reference of a root arbitrary keyword "] as const,
  ["optional/refOfUnknownKeyword", "reference of a root arbitrary keyword with encoded ref"] as const,
  ["optional/refOfUnknownKeyword", "reference of an arbitrary keyword of a sub-schema"] as const,
  [
    "optional/refOfUnknownKeyword",
    "reference of an arbitrary keyword of a sub-schema with encoded ref",
  ] as const,
  ["optional/unknownKeyword", "$id inside an unknown keyword is not a real identifier"] as const,
].map(([file, group]) => ({
  file,
  group,
  refused: ["unknown-keyword"],
  why: "A keyword that means nothing is most often one misspelt.",
}));

const defaults: Exception[] = [
  "invalid type for default",
  "invalid string value for default",
  "the default keyword does not do anything if the property is missing",
].map((group) => ({
  file: "default",
  group,
  refused: ["default-contradicts"],
  why: "A default is filled in here, so one that its own schema refuses would make a bad value of a good one.",
}));

const dialects: Exception[] = [
  {
    file: "vocabulary",
    group: "schema that uses custom metaschema with with no validation vocabulary",
    wrong: ["no validation: invalid number, but it still validates"],
  },
  { file: "vocabulary", group: "ignore unrecognized optional vocabulary" },
  {
    file: "optional/format-assertion",
    group: "schema that uses custom metaschema with format-assertion: false",
  },
  {
    file: "optional/format-assertion",
    group: "schema that uses custom metaschema with format-assertion: true",
  },
].map((exception) => ({
  ...exception,
  refused: ["malformed-keyword"],
  why: "A `$schema` of one's own changes what keywords mean, and with it what every other tool makes of the document.",
}));

export const exceptions: readonly Exception[] = [
  ...exceptFormats,
  ...dependencies,
  ...unknownKeywords,
  ...defaults,
  ...dialects,
  {
    file: "optional/bignum",
    group: "integer",
    wrong: ["a bignum is an integer", "a negative bignum is an integer"],
    why: inexact,
  },
  {
    file: "optional/float-overflow",
    group: "all integers are multiples of 0.5, if overflow is handled",
    wrong: ["valid if optional overflow handling is implemented"],
    why: inexact,
  },
  {
    file: "content",
    group: "validation of binary-encoded media type documents with schema",
    refused: ["unsupported-keyword"],
    why: "Content inside a string is not decoded, and whoever writes a contentSchema counts on it.",
  },
  {
    file: "optional/cross-draft",
    group: "refs to historic drafts are processed as historic drafts",
    refused: ["reference"],
    why: "A document of OpenAPI 3.1 holds schemas of draft 2020-12; those of older drafts cannot be bundled into it.",
  },
  {
    file: "optional/format/unknown",
    group: "unknown format",
    refused: ["unknown-format"],
    why: "A format that is not held to would be a promise that nobody keeps.",
  },
];
