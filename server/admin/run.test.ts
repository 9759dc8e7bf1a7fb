import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { issueApiKey } from "../domain/api-keys.ts";
import { databases } from "../testing/databases.ts";
import { adminOn, userCreate, webhookCreate } from "./testing/commands.ts";

describe.each(databases)("on $name", (database) => {
  const admin = adminOn(database);
  const { createTenant, rejected, resultOf, run } = admin;

  test("an action that the data does not allow exits with status 1 and prints one line with the fix", async () => {
    const [tenant, other] = [await createTenant(), await createTenant()];
    const { webhook } = await resultOf(`${webhookCreate} --tenant ${tenant}`);
    await resultOf(`${userCreate} --tenant ${tenant}`, "pass word");
    const noWebhook = (id: number) =>
      `the tenant has no webhook ${id}; "webhook list --tenant ID" lists its webhooks`;
    const problems: Record<string, string[]> = {
      'no tenant has the id none; "tenant list" lists all tenants': [
        "key create --tenant none --kind secret",
        "key list --tenant none",
        `${userCreate} --tenant none`,
        "user list --tenant none",
        `${webhookCreate} --tenant none`,
        "webhook list --tenant none",
        "webhook update 1 --tenant none --event a.b",
        "webhook remove 1 --tenant none",
      ],
      'no key has the id key_none; "key list --tenant ID" lists a tenant\'s keys': ["key revoke key_none"],
      'no user has the id none; "user list --tenant ID" lists a tenant\'s users': [
        "user set-password none --password-stdin",
        "user enable-mfa none",
        "user disable-mfa none",
        "user unlock none",
        "user remove none",
      ],
      "the tenant already has a customer +91 9876543210; choose another number or type": [
        `${userCreate} --tenant ${tenant}`,
      ],
      [noWebhook(webhook.id)]: [
        `webhook update ${webhook.id} --tenant ${other} --event c.d`,
        `webhook remove ${webhook.id} --tenant ${other}`,
      ],
      [noWebhook(webhook.id + 1)]: [`webhook remove ${webhook.id + 1} --tenant ${tenant}`],
    };
    for (const [problem, commands] of Object.entries(problems))
      for (const command of commands) expect(await run(command, "pass word")).toEqual(rejected(problem));
  });

  test("an error does not repeat a key that was given instead of its id", async () => {
    const { secret } = issueApiKey("secret");
    expect(await run(`key revoke ${secret}`)).toEqual(
      rejected('no key has the id [redacted]; "key list --tenant ID" lists a tenant\'s keys'),
    );
    for (const command of [`key create --tenant none --kind ${secret}`, `key ${secret}`])
      expect((await run(command)).stderr).not.toContain(secret);
  });
});

const admin = adminOn();
const { run, runProgram } = admin;

const missingFile = (file: string) =>
  `Cannot open the database ${file} (it is missing or empty); correct DATABASE_URL, or restore the file. To create a new one, run "tenant create" with DATABASE_CREATE=if-missing.`;

describe("on a SQLite file", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "admin-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test("only `tenant create` makes a database, and reports it, because its name may be mistyped", async () => {
    const file = `${folder}/comerce.db`;
    admin.databaseUrl = `file:${file}`;
    expect(await run("tenant list")).toEqual({
      code: 1,
      stdout: "",
      stderr: `error: ${missingFile(file)}\n`,
    });
    expect(existsSync(file)).toBe(false);
    const { code, stderr } = await run("tenant create --name Acme");
    expect([code, stderr]).toEqual([0, `note: ${file} was missing or empty; it is a new database now\n`]);
    expect((await run("tenant list")).stderr).toBe("");
  });

  test("each command closes the database, even after an error", async () => {
    admin.databaseUrl = `file:${folder}/commerce.db`;
    for (const command of ["tenant list", "key revoke key_none"]) {
      await run(command);
      expect(existsSync(join(folder, "commerce.db-wal")), command).toBe(false);
    }
  });

  test("no database is created if DATABASE_CREATE is never", async () => {
    admin.databaseUrl = `file:${folder}/data/comerce.db`;
    admin.databaseCreate = "never";
    expect(await run("tenant create --name Acme")).toEqual({
      code: 1,
      stdout: "",
      stderr: `error: ${missingFile(`${folder}/data/comerce.db`)}\n`,
    });
    expect(existsSync(join(folder, "data"))).toBe(false);
  });
});

describe("wrong usage", () => {
  const user = `${userCreate} --tenant t`;
  const webhook = `${webhookCreate} --tenant t`;
  const keyCreate = "key create --tenant t --kind secret";
  test.each<[problem: string, command: string, says: string]>([
    ["an unknown noun", "tenat create", "unknown command 'tenat' (Did you mean tenant?)"],
    [
      "an unknown option instead of a required one",
      "tenant create --nam x",
      "error: unknown option '--nam' (Did you mean --name?) (--help shows the usage)",
    ],
    [
      "several problems of options",
      "key create --kind public --expires 3 --tenat=t --jsn",
      "error: option '--kind <kind>' argument 'public' is invalid. It must be secret or publishable; option '--expires <when>' argument '3' is invalid. It must be a duration such as 90d or 12h, a date such as 2027-01-31 (00:00 UTC), a time such as 2027-01-31T18:00Z, or never; unknown option '--tenat' (Did you mean --tenant?); unknown option '--jsn' (Did you mean --json?) (--help shows the usage)",
    ],
    [
      "a missing argument and a missing option",
      "key rotate",
      "required option '--overlap <duration>' not specified; missing required argument 'id'",
    ],
    ["options that npm has read itself", "tenant create", "`npm run` needs -- before options"],
    ["an empty name", "tenant create --name ", "It must not be empty."],
    ["a name with an escape", "tenant create --name a\u001b[2J", "It must not contain control characters."],
    [
      "a name that reverses the text after it",
      "tenant create --name a\u202eb",
      "It must not contain control characters.",
    ],
    ["a bad auth type", "tenant create --name A --auth-type 3.5", "It must be a whole number"],
    ["a bad kind", "key create --tenant t --kind public", "It must be secret or publishable."],
    ["a day that does not exist", `${keyCreate} --expires 2027-02-30`, "It must be a duration such as 90d"],
    [
      "a date in the past",
      `${keyCreate} --expires 2025-12-31`,
      "It must be in the future; it is 2026-01-01T",
    ],
    ["an unknown operation", `${keyCreate} --operation x`, "It must be an operationId: submitCommission, "],
    [
      "a bad overlap",
      "key rotate key_x --overlap day",
      "It must be a whole number with the unit s, m, h or d",
    ],
    ["a dial code with +", `${user} --dial-code +91`, "It must be one to four digits, such as 91, without +"],
    ["a bad mobile", `${user} --mobile 98-76`, "It must be 4 to 15 digits"],
    ["a bad e-mail address", `${user} --email asha`, "It must be an e-mail address"],
    ["an empty password", user, "the password is empty"],
    ["a name that is too long", `${user} --first-name ${"n".repeat(101)}`, "at most 100 characters"],
    ["a URL that is not http", `${webhook} --url ftp://a.example`, "It must be a complete http or https URL"],
    ["a bad event name", `${webhook} --event Order`, "It must consist of lower-case words with dots"],
    ["a key id and a key", "key revoke key_x --key-stdin", "give the key's id or --key-stdin, but not both"],
    ["a webhook id too large", "webhook remove 9007199254740993 --tenant t", "It must be a number"],
    ["nothing to change", "webhook update 1 --tenant t", "there is nothing to change"],
  ])(
    "%s exits with status 2, prints one line and does not open the database",
    async (_fault, command, says) => {
      admin.databaseUrl = "not a database";
      const { code, stdout, stderr } = await run(command, "\n");
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(/^error: [^\n]+\n$/);
      expect(stderr).toContain(says);
    },
  );
});

test("a noun without a verb lists its verbs", async () => {
  expect(await run("tenant")).toEqual({
    code: 2,
    stdout: "",
    stderr: `error: a command is missing (--help lists the commands)
  tenant create  create a tenant
  tenant list    list all tenants
`,
  });
});

test("with --json, an error is printed to standard error as one JSON object, with the same exit status", async () => {
  admin.databaseUrl = "not a database";
  const unknown = await run("tenant list --jsn --json");
  expect(unknown).toEqual({
    code: 2,
    stdout: "",
    stderr: `${JSON.stringify({ error: { message: "unknown option '--jsn' (Did you mean --json?) (--help shows the usage)" } })}\n`,
  });
  const failed = await run("tenant list --json");
  expect({ ...failed, stderr: JSON.parse(failed.stderr) }).toEqual({
    code: 1,
    stdout: "",
    stderr: { error: { message: expect.stringMatching(/^DATABASE_URL must be file:PATH or postgres:/) } },
  });
  const misconfigured = await runProgram("tenant list --json", "", { TOTP_SECRET_KEYS: "c2VjcmV0" });
  expect({ ...misconfigured, stderr: JSON.parse(misconfigured.stderr) }).toEqual({
    code: 2,
    stdout: "",
    stderr: { error: { message: expect.stringContaining("; TOTP_SECRET_KEYS must be ") } },
  });
});

test("every command prints help with examples without opening the database", async () => {
  admin.databaseUrl = "not a database";
  /** Checks the help of a command, and returns the commands in it. */
  const helpOf = async (command: string) => {
    const { code, stdout, stderr } = await run(`${command} --help`.trim());
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`Usage: node server/admin ${command}`);
    expect(stdout).toContain("\nExamples:\n  $ node server/admin ");
    const [, listed = ""] = stdout.split("\nCommands:\n");
    return [...listed.matchAll(/^ {2}([a-z-]+(?: [a-z-]+)?) /gm)].map(([, name = ""]) => name);
  };
  const commands = await helpOf("");
  await Promise.all(commands.map(helpOf));
  const nouns = new Set(commands.filter((each) => each.includes(" ")).map((each) => each.replace(/ .*/, "")));
  const ofNouns = (await Promise.all([...nouns].map(helpOf))).flat();
  expect([commands.length, [...ofNouns, "backup"]]).toEqual([19, commands]);
});
