/**
 * The checks of Redocly. Only this file reads the sentences of its messages. They may change with each version, so
 * package.json pins the version.
 */

import {
  BaseResolver,
  createConfig,
  lintDocument,
  type NormalizedProblem,
  ResolveError,
  type Source,
} from "@redocly/openapi-core";
import { nearestWord } from "#specbind/nearest-word";
import { entriesOf, isObject, type JsonObject, pointerTo, tokensOf, valueAt } from "./document.ts";
import { visitKinds, withoutData, withoutSchemaReferences } from "./grammar.ts";

export type OpenApiVersion = "3.0" | "3.1" | "3.2";

export interface OpenApiProblem {
  readonly rule: string;
  readonly pointer: string;
  /** The problem and its fix. */
  readonly message: string;
  /** True if the key is wrong, not the value. */
  readonly onKey: boolean;
  /** What later stages must know about the problem. */
  readonly meaning: Meaning | undefined;
  /** The first place with the same `operationId`. */
  readonly first: string | undefined;
}

type Meaning = "unknown-field" | "wrong-form" | "missing-path-parameter";

const meanings: readonly (readonly [Meaning, RegExp])[] = [
  ["unknown-field", /is not expected here\.$/],
  ["wrong-form", /^Expected type|can be one of the following only/],
  ["missing-path-parameter", /^The operation does not define the path parameter/],
];
const wantedSchema = /^Expected type `Schema` \(object\)/;
const unusedParameter = /^Path parameter `(.*)` is not used in the path `(.*)`\.$/s;

/** Messages that name no fix, or that need knowledge of Redocly, with what is said instead. */
const sentences: readonly (readonly [said: RegExp, instead: string])[] = [
  [/ is not expected here\.$/, "$& Remove it, or correct its name or its place."],
  [
    /^Expected type (?:`\w+` \((\w+)\)|`(\w+)`) but got `(\w+)`\.?$/,
    "This must be of the type `$1$2`, not `$3`. Correct it, or remove it.",
  ],
  [/^(`\w+`) can be one of the following only: (.*)\.$/s, "$1 must be one of $2. Write one of them."],
  [/^The field (`\w+`) must be present on this level\.$/, "The field $1 is missing. Add it."],
  [
    /^Must contain at least one of the following fields: (.*)\.$/,
    "One of these fields is needed: $1. Add it.",
  ],
  [
    /^(The field `\w+` is not allowed here)\.$/,
    "$1, because `type` has another value. Remove it, or correct `type`.",
  ],
  [
    /^The value of the (\w+) field must be greater than or equal to (\d+)$/,
    "`$1` must be at least $2. Correct it.",
  ],
  [/^Duplicate tag name found: '(.*)'\.$/s, "There are two tags `$1`. Keep one of them."],
  [
    /^The path already exists which differs only by path parameter name\(s\): (`.*` and `.*`)\.$/s,
    "$1 are the same path, because only the names of their parameters differ. Merge them into one.",
  ],
  [
    /^(?:Operation|Path)s must have unique `name` \+ `in` parameters\.\s+Repeats of `in:(\w+)` \+ `name:(.*)`\.$/s,
    "There are two parameters `$2` with `in: $1`. Keep one of them.",
  ],
  [
    /^The operation does not define the path parameter (`.*`) expected by path (`.*`)\.$/s,
    "The path $2 has $1, but the operation has no such parameter. Correct the name, or declare it under `parameters`, with `in: path`.",
  ],
  [
    /^Path parameter (`.*`) is not used in the path (`.*`)\.$/s,
    "The path $2 does not have the parameter $1. Correct the name, or remove the parameter.",
  ],
  [
    /^Path parameter declarations must be non-empty.*$/s,
    "`{}` in a path needs a name. Write one, such as `{id}`.",
  ],
  [
    /^Don't put query string items in the path.*$/s,
    "A path has no query. Remove it from `?` on, and declare its parameters with `in: query`.",
  ],
  [/^The (`.*`) variable is not defined .*$/s, "The URL has the variable $1. Define it under `variables`."],
  [
    /^The (`.*`) variable is not used .*$/s,
    "The URL does not have the variable $1. Use it there, or remove it here.",
  ],
  [
    /^Server variable with `enum` must be .*$/,
    "The `enum` of a server variable is empty. Add its values, or remove it.",
  ],
  [
    /^Server variable define `enum` and `default`.*$/,
    "The `default` of a server variable is not in its `enum`. Add it there, or change it.",
  ],
  [
    /^Property (`.*`) is not expected here because it is defined alongside `\$ref`\.$/s,
    "$1 has no effect next to `$ref`. Remove it, or move it to the target of the reference.",
  ],
  [
    /^Circular reference detected .* for tag '(.*)'\.$/s,
    "The tag `$1` is above itself. Remove one `parent`.",
  ],
  [
    /^Tag parent '(.*)' is not defined .*$/s,
    "There is no tag `$1`. Correct the name, or add the tag to `tags`.",
  ],
  [
    /^The map key in (\w+) "(.*)" does not match .*$/s,
    "The name `$2` in `$1` may have only letters, digits, `.`, `-` and `_`. Rename it.",
  ],
  [
    /^Parameters with `in: query(?:string)?` cannot be used together .*$/,
    "An operation with a parameter `in: querystring` cannot have others `in: query`. Keep one kind.",
  ],
  [
    /^Parameters with `in: querystring` should be defined only once .*$/,
    "An operation can have only one parameter `in: querystring`. Keep one of them.",
  ],
];

/** The rules for objects replace these. Redocly checks fewer places. */
const rules = {
  "no-example-value-and-externalValue": "off",
  "no-server-variables-empty-enum": "off",
  "spec-components-invalid-map-name": "off",
  "spec-discriminator-defaultMapping": "off",
} as const;
/** The upgrade ignores siblings of `$ref`, as 3.0 does. It accepts `nullable` without a type. */
const rulesOf30 = {
  ...rules,
  "nullable-type-sibling": "off",
  "spec-ref-siblings": "off",
} as const;

/** The document is bundled, so any other reference is an error. */
class OnlyThisDocument extends BaseResolver {
  override loadExternalRef(): Promise<Source> {
    throw new ResolveError(
      new Error("a reference to a file is not possible here; move its target into this file"),
    );
  }
}

/**
 * @param source the text of the document's main file
 * @param onlyTypes checks only the fields of objects and their types
 * @throws an error of any type if a rule does not expect the type of a value. Checks with `onlyTypes` have no such rule
 */
export async function problemsOf(
  document: JsonObject,
  source: Source,
  version: OpenApiVersion,
  onlyTypes: boolean,
): Promise<OpenApiProblem[]> {
  const checks = onlyTypes
    ? ({ rules: { struct: "error" } } as const)
    : { extends: ["spec"], rules: version === "3.0" ? rulesOf30 : rules };
  const config = await createConfig({ ...checks, telemetry: "off" });
  const problems = await lintDocument({
    document: { source, parsed: withoutSchemaReferences(withoutData(document)) },
    config,
    externalRefResolver: new OnlyThisDocument(config.resolve),
  });
  const schemas = schemasOf(document);
  return problems.flatMap((problem) => {
    const { ruleId: rule, message, location } = problem;
    const [place] = location;
    const pointer = place?.pointer === undefined || place.pointer === "#/" ? "" : place.pointer.slice(1);
    if (problem.severity !== "error" || isMistaken(document, version, pointer, problem)) return [];
    const [meaning] = meanings.find(([, sentence]) => sentence.test(message)) ?? [];
    // Schemas may have any other keyword since OpenAPI 3.1. The reader of schemas notes it.
    if (meaning === "unknown-field" && version !== "3.0" && schemas().has(pointer.replace(/\/[^/]*$/, "")))
      if (nearestWord(tokensOf(pointer).at(-1) ?? "", problem.suggest) === undefined) return [];
    return {
      rule,
      pointer,
      message: sentenceOf(problem),
      onKey: place?.reportOnKey === true,
      meaning,
      first: rule === "operation-operationId-unique" ? firstWithId(document, pointer) : undefined,
    };
  });
}

/** The pointers of the schemas. They are collected when they are needed first. */
function schemasOf(document: JsonObject): () => ReadonlySet<string> {
  let pointers: Set<string> | undefined;
  return () => {
    if (pointers !== undefined) return pointers;
    const found = new Set<string>();
    visitKinds("document", document, (kind, _, pointer) => {
      if (kind === "schema") found.add(pointer);
    });
    pointers = found;
    return found;
  };
}

/** True if the document is valid at this place. */
function isMistaken(
  document: JsonObject,
  version: OpenApiVersion,
  pointer: string,
  { message }: NormalizedProblem,
): boolean {
  // `true` and `false` are schemas (JSON Schema 2020-12 core, section 4.3.2), but Redocly expects objects.
  if (wantedSchema.test(message)) return version !== "3.0" && typeof valueAt(document, pointer) === "boolean";
  // Redocly expects a string, but this keyword is an object (JSON Schema 2020-12 core, section 8.1.2).
  if (pointer.endsWith("/$vocabulary")) return isObject(valueAt(document, pointer));
  // The key of a callback has expressions, not parameters.
  if (/^The operation does not define the path/.test(message) && pointer.includes("/callbacks/")) return true;
  // A scheme without a type is reported itself.
  if (/ is not allowed here\.$/.test(message))
    return valueAt(document, pointer.replace(/\/[^/]*$/, "/type")) === undefined;
  // Redocly does not recognise names such as `naïve` or `x y` in a path.
  const [, name, path] = unusedParameter.exec(message) ?? [];
  return path?.includes(`{${name}}`) === true;
}

/** @param pointer ends with an `operationId` that occurred before */
function firstWithId(document: JsonObject, pointer: string): string | undefined {
  const id = tokensOf(pointer).at(-1);
  const ids = entriesOf(document.paths).flatMap(([path, item]) =>
    entriesOf(item).map(([method]) => pointerTo("/paths", path, method, "operationId")),
  );
  return ids.find((each) => valueAt(document, each) === id);
}

/** The problem and its fix. */
export function sentenceOf({ message, suggest: [nearest] }: NormalizedProblem): string {
  const [said = "", instead = ""] = sentences.find(([said]) => said.test(message)) ?? [];
  if (nearest === undefined) return message.replace(said, instead);
  return `${message.replace(said, instead).replace(/ (?:Remove it, or correct|Write one of them).*$/, "")} Did you mean ${nearest}?`;
}
