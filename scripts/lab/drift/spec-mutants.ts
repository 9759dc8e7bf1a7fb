/** Mutants of any spec. Each changes one place, found by the grammar. */
import {
  entriesOf,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  pointerTo,
  tokensOf,
  valueAt,
} from "../../openapi/document.ts";
import type { Mutant } from "./mutant.ts";
import { add, type Edit, edited, prepend, remove, rename, set, specDocument } from "./spec-edits.ts";
import { type Site, type SpecSites, sitesOf } from "./spec-sites.ts";

export const specFile = "spec/openapi.yaml";

type SiteEdit = readonly [pointer: string, title: string, ...edits: Edit[]];
type Operator = (sites: SpecSites, document: Json) => Iterable<SiteEdit>;

export function specMutants(text: string): Mutant[] {
  const document = specDocument(text);
  const value: Json = document.toJS();
  const sites = sitesOf(value);
  return Object.entries(operators).flatMap(([operator, find]) =>
    [...find(sites, value)].map(([pointer, title, ...edits]) => {
      const id = `spec:${operator}:${pointer}`;
      const text = (): string => edited(document, ...edits);
      return { id, target: "spec", operator, title, file: specFile, text };
    }),
  );
}

/** A higher version and no other change. Other mutants may include it, so it must pass. */
export function raisedVersion(text: string): Mutant {
  const changed = (): string => edited(specDocument(text), set("/info/version", "99.0.0"));
  const title = "the spec with a higher version";
  const id = "spec:raise-version:/info/version";
  return { id, target: "spec", operator: "raise-version", title, file: specFile, text: changed };
}

/** Each site that has the keyword, with the keyword's value and pointer. */
function* having(sites: readonly Site[], keyword: string) {
  for (const { pointer, value } of sites) {
    const current = value[keyword];
    if (current !== undefined) yield { owner: pointer, value, current, at: pointerTo(pointer, keyword) };
  }
}

/** Replaces a keyword's value in each schema that has it, unless `other` returns undefined. */
function* rewritten(
  { schemas }: SpecSites,
  keyword: string,
  other: (value: Json, schema: JsonObject) => Json | undefined,
): Iterable<SiteEdit> {
  for (const { at, current, value } of having(schemas, keyword)) {
    const next = other(current, value);
    if (next === undefined) continue;
    yield [at, `${keyword} ${JSON.stringify(current)} becomes ${JSON.stringify(next)}`, set(at, next)];
  }
}

const lowerBounds = ["minLength", "minItems", "minimum", "minProperties"];
const upperBounds = ["maxLength", "maxItems", "maximum", "maxProperties"];

/** Moves each bound by one: inwards if it tightens, else outwards. */
function* movedBounds(sites: SpecSites, tightens: boolean): Iterable<SiteEdit> {
  for (const keyword of [...lowerBounds, ...upperBounds])
    yield* rewritten(sites, keyword, (bound) => {
      if (typeof bound !== "number") return undefined;
      const moved = bound + (lowerBounds.includes(keyword) === tightens ? 1 : -1);
      const isExact = Number.isSafeInteger(Math.ceil(moved));
      return isExact && (moved >= 0 || keyword === "minimum") ? moved : undefined;
    });
}

/** `item` is the property's name in `required`, or the whole list if it has no other names. */
function* propertiesOf({ schemas }: SpecSites) {
  for (const { pointer: owner, value } of schemas) {
    const required = listOf(value.required);
    const list = pointerTo(owner, "required");
    for (const [name] of entriesOf(value.properties)) {
      const index = required.indexOf(name);
      const item = required.length === 1 ? list : pointerTo(list, index);
      const pointer = pointerTo(owner, "properties", name);
      yield { name, pointer, list, item, index, isRequired: index >= 0, hasList: required.length > 0 };
    }
  }
}

function* renamedProperties(sites: SpecSites, document?: Json): Iterable<SiteEdit> {
  const properties = [...propertiesOf(sites)];
  for (const { name, pointer, list, index, isRequired } of properties) {
    const isShared = properties.filter((each) => each.name === name).length > 1;
    const other = `${name}_renamed`;
    const edits = [rename(pointer, other), ...(isRequired ? [set(pointerTo(list, index), other)] : [])];
    const title = `property ${name} becomes ${other}`;
    if (document === undefined) {
      yield [pointer, title, ...edits];
      continue;
    }
    const uses = [...examplesOf(sites, document)].flatMap((example) => [...keysNamed(name, example)]);
    // A shared name in an example may belong to another property.
    if (isShared || uses.length === 0) continue;
    yield [pointer, `${title}, in the examples too`, ...edits, ...uses.map((use) => rename(use, other))];
  }
}

function* examplesOf({ examples, schemas }: SpecSites, document: Json): Iterable<Site<Json>> {
  for (const { pointer } of entriesIn(examples)) {
    const at = pointerTo(pointer, "value");
    const value = valueAt(document, at);
    if (value !== undefined) yield { pointer: at, value };
  }
  for (const { pointer, value } of schemas)
    if (value.examples !== undefined)
      yield { pointer: pointerTo(pointer, "examples"), value: value.examples };
}

function* keysNamed(name: string, { pointer, value }: Site<Json>): Iterable<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    const at = pointerTo(pointer, key);
    // Inner keys first, because a renamed key changes their pointers.
    yield* keysNamed(name, { pointer: at, value: part });
    if (key === name && !Array.isArray(value)) yield at;
  }
}

function* entriesIn(maps: readonly Site[]) {
  for (const map of maps)
    for (const [key, value] of entriesOf(map.value))
      yield { key, value, pointer: pointerTo(map.pointer, key) };
}

const pathOf = (pointer: string): string => tokensOf(pointer)[1] ?? "";

const addedSchema = { description: "Added.", type: "string", minLength: 1 };
const addedParameter = {
  name: "added",
  in: "query",
  required: true,
  description: "Added.",
  schema: { type: "integer" },
  examples: { one: { summary: "One.", value: 1 }, two: { summary: "Two.", value: 2 } },
};

const constraints = ["pattern", "format", "const", "enum", "additionalProperties", "default", "x-sensitive"];

const otherTypes: Readonly<Record<string, string>> = {
  string: "integer",
  integer: "string",
  number: "string",
  boolean: "string",
  array: "object",
  object: "array",
};

const otherConstraints: Readonly<Record<string, (value: Json) => Json>> = {
  pattern: (value) => `^x${String(value).replace(/^\^/, "")}`,
  format: (value) => (value === "date-time" ? "uuid" : "date-time"),
  const: (value) =>
    typeof value === "boolean" ? !value : typeof value === "number" ? value + 10 : `${String(value)}-x`,
  additionalProperties: (value) => !value,
  "x-sensitive": (value) => !value,
};

const operators: Readonly<Record<string, Operator>> = {
  "rename-property": (sites) => renamedProperties(sites),
  "rename-throughout": (sites, document) => renamedProperties(sites, document),
  *"remove-property"(sites) {
    for (const { name, pointer, item, isRequired } of propertiesOf(sites))
      yield [pointer, `property ${name} is removed`, remove(pointer), ...(isRequired ? [remove(item)] : [])];
  },
  *"add-property"({ schemas }) {
    for (const { at } of having(schemas, "properties"))
      yield [at, "an optional property", add(at, "added", addedSchema)];
  },
  *"add-required-property"({ schemas }) {
    for (const { owner, at, value } of having(schemas, "properties")) {
      const list = pointerTo(owner, "required");
      if (value.required !== undefined)
        yield [at, "a required property", add(at, "added", addedSchema), prepend(list, "added")];
    }
  },
  *"drop-required"(sites) {
    for (const { name, list, item, isRequired } of propertiesOf(sites))
      if (isRequired) yield [pointerTo(list, name), `${name} is no longer required`, remove(item)];
  },
  *"add-required"(sites) {
    for (const { name, pointer, list, isRequired, hasList } of propertiesOf(sites))
      if (!isRequired && hasList) yield [pointer, `${name} is required`, prepend(list, name)];
  },
  "swap-type": (sites) => rewritten(sites, "type", (type) => otherTypes[String(type)]),
  "admit-null": (sites) =>
    rewritten(sites, "type", (type, schema) =>
      typeof type === "string" && schema.const === undefined && schema.enum === undefined
        ? [type, "null"]
        : undefined,
    ),
  "widen-integer": (sites) =>
    rewritten(sites, "type", (type) =>
      type === "integer" ? "number" : type === "number" ? "integer" : undefined,
    ),
  "tighten-bound": (sites) => movedBounds(sites, true),
  "loosen-bound": (sites) => movedBounds(sites, false),
  *"drop-constraint"({ schemas }) {
    for (const keyword of constraints)
      for (const { at } of having(schemas, keyword)) yield [at, `${keyword} is removed`, remove(at)];
  },
  *"change-constraint"(sites) {
    for (const [keyword, other] of Object.entries(otherConstraints))
      yield* rewritten(sites, keyword, (value) => (isObject(value) ? undefined : other(value)));
  },
  "change-default": (sites) =>
    rewritten(sites, "default", (value) => (typeof value === "boolean" ? !value : undefined)),
  *"add-default"({ schemas }) {
    for (const { pointer, value } of schemas)
      if (value.type === "string" && value.default === undefined)
        yield [pointerTo(pointer, "default"), "a default", add(pointer, "default", "1234")];
  },
  *"drop-enum-value"({ schemas }) {
    for (const { at, current } of having(schemas, "enum"))
      for (const [index, each] of listOf(current).length > 1 ? listOf(current).entries() : [])
        yield [pointerTo(at, String(each)), `${each} is no longer a value`, remove(pointerTo(at, index))];
  },
  *"add-enum-value"({ schemas }) {
    for (const { at } of having(schemas, "enum")) yield [at, "another value", prepend(at, "added_value")];
  },
  *"drop-branch"({ schemas }) {
    for (const { at, current } of having(schemas, "oneOf"))
      for (const branch of listOf(current).map((_, index) => pointerTo(at, index)))
        yield [branch, "a branch is removed", remove(branch)];
  },
  *"rename-operation"({ operations }) {
    for (const { at, current } of having(operations, "operationId"))
      yield [at, `operation ${current} becomes ${current}Now`, set(at, `${current}Now`)];
  },
  *"change-method"({ operations }) {
    for (const { pointer } of operations) {
      const method = tokensOf(pointer).at(-1);
      const other = method === "post" ? "put" : "post";
      yield [pointer, `${method} becomes ${other}`, rename(pointer, other)];
    }
  },
  *"change-path"({ operations }) {
    for (const path of new Set(operations.map(({ pointer }) => pathOf(pointer)))) {
      const pointer = pointerTo("", "paths", path);
      const other = path.replace(/^\/(?:[^/{]+(?=\/|$))?/, "$&x");
      yield [pointer, `path ${path} becomes ${other}`, rename(pointer, other)];
    }
  },
  *"add-operation"({ operations }) {
    for (const { pointer, value } of operations) {
      const [, path = "", method = ""] = tokensOf(pointer);
      const copy = { [method]: { ...value, operationId: `${value.operationId}Again` } };
      yield [pointer, `another operation, like ${value.operationId}`, add("/paths", `/more${path}`, copy)];
    }
  },
  *"remove-operation"({ operations }) {
    for (const { pointer, value } of operations) {
      const at = pointerTo("", "paths", pathOf(pointer));
      yield [pointer, `operation ${value.operationId} is removed`, remove(at)];
    }
  },
  *"drop-security"({ operations }) {
    for (const { at, current } of having(operations, "security")) {
      yield [at, "no credentials are needed", prepend(at, {})];
      if (listOf(current).length > 1)
        for (const one of listOf(current).map((_, index) => pointerTo(at, index)))
          yield [one, "an alternative of the security is removed", remove(one)];
    }
  },
  *"change-role"({ operations }) {
    const alternatives = [...having(operations, "security")].flatMap(({ at, current }) =>
      listOf(current).flatMap((alternative, index) =>
        entriesOf(alternative).map(([scheme, roles]) => {
          return { at: pointerTo(at, index, scheme), roles: listOf(roles) };
        }),
      ),
    );
    for (const { at, roles } of alternatives.filter(({ roles }) => roles.length > 0)) {
      const first = pointerTo(at, 0);
      const other =
        alternatives.flatMap((each) => each.roles).find((role) => !roles.includes(role)) ?? "added";
      yield [at, "no role is needed", remove(first)];
      yield [first, `the role is ${other}`, set(first, other)];
    }
  },
  *"change-scheme"(_, document) {
    const at = "/components/securitySchemes";
    for (const { key, value } of entriesIn([{ pointer: at, value: valueAt(document, at) as JsonObject }])) {
      const [scheme, prefix] = [pointerTo(at, key, "scheme"), pointerTo(at, key, "x-secret-prefix")];
      if (!isObject(value)) continue;
      if (value.scheme === "bearer") yield [scheme, "basic instead of bearer", set(scheme, "basic")];
      if (typeof value["x-secret-prefix"] !== "string") continue;
      yield [prefix, "another prefix of secret keys", set(prefix, "sec_")];
      yield [`${prefix}/-`, "no prefix of secret keys", remove(prefix)];
    }
  },
  *"drop-body"({ operations }) {
    for (const { at, current } of having(operations, "requestBody")) {
      const required = pointerTo(at, "required");
      const other = valueAt(current, "/required") !== true;
      yield [at, "the request has no body", remove(at)];
      yield [required, `required becomes ${other}`, set(required, other)];
    }
  },
  *"change-media-type"({ contents }) {
    for (const { key, pointer } of entriesIn(contents))
      yield [pointer, `${key} becomes text/plain`, rename(pointer, "text/plain")];
  },
  *"change-parameter"({ parameters }) {
    for (const { pointer, value } of parameters) {
      const [place, name, path] = [pointerTo(pointer, "in"), pointerTo(pointer, "name"), pathOf(pointer)];
      const other = `${value.name}_renamed`;
      const otherPath = path.replace(`{${value.name}}`, `{${other}}`);
      yield [place, "a parameter of the query", set(place, "query")];
      yield [
        name,
        `parameter ${value.name} becomes ${other}`,
        set(name, other),
        rename(pointerTo("", "paths", path), otherPath),
      ];
    }
  },
  *"add-parameter"({ operations }) {
    for (const { pointer, value } of operations) {
      const at = pointerTo(pointer, "parameters");
      const edit = Array.isArray(value.parameters)
        ? prepend(at, addedParameter)
        : add(pointer, "parameters", [addedParameter]);
      yield [at, "a required parameter", edit];
    }
  },
  *"change-status"({ responses }) {
    for (const { key, pointer } of entriesIn(responses)) {
      const other = `${key.charAt(0)}${key.startsWith("2") ? "02" : "18"}`;
      yield [pointer, `${key} becomes ${other}`, rename(pointer, other)];
    }
  },
  *"remove-response"({ responses }) {
    for (const { key, pointer } of entriesIn(responses))
      yield [pointer, `${key} is removed`, remove(pointer)];
  },
  *"add-response"({ responses }) {
    for (const { pointer, value } of responses) {
      const status = Object.keys(value).find((each) => each.startsWith("4"));
      if (status === undefined) continue;
      yield [pointerTo(pointer, "418"), "another status, 418", add(pointer, "418", value[status] ?? {})];
    }
  },
  *"remove-header"({ headers }) {
    for (const { key, pointer } of entriesIn(headers))
      yield [pointer, `header ${key} is removed`, remove(pointer)];
  },
  *"rename-header"({ headers }) {
    for (const { key, pointer } of entriesIn(headers))
      yield [pointer, `header ${key} becomes X-${key}`, rename(pointer, `X-${key}`)];
  },
  *"drop-required-header"(_, document) {
    for (const [name, header] of entriesOf(valueAt(document, "/components/headers"))) {
      const at = pointerTo("/components/headers", name, "required");
      if (valueAt(header, "/required") === true) yield [at, `header ${name} is optional`, set(at, false)];
    }
  },
  *"remove-example"({ examples }) {
    for (const { key, pointer } of entriesIn(examples))
      yield [pointer, `example ${key} is removed`, remove(pointer)];
  },
  *"break-example"({ examples }) {
    for (const { key, value, pointer } of entriesIn(examples)) {
      const at = pointerTo(pointer, "value", "error", "code");
      if (typeof valueAt(value, "/value/error/code") === "string")
        yield [at, `example ${key} has another code`, set(at, "no_such_code")];
    }
  },
  *"lower-version"() {
    yield ["/info/version", "the version becomes lower", set("/info/version", "0.9.0")];
  },
  *"change-server"() {
    const at = "/servers/0/variables/base_url/default";
    yield [at, "another URL", set(at, "http://127.0.0.1:3001")];
  },
};
