import { describe, expect, test } from "vitest";
import { createTotpKeys } from "../domain/totp-keys.ts";
import { databases } from "../testing/databases.ts";
import { adminOn, firstKey, missingKey, otherKey, userCreate } from "./testing/commands.ts";

describe.each(databases)("on $name", (database) => {
  const admin = adminOn(database);
  const { createTenant, resultOf, run } = admin;

  test("keys of TOTP secrets are rotated: first add the new key, then encrypt the secrets, then remove the old key", async () => {
    await resultOf(`${userCreate} --tenant ${await createTenant()} --mfa`, "pass word");
    admin.totpSecretKeys = [otherKey, firstKey];
    const key_id = createTotpKeys([otherKey]).current;
    expect(await resultOf("totp rotate")).toEqual({ totp: { key_id, users: 1 } });
    admin.totpSecretKeys = [otherKey];
    expect((await run("totp rotate")).stdout).toBe(
      `Re-encrypted 0 TOTP secrets. All are now encrypted with the key ${key_id}.\n`,
    );
    admin.totpSecretKeys = [firstKey];
    expect(await run("totp rotate")).toEqual({
      code: 1,
      stdout: "",
      stderr: missingKey.replace(`${createTotpKeys([firstKey]).current}`, `${key_id}`),
    });
  });
});
