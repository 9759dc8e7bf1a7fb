/** Makes mutants of any spec. Each changes one place, given by its JSON pointer. */
import { type Document, isMap, parseDocument } from "yaml";
import { type Json, pointerTo, tokensOf, valueAt } from "../../toolkit/openapi/document.ts";
import { DriftError, type Mutant, sampled } from "./mutant.ts";

export const specFile = "spec/openapi.yaml";

type Edit =
  | { readonly remove: true }
  | { readonly set: Json }
  | { readonly rename: string }
  | { readonly put: string; readonly value: Json };
type Operator = readonly [at: RegExp, edit: (value: Json, key: string) => Edit | undefined];

const ofEachOperator = 3;

export function specMutants(text: string): Mutant[] {
  const document = specDocument(text);
  const places = [...placesIn(document.toJS())];
  const edits = Object.entries(operators).flatMap(([operator, [at, edit]]) => {
    const found = places.flatMap(({ pointer, key, value }) => {
      const found = at.test(pointer) ? edit(value, key) : undefined;
      return found === undefined ? [] : [{ pointer, key, value, edit: found }];
    });
    return sampled(found, ofEachOperator).map(({ pointer, key, value, edit }) => {
      const title = titleOf(key, value, edit);
      return mutant(operator, pointer, title, () => edited(document, pointer, edit));
    });
  });
  const names = places.flatMap(({ pointer }) => /\/properties\/(\w+_\w+)$/.exec(pointer)?.[1] ?? []);
  const renames = sampled([...new Set(names)], ofEachOperator).map((name) =>
    mutant("rename-throughout", name, `property ${name} becomes ${name}_renamed everywhere`, () =>
      text.replaceAll(new RegExp(`\\b${name}\\b`, "g"), `${name}_renamed`),
    ),
  );
  return [...edits, ...renames];
}

/** Changes only the version, to a higher one. All gates must pass, because other mutants include this change. */
export function raisedVersion(text: string): Mutant {
  const title = "the spec with a higher version";
  return mutant("raise-version", "/info/version", title, () => withVersion(text, "99.0.0"));
}

export function withVersion(text: string, version: string): string {
  return edited(specDocument(text), "/info/version", { set: version });
}

function mutant(operator: string, place: string, title: string, text: () => string): Mutant {
  return { id: `spec:${operator}:${place}`, target: "spec", operator, title, file: specFile, text };
}

function specDocument(text: string): Document {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) throw new DriftError(`the spec is not YAML: ${error.message}`);
  return document;
}

interface Place {
  readonly pointer: string;
  readonly key: string;
  readonly value: Json;
}

function* placesIn(parent: Json, pointer = ""): Iterable<Place> {
  if (typeof parent !== "object" || parent === null) return;
  for (const [key, value] of Object.entries(parent)) {
    const at = pointerTo(pointer, key);
    yield { pointer: at, key, value };
    // Examples are skipped, because their values may have keys that look like keywords.
    if (!/\/examples?\/[^/]+$/.test(at)) yield* placesIn(value, at);
  }
}

function titleOf(key: string, value: Json, edit: Edit): string {
  if ("remove" in edit) return `${/^\d+$/.test(key) ? JSON.stringify(value) : key} is removed`;
  if ("rename" in edit) return `${key} becomes ${edit.rename}`;
  if ("put" in edit) return `${key} gets ${typeof edit.value === "string" ? edit.value : edit.put}`;
  return `${key} ${JSON.stringify(value)} becomes ${JSON.stringify(edit.set)}`;
}

function edited(document: Document, pointer: string, edit: Edit): string {
  const copy = document.clone();
  const tokens = tokensOf(pointer);
  if ("remove" in edit) copy.deleteIn(tokens);
  else if ("set" in edit) copy.setIn(tokens, copy.createNode(edit.set, { flow: true }));
  else if ("put" in edit) copy.setIn([...tokens, edit.put], copy.createNode(edit.value));
  else {
    const map = copy.getIn(tokens.slice(0, -1));
    const pair = isMap(map) ? map.items.find(({ key }) => String(key) === tokens.at(-1)) : undefined;
    if (pair !== undefined) pair.key = copy.createNode(edit.rename);
  }
  // Other tests apply patches to the spec, so its style matters.
  return copy.toString({ lineWidth: 0 }).replaceAll(/\[ ([\w,. ]*) \]/g, "[$1]");
}

const operation = /^\/paths\/[^/]+\/(?:get|put|post|delete|patch)$/;
const remove: Operator[1] = () => ({ remove: true });
const addedParameter = {
  name: "added",
  in: "query",
  required: true,
  description: "Added.",
  schema: { type: "integer" },
  examples: { one: { summary: "One.", value: 1 }, two: { summary: "Two.", value: 2 } },
};

const operators: Readonly<Record<string, Operator>> = {
  "remove-property": [/\/properties\/[^/]+$/, remove],
  "add-property": [
    /\/properties$/,
    () => ({ put: "added", value: { description: "Added.", type: "string", minLength: 1 } }),
  ],
  "drop-required": [/\/required\/\d+$/, remove],
  "admit-null": [/\/type$/, (type) => (typeof type === "string" ? { set: [type, "null"] } : undefined)],
  "change-bound": [
    /\/(?:max|min)(?:Items|Length|Properties|imum)$/,
    (bound) => (typeof bound === "number" ? { set: bound + 1 } : undefined),
  ],
  "drop-constraint": [/\/(?:additionalProperties|const|enum|format|pattern|x-sensitive)$/, remove],
  "change-default": [/\/default$/, (value) => (typeof value === "boolean" ? { set: !value } : undefined)],
  "add-default": [/\/password$/, () => ({ put: "default", value: "1234" })],
  "add-enum-value": [
    /\/enum$/,
    (values) => ({ put: String(Object.keys(values ?? {}).length), value: "added" }),
  ],
  "rename-operation": [/(?<!\/query)\/operationId$/, (id) => ({ set: `${id}Now` })],
  "change-method": [operation, (_, method) => ({ rename: method === "post" ? "put" : "post" })],
  "change-path": [/^\/paths\/[^/]+$/, (_, path) => ({ rename: `${path}x` })],
  "add-operation": [
    /^\/paths\/[^/]+$/,
    (path) => {
      const value = Object.values(path ?? {}).find((each) => valueAt(each, "/operationId") !== undefined);
      return { put: "patch", value: { ...value, operationId: `${valueAt(value, "/operationId")}Again` } };
    },
  ],
  "remove-operation": [/^\/paths\/[^/]+$/, remove],
  "drop-twin": [/\/x-twin-of$/, remove],
  "drop-security": [/^\/paths\/[^/]+\/\w+\/security$/, () => ({ set: [{}] })],
  "drop-alternative": [/^\/paths\/[^/]+\/\w+\/security\/\d+$/, remove],
  "drop-role": [/\/security\/\d+\/[^/]+\/0$/, remove],
  "change-scheme": [/\/securitySchemes\/[^/]+\/scheme$/, () => ({ set: "basic" })],
  "change-prefix": [/\/x-secret-prefix$/, () => ({ set: "sec_" })],
  "drop-body": [/\/requestBody$/, remove],
  "change-body": [/\/(?:requestBody|requestBodies\/[^/]+)\/required$/, (required) => ({ set: !required })],
  "change-media-type": [/\/content\/[^/]+$/, () => ({ rename: "text/plain" })],
  "change-parameter": [/\/parameters\/\d+\/in$/, () => ({ set: "query" })],
  "add-parameter": [operation, () => ({ put: "parameters", value: [addedParameter] })],
  "change-status": [/\/responses\/[2-5]\d\d$/, (_, status) => ({ rename: `${status.charAt(0)}18` })],
  "remove-response": [/\/responses\/[2-5]\d\d$/, remove],
  "add-response": [
    /^\/paths\/.*\/responses$/,
    (responses) => ({
      put: "418",
      value: Object.entries(responses ?? {}).find(([status]) => /^4/.test(status))?.[1],
    }),
  ],
  "remove-header": [/\/headers\/[^/]+$/, remove],
  "optional-header": [/^\/components\/headers\/[^/]+\/required$/, () => ({ set: false })],
  "remove-example": [/\/examples\/[^/]+$/, remove],
  "lower-version": [/^\/info\/version$/, () => ({ set: "0.9.0" })],
};
