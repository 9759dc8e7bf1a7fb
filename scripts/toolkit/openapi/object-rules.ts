/** What OpenAPI requires of its objects, in addition to the names and types of their fields. Redocly checks other rules. */
import { isObject, type JsonObject, listOf, placesAt, pointerTo, valueAt } from "./document.ts";
import { type Kind, visitKinds } from "./grammar.ts";
import type { OpenApiVersion } from "./redocly.ts";

export type ObjectRule = "exclusive-fields" | "missing-field" | "misplaced-field" | "malformed-field";

interface Requirement {
  readonly rule: ObjectRule;
  readonly kinds: readonly Kind[];
  /** Paths from objects of these kinds to the objects of the rule. `*` means each item. Default: the objects themselves. */
  readonly paths?: readonly string[];
  /** Default: all versions. */
  readonly only?: OpenApiVersion;
  readonly message: string;
  /** Pointers to the wrong parts, relative to the object. */
  readonly wrong: (object: JsonObject) => readonly string[];
}

type Test = (object: JsonObject) => boolean;

/** The object itself is wrong. */
function self(test: Test): Requirement["wrong"] {
  return (object) => (test(object) ? [""] : []);
}

function fields(names: readonly string[], test: Test): Requirement["wrong"] {
  return (object) =>
    names.filter((name) => object[name] !== undefined && test(object)).map((name) => `/${name}`);
}

function text(name: string, isValid: (value: string) => boolean): Requirement["wrong"] {
  return fields([name], ({ [name]: value }) => typeof value === "string" && !isValid(value));
}

/** Keys that are not extensions. */
function keys(isValid: (key: string) => boolean): Requirement["wrong"] {
  return (object) =>
    Object.keys(object).flatMap((key) => (key.startsWith("x-") || isValid(key) ? [] : [pointerTo("", key)]));
}

function exclusive(
  kinds: readonly Kind[],
  one: string,
  other: string,
  where: Pick<Requirement, "paths" | "only"> = {},
): Requirement {
  return {
    rule: "exclusive-fields",
    kinds,
    ...where,
    message: `\`${one}\` and \`${other}\` exclude each other; keep one of them`,
    wrong: self((object) => object[one] !== undefined && object[other] !== undefined),
  };
}

const servers = {
  kinds: ["document", "pathItem", "operation", "link"],
  paths: ["servers/*", "server"],
} as const;

/** RFC 9110, section 5.6.2; OpenAPI 3.1, Runtime Expressions. */
const source = "(?:header\\.[\\w!#$%&'*+.^`|~-]+|(?:query|path)\\.[^{}]+|body(?:#(?:/[^{}]*)?)?)";
const expression = new RegExp(`^\\$(?:url|method|statusCode|(?:request|response)\\.${source})$`, "i");

/** A callback's key is an expression, or a text that has expressions in braces. */
function isCallbackKey(key: string): boolean {
  if (key.startsWith("$")) return expression.test(key);
  return [...key.matchAll(/\{([^{}]*)\}/g)].every(([, inside = ""]) => expression.test(inside));
}

function isTemplate(template: string): boolean {
  const names = [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name);
  return new Set(names).size === names.length;
}

const requirements: readonly Requirement[] = [
  exclusive(["parameter", "header", "mediaType"], "example", "examples"),
  exclusive(["example"], "value", "externalValue"),
  exclusive(["example"], "value", "dataValue", { only: "3.2" }),
  exclusive(["example"], "value", "serializedValue", { only: "3.2" }),
  exclusive(["example"], "serializedValue", "externalValue", { only: "3.2" }),
  exclusive(["link"], "operationId", "operationRef"),
  exclusive(["document"], "identifier", "url", { paths: ["info/license"] }),
  exclusive(["schema"], "nodeType", "attribute", { paths: ["xml"], only: "3.2" }),
  exclusive(["schema"], "nodeType", "wrapped", { paths: ["xml"], only: "3.2" }),
  {
    rule: "exclusive-fields",
    kinds: ["schema"],
    only: "3.0",
    message:
      "`readOnly` and `writeOnly` exclude each other, so no message could have the value; keep one of them",
    wrong: self(({ readOnly, writeOnly }) => readOnly === true && writeOnly === true),
  },
  {
    rule: "missing-field",
    kinds: ["link"],
    message: "a link needs `operationId` or `operationRef`; add one of them",
    wrong: self(({ $ref, operationId, operationRef }) => (operationId ?? operationRef ?? $ref) === undefined),
  },
  {
    rule: "missing-field",
    kinds: ["operation"],
    paths: ["responses"],
    message: "an operation needs a response; add one, such as `default: { description: The result. }`",
    wrong: self((responses) => Object.keys(responses).every((key) => key.startsWith("x-"))),
  },
  {
    rule: "missing-field",
    kinds: ["schema"],
    only: "3.0",
    message:
      "a schema of type `array` needs `items`; add the schema of the items, or `items: {}` for any items",
    wrong: self(({ type, items, $ref }) => type === "array" && (items ?? $ref) === undefined),
  },
  {
    rule: "misplaced-field",
    kinds: ["parameter", "header"],
    message: "only query parameters may have `allowEmptyValue`; remove it",
    wrong: fields(["allowEmptyValue"], (parameter) => parameter.in !== "query"),
  },
  {
    rule: "misplaced-field",
    kinds: ["parameter", "header"],
    message:
      "this field says how a `schema` is written, but `content` replaces the schema; remove this field",
    wrong: fields(["style", "explode", "allowReserved"], ({ content }) => content !== undefined),
  },
  {
    rule: "malformed-field",
    kinds: ["document"],
    only: "3.2",
    message: "`$self` is the URL of the whole document; remove its fragment, which begins with `#`",
    wrong: text("$self", (url) => !url.includes("#")),
  },
  {
    rule: "malformed-field",
    kinds: ["document"],
    paths: ["info/contact"],
    message: "this is not an email address; write one such as support@example.com, or remove it",
    wrong: text("email", (address) => /^[^\s@]+@[^\s@]+$/.test(address)),
  },
  {
    rule: "malformed-field",
    kinds: ["schema"],
    paths: ["xml"],
    message: "a namespace is an absolute URI; write one such as https://example.com/books",
    wrong: text("namespace", (uri) => /^[a-z][a-z\d+.-]*:/i.test(uri)),
  },
  {
    rule: "malformed-field",
    ...servers,
    only: "3.2",
    message:
      "paths are appended to this URL, so it has no query and no fragment; remove the part from `?` or `#` on",
    wrong: text("url", (url) => !/[?#]/.test(url)),
  },
  {
    rule: "malformed-field",
    ...servers,
    message: "each variable occurs once in a URL, between two braces such as `{region}`; correct the URL",
    wrong: text("url", (url) => isTemplate(url) && !/[{}]/.test(url.replaceAll(/\{[^{}]+\}/g, ""))),
  },
  {
    rule: "malformed-field",
    kinds: servers.kinds,
    only: "3.2",
    message: "another server has this name; give each server its own name",
    wrong: (object) => {
      const names = listOf(object.servers).map((server) => (isObject(server) ? server.name : undefined));
      return names.flatMap((name, index) =>
        name !== undefined && names.indexOf(name) < index ? [`/servers/${index}/name`] : [],
      );
    },
  },
  {
    rule: "malformed-field",
    kinds: ["paths"],
    message: "a path has each of its parameters once; give the parameters different names",
    wrong: keys(isTemplate),
  },
  {
    rule: "malformed-field",
    kinds: ["callback"],
    message:
      "this is not a runtime expression; write the URL with expressions such as `{$request.body#/callbackUrl}` or `{$request.query.url}`",
    wrong: keys((key) => key === "$ref" || isCallbackKey(key)),
  },
];

interface ObjectProblem {
  readonly rule: ObjectRule;
  readonly pointer: string;
  /** The problem and its fix. */
  readonly message: string;
}

export function objectProblems(document: JsonObject, version: OpenApiVersion): ObjectProblem[] {
  const found: ObjectProblem[] = [];
  const applied = requirements.filter(({ only = version }) => only === version);
  const byKind = new Map<Kind, Requirement[]>();
  for (const requirement of applied)
    for (const kind of requirement.kinds) byKind.set(kind, [...(byKind.get(kind) ?? []), requirement]);
  visitKinds("document", document, (kind, object, pointer) => {
    for (const { rule, paths = [""], message, wrong } of byKind.get(kind) ?? [])
      for (const place of paths.flatMap((path) => placesAt(object, path))) {
        const part = valueAt(object, place);
        if (!isObject(part)) continue;
        for (const inside of wrong(part)) found.push({ rule, pointer: pointer + place + inside, message });
      }
  });
  return found;
}
