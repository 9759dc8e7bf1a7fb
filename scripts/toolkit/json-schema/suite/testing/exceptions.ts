/** The cases of the suite that are not supported, with the reason. */
import { formats } from "../../formats.ts";
import type { Outcome } from "./outcomes.ts";

interface Exception {
  why: string;
  /** The groups of each file. */
  groups: { readonly [file: string]: readonly string[] };
  /** The cases whose result differs. If the schema is rejected, results are ignored. */
  wrong?: string[];
  /** The rules that reject the schema. */
  rejected?: string[];
}

const suiteFormats = Object.keys(formats).filter((name) => formats[name]?.helper && name !== "byte");

const exceptions: readonly Exception[] = [
  ...suiteFormats.map((format) => ({
    why: "Formats are enforced, as callers of an API expect. In the draft they are annotations.",
    groups: { format: [`${format} format`] },
    wrong: [`invalid ${format} string is only an annotation by default`],
  })),
  {
    why: "`dependencies` is a keyword of older drafts. dependentRequired and dependentSchemas replace it.",
    groups: {
      "optional/dependencies-compatibility": [
        "single dependency",
        "empty dependents",
        "multiple dependents required",
        "dependencies with escaped characters",
        "single schema dependency",
        "boolean subschemas",
        "schema dependencies with escaped characters",
      ],
    },
    rejected: ["unsupported-keyword"],
  },
  {
    why: "Defaults are filled in, so a default that its schema rejects would make a valid value invalid.",
    groups: {
      default: [
        "invalid type for default",
        "invalid string value for default",
        "the default keyword does not do anything if the property is missing",
      ],
    },
    rejected: ["default-contradicts"],
  },
  {
    why: "A schema that no value satisfies is most often a mistake.",
    groups: { enum: ["empty enum"] },
    rejected: ["impossible"],
  },
  {
    why: "A dialect with another `$schema` changes what the keywords mean.",
    groups: {
      vocabulary: [
        "schema that uses custom metaschema with with no validation vocabulary",
        "ignore unrecognized optional vocabulary",
      ],
      "optional/format-assertion": [
        "schema that uses custom metaschema with format-assertion: false",
        "schema that uses custom metaschema with format-assertion: true",
      ],
    },
    rejected: ["malformed-keyword", "reference"],
  },
  {
    why: "JavaScript rounds some integers beyond 2^53. They are rejected instead of changed (RFC 7493, section 2.2).",
    groups: { "optional/bignum": ["integer"] },
    wrong: ["a bignum is an integer", "a negative bignum is an integer"],
  },
  {
    why: "JavaScript rounds some integers beyond 2^53. They are rejected instead of changed (RFC 7493, section 2.2).",
    groups: { "optional/float-overflow": ["all integers are multiples of 0.5, if overflow is handled"] },
    wrong: ["valid if optional overflow handling is implemented"],
  },
  {
    why: "The content of a string is not decoded, so a contentSchema cannot be enforced.",
    groups: { content: ["validation of binary-encoded media type documents with schema"] },
    rejected: ["unsupported-keyword"],
  },
  {
    why: "Schemas in OpenAPI 3.1 are of draft 2020-12. Those of older drafts cannot be bundled with them.",
    groups: { "optional/cross-draft": ["refs to historic drafts are processed as historic drafts"] },
    rejected: ["reference"],
  },
];

/** In the form of `foundExceptions`. */
export function listedExceptions(file: string): string[] {
  return foundExceptions(
    exceptions.flatMap(({ groups, wrong = [], rejected = [] }) =>
      (groups[file] ?? []).map((group) => ({ group, wrong, rejected })),
    ),
  );
}

export function foundExceptions(outcomes: readonly Omit<Outcome, "cases">[] = []): string[] {
  return outcomes
    .filter(({ rejected, wrong }) => rejected.length > 0 || wrong.length > 0)
    .map(({ group, rejected, wrong }) =>
      rejected.length > 0 ? `${group}: rejected by ${rejected.toSorted()}` : `${group}: ${wrong}`,
    )
    .toSorted();
}
