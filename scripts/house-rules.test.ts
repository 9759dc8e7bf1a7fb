/** Breaks each lint rule of the spec in one place. The rule must report this place with the fix. */
import { readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { lintSpec } from "./generate/lint.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";

const configFile = "spec/redocly.yaml";
/** Marks where the problem is expected. */
const mark = "▸";
let spec: string;
const folder = temporaryFolder();

beforeAll(async () => {
  spec = await readFile("spec/openapi.yaml", "utf8");
});

interface Change {
  /** If set, the change is made after the first occurrence of this string. */
  readonly after?: string;
  readonly find: string;
  readonly replacement: string;
}

/** A problem at the mark starts with the mark. Any other problem starts with its line and column. */
async function problemsAfter({ find, replacement, after = "" }: Change): Promise<string[]> {
  const at = spec.indexOf(find, spec.indexOf(after));
  if (!spec.includes(after) || at === -1) throw new Error(`the spec has no ${JSON.stringify(find)}`);
  const marked = spec.slice(0, at) + replacement + spec.slice(at + find.length);
  const linesBefore = (marked.split(mark, 1)[0] ?? "").split("\n");
  const place = `${linesBefore.length}:${(linesBefore.at(-1) ?? "").length + 1}`;
  const file = join(folder, "openapi.yaml");
  await writeFile(file, marked.replace(mark, ""));
  const problems = await lintSpec(file, configFile);
  const path = relative(process.cwd(), file);
  return problems.map(
    ({ location, message }) => `${location.replace(`${path}:`, "").replace(place, mark)} ${message}`,
  );
}

const webhook = "operationId: getWebhook";
const errorSchema = 'schema: { $ref: "#/components/schemas/Error" }';
const lastError = '"429": { $ref: "#/components/responses/TooManyAttempts" }';
const named = (name: string): Change => ({ find: webhook, replacement: `operationId: ${name}` });
const withResponse = (response: string): Change => ({
  find: lastError,
  replacement: `${lastError}\n        ${response}`,
});
const withStatus = (status: string): Change =>
  withResponse(`▸"${status}": { $ref: "#/components/responses/TooManyAttempts" }`);
const withoutDescription = (description: string, replacement = "▸x-undescribed: true"): Change => ({
  find: `description: ${description}\n`,
  replacement: `${replacement}\n`,
});
const withProperty = (name: string): Change => ({
  after: "    CommissionDefinition:",
  find: "      properties:\n",
  replacement: `      properties:\n        ▸${name}: { type: string, description: It., minLength: 1 }\n`,
});
const withoutRejection = (status: string, name: string): Change => ({
  after: webhook,
  find: `        "${status}": { $ref: "#/components/responses/${name}" }\n`,
  replacement: "",
});

it("the spec follows every rule", async () => {
  expect(await lintSpec("spec/openapi.yaml", configFile)).toEqual([]);
});

it.each<[rule: string, fix: RegExp, changes: readonly Change[]]>([
  [
    "no-unresolved-refs",
    /a reference to another host is not followed; keep a copy next to the spec/,
    [{ find: errorSchema, replacement: "schema: ▸{ $ref: https://spec.invalid/error.yaml }" }],
  ],
  [
    "rule/operation-id-verb-noun",
    /^▸ Use a verb and a noun in camelCase as the name, such as `getOrder`\./,
    [
      ...["webhookGet", "get", "getwebhook", "GetWebhook"].map((name) => named(`▸${name}`)),
      { find: `${webhook}\n      summary`, replacement: "▸summary" },
    ],
  ],
  [
    "rule/security-names-roles",
    /^▸ List the kinds of key that may call the operation, such as `- apiKey: \[secret\]`\./,
    [{ find: "- apiKey: [publishable]", replacement: "- apiKey: ▸[]" }],
  ],
  [
    "rule/security-roles-exist",
    /^▸ The kinds of key are `secret` and `publishable`\. "secrt" should/,
    [{ after: webhook, find: "- apiKey: [secret]", replacement: "- ▸apiKey: [secrt]" }],
  ],
  [
    "defaults/used",
    /^▸ A required value cannot be left out, so its default is never used\./,
    [
      {
        after: "    Credentials:",
        find: "minLength: 1\n",
        replacement: "minLength: 1\n          default: ▸abc\n",
      },
      {
        after: "      - name: webhook_id",
        find: "type: integer\n",
        replacement: "type: integer\n          default: ▸1\n",
      },
    ],
  ],
  [
    "rule/statuses-are-of-http",
    /^▸ Write an HTTP status: a number from 100 to 599, a class such as `4XX`, or `default`\./,
    ["600", "099", "6XX", "20X", "2xx", "1000", "Default"].map(withStatus),
  ],
  [
    "rejections/documented",
    /The service may also return \d{3} here\. Document it with a `\$ref`, as other operations do\./,
    [
      withoutRejection("400", "MalformedContent"),
      withoutRejection("401", "ApiKeyRefused"),
      withoutRejection("503", "Unavailable"),
    ],
  ],
  [
    "requests/closed",
    /^▸ Unknown properties in requests are rejected\. Add `additionalProperties: false`/,
    [
      ["The request body of `loginUser`.", ""],
      ["The request body of `loginUser`.", "      additionalProperties: true\n"],
      ["A range of amounts and the commission's value for it.", ""],
    ].map(([text, keyword]) => ({
      find: `description: ${text}\n      type: object\n      additionalProperties: false\n`,
      replacement: `▸description: ${text}\n      type: object\n${keyword}`,
    })),
  ],
  [
    "rule/responses-have-headers",
    /^▸ Every response has these headers\. Write `X-Request-Id: /,
    [withResponse('"201": ▸{ description: Made., content: { text/plain: { schema: { type: string } } } }')],
  ],
  [
    "rule/responses-have-common-headers",
    /^▸ Every response has these headers\. Write `X-Request-Id: /,
    [
      {
        after: "    WebhookNotFound:",
        find: 'headers:\n        X-Request-Id: { $ref: "#/components/headers/RequestId" }\n',
        replacement: "▸headers:\n",
      },
    ],
  ],
  [
    "rule/errors-use-the-envelope",
    /^▸ Every error has the same body\. Write `schema: \{ \$ref: '#\/components\/schemas\/Error' \}`\./,
    [
      { after: "    WebhookNotFound:", find: errorSchema, replacement: "▸schema: { type: object }" },
      { after: "x-unmatched-responses:", find: errorSchema, replacement: "▸schema: { type: object }" },
      withResponse('"418": { description: No., content: { text/plain: { ▸schema: { type: string } } } }'),
      ...["4XX", "504", "default"].map((status) =>
        withResponse(`"${status}": { description: No., content: { text/plain: ▸{} } }`),
      ),
    ],
  ],
  [
    "rule/errors-have-content",
    /^▸ Add the error body as content:/,
    [withResponse('"418": ▸{ description: No. }'), withResponse('"418": { description: No., content: ▸{} }')],
  ],
  [
    "rule/content-has-examples",
    /^▸ Add two or more `examples`, each with a `summary` and a `value`\./,
    [
      withResponse('"201": { description: Made., content: { text/plain: ▸{} } }'),
      withResponse(
        '"201": { description: Made., content: { text/plain: { examples: ▸{ one: { value: a } } } } }',
      ),
    ],
  ],
  [
    "rule/properties-are-described",
    /^▸ Add a `description` that explains the property\./,
    [
      withoutDescription("Given name. Empty if the account has none."),
      withoutDescription("Contains the commission."),
      withoutDescription("The record of a commission definition."),
      ...['""', '"  "', '"\\n\\t"', "|2\n\n"].map((blank) =>
        withoutDescription("Contains the commission.", `description: ▸${blank}`),
      ),
    ],
  ],
  [
    "rule/secrets-are-marked",
    /This looks like the name of a secret\. Add `x-sensitive: true`, so that no log contains it, or `x-sensitive: false`/,
    [
      ...["api_key", "passphrase", "refreshToken", "card_cvc"].map(withProperty),
      ...["password", "token", "auth_key"].map((name) => ({
        after: `        ${name}:`,
        find: "          x-sensitive: true\n",
        replacement: "",
      })),
    ],
  ],
  [
    "rule/secret-parameters-are-marked",
    /This looks like the name of a secret\./,
    [
      {
        after: "  /v1/webhooks/{webhook_id}:\n",
        find: "    parameters:\n",
        replacement:
          "    parameters:\n      - { name: reset_token, in: query, description: It., schema: { type: string } }\n",
      },
    ],
  ],
  [
    "rule/secret-headers-are-marked",
    /This looks like the name of a secret\./,
    [
      {
        after: "x-unmatched-responses:",
        find: "    headers:\n",
        replacement: "    headers:\n      X-Session-Token: { description: It., schema: { type: string } }\n",
      },
    ],
  ],
  [
    "struct",
    /^▸ Expected type `boolean` but got `string`\./,
    [{ find: "x-sensitive: true", replacement: 'x-sensitive: ▸"yes"' }],
  ],
  [
    "no-invalid-media-type-examples",
    /^▸ Example value must conform to the schema: /,
    [
      { find: "default_value: 12.5\n", replacement: "default_value: ▸many\n" },
      { find: "commission: { id: 1,", replacement: "commission: { id: ▸one," },
      { find: "code: webhook_not_found", replacement: "code: ▸webhook_lost" },
      { find: "code: route_not_found", replacement: "code: ▸route_lost" },
    ],
  ],
  [
    "no-invalid-parameter-examples",
    /^▸ Example value must conform to the schema: /,
    [{ find: "webhook, value: 1", replacement: "webhook, value: ▸x" }],
  ],
  [
    "no-invalid-schema-examples",
    /^▸ Example value must conform to the schema: /,
    [
      { find: "examples: [12.5]", replacement: "examples: [▸many]" },
      { find: "examples: [30]", replacement: "examples: [▸soon]" },
    ],
  ],
  [
    "rule/header-examples-in-the-schema",
    /^▸ Move the header's examples into its schema, as `examples: \[\.\.\.\]`\./,
    [{ find: "minimum: 1, examples: [30] }", replacement: "minimum: 1 }\n      ▸example: 30" }],
  ],
  [
    "rule/get-content-from-3-1",
    /OpenAPI 3\.0 does not support a request body with GET\. Set `openapi` to 3\.1\.1, or use another method\./,
    [{ find: "openapi: 3.2.0", replacement: "openapi: 3.0.4" }],
  ],
])("%s reports a violation", async (rule, fix, changes) => {
  for (const change of changes) {
    const found = (await problemsAfter(change)).filter((problem) => problem.endsWith(`(${rule})`));
    expect(found, change.replacement).toContainEqual(expect.stringMatching(fix));
  }
});

it.each([
  ["a status", withStatus("599")],
  ["a class of statuses", withStatus("4XX")],
  ["all other statuses", withStatus("default")],
  [
    "a class such as 5XX instead of a rejection's status",
    {
      ...withoutRejection("503", "Unavailable"),
      replacement: '        "5XX": { $ref: "#/components/responses/Unavailable" }\n',
    },
  ],
  [
    "an operation that needs no key and has no rejection of keys",
    {
      after: webhook,
      find: "      security:\n        - apiKey: [secret]\n",
      replacement: "      security: []\n",
    },
  ],
  [
    "a request whose alternatives are closed together",
    {
      after: "    LoginUserRequest:",
      find: "additionalProperties: false\n",
      replacement:
        "unevaluatedProperties: false\n      anyOf: [{ properties: { a: { type: string, description: A. } } }, { required: [user] }]\n",
    },
  ],
])("%s may be documented", async (_, change) => {
  expect(await problemsAfter(change)).toEqual([]);
});
