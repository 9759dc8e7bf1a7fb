/** Changes of the spec, each of one kind at one place, found by walking over the document: for any spec. */
import {
  entriesOf,
  isObject,
  type Json,
  type JsonObject,
  pointerTo,
  tokensOf,
  valueAt,
} from "../../generate/document.ts";
import type { Group, Sources } from "./mutant.ts";
import { type Place, placesOf, type SpecPlaces } from "./spec-places.ts";
import { type Edit, SpecText } from "./spec-text.ts";

export const specFile = "spec/openapi.yaml";

interface Change {
  readonly pointer: string;
  readonly title: string;
  readonly edits: readonly Edit[];
}

interface Operator {
  readonly name: string;
  /** See Group. */
  readonly most?: number;
  readonly changes: (spec: SpecText, places: SpecPlaces) => Iterable<Change>;
}

export function specMutants(sources: Sources): Group[] {
  const spec = new SpecText(sources.read(specFile));
  const places = placesOf(spec.value());
  return operators.map(({ name, most, changes }) => ({
    most,
    mutants: [...changes(spec, places)].map(({ pointer, title, edits }) => ({
      id: `spec:${name}:${pointer}`,
      kind: "spec",
      operator: name,
      title,
      file: specFile,
      text: spec.with(...edits),
    })),
  }));
}

/** Takes what cannot be taken out alone for no place at all. */
function attempt(edit: () => Edit): Edit[] {
  try {
    return [edit()];
  } catch {
    return [];
  }
}

const otherTypes: { readonly [type: string]: string } = {
  string: "integer",
  integer: "string",
  number: "string",
  boolean: "string",
  array: "object",
  object: "array",
};

const lowerBounds = ["minLength", "minItems", "minimum", "minProperties"];
const upperBounds = ["maxLength", "maxItems", "maximum", "maxProperties"];

/** A bound moved by one: inwards it tightens, outwards it loosens. */
function* movedBounds(spec: SpecText, { schemas }: SpecPlaces, tightens: boolean): Iterable<Change> {
  for (const { pointer, value } of schemas) {
    for (const keyword of [...lowerBounds, ...upperBounds]) {
      const bound = value[keyword];
      if (typeof bound !== "number") continue;
      const moved = bound + (lowerBounds.includes(keyword) === tightens ? 1 : -1);
      // No length is below 0, and beyond the integers that are exact, one more is the same.
      if ((moved < 0 && keyword !== "minimum") || !Number.isSafeInteger(Math.ceil(moved))) continue;
      const at = pointerTo(pointer, keyword);
      yield { pointer: at, title: `${keyword} ${bound} becomes ${moved}`, edits: [spec.replaced(at, moved)] };
    }
  }
}

function* withoutKeyword(
  spec: SpecText,
  places: readonly Place[],
  keywords: readonly string[],
): Iterable<Change> {
  for (const { pointer, value } of places)
    for (const keyword of keywords) {
      if (value[keyword] === undefined) continue;
      const at = pointerTo(pointer, keyword);
      const edits = attempt(() => spec.removed(at));
      if (edits.length > 0) yield { pointer: at, title: `${keyword} is gone`, edits };
    }
}

/** Each property of each schema, with its place in the schema's list of what is required. */
function* propertiesOf({ schemas }: SpecPlaces) {
  for (const { pointer, value } of schemas) {
    const required = Array.isArray(value.required) ? value.required : [];
    for (const [name, schema] of entriesOf(value.properties))
      yield {
        owner: { pointer, value },
        name,
        schema,
        pointer: pointerTo(pointer, "properties", name),
        required: required.indexOf(name),
        requiredCount: required.length,
      };
  }
}

function requiredPointer(owner: Place, index: number): string {
  return pointerTo(owner.pointer, "required", index);
}

/** The values of examples of contents, and the lists of those in schemas. */
function* examplesOf({ exampleMaps, schemas }: SpecPlaces, document: Json): Iterable<Place<Json>> {
  for (const { pointer } of [...entriesIn(exampleMaps)]) {
    const at = pointerTo(pointer, "value");
    const value = valueAt(document, at);
    if (value !== undefined) yield { pointer: at, value };
  }
  for (const { pointer, value } of schemas)
    if (value.examples !== undefined)
      yield { pointer: pointerTo(pointer, "examples"), value: value.examples };
}

function* keysNamed(name: string, value: Json, pointer: string): Iterable<string> {
  if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* keysNamed(name, item, pointerTo(pointer, index));
  else if (isObject(value))
    for (const [key, part] of Object.entries(value)) {
      if (key === name) yield pointerTo(pointer, key);
      yield* keysNamed(name, part, pointerTo(pointer, key));
    }
}

/** Every role that an operation's security names. */
function rolesOf({ security }: JsonObject): Json[] {
  return [security ?? []]
    .flat()
    .flatMap((alternative) => entriesOf(alternative).flatMap(([, roles]) => roles));
}

/** The entries of maps, with the holder's pointer. */
function* entriesIn(maps: readonly Place[]) {
  for (const map of maps)
    for (const [key, value] of Object.entries(map.value))
      yield { key, value, pointer: pointerTo(map.pointer, key) };
}

/** A status of the same class that a spec hardly uses. */
function otherStatus(status: string): string {
  return `${status.charAt(0)}${status.startsWith("2") ? "02" : "18"}`;
}

const described = (description: string, schema: JsonObject): Json => ({ description, ...schema });

const operators: readonly Operator[] = [
  {
    name: "rename-property",
    most: 4,
    *changes(spec, places) {
      for (const { owner, name, pointer, required } of propertiesOf(places)) {
        const other = `${name}_renamed`;
        const edits = [spec.renamed(pointer, other)];
        if (required >= 0) edits.push(spec.replaced(requiredPointer(owner, required), other));
        yield { pointer, title: `property ${name} is called ${other}`, edits };
      }
    },
  },
  {
    name: "rename-throughout",
    most: 4,
    *changes(spec, places) {
      const properties = [...propertiesOf(places)];
      for (const { owner, name, pointer, required } of properties) {
        // Elsewhere the name would be another property's.
        if (properties.filter((each) => each.name === name).length > 1) continue;
        const other = `${name}_renamed`;
        const edits = [spec.renamed(pointer, other)];
        if (required >= 0) edits.push(spec.replaced(requiredPointer(owner, required), other));
        for (const example of examplesOf(places, spec.value()))
          for (const place of keysNamed(name, example.value, example.pointer))
            edits.push(spec.renamed(place, other));
        if (edits.length > (required >= 0 ? 2 : 1))
          yield { pointer, title: `property ${name} is called ${other}, in the examples too`, edits };
      }
    },
  },
  {
    name: "remove-property",
    most: 3,
    *changes(spec, places) {
      for (const { owner, name, pointer, required, requiredCount } of propertiesOf(places)) {
        const edits = attempt(() => spec.removed(pointer));
        if (edits.length === 0 || (required >= 0 && requiredCount === 1)) continue;
        if (required >= 0) edits.push(spec.removed(requiredPointer(owner, required)));
        yield { pointer, title: `property ${name} is gone`, edits };
      }
    },
  },
  {
    name: "add-property",
    most: 2,
    *changes(spec, { schemas }) {
      for (const { pointer, value } of schemas) {
        if (!isObject(value.properties)) continue;
        const at = pointerTo(pointer, "properties");
        const schema = described("Added.", { type: "string", minLength: 1 });
        yield { pointer: at, title: "a property more, optional", edits: [spec.added(at, "added", schema)] };
      }
    },
  },
  {
    name: "add-required-property",
    most: 3,
    *changes(spec, { schemas }) {
      for (const { pointer, value } of schemas) {
        if (!isObject(value.properties) || !Array.isArray(value.required)) continue;
        const at = pointerTo(pointer, "properties");
        const schema = described("Added.", { type: "string", minLength: 1 });
        const edits = [
          spec.added(at, "added", schema),
          spec.prepended(pointerTo(pointer, "required"), "added"),
        ];
        yield { pointer: at, title: "a property more, required", edits };
      }
    },
  },
  {
    name: "drop-required",
    most: 4,
    *changes(spec, places) {
      for (const { owner, name, required, requiredCount } of propertiesOf(places)) {
        if (required < 0) continue;
        const list = pointerTo(owner.pointer, "required");
        const edit =
          requiredCount === 1 ? spec.removed(list) : spec.removed(requiredPointer(owner, required));
        yield { pointer: pointerTo(list, name), title: `${name} is no longer required`, edits: [edit] };
      }
    },
  },
  {
    name: "add-required",
    *changes(spec, places) {
      for (const { owner, name, pointer, required } of propertiesOf(places)) {
        if (required >= 0 || !Array.isArray(owner.value.required)) continue;
        yield {
          pointer,
          title: `${name} is required`,
          edits: [spec.prepended(pointerTo(owner.pointer, "required"), name)],
        };
      }
    },
  },
  {
    name: "swap-type",
    most: 3,
    *changes(spec, { schemas }) {
      for (const { pointer, value } of schemas) {
        const other = typeof value.type === "string" ? otherTypes[value.type] : undefined;
        if (other === undefined) continue;
        const at = pointerTo(pointer, "type");
        yield {
          pointer: at,
          title: `type ${value.type} becomes ${other}`,
          edits: [spec.replaced(at, other)],
        };
      }
    },
  },
  {
    name: "admit-null",
    most: 2,
    *changes(spec, { schemas }) {
      for (const { pointer, value } of schemas) {
        if (typeof value.type !== "string" || value.const !== undefined || value.enum !== undefined) continue;
        const at = pointerTo(pointer, "type");
        yield {
          pointer: at,
          title: "null is admitted too",
          edits: [spec.replaced(at, [value.type, "null"])],
        };
      }
    },
  },
  {
    name: "widen-integer",
    most: 2,
    *changes(spec, { schemas }) {
      for (const { pointer, value } of schemas) {
        if (value.type !== "integer" && value.type !== "number") continue;
        const other = value.type === "integer" ? "number" : "integer";
        const at = pointerTo(pointer, "type");
        yield {
          pointer: at,
          title: `type ${value.type} becomes ${other}`,
          edits: [spec.replaced(at, other)],
        };
      }
    },
  },
  { name: "tighten-bound", most: 3, changes: (spec, places) => movedBounds(spec, places, true) },
  { name: "loosen-bound", most: 3, changes: (spec, places) => movedBounds(spec, places, false) },
  {
    name: "drop-constraint",
    most: 3,
    *changes(spec, { schemas }) {
      yield* withoutKeyword(spec, schemas, ["pattern", "format", "const", "enum", "additionalProperties"]);
      yield* withoutKeyword(spec, schemas, ["default", "x-sensitive"]);
    },
  },
  {
    name: "change-constraint",
    most: 3,
    *changes(spec, { schemas }) {
      const others: { readonly [keyword: string]: (value: Json) => Json } = {
        pattern: (pattern) => `^x${String(pattern).replace(/^\^/, "")}`,
        format: (format) => (format === "date-time" ? "uuid" : "date-time"),
        const: (value) =>
          typeof value === "boolean" ? !value : typeof value === "number" ? value + 10 : `${String(value)}-x`,
        additionalProperties: (value) => !value,
        "x-sensitive": (value) => !value,
      };
      for (const { pointer, value } of schemas)
        for (const [keyword, other] of Object.entries(others)) {
          const now = value[keyword];
          if (now === undefined || isObject(now)) continue;
          const at = pointerTo(pointer, keyword);
          const next = other(now);
          yield {
            pointer: at,
            title: `${keyword} becomes ${JSON.stringify(next)}`,
            edits: [spec.replaced(at, next)],
          };
        }
    },
  },
  {
    name: "change-default",
    *changes(spec, { schemas }) {
      for (const { pointer, value } of schemas) {
        const at = pointerTo(pointer, "default");
        if (typeof value.default === "boolean")
          yield {
            pointer: at,
            title: `default becomes ${!value.default}`,
            edits: [spec.replaced(at, !value.default)],
          };
      }
    },
  },
  {
    name: "add-default",
    most: 2,
    *changes(spec, { schemas }) {
      for (const { pointer, value } of schemas) {
        if (value.type !== "string" || value.default !== undefined) continue;
        const at = pointerTo(pointer, "default");
        yield {
          pointer: at,
          title: "a default where there was none",
          edits: [spec.added(pointer, "default", "1234")],
        };
      }
    },
  },
  {
    name: "drop-enum-value",
    most: 2,
    *changes(spec, { schemas }) {
      for (const { pointer, value } of schemas) {
        if (!Array.isArray(value.enum) || value.enum.length < 2) continue;
        for (const [index, each] of value.enum.entries()) {
          const at = pointerTo(pointer, "enum", index);
          yield {
            pointer: pointerTo(pointer, "enum", String(each)),
            title: `${JSON.stringify(each)} is no longer a value`,
            edits: [spec.removed(at)],
          };
        }
      }
    },
  },
  {
    name: "add-enum-value",
    *changes(spec, { schemas }) {
      for (const { pointer, value } of schemas) {
        if (!Array.isArray(value.enum)) continue;
        const at = pointerTo(pointer, "enum");
        yield { pointer: at, title: "a value more", edits: [spec.prepended(at, "added_value")] };
      }
    },
  },
  {
    name: "drop-branch",
    *changes(spec, { schemas }) {
      for (const { pointer, value } of schemas) {
        if (!Array.isArray(value.oneOf)) continue;
        for (const index of value.oneOf.keys()) {
          const at = pointerTo(pointer, "oneOf", index);
          yield { pointer: at, title: "a branch is gone", edits: [spec.removed(at)] };
        }
      }
    },
  },
  {
    name: "rename-operation",
    *changes(spec, { operations }) {
      for (const { pointer, value } of operations) {
        const at = pointerTo(pointer, "operationId");
        const other = `${String(value.operationId)}Now`;
        yield {
          pointer: at,
          title: `operation ${value.operationId} is called ${other}`,
          edits: [spec.replaced(at, other)],
        };
      }
    },
  },
  {
    name: "change-method",
    *changes(spec, { operations }) {
      for (const { pointer } of operations) {
        const method = tokensOf(pointer).at(-1) ?? "";
        const other = method === "post" ? "put" : "post";
        yield { pointer, title: `${method} becomes ${other}`, edits: [spec.renamed(pointer, other)] };
      }
    },
  },
  {
    name: "change-path",
    *changes(spec, { operations }) {
      for (const path of new Set(operations.map(({ pointer }) => tokensOf(pointer)[1] ?? ""))) {
        const pointer = pointerTo("", "paths", path);
        const other = path.replace(/^\/(?:[^/{]+(?=\/|$))?/, "$&x");
        yield { pointer, title: `path ${path} becomes ${other}`, edits: [spec.renamed(pointer, other)] };
      }
    },
  },
  {
    name: "add-operation",
    *changes(spec, { operations }) {
      for (const { pointer, value } of operations) {
        const [, path = ""] = tokensOf(pointer);
        const at = pointerTo("", "paths", path);
        // The same operation once more, under a path of its own.
        const copy = spec
          .linesOf(at)
          .replace(path, `/more${path}`.replace(/\/$/, ""))
          .replace(String(value.operationId), `${String(value.operationId)}Again`);
        yield {
          pointer,
          title: `an operation more, like ${value.operationId}`,
          edits: [spec.linesBefore(at, `${copy}\n`)],
        };
      }
    },
  },
  {
    name: "remove-operation",
    *changes(spec, { operations }) {
      for (const { pointer, value } of operations) {
        const at = pointerTo("", "paths", tokensOf(pointer)[1] ?? "");
        yield { pointer, title: `operation ${value.operationId} is gone`, edits: [spec.removed(at)] };
      }
    },
  },
  {
    name: "drop-security",
    most: 2,
    *changes(spec, { operations }) {
      for (const { pointer, value } of operations) {
        if (!Array.isArray(value.security)) continue;
        const at = pointerTo(pointer, "security");
        yield { pointer: at, title: "no credential is asked for", edits: [spec.prepended(at, {})] };
        for (const index of value.security.keys())
          if (value.security.length > 1) {
            const one = pointerTo(at, index);
            yield {
              pointer: one,
              title: "an alternative of the security is gone",
              edits: [spec.removed(one)],
            };
          }
      }
    },
  },
  {
    name: "change-role",
    most: 3,
    *changes(spec, { operations }) {
      const known = [...new Set(operations.flatMap(({ value }) => rolesOf(value)))];
      for (const { pointer, value } of operations) {
        for (const [index, alternative] of (Array.isArray(value.security) ? value.security : []).entries())
          for (const [scheme, roles] of entriesOf(alternative)) {
            if (!Array.isArray(roles) || roles.length === 0) continue;
            const at = pointerTo(pointer, "security", index, scheme);
            yield { pointer: at, title: "no role is asked for", edits: [spec.removed(pointerTo(at, 0))] };
            const other = known.find((role) => !roles.includes(role)) ?? "added";
            yield {
              pointer: pointerTo(at, 0),
              title: `the role is ${other}`,
              edits: [spec.replaced(pointerTo(at, 0), other)],
            };
          }
      }
    },
  },
  {
    name: "change-scheme",
    *changes(spec) {
      const at = "/components/securitySchemes";
      const schemes = valueAt(spec.value(), at);
      for (const [name, scheme] of entriesOf(schemes)) {
        const own = pointerTo(at, name);
        if (isObject(scheme) && scheme.scheme === "bearer")
          yield {
            pointer: own,
            title: "basic instead of bearer",
            edits: [spec.replaced(pointerTo(own, "scheme"), "basic")],
          };
        if (isObject(scheme) && typeof scheme["x-secret-prefix"] === "string") {
          const prefix = pointerTo(own, "x-secret-prefix");
          yield {
            pointer: prefix,
            title: "another prefix of secret keys",
            edits: [spec.replaced(prefix, "sec_")],
          };
          yield { pointer: `${prefix}/-`, title: "no prefix of secret keys", edits: [spec.removed(prefix)] };
        }
      }
    },
  },
  {
    name: "drop-content",
    most: 2,
    *changes(spec, { operations }) {
      for (const { pointer, value } of operations) {
        if (!isObject(value.requestBody)) continue;
        const at = pointerTo(pointer, "requestBody");
        yield { pointer: at, title: "the request has no content", edits: [spec.removed(at)] };
        const required = pointerTo(at, "required");
        const other = value.requestBody.required !== true;
        yield {
          pointer: required,
          title: `the content is ${other ? "required" : "optional"}`,
          edits: [spec.replaced(required, other)],
        };
      }
    },
  },
  {
    name: "change-media-type",
    most: 2,
    *changes(spec, { contents }) {
      for (const { key, pointer } of entriesIn(contents))
        yield { pointer, title: `${key} becomes text/plain`, edits: [spec.renamed(pointer, "text/plain")] };
    },
  },
  {
    name: "change-parameter",
    *changes(spec, { parameters }) {
      for (const { pointer, value } of parameters) {
        const place = pointerTo(pointer, "in");
        yield { pointer: place, title: "a parameter of the query", edits: [spec.replaced(place, "query")] };
        const name = pointerTo(pointer, "name");
        const [, path = ""] = tokensOf(pointer);
        const other = `${String(value.name)}_renamed`;
        yield {
          pointer: name,
          title: `parameter ${value.name} is called ${other}`,
          edits: [
            spec.replaced(name, other),
            spec.renamed(pointerTo("", "paths", path), path.replace(`{${value.name}}`, `{${other}}`)),
          ],
        };
      }
    },
  },
  {
    name: "add-parameter",
    *changes(spec, { operations }) {
      for (const { pointer, value } of operations) {
        const parameter = {
          name: "added",
          in: "query",
          required: true,
          description: "Added.",
          schema: { type: "integer" },
          examples: { one: { summary: "One.", value: 1 }, two: { summary: "Two.", value: 2 } },
        };
        const at = pointerTo(pointer, "parameters");
        const edit = Array.isArray(value.parameters)
          ? spec.prepended(at, parameter)
          : spec.added(pointer, "parameters", [parameter]);
        yield { pointer: at, title: "a parameter more, required", edits: [edit] };
      }
    },
  },
  {
    name: "change-status",
    most: 3,
    *changes(spec, { responseMaps }) {
      for (const { key, pointer } of entriesIn(responseMaps)) {
        const other = otherStatus(key);
        yield { pointer, title: `${key} becomes ${other}`, edits: [spec.renamed(pointer, other)] };
      }
    },
  },
  {
    name: "remove-response",
    most: 3,
    *changes(spec, { responseMaps }) {
      for (const { key, pointer } of entriesIn(responseMaps))
        yield { pointer, title: `${key} is gone`, edits: [spec.removed(pointer)] };
    },
  },
  {
    name: "add-response",
    *changes(spec, { responseMaps }) {
      for (const { pointer, value } of responseMaps) {
        const [error] = Object.entries(value).filter(([status]) => status.startsWith("4"));
        if (error === undefined) continue;
        const copy = spec.linesOf(pointerTo(pointer, error[0])).replace(error[0], "418");
        yield {
          pointer: pointerTo(pointer, "418"),
          title: "a status more, 418",
          edits: [spec.linesBefore(pointerTo(pointer, error[0]), copy)],
        };
      }
    },
  },
  {
    name: "remove-header",
    most: 3,
    *changes(spec, { headerMaps }) {
      for (const { key, pointer } of entriesIn(headerMaps))
        yield { pointer, title: `header ${key} is gone`, edits: [spec.removed(pointer)] };
    },
  },
  {
    name: "rename-header",
    most: 2,
    *changes(spec, { headerMaps }) {
      for (const { key, pointer } of entriesIn(headerMaps))
        yield {
          pointer,
          title: `header ${key} is called X-${key}`,
          edits: [spec.renamed(pointer, `X-${key}`)],
        };
    },
  },
  {
    name: "drop-required-header",
    most: 2,
    *changes(spec) {
      for (const [name, header] of entriesOf(valueAt(spec.value(), "/components/headers"))) {
        if (!isObject(header) || header.required !== true) continue;
        const at = pointerTo("/components/headers", name, "required");
        yield { pointer: at, title: `header ${name} is optional`, edits: [spec.replaced(at, false)] };
      }
    },
  },
  {
    name: "remove-example",
    most: 2,
    *changes(spec, { exampleMaps }) {
      for (const { key, pointer } of entriesIn(exampleMaps))
        yield { pointer, title: `example ${key} is gone`, edits: attempt(() => spec.removed(pointer)) };
    },
  },
  {
    name: "break-example",
    most: 2,
    *changes(spec, { exampleMaps }) {
      for (const { key, value, pointer } of entriesIn(exampleMaps)) {
        const code = isObject(value) ? valueAt(value, "/value/error/code") : undefined;
        if (typeof code !== "string") continue;
        const at = pointerTo(pointer, "value", "error", "code");
        yield {
          pointer: at,
          title: `example ${key} has another code`,
          edits: [spec.replaced(at, "no_such_code")],
        };
      }
    },
  },
  {
    name: "lower-version",
    *changes(spec) {
      const at = "/info/version";
      yield { pointer: at, title: "the version falls", edits: [spec.replaced(at, "0.9.0")] };
    },
  },
  {
    name: "change-server",
    *changes(spec) {
      const at = "/servers/0/variables/base_url/default";
      yield { pointer: at, title: "another address", edits: [spec.replaced(at, "http://127.0.0.1:3001")] };
    },
  },
];
