/** Redocly's messages in words that need no knowledge of OpenAPI, each with a fix. */
import type { NormalizedProblem } from "@redocly/openapi-core";
import { nearestWord } from "#specbind/nearest-word";
import { type Json, tokensOf } from "./document.ts";
import { readFields } from "./downgrade.ts";
import type { Kind } from "./grammar.ts";
import { keywordChecks } from "./schema/keyword-checks.ts";
import { applicators } from "./schema/keywords.ts";

const server = "`servers: [{ url: https://shop.example }]`";

/** What is said instead of a message. Messages that are not listed name a fix. */
const sentences: readonly (readonly [said: RegExp, instead: string])[] = [
  [
    /^Property (`.*`) is not expected here\.$/s,
    "$1 has no meaning here. Remove it, or correct its name or its place.",
  ],
  [/^(`\w+`) can be one of the following only: (.*)\.$/s, "$1 must be one of $2. Write one of them."],
  [
    /^(?:The field |\w+ object should contain )(`\w+`) (?:must be present on this level|field)\.$/,
    "The field $1 is missing. Add it.",
  ],
  [
    /^Must contain at least one of the following fields: schema, content\.$/,
    "A `schema` is missing. Add it, such as `schema: { type: string }`.",
  ],
  [
    /^Must contain at least one of the following fields: paths, components, webhooks\.$/,
    "The field `paths` is missing. Add it, such as `paths: {}`.",
  ],
  [
    /^\w+ object should contain one of the fields: (.*)\.$/,
    "One of these fields is missing: $1. Add one of them.",
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
    /^The operation does not define the path parameter `\{(.*)\}` expected by path (`.*`)\.$/s,
    "The path $2 has `{$1}`, but no parameter has this name. Correct the name, or add `{ name: $1, in: path, required: true, schema: { type: string } }` to `parameters`.",
  ],
  [
    /^Path parameter `(.*)` is not used in the path (`.*`)\.$/s,
    "The path $2 does not have `{$1}`. Correct the name, or remove the parameter.",
  ],
  [
    /^Path parameter declarations must be non-empty.*$/s,
    "`{}` in a path needs a name. Write one, such as `{id}`.",
  ],
  [
    /^Don't put query string items in the path.*$/s,
    "A path has no query. Remove it from `?` on, and declare its parameters with `in: query`.",
  ],
  [
    /^The `(.*)` variable is not defined .*$/s,
    "The URL has the variable `{$1}`. Define it, such as `variables: { $1: { default: x } }`.",
  ],
  [/^The `(.*)` variable is not used .*$/s, "The URL does not have `{$1}`. Use it there, or remove it here."],
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
  [
    /^The 'encoding' field cannot be used together with .*$/,
    "`encoding` excludes `prefixEncoding` and `itemEncoding`. Keep one kind.",
  ],
  // The rest is said only by `lint`.
  [
    /^The '(\w+)' fil?e?l?d must be absent if '(\w+)' is present .*$/,
    "`$1` and `$2` exclude each other. Keep one of them.",
  ],
  [
    /^The '(\w+)' and '(\w+)' fields .* mutually exclusive\.$/,
    "`$1` and `$2` exclude each other. Keep one of them.",
  ],
  [
    /^Example object can have either .*$/,
    "`value` and `externalValue` exclude each other. Keep one of them.",
  ],
  [/^Can't resolve \$ref: ENOENT.* '(.*)'$/s, "There is no file $1. Correct the reference."],
  [/^Can't resolve \$ref$/, "This reference has no target. Correct it, or add its target."],
  [/^Can't resolve \$ref: (.*)$/s, "This reference cannot be followed: $1."],
  [
    /^Example value must conform to the schema: (.*)\.$/s,
    "The example does not match its schema: $1. Correct one of the two.",
  ],
  [
    /^Paths should resolve unambiguously\. Found two ambiguous paths: (`.*` and `.*`)\.$/s,
    "The same URL can match $1. Change one of the paths.",
  ],
  [/^Duplicated enum value found: '(.*)'\.$/s, "`enum` has the value `$1` twice. Keep one of them."],
  [/^Servers must be .*$/, `There is no URL of the service. Add it, such as ${server}.`],
  [/^(Server `url` should not (?:point to|have) .*)$/, "$1 Correct the URL."],
  [/^(`.*` should not have a trailing slash\.)$/s, "$1 Remove it."],
  [
    /^(?:All values of `enum`|The `const` value) .*: expected "(.*)" but received "(\w+)"\.$/,
    "This value is of the type `$2`, but `type` is `$1`. Change one of the two.",
  ],
  [
    /^Enum value (`.*`) must be of allowed types: (`.*`)\.$/s,
    "The value $1 has none of the types $2. Change one of the two.",
  ],
  [/^(Schema in `\w+` (?:duplicates|is empty).*)$/s, "$1 Remove it, or correct it."],
  [
    /^Required property '(.*)' is not defined\.$/s,
    "`required` has `$1`, but `properties` does not. Add it there, or remove it here.",
  ],
  [
    /^Schema type mismatch: '(\w+)' type should not contain '(\w+)' field\.$/,
    "`$2` has no effect on the type `$1`. Remove it, or correct `type`.",
  ],
  [/^(Markdown .*)$/s, "$1 Remove them."],
  [
    /^(Component|Security scheme): "(.*)" is never used\.$/s,
    "$1 `$2` is never used. Remove it, or refer to it.",
  ],
  [/^The `type` field must be defined when .*$/, "`nullable` needs `type` next to it. Add it."],
  [/^Operation must have at least one (`\w+`) response\.$/, "The operation has no $1 response. Add one."],
  [
    /^Operation `operationId` should not .*$/,
    "An `operationId` may have only letters, digits, `-` and `_`. Rename it.",
  ],
  [
    /^Every operation should have security defined .*$/,
    "It is not said who may call the operation. Add `security`, or `security: []` if everybody may.",
  ],
  [
    /^There is no (`.*`) security scheme defined\.$/s,
    "There is no security scheme $1. Correct the name, or define it in `components/securitySchemes`.",
  ],
  [
    /^The "(.*)" scope is not defined in the "(.*)" security scheme\.$/s,
    "The security scheme `$2` does not have the scope `$1`. Correct the name, or add the scope there.",
  ],
  [
    /^Discriminator with optional property '(.*)' must include .*$/s,
    "A value may lack `$1`, so add `defaultMapping` with the schema for such values, or make `$1` required.",
  ],
  [
    /^defaultMapping value '(.*)' does not .*$/s,
    "There is no schema `$1` in `components/schemas`. Correct the name.",
  ],
];

const examples: { readonly [fieldOrType: string]: string } = {
  info: "{ title: Shop, version: 1.0.0 }",
  title: "Shop",
  version: "1.0.0",
  responses: '{ "200": { description: Done. } }',
  paths: "{}",
  content: "{ application/json: { schema: { type: object } } }",
  in: "query",
  scheme: "bearer",
  scopes: "{}",
  propertyName: "kind",
  url: "https://shop.example",
  properties: "{ name: { type: string } }",
  examples: "{ first: { value: text } }",
  discriminator: "{ propertyName: kind }",
  Schema: "{ type: string }",
  Server: "{ url: https://shop.example }",
  Response: "{ description: Done. }",
  Parameter: "{ name: limit, in: query, schema: { type: integer } }",
  SecurityRequirement: "{ apiKey: [] }",
  MediaType: "{ schema: { type: object } }",
  Tag: "{ name: orders }",
};

function suchAs(field: string): string {
  return Object.hasOwn(examples, field) ? `, such as \`${field}: ${examples[field]}\`` : "";
}

const forms: { readonly [type: string]: string } = {
  array: "a list",
  object: "an object",
  string: "a string",
  boolean: "true or false",
  integer: "an integer",
  number: "a number",
};

/** @param wanted a type of JSON, and `got` another one or `null` */
export function formSentence(pointer: string, wanted: string, got: string, wantedObject = ""): string {
  const token = tokensOf(pointer).at(-1) ?? "";
  const subject = token === "" ? "The document" : /^\d\d?$/.test(token) ? "This item" : `\`${token}\``;
  const must = `must be ${forms[wanted] ?? wanted}`;
  if (got === "null") return `${subject} is empty, but ${must}. Write its value, or remove it.`;
  const example = Object.hasOwn(examples, wantedObject) ? wantedObject : token;
  const isNumber = got === "integer" || got === "number";
  const fixes: { readonly [wanted: string]: string } = {
    array:
      token === "required" ? "Write `required: [name]` next to `properties`." : "Begin each item with `-`.",
    boolean: "Write `true` or `false`, without quotes.",
    ...(Object.hasOwn(examples, example) && {
      object: `Write one such as \`${examples[example]}\`.`,
    }),
    ...((isNumber || got === "boolean") && { string: "Write it in quotes." }),
    ...(got === "string" && { integer: "Write it without quotes.", number: "Write it without quotes." }),
    ...(got === "boolean" && { number: `Write the bound itself, such as \`${token}: 10\`.` }),
  };
  return `${subject} ${must}, not ${forms[got] ?? got}. ${fixes[wanted] ?? "Correct it, or remove it."}`;
}

/** The problem and its fix. @param value the value at the place, if it is known */
export function sentenceOf(
  { message, suggest, location: [place] }: NormalizedProblem,
  value?: Json,
  hint?: string,
): string {
  const [, type = "", holder, got = ""] =
    /^Expected type `(\w+)`(?: \((\w+)\))? but got `(\w+)`\.?$/.exec(message) ?? [];
  if (got !== "") return formSentence(place?.pointer?.slice(1) ?? "", holder ?? type, got, type);
  const [said = "", instead = ""] = sentences.find(([said]) => said.test(message)) ?? [];
  const sentence = message
    .replace(said, instead)
    .replace(/(?<=^The field `(\w+)` is missing\. Add it)(?=\.$)/, (_, field) => suchAs(field));
  const [, word = ""] = /can be one of/.test(message) ? ["", value] : (/[`'"]([^`'"]*)/.exec(message) ?? []);
  const nearest = typeof word === "string" ? nearestWord(word, suggest, mostEdits(word)) : undefined;
  const fix = hint ?? (nearest && `Did you mean \`${nearest}\`?`);
  return fix === undefined ? sentence : `${sentence.replace(genericFix, "")} ${fix}`;
}

const genericFix = / (?:Remove it, or correct|Write one of them|Correct the name).*$/s;

function mostEdits(word: string): number {
  return word.length < 3 ? 0 : Math.max(1, Math.floor(word.length / 4));
}

/** Fields of Swagger 2.0, and what replaces them. */
const replacements: { readonly [field: string]: string } = {
  definitions: "components/schemas",
  securityDefinitions: "components/securitySchemes",
  host: "servers",
  basePath: "servers",
  schemes: "servers",
  consumes: "content",
  produces: "content",
};

/** What to write instead of values that do not exist. */
const meant: { readonly [K in Kind]?: { readonly [value: string]: string } } = {
  schema: {
    any: "`{}` instead of the whole schema",
    bool: "`type: boolean`",
    date: "`type: string` and `format: date`",
    datetime: "`type: string` and `format: date-time`",
    double: "`type: number`",
    file: "`type: string` and `format: binary`",
    float: "`type: number`",
    int: "`type: integer`",
    list: "`type: array`",
    map: "`type: object`",
    str: "`type: string`",
    text: "`type: string`",
  },
  parameter: {
    body: "the body under `requestBody`",
    formData: "the form under `requestBody`",
    querystring: "`openapi: 3.2.0`, the first version that has it",
  },
  securityScheme: {
    basic: "`type: http` and `scheme: basic`",
    bearer: "`type: http` and `scheme: bearer`",
    jwt: "`type: http` and `scheme: bearer`",
  },
};

function isKeyword(field: string): boolean {
  const names = [...Object.keys(keywordChecks), ...applicators.map(([name]) => name), "type", "default"];
  return names.includes(field);
}

/** The fix for a frequent mistake. @param kind the object with the field, if it has a kind */
export function hintFor(
  kind: Kind | undefined,
  pointer: string,
  value: Json | undefined,
  isUnknown: boolean,
  isOpenApi30: boolean,
): string | undefined {
  const [field = "", holder] = tokensOf(pointer).toReversed();
  if (isUnknown && holder === "responses")
    return "The name of a response is a status such as `200` or `4XX`, or `default`. Correct it.";
  if (kind === undefined) return undefined;
  if (!isUnknown) {
    if (field === "type" && Array.isArray(value) && isOpenApi30)
      return "Write one of them, and `nullable: true` if null is allowed.";
    const instead = typeof value === "string" ? meant[kind]?.[value] : undefined;
    return instead && `Write ${instead}.`;
  }
  if (kind === "paths") return `A path begins with \`/\`. Write \`/${field}\`.`;
  if (["parameter", "header", "mediaType"].includes(kind) && isKeyword(field))
    return "Move it into `schema`, such as `schema: { type: string }`.";
  if (["response", "requestBody"].includes(kind) && field === "schema")
    return `Move it into \`content\`, such as \`content: ${examples.content}\`.`;
  if (Object.hasOwn(replacements, field) && kind !== "schema")
    return `In OpenAPI 3, it is part of \`${replacements[field]}\`. Move it there.`;
  const isOf31 = kind === "schema" ? isKeyword(field) : field === "webhooks";
  const since = isOf31 && isOpenApi30 ? "3.1" : readFields[kind]?.includes(field) ? "3.2" : undefined;
  return since && `It exists since OpenAPI ${since}. Remove it, or set \`openapi: ${since}.0\`.`;
}
