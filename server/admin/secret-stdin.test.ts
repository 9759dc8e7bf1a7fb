import { PassThrough, Readable } from "node:stream";
import { expect, test } from "vitest";
import { typedSecret } from "./secret-stdin.ts";
import { adminOn, userCreate } from "./testing/commands.ts";

const admin = adminOn();
const { run, runOn } = admin;

const user = `${userCreate} --tenant t`;

test.each<[text: string, stdin: Iterable<Uint8Array>, says: string]>([
  ["is too short", [Buffer.from("seven77\n")], "the password is shorter than 8 characters"],
  ["is not UTF-8", [new Uint8Array([0x61, 0xff])], "the password is not UTF-8 text"],
  ["is common", [Buffer.from("iloveyou1\n")], "the password is one of the most common ones"],
  ["is common, apart from its case", [Buffer.from("Passw0rd\n")], "the password is one of the most common"],
  ["is common in capitals", [Buffer.from("PASSWORD123\n")], "the password is one of the most common ones"],
  ["has no end", endless(), "the password is longer than 1024 characters"],
])("a password that %s is rejected", async (_, stdin, says) => {
  admin.databaseUrl = "not a database";
  const { code, stderr } = await runOn(Readable.from(stdin), user.split(" "));
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(says) });
});

test.each([
  ["a typed line", "correct horse\r", "correct horse"],
  ["the line after a correction", "correct hot\x7frse\r", "correct horse"],
  ["nothing at the end of the input", "\x04", ""],
])("a terminal gives %s, and does not show it", async (_, typed, secret) => {
  const input = new PassThrough();
  let shown = "";
  const read = typedSecret(input, { write: (text) => (shown += text) });
  input.write(typed);
  expect((await read.next()).value).toBe(secret);
  expect(await read.next()).toEqual({ done: true, value: undefined });
  expect(shown).toBe("Type or paste it, then press Enter (it is not shown): \n");
});

test("the list of common passwords is in lower case, and has at least 10,000 that are long enough", async () => {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  const common = dictionary["passwords-common"];
  expect(common.filter((each) => each !== each.toLowerCase())).toEqual([]);
  expect(common.filter((each) => each.length >= 8).length).toBeGreaterThan(10_000);
});

test.each<[rule: string, stdin: string, setting: typeof admin.commonPasswords]>([
  ["only contains a common one", "iloveyou1 iloveyou1", "reject"],
  ["is common, if COMMON_PASSWORDS is accept", "iloveyou1", "accept"],
  ["has 1024 equal letters", "p".repeat(1024), "reject"],
])("a password is accepted that %s", async (_, stdin, setting) => {
  admin.commonPasswords = setting;
  admin.databaseUrl = `file:${import.meta.dirname}`;
  // Status 1 means that only the database could not be opened.
  expect((await run(user, stdin)).code).toBe(1);
});

function* endless() {
  for (;;) yield Buffer.alloc(1000, "p");
}
