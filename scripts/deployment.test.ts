/** What docs/deployment.md says can be tried without a container or a proxy, is. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { settings } from "../server/config.ts";
import { openStore } from "../server/store/open.ts";

const page = readFileSync(new URL("../docs/deployment.md", import.meta.url), "utf8");
const folder = mkdtempSync(join(tmpdir(), "commerce-deployment-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("docs/deployment.md", () => {
  it("names only settings that there are", () => {
    const known = Object.values(settings).map(({ name }) => name);
    const named = [...page.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)].map(([, name = ""]) => name);
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });

  it("makes a backup of a database in use that holds all that was committed", async () => {
    const database = join(folder, "commerce.db");
    const store = await openStore(`file:${database}`, { poolSize: 1 });
    const tenant = { id: "tenant", name: "Acme", auth_type: 3 };
    await store.tenants.create(tenant);
    const [, command = ""] = /^node (--eval .*) data\/commerce\.db commerce-backup\.db$/m.exec(page) ?? [];
    const copy = join(folder, "backup.db");
    execFileSync("sh", ["-c", `"$0" ${command} "$1" "$2"`, process.execPath, database, copy]);
    await store.close();
    const restored = await openStore(`file:${copy}`, { poolSize: 1 });
    expect(await restored.tenants.list()).toEqual([tenant]);
    await restored.close();
  });
});
