import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openStore } from "../store/open.ts";
import type { Store, Totp } from "../store/store.ts";
import { databases } from "../testing/databases.ts";
import { checkTotpKeys, createTotpKeys, rotateTotpKeys, TotpKeyError } from "./totp-keys.ts";

const secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
const [older, newer, unknown] = [randomBytes(32), randomBytes(32), randomBytes(32)];
const keys = createTotpKeys([older]);

describe("a secret", () => {
  test("is decrypted by the key that encrypted it, and the encrypted text does not contain it", () => {
    const totp = keys.seal("u", secret);
    expect(totp).toEqual({
      totp_secret: expect.stringMatching(/^v1\.[\w-]{80}$/),
      totp_key_id: keys.current,
    });
    expect(keys.current).toMatch(/^[0-9a-f]{16}$/);
    expect(keys.open("u", totp)).toBe(secret);
  });

  test("gets a different text each time it is encrypted", () => {
    expect(new Set(Array.from({ length: 50 }, () => keys.seal("u", secret).totp_secret)).size).toBe(50);
  });

  test("that was encrypted for one user cannot be decrypted for another", () => {
    expect(() => keys.open("v", keys.seal("u", secret))).toThrow(TotpKeyError);
  });

  test("is rejected if its encrypted text was changed by a byte or truncated", () => {
    const { totp_secret, totp_key_id } = keys.seal("u", secret);
    const bytes = Buffer.from(totp_secret.slice(3), "base64url");
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      const totp = { totp_secret: `v1.${changed.toString("base64url")}`, totp_key_id };
      expect(() => keys.open("u", totp)).toThrow(TotpKeyError);
    }
    for (const length of [0, 3, 20, totp_secret.length - 4]) {
      const totp = { totp_secret: totp_secret.slice(0, length), totp_key_id };
      expect(() => keys.open("u", totp)).toThrow(TotpKeyError);
    }
    expect(() => keys.open("u", { totp_secret: `v2${totp_secret.slice(2)}`, totp_key_id })).toThrow(
      new TotpKeyError('The TOTP secret of user u is damaged; enrol the user again with "user enable-mfa".'),
    );
  });

  test("that is encrypted with a missing key is rejected with the key's id and the fix", () => {
    expect(() => createTotpKeys([newer]).open("u", keys.seal("u", secret))).toThrow(
      new TotpKeyError(
        `TOTP secrets are encrypted with the key ${keys.current}, which TOTP_SECRET_KEYS does not contain; add it again.`,
      ),
    );
  });

  test("is encrypted with the first key of the list and can be decrypted with any key of it", () => {
    const both = createTotpKeys([newer, older]);
    expect(both.open("u", keys.seal("u", secret))).toBe(secret);
    expect(both.seal("u", secret).totp_key_id).toBe(createTotpKeys([newer]).current);
  });

  test("is stored in plain text if there is no key, and can still be read after a key is added", () => {
    const totp = createTotpKeys([]).seal("u", secret);
    expect(totp).toEqual({ totp_secret: secret, totp_key_id: null });
    expect(keys.open("u", totp)).toBe(secret);
  });
});

describe.each(databases)("the secrets on $name", ({ create }) => {
  let store: Store;
  let remove: () => Promise<void>;
  beforeEach(async () => {
    const database = await create();
    remove = database.remove;
    store = await openStore(database.url);
    await store.tenants.create({ id: "t", name: "T", auth_type: 3 });
  });
  afterEach(async () => {
    await store.close();
    await remove();
  });

  async function addUser(id: string, totp: Totp | { totp_secret: null; totp_key_id: null }) {
    const names = { first_name: "", last_name: "", email: "", profile_pic: "", email_verified: false };
    const login = { tenant_id: "t", type: "customer", dial_code: "1", mobile: id, password_hash: "" };
    await store.users.create({ id, ...login, ...names, ...totp });
  }

  async function secretOf(id: string, by: Uint8Array[]): Promise<string> {
    const { totp_secret = null, totp_key_id = null } = (await store.users.find(id)) ?? {};
    return createTotpKeys(by).open(id, { totp_secret: totp_secret ?? "", totp_key_id });
  }

  test("can all be read if every key is present, and the unencrypted ones are counted", async () => {
    await addUser("0", { totp_secret: null, totp_key_id: null });
    expect(await checkTotpKeys(store, createTotpKeys([]))).toBe(0);
    await addUser("1", { totp_secret: secret, totp_key_id: null });
    await addUser("2", createTotpKeys([newer]).seal("2", secret));
    expect(await checkTotpKeys(store, createTotpKeys([older, newer]))).toBe(1);
  });

  test("are rejected with the ids of the missing keys", async () => {
    await addUser("1", keys.seal("1", secret));
    await addUser("2", createTotpKeys([newer]).seal("2", secret));
    const ids = [keys.current, createTotpKeys([newer]).current].toSorted();
    for (const some of [[], [unknown]]) {
      await expect(checkTotpKeys(store, createTotpKeys(some))).rejects.toThrow(
        new TotpKeyError(
          `TOTP secrets are encrypted with the keys ${ids.join(", ")}, which TOTP_SECRET_KEYS does not contain; add them again.`,
        ),
      );
    }
  });

  test("are all encrypted with the first key, even if they were unencrypted before, and then need no other key", async () => {
    await addUser("none", { totp_secret: null, totp_key_id: null });
    await addUser("plain", { totp_secret: secret, totp_key_id: null });
    for (let n = 0; n < 250; n++) await addUser(`${n}`, keys.seal(`${n}`, `SECRET${n}`));
    const rotated = await rotateTotpKeys(store, createTotpKeys([newer, older]));
    expect(rotated).toEqual({ totp_key_id: createTotpKeys([newer]).current, users: 251 });
    expect(await secretOf("plain", [newer])).toBe(secret);
    for (let n = 0; n < 250; n++) expect(await secretOf(`${n}`, [newer])).toBe(`SECRET${n}`);
    expect(await checkTotpKeys(store, createTotpKeys([newer]))).toBe(0);
    expect(await rotateTotpKeys(store, createTotpKeys([newer]))).toEqual({ ...rotated, users: 0 });
  });

  test("are unchanged if a key is missing, or if the list of keys is empty", async () => {
    await addUser("0", { totp_secret: secret, totp_key_id: null });
    await addUser("1", keys.seal("1", secret));
    const before = await store.users.list("t");
    await expect(rotateTotpKeys(store, createTotpKeys([newer]))).rejects.toThrow(TotpKeyError);
    await expect(rotateTotpKeys(store, createTotpKeys([]))).rejects.toThrow(
      new TotpKeyError("TOTP_SECRET_KEYS has no key; set it to one."),
    );
    expect(await store.users.list("t")).toEqual(before);
  });
});
