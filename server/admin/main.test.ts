import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTotpKeys } from "../domain/totp-keys.ts";
import { adminOn, firstKey, login, userCreate } from "./testing/commands.ts";

const admin = adminOn();
const { createTenant, inStore, run, runProgram } = admin;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "admin-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("the program reads its settings and standard input, and exits with the status", async () => {
  admin.databaseUrl = `file:${folder}/commerce.db`;
  await run("tenant create --name First");
  const tenant = await createTenant();
  const command = `${userCreate} --tenant ${tenant} --mfa --json`;
  const created = await runProgram(command, "pass word\n", {
    TOTP_SECRET_KEYS: firstKey.toString("base64"),
  });
  expect(created).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^\{"user":\{.*\}\}\n$/),
    stderr: expect.stringMatching(/^\{"level":30,"time":\d+,"audit":"admin",[^\n]*\}\n$/),
  });
  const user = await inStore((store) => store.users.findByLogin({ ...login, tenant_id: tenant }));
  expect(user?.totp_key_id).toBe(createTotpKeys([firstKey]).current);
  expect(await runProgram("key revoke key_none")).toMatchObject({ code: 1, stdout: "" });
  expect(await runProgram("tenant list", "", { TOTP_SECRET_KEYS: "c2VjcmV0" })).toEqual({
    code: 2,
    stdout: "",
    stderr:
      "error: TOTP_SECRET_KEYS must be keys of 32 bytes in Base64, separated by commas; `openssl rand -base64 32` makes one\n",
  });
});
