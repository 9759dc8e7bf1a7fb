import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../scripts/testing/temporary-folder.ts";
import { createApiKey } from "../domain/api-keys.ts";
import { createTenant, createWebhook } from "../domain/registration.ts";
import { openStore } from "../store/open.ts";
import { send } from "../testing/http.ts";
import { startServer } from "../testing/program.ts";
import { runAdmin } from "./run.ts";

const folder = temporaryFolder();

async function backUp(databaseUrl: string, file: string) {
  const written = { stdout: "", stderr: "", audit: "" };
  const code = await runAdmin(["backup", file, "--json"], {
    databaseUrl,
    databaseCreate: "if-missing",
    totpSecretKeys: [],
    commonPasswords: "reject",
    production: true,
    stdin: Readable.from([]),
    stdout: { write: (text) => (written.stdout += text) },
    stderr: { write: (text) => (written.stderr += text) },
    audit: { write: (text) => (written.audit += text) },
  });
  return { code, ...written };
}

test("a backup of a database in use contains every committed change, and a server can use it", async () => {
  const store = await openStore(`file:${join(folder, "commerce.db")}`);
  const tenant = await createTenant(store, { name: "Acme", auth_type: 3 });
  const clock = Date.now;
  const { secret } = await createApiKey({ store, clock }, { tenant_id: tenant.id, kind: "secret" });
  const hook = { tenant_id: tenant.id, url: "https://shop.test/", events: ["order.created"] };
  const { id } = await createWebhook(store, hook);
  const copy = join(folder, "backup.db");
  const { code, stdout, stderr, audit } = await backUp(`file:${join(folder, "commerce.db")}`, copy);
  await store.close();
  expect({ code, stderr, result: JSON.parse(stdout) }).toEqual({
    code: 0,
    stderr: "",
    result: { backup: { file: copy, bytes: statSync(copy).size, schema_version: expect.any(Number) } },
  });
  expect(JSON.parse(audit)).toMatchObject({ audit: "admin", action: "backup", result: "done" });
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  await using server = await startServer(`file:${copy}`);
  const { status, body } = await send(server.url, { method: "GET", path: `/v1/webhooks/${id}`, key: secret });
  expect({ status, body }).toMatchObject({ status: 200, body: { data: { webhook: { url: hook.url } } } });
});

test.each([
  ["an existing file", "precious", "precious exists; choose another file"],
  ["an unfinished backup", "precious.unfinished", "precious.unfinished exists, because another backup is"],
])("a backup does not overwrite %s", async (_, name, says) => {
  const [database, file] = [join(folder, "small.db"), join(folder, name)];
  await (await openStore(`file:${database}`)).close();
  writeFileSync(file, "precious");
  const { code, stderr } = await backUp(`file:${database}`, join(folder, "precious"));
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(says) });
  expect(readFileSync(file, "utf8")).toBe("precious");
  rmSync(file);
});

test.each<[string, (path: string) => void, string]>([
  ["is missing", () => {}, "cannot be read (unable to open database file)"],
  ["was not made by this service", (path) => writeFileSync(path, ""), "is not a database of this service"],
  [
    "is damaged",
    (path) => {
      const bytes = readFileSync(join(folder, "small.db"));
      writeFileSync(path, bytes.fill(0xff, 4096, 8192));
    },
    "was not made (database disk image is malformed)",
  ],
])("no backup is made of a database that %s", async (title, make, says) => {
  const [database, copy] = [join(folder, `${title}.db`), join(folder, `${title}-copy.db`)];
  make(database);
  const { code, stdout, stderr } = await backUp(`file:${database}`, copy);
  expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: "", stderr: expect.stringContaining(says) });
  expect(existsSync(copy)).toBe(false);
});

test("for PostgreSQL, the error tells the user to run pg_dump", async () => {
  const { code, stderr } = await backUp("postgres://commerce:s3cret@db/commerce", join(folder, "none"));
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("run: pg_dump ") });
  expect(stderr).not.toContain("s3cret");
});
