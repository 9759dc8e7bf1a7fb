/** Runs commands of the operator's command line in tests. */
import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { beforeEach, expect } from "vitest";
import { ended } from "../../../scripts/testing/program.ts";
import { createTotpKeys } from "../../domain/totp-keys.ts";
import { openStore } from "../../store/open.ts";
import type { Awaitable, Store } from "../../store/store.ts";
import type { TestDatabase } from "../../testing/databases.ts";
import { type AdminSurroundings, runAdmin } from "../run.ts";

export const now = Date.UTC(2026, 0, 1);
export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
export const userCreate = "user create --type customer --dial-code 91 --mobile 9876543210 --password-stdin";
export const webhookCreate = "webhook create --url https://a.example --event a.b";

export const login = { type: "customer", dial_code: "91", mobile: "9876543210" };
export const [firstKey, otherKey] = [randomBytes(32), randomBytes(32)];
export const missingKey = `error: TOTP secrets are encrypted with the key ${createTotpKeys([firstKey]).current}, which TOTP_SECRET_KEYS does not contain; add it again.\n`;

type Surroundings = Pick<
  AdminSurroundings,
  "databaseUrl" | "databaseCreate" | "totpSecretKeys" | "commonPasswords" | "production"
>;

const defaults = {
  databaseUrl: "",
  totpSecretKeys: [firstKey],
  production: true,
  databaseCreate: "if-missing",
  commonPasswords: "reject",
} as const satisfies Surroundings;

/** Returns functions that run commands with the settings in `admin`, which a test may change. They are reset before each test. */
export function adminOn(database?: TestDatabase) {
  const settings: Surroundings = { ...defaults };
  const admin = Object.assign(settings, {
    /** The lines that the last command wrote to the audit log. */
    audited: [] as Record<string, unknown>[],
    run,
    runOn,
    resultOf,
    createTenant,
    inStore,
    runProgram,
    rejected,
  });
  beforeEach(async () => {
    Object.assign(admin, defaults);
    if (database === undefined) return;
    const { url, remove } = await database.create();
    admin.databaseUrl = url;
    await (await openStore(url)).close();
    return remove;
  });

  /** No argument in `command` may contain a space. */
  function run(command: string, stdin = "") {
    return runOn(Readable.from([Buffer.from(stdin)]), command.split(" "));
  }

  async function runOn(stdin: Readable, argv: readonly string[]) {
    const written = { stdout: "", stderr: "" };
    admin.audited = [];
    const code = await runAdmin(argv, {
      ...admin,
      stdin,
      stdout: { write: (text) => (written.stdout += text) },
      stderr: { write: (text) => (written.stderr += text) },
      audit: { write: (line) => admin.audited.push(JSON.parse(line)) },
      clock: () => now,
    });
    return { code, ...written };
  }

  async function resultOf(command: string, stdin?: string) {
    const { code, stdout, stderr } = await run(`${command} --json`, stdin);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^\{[^\n]*\}\n$/);
    return JSON.parse(stdout);
  }

  async function createTenant(): Promise<string> {
    return (await resultOf("tenant create --name Acme")).tenant.id;
  }

  async function inStore<T>(work: (store: Store) => Awaitable<T>): Promise<T> {
    const store = await openStore(admin.databaseUrl);
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  }

  async function runProgram(command: string, stdin = "", settings: Record<string, string> = {}) {
    const main = fileURLToPath(new URL("../main.ts", import.meta.url));
    const { status, ...printed } = await ended([process.execPath, main, ...command.split(" ")], {
      env: { ...process.env, DATABASE_URL: admin.databaseUrl, ...settings },
      // This folder contains no file `.env` that the program would read.
      cwd: import.meta.dirname,
      input: stdin,
    });
    return { code: status, ...printed };
  }

  return admin;
}

function rejected(problem: string) {
  return { code: 1, stdout: "", stderr: `error: ${problem}\n` };
}
