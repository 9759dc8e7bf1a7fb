/** The rules that the spec is held to: each fails on a spec that breaks it in one point, and says the remedy. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lintSpec } from "./generate/lint.ts";

const configFile = "spec/redocly.yaml";
/** Stands where the fault is expected. */
const mark = "▸";
let spec: string;
let folder: string;

beforeAll(async () => {
  spec = await readFile("spec/openapi.yaml", "utf8");
  folder = await mkdtemp(join(tmpdir(), "house-rules-"));
});
afterAll(() => rm(folder, { recursive: true }));

interface Change {
  /** Only after the first of this text. */
  readonly after?: string;
  readonly find: string;
  readonly replacement: string;
}

/** What the rules say of the spec with one change, each at its `line:column`, or at the mark. */
async function faultsAfter({ find, replacement, after = "" }: Change): Promise<string[]> {
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

const verbNoun =
  "▸ Name the operation by a verb and a noun in camelCase, such as `getOrder`. The verbs are in spec/redocly.yaml; add one there where none fits. (rule/operation-id-verb-noun)";
const oneEnvelope =
  "▸ Every error is of the one envelope; write `schema: { $ref: '#/components/schemas/Error' }`. (rule/errors-use-the-envelope)";
const errorSchema = 'schema: { $ref: "#/components/schemas/Error" }';
const lastError = '"429": { $ref: "#/components/responses/TooManyAttempts" }';

describe("the spec", () => {
  it("keeps every rule", async () => {
    expect(await lintSpec("spec/openapi.yaml", configFile)).toEqual([]);
  });
});

describe("a reference to another host", () => {
  it("is refused, and not followed", async () => {
    const change = { find: errorSchema, replacement: "schema: ▸{ $ref: https://spec.invalid/error.yaml }" };
    expect(await faultsAfter(change)).toContain(
      "▸ Can't resolve $ref: a reference to another host is not followed; keep a copy beside the spec (no-unresolved-refs)",
    );
  });
});

describe("an operation's name", () => {
  it.each([
    "webhookGet",
    "get",
    "fetchWebhook",
    "getwebhook",
    "get_webhook",
    "GetWebhook",
    "getTHING",
    "getAPIKey",
  ])("is a verb and a noun, unlike %s", async (name) => {
    const change = { find: "operationId: getWebhook", replacement: `operationId: ▸${name}` };
    expect(await faultsAfter(change)).toEqual([verbNoun]);
  });

  it("must be given", async () => {
    const change = { find: "operationId: getWebhook\n      summary", replacement: "▸summary" };
    expect(await faultsAfter(change)).toContain(verbNoun);
  });
});

describe("a security requirement", () => {
  it("names the kinds of key", async () => {
    const change = { find: "- apiKey: [publishable]", replacement: "- apiKey: ▸[]" };
    expect(await faultsAfter(change)).toEqual([
      "▸ Name the kinds of key that may call, as in `- apiKey: [secret]`; an empty list admits every kind, also one to come. (rule/security-names-roles)",
    ]);
  });
});

describe("a default", () => {
  const unused =
    "▸ A required value is never left out, so its default is never used; take `default` or the requirement away. (defaults/used)";

  it("is of no required property", async () => {
    const change = {
      after: "    Credentials:",
      find: "minLength: 1\n",
      replacement: "minLength: 1\n          default: ▸abc\n",
    };
    expect(await faultsAfter(change)).toEqual([unused]);
  });

  it("is of no required parameter", async () => {
    const change = {
      after: "        - name: webhook_id",
      find: "type: integer\n",
      replacement: "type: integer\n            default: ▸1\n",
    };
    expect(await faultsAfter(change)).toEqual([unused]);
  });
});

describe("a response's status", () => {
  it.each(["600", "099", "6XX", "20X", "2xx", "1000", "Default"])(
    "is one of HTTP, unlike %s",
    async (status) => {
      const other = `▸"${status}": { $ref: "#/components/responses/TooManyAttempts" }`;
      const faults = await faultsAfter({ find: lastError, replacement: `${lastError}\n        ${other}` });
      expect(faults).toContain(
        "▸ Write a status of HTTP: three digits from 100 to 599, a class such as `4XX`, or `default`. (rule/statuses-are-of-http)",
      );
    },
  );

  it.each(["599", "4XX", "default"])("may be %s", async (status) => {
    const other = `"${status}": { $ref: "#/components/responses/TooManyAttempts" }`;
    expect(await faultsAfter({ find: lastError, replacement: `${lastError}\n        ${other}` })).toEqual([]);
  });
});

describe("an operation", () => {
  const after = "operationId: getWebhook";
  const lacks = (statuses: string) =>
    `▸ The service refuses here with ${statuses} too; document it, by \`$ref\` as other operations do. (refusals/documented)`;
  /** Of the operation of that name, each at the mark. */
  const faultsWithout = async (find: string, replacement = "") => {
    const faults = await faultsAfter({ after, find, replacement });
    return faults.map((fault) => fault.replace(/^\d+:\d+/, "▸"));
  };

  it.each([
    ["400", "MalformedContent"],
    ["401", "ApiKeyRefused"],
    ["403", "ApiKeyKindForbidden"],
    ["413", "ContentTooLarge"],
    ["415", "UnsupportedMediaType"],
    ["422", "InvalidRequest"],
    ["500", "InternalError"],
    ["503", "Unavailable"],
  ])("documents the refusals that need no handler: %s", async (status, name) => {
    const response = `        "${status}": { $ref: "#/components/responses/${name}" }\n`;
    expect(await faultsWithout(response)).toEqual([lacks(status)]);
  });

  it("documents no refusal for what cannot be refused", async () => {
    const security = "      security:\n        - apiKey: [secret]\n";
    const open = "      security: []\n";
    expect(await faultsWithout(security, open)).toEqual([]);
  });

  it("may document a class of them", async () => {
    const responses = '        "503": { $ref: "#/components/responses/Unavailable" }\n';
    const classes = '        "5XX": { $ref: "#/components/responses/Unavailable" }\n';
    expect(await faultsWithout(responses, classes)).toEqual([]);
  });
});

describe("an error's content", () => {
  it.each([
    ["in a shared response", "    WebhookNotFound:"],
    ["where no operation is matched", "x-unmatched-responses:"],
  ])("is of the one envelope %s", async (_, after) => {
    const change = { after, find: errorSchema, replacement: "▸schema: { type: object }" };
    expect(await faultsAfter(change)).toEqual([oneEnvelope]);
  });

  it("is of the one envelope whatever its media type", async () => {
    const other = '"418": { description: No., content: { text/plain: { ▸schema: { type: string } } } }';
    const change = { find: lastError, replacement: `${lastError}\n        ${other}` };
    expect(await faultsAfter(change)).toEqual([oneEnvelope]);
  });

  it.each(["4XX", "504", "default"])(
    "is of the one envelope under %s, and not without a schema",
    async (status) => {
      const other = `"${status}": { description: No., content: { text/plain: ▸{} } }`;
      const change = {
        find: lastError,
        replacement: `${lastError}\n        ${other}`,
      };
      expect(await faultsAfter(change)).toEqual([oneEnvelope]);
    },
  );

  it.each([
    ["there", "▸{ description: No. }"],
    ["of some media type", "{ description: No., content: ▸{} }"],
  ])("must be %s", async (_, response) => {
    const change = { find: lastError, replacement: `${lastError}\n        "418": ${response}` };
    expect(await faultsAfter(change)).toEqual([
      "▸ Give the error the one envelope as its content: `schema: { $ref: '#/components/schemas/Error' }`. (rule/errors-have-content)",
    ]);
  });
});

describe("a property", () => {
  const undescribed = "▸ Say in a `description` what the property means. (rule/properties-are-described)";

  it.each([
    ["of a component", "description: Given name. Empty where the account has none."],
    ["that holds others", "description: Holds the commission."],
    ["that is a component", "description: The record of a commission definition."],
  ])("%s is described", async (_, description) => {
    const change = { find: `${description}\n`, replacement: "▸x-undescribed: true\n" };
    expect(await faultsAfter(change)).toEqual([undescribed]);
  });

  it.each(['""', '"  "', '"\\n\\t"', "|2\n\n"])(
    "is described by more than white space: %s",
    async (blank) => {
      const change = { find: "description: Holds the commission.", replacement: `description: ▸${blank}` };
      expect(await faultsAfter(change)).toEqual([undescribed]);
    },
  );
});

describe("a name that is one of a secret", () => {
  const unmarked = (rule: string) =>
    `▸ The name is one of a secret: add \`x-sensitive: true\`, so that no log shows it, or \`x-sensitive: false\` where it is none. (rule/${rule})`;
  it.each([
    "api_key",
    "apiKeys",
    "client_secret",
    "passphrase",
    "otpCode",
    "refreshToken",
    "pin",
    "card_cvc",
  ])("is marked when it is a property's: %s", async (name) => {
    const after = "    CommissionDefinition:";
    const property = `${name}: { type: string, description: It., minLength: 1 }`;
    const change = {
      after,
      find: "      properties:\n",
      replacement: `      properties:\n        ${property}\n`,
    };
    expect((await faultsAfter(change)).map((fault) => fault.replace(/^\S+/, "▸"))).toEqual([
      unmarked("secrets-are-marked"),
    ]);
  });

  it.each(["password", "token", "auth_key"])("stays marked: %s", async (name) => {
    const change = { after: `        ${name}:`, find: "          x-sensitive: true\n", replacement: "" };
    expect((await faultsAfter(change)).map((fault) => fault.replace(/^\S+/, "▸"))).toEqual([
      unmarked("secrets-are-marked"),
    ]);
  });

  it("is marked when it is a parameter's", async () => {
    const parameter =
      "        - { name: reset_token, in: query, description: It., schema: { type: string }, examples: { a: { value: a, summary: A }, b: { value: b, summary: B } } }\n";
    const after = "operationId: getWebhook";
    const change = { after, find: "      parameters:\n", replacement: `      parameters:\n${parameter}` };
    expect((await faultsAfter(change)).map((fault) => fault.replace(/^\S+/, "▸"))).toEqual([
      unmarked("secret-parameters-are-marked"),
    ]);
  });

  it("is marked when it is a header's", async () => {
    const after = "x-unmatched-responses:";
    const header = "      X-Session-Token: { description: It., schema: { type: string } }\n";
    const change = { after, find: "    headers:\n", replacement: `    headers:\n${header}` };
    expect((await faultsAfter(change)).map((fault) => fault.replace(/^\S+/, "▸"))).toEqual([
      unmarked("secret-headers-are-marked"),
    ]);
  });

  it("is marked by true or false", async () => {
    const change = { find: "x-sensitive: true", replacement: 'x-sensitive: ▸"yes"' };
    expect(await faultsAfter(change)).toEqual(["▸ Expected type `boolean` but got `string`. (struct)"]);
  });
});

describe("an example", () => {
  it.each([
    ["of a request", "media-type", "default_value: 12.5\n", "default_value: ▸many\n"],
    ["of a response", "media-type", "commission: { id: 1,", "commission: { id: ▸one,"],
    ["of an error", "media-type", "code: webhook_not_found", "code: ▸webhook_lost"],
    ["where no operation is matched", "media-type", "code: route_not_found", "code: ▸route_lost"],
    ["of a parameter", "parameter", "webhook, value: 1", "webhook, value: ▸x"],
    ["of a schema", "schema", "examples: [12.5]", "examples: [▸many]"],
    ["of a header", "schema", "examples: [30]", "examples: [▸soon]"],
  ])("%s is valid", async (_, kind, find, replacement) => {
    expect(await faultsAfter({ find, replacement })).toEqual([
      expect.stringMatching(
        `^▸ Example value must conform to the schema: .+ \\(no-invalid-${kind}-examples\\)$`,
      ),
    ]);
  });

  it("of a header stands in its schema, where it is validated", async () => {
    const find = "minimum: 1, examples: [30] }";
    expect(await faultsAfter({ find, replacement: "minimum: 1 }\n      ▸example: 30" })).toEqual([
      "▸ Write the header's examples into its schema, as `examples: [...]`, where they are validated. (rule/header-examples-in-the-schema)",
    ]);
  });
});

describe("content of a GET", () => {
  it("has no meaning before OpenAPI 3.1", async () => {
    const faults = await faultsAfter({ find: "openapi: 3.1.1", replacement: "openapi: 3.0.4" });
    const found = faults.filter((fault) => fault.endsWith("(rule/get-content-from-3-1)"));
    const lines = spec.split("\n").map((line, index) => (line === "      requestBody:" ? index + 1 : 0));
    const [submit, , get] = lines.filter((line) => line > 0);
    expect(found).toEqual(
      [submit, get].map(
        (line) =>
          `${line}:7 OpenAPI 3.0 gives the content of GET no meaning; set \`openapi\` to 3.1.1, or use another method. (rule/get-content-from-3-1)`,
      ),
    );
  });
});
