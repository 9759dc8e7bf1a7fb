/**
 * The checks of Redocly. Only this file and `redocly-messages.ts` read the sentences of its messages. They may change with
 * each version, so package.json pins the version.
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
  isObject,
  type Json,
  type JsonObject,
  mapEntries,
  pointerTo,
  tokensOf,
  valueAt,
} from "./document.ts";
import { type Kind, visitKinds, withoutData, withoutSchemaReferences } from "./grammar.ts";
import { hintFor, sentenceOf } from "./redocly-messages.ts";

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
/** Fields of OpenAPI 3.2 that Redocly does not know. */
const newFields =
  /\/(?:content|mediaTypes)\/[^/]+\/description$|\/encoding\/[^/]+\/(?:encoding|prefixEncoding|itemEncoding)$/;
const unusedParameter = /^Path parameter `(.*)` is not used in the path `(.*)`\.$/s;

/** The rules for objects and the downgrade replace these. Redocly checks fewer places. */
const rules = {
  "no-example-value-and-externalValue": "off",
  "no-server-variables-empty-enum": "off",
  "spec-components-invalid-map-name": "off",
  "spec-discriminator-defaultMapping": "off",
  "spec-example-values": "off",
  "spec-no-invalid-encoding-combinations": "off",
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
  const readable = withoutSchemaReferences(withoutData(document), version !== "3.0");
  const problems = await lintDocument({
    document: { source, parsed: forRedocly(readable) },
    config,
    externalRefResolver: new OnlyThisDocument(config.resolve),
  });
  const kinds = kindsOf(document);
  return problems.flatMap((problem) => {
    const { ruleId: rule, message, location } = problem;
    const [place] = location;
    const at = place?.pointer === undefined || place.pointer === "#/" ? "" : place.pointer.slice(1);
    const pointer = at.replace(/^(\/components\/mediaTypes\/[^/]+)\/$/, "$1");
    if (problem.severity !== "error" || isMistaken(document, version, pointer, problem)) return [];
    const [meaning] = meanings.find(([, sentence]) => sentence.test(message)) ?? [];
    const isUnknown = meaning === "unknown-field";
    const kind =
      isUnknown || meaning === "wrong-form" ? kinds().get(pointer.replace(/\/[^/]*$/, "")) : undefined;
    const field = tokensOf(pointer).at(-1) ?? "";
    // Schemas may have any other keyword since OpenAPI 3.1. The reader of schemas notes it.
    if (isUnknown && version !== "3.0" && kind === "schema")
      if (nearestWord(field, problem.suggest) === undefined) return [];
    const value = valueAt(document, pointer);
    return {
      rule,
      pointer,
      message: sentenceOf(problem, value, hintFor(kind, pointer, value, isUnknown, version === "3.0")),
      onKey: place?.reportOnKey === true,
      meaning,
      first: rule === "operation-operationId-unique" ? firstWithId(document, pointer) : undefined,
    };
  });
}

/**
 * Redocly expects a map of media types in place of each of `components.mediaTypes`. Components are last, so if an
 * `operationId` is repeated, Redocly reports the one in `components`.
 */
function forRedocly(document: Json): Json {
  if (!isObject(document) || !isObject(document.components)) return document;
  const { components, ...others } = document;
  const wrapped = mapEntries(components, (section, all) =>
    section === "mediaTypes" && isObject(all)
      ? mapEntries(all, (_, each) => (isObject(each) ? { "": each } : each))
      : all,
  );
  return { ...others, components: wrapped };
}

/** The kinds of objects, by pointer. They are collected when they are needed first. */
function kindsOf(document: JsonObject): () => ReadonlyMap<string, Kind> {
  const found = new Map<string, Kind>();
  return () => {
    if (found.size === 0) visitKinds("document", document, (kind, _, pointer) => found.set(pointer, kind));
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
  // Path items that nothing refers to are no part of the API. The others were checked where they are used.
  if (ruleId === "operation-operationId-unique" && pointer.startsWith("/components/pathItems/")) return true;
  // `true` and `false` are schemas (JSON Schema 2020-12 core, section 4.3.2), but Redocly expects objects.
  if (wantedSchema.test(message)) return version !== "3.0" && typeof valueAt(document, pointer) === "boolean";
  // Redocly expects a string, but this keyword is an object (JSON Schema 2020-12 core, section 8.1.2).
  if (pointer.endsWith("/$vocabulary")) return isObject(valueAt(document, pointer));
  // The key of a callback has expressions, not parameters.
  if (/^The operation does not define the path/.test(message) && pointer.includes("/callbacks/")) return true;
  if (version === "3.2" && isNew(document, pointer, message)) return true;
  // A scheme without a type is reported itself.
  if (/ is not allowed here\.$/.test(message))
    return valueAt(document, pointer.replace(/\/[^/]*$/, "/type")) === undefined;
  // Redocly does not recognise names such as `naïve` or `x y` in a path.
  const [, name, path] = unusedParameter.exec(message) ?? [];
  if (path === undefined) return false;
  return (
    path.includes(`{${name}}`) || valueAt(document, pointerTo("/components/pathItems", path)) !== undefined
  );
}

/** True for what OpenAPI 3.2 has, but not Redocly: responses without a description, a style and fields. */
function isNew(document: JsonObject, pointer: string, message: string): boolean {
  if (message.startsWith("The field `description` must be present")) return true;
  if (pointer.endsWith("/style") && valueAt(document, pointer) === "cookie") return true;
  return / is not expected here\.$/.test(message) && newFields.test(pointer);
}

/** @param pointer ends with an `operationId` that occurred before */
function firstWithId(document: JsonObject, pointer: string): string | undefined {
  const id = tokensOf(pointer).at(-1);
  const ids = entriesOf(document.paths).flatMap(([path, item]) =>
    entriesOf(item).map(([method]) => pointerTo("/paths", path, method, "operationId")),
  );
  return ids.find((each) => valueAt(document, each) === id);
}
