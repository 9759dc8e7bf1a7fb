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
import {
  entriesOf,
  isComponent,
  isObject,
  type JsonObject,
  pointerTo,
  tokensOf,
  valueAt,
} from "./document.ts";
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

/** The fix of a problem, for those rules whose messages do not contain it. */
const remedies: { readonly [rule: string]: string } = {
  "no-duplicated-tag-names": "Keep one of them.",
  "no-identical-paths": "Merge them into one.",
  "no-undefined-server-variable": "Define it under `variables`.",
  "operation-parameters-unique": "Keep one of them.",
  "path-parameters-defined": "Correct the name, or declare it under `parameters`, with `in: path`.",
};

/** The downgrade has removed every `defaultMapping`. */
const rules = {
  "no-example-value-and-externalValue": "off",
  "no-server-variables-empty-enum": "error",
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
      message: withRemedy(problem, meaning),
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
  { ruleId, message }: NormalizedProblem,
): boolean {
  // `true` and `false` are schemas (JSON Schema 2020-12 core, section 4.3.2), but Redocly expects objects.
  if (wantedSchema.test(message)) return version !== "3.0" && typeof valueAt(document, pointer) === "boolean";
  // Redocly expects a string, but this keyword is an object (JSON Schema 2020-12 core, section 8.1.2).
  if (pointer.endsWith("/$vocabulary")) return isObject(valueAt(document, pointer));
  // Redocly checks the names of `$defs` as if they were components.
  if (ruleId === "spec-components-invalid-map-name") return !isComponent(pointer);
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

function withRemedy({ ruleId, message, suggest }: NormalizedProblem, meaning: Meaning | undefined): string {
  const [suggestion] = suggest;
  if (suggestion !== undefined) return `${message} Did you mean ${suggestion}?`;
  if (meaning === "unknown-field") return `${message} Remove it, or correct its name or its place.`;
  if (message.startsWith("Expected type")) return `${message.replace(/\.?$/, ".")} Correct it, or remove it.`;
  return `${message} ${remedies[ruleId] ?? ""}`.trimEnd();
}
