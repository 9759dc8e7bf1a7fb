/** Breaks each lint rule of the spec. The rule must report the place. */
import { readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { temporaryFolder } from "./testing/temporary-folder.ts";
import { lintSpec } from "./toolkit/generate/lint.ts";

const configFile = "spec/redocly.yaml";
/** Marks where the problem is expected. */
const mark = "▸";
let spec: string;
const folder = temporaryFolder();

beforeAll(async () => {
  spec = await readFile("spec/openapi.yaml", "utf8");
});

/** Replaces the first occurrence of `find` that follows `after`. */
type Change = readonly [find: string, replacement: string, after?: string];

/** A problem at the mark starts with the mark. Any other problem starts with its line and column. */
async function problemsAfter([find, replacement, after = ""]: Change): Promise<string[]> {
  const at = spec.indexOf(find, spec.indexOf(after));
  if (!spec.includes(after) || at === -1) throw new Error(`the spec has no ${JSON.stringify(find)}`);
  const marked = spec.slice(0, at) + replacement + spec.slice(at + find.length);
  const linesBefore = (marked.split(mark, 1)[0] ?? "").split("\n");
  const place = `${linesBefore.length}:${(linesBefore.at(-1) ?? "").length + 1}`;
  const file = join(folder, "openapi.yaml");
  await writeFile(file, marked.replace(mark, ""));
  const { errors: problems } = await lintSpec(file, configFile);
  const path = relative(process.cwd(), file);
  return problems.map(
    ({ location, message }) => `${location.replace(`${path}:`, "").replace(place, mark)} ${message}`,
  );
}

const webhook = "operationId: getWebhook";
const errorSchema = 'schema: { $ref: "#/components/schemas/Error" }';
const lastError = '"429": { $ref: "#/components/responses/TooManyAttempts" }';
const withResponse = (response: string): Change => [lastError, `${lastError}\n        ${response}`];
const withStatus = (status: string): Change =>
  withResponse(`▸"${status}": { $ref: "#/components/responses/TooManyAttempts" }`);
const withProperty = (name: string): Change => [
  "      properties:\n",
  `      properties:\n        ${name}: ▸{ type: string, description: It., minLength: 1 }\n`,
  "    CommissionDefinition:",
];

it("the spec follows every rule", async () => {
  expect(await lintSpec("spec/openapi.yaml", configFile)).toEqual({ errors: [], warnings: [] });
});

it.each<[rule: string, ...changes: Change[]]>([
  [
    "rule/operation-id-verb-noun",
    [webhook, "operationId: ▸webhookGet"],
    [webhook, "operationId: ▸get"],
    [`${webhook}\n      summary`, "▸summary"],
  ],
  ["rule/security-names-roles", ["- apiKey: [publishable]", "- apiKey: ▸[]"]],
  ["rule/security-roles-exist", ["- apiKey: [secret]", "- ▸apiKey: [secrt]", webhook]],
  [
    "defaults/used",
    ["minLength: 1\n", "minLength: 1\n          default: ▸abc\n", "    Credentials:"],
    ["type: integer\n", "type: integer\n          default: ▸1\n", "      - name: webhook_id"],
  ],
  [
    "enums/described",
    ["        - webhook_not_found\n", "        - webhook_not_found\n        - ▸webhook_gone\n"],
  ],
  [
    "examples/sendable",
    ...[
      "schema: { type: array, items: { type: string } }, example: ▸[]",
      "schema: { type: array, items: { type: string } }, examples: { none: { value: ▸[] } }",
      "schema: { type: array, items: { type: string }, examples: [▸[]] }",
    ].map(
      (declared): Change => [
        "    parameters:\n",
        `    parameters:\n      - { name: tag, in: query, description: It., ${declared} }\n`,
        "  /v1/webhooks/{webhook_id}:\n",
      ],
    ),
  ],
  ["rule/statuses-are-of-http", ...["600", "20X", "2xx"].map(withStatus)],
  [
    "requests/closed",
    ...[
      ["The request body of `loginUser`.", ""],
      ["The request body of `loginUser`.", "      additionalProperties: true\n"],
      ["A range of amounts and the commission's value for it.", ""],
    ].map(
      ([text, keyword]): Change => [
        `description: ${text}\n      type: object\n      additionalProperties: false\n`,
        `▸description: ${text}\n      type: object\n${keyword}`,
      ],
    ),
  ],
  [
    "rule/responses-have-headers",
    withResponse('"201": ▸{ description: Made., content: { text/plain: { schema: { type: string } } } }'),
  ],
  [
    "rule/responses-have-common-headers",
    [
      'headers:\n        X-Request-Id: { $ref: "#/components/headers/RequestId" }\n',
      "▸headers:\n",
      "    WebhookNotFound:",
    ],
  ],
  [
    "rule/errors-use-the-envelope",
    [errorSchema, "▸schema: { type: object }", "    WebhookNotFound:"],
    [errorSchema, "▸schema: { type: object }", "x-unmatched-responses:"],
    ...["4XX", "504", "default"].map((status) =>
      withResponse(`"${status}": { description: No., content: { text/plain: ▸{} } }`),
    ),
  ],
  [
    "rule/errors-have-content",
    withResponse('"418": ▸{ description: No. }'),
    withResponse('"418": { description: No., content: ▸{} }'),
  ],
  [
    "rule/content-has-examples",
    withResponse('"201": { description: Made., content: { text/plain: ▸{} } }'),
    withResponse(
      '"201": { description: Made., content: { text/plain: { examples: ▸{ one: { value: a } } } } }',
    ),
  ],
  [
    "rule/properties-are-described",
    ["description: Contains the commission.\n", "▸x-undescribed: true\n"],
    ["description: Contains the commission.\n", 'description: ▸"  "\n'],
  ],
  [
    "rule/secrets-are-marked",
    ...["password", "api_key", "passphrase", "refreshToken", "card_cvc"].map(withProperty),
  ],
  [
    "rule/secret-parameters-are-marked",
    [
      "    parameters:\n",
      "    parameters:\n      - ▸{ name: reset_token, in: query, description: It., schema: { type: string } }\n",
      "  /v1/webhooks/{webhook_id}:\n",
    ],
  ],
  [
    "rule/secret-headers-are-marked",
    [
      "    headers:\n",
      "    headers:\n      X-Session-Token: ▸{ description: It., schema: { type: string } }\n",
      "x-unmatched-responses:",
    ],
  ],
  ["struct", ["x-sensitive: true", 'x-sensitive: ▸"yes"']],
  [
    "no-invalid-media-type-examples",
    ["code: webhook_not_found", "code: ▸webhook_lost"],
    ["code: route_not_found", "code: ▸route_lost"],
  ],
  ["no-invalid-parameter-examples", ["webhook, value: 1", "webhook, value: ▸x"]],
  ["no-invalid-schema-examples", ["examples: [12.5]", "examples: [▸many]"]],
  [
    "rule/header-examples-in-the-schema",
    ["minimum: 1, examples: [30] }", "minimum: 1 }\n      ▸example: 30"],
  ],
])("%s reports the place of a violation", async (rule, ...changes) => {
  for (const change of changes) {
    const found = (await problemsAfter(change)).filter((problem) => problem.endsWith(`[${rule}]`));
    expect(found, change[1]).toContainEqual(expect.stringMatching(`^${mark} `));
  }
});

it("a misspelt field is one error, without those of rules that miss it", async () => {
  const problems = await problemsAfter(["operationId: getWebhook\n", "operationID: getWebhook\n"]);
  expect(problems).toEqual([
    expect.stringMatching(/`operationID` has no meaning here\. Did you mean `operationId`\? \[struct\]$/),
  ]);
});

it.each<[message: string, change: Change]>([
  [
    "a reference to another host is not followed; keep a copy next to the spec",
    [errorSchema, "schema: { $ref: https://spec.invalid/error.yaml }"],
  ],
  ['The kinds of key are `secret` and `publishable`. "secrt" should', ["[secret]", "[secrt]", webhook]],
  ["OpenAPI 3.0 does not support a request body with GET.", ["openapi: 3.2.0", "openapi: 3.0.4"]],
  [
    'The service may also return 400 here. Add `"400": { $ref: "#/components/responses/MalformedContent" }`.',
    ['"400"', "x-400", webhook],
  ],
  ["The service may also return 401 here.", ['"401"', "x-401", webhook]],
  ["The service may also return 403 here.", ['"403"', "x-403", webhook]],
  ["The service may also return 403 here.", ['"403"', "x-403", "  /v1/users/login:\n"]],
  ["The service may also return 503 here.", ['"503"', "x-503", webhook]],
])("a rule reports: %s", async (message, change) => {
  expect(await problemsAfter(change)).toContainEqual(expect.stringContaining(message));
});

it.each<[what: string, change: Change]>([
  ["all other statuses", withStatus("default")],
  ["a class such as 5XX instead of a rejection's status", ['"503"', '"5XX"', webhook]],
  [
    "an operation that needs no key and has no rejection of keys",
    ["      security:\n        - apiKey: [secret]\n", "      security: []\n", webhook],
  ],
  [
    "a request whose alternatives are closed together",
    [
      "additionalProperties: false\n",
      "unevaluatedProperties: false\n      anyOf: [{ properties: { a: { type: string, description: A. } } }, { required: [user] }]\n",
      "    LoginUserRequest:",
    ],
  ],
])("%s may be documented", async (_, change) => {
  expect(await problemsAfter(change)).toEqual([]);
});
