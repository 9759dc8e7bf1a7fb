/** What docs/deployment.md says can be tried without a container or a proxy, is. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { settings } from "../server/config.ts";
import { openStore } from "../server/store/open.ts";

const page = readFileSync(new URL("../docs/deployment.md", import.meta.url), "utf8");
const folder = mkdtempSync(join(tmpdir(), "commerce-deployment-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the page's own commands. @throws with what they wrote, where they fail */
function backUp(database: string, copy: string): void {
  const commands = /^(umask .*\n)node (--eval .*) data\/commerce\.db commerce-backup\.db$/m.exec(page);
  const [, umask = "", options = ""] = commands ?? [];
  const script = `${umask}"$0" ${options} "$1" "$2"`;
  execFileSync("sh", ["-c", script, process.execPath, database, copy], { stdio: "pipe" });
}

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
    const copy = join(folder, "backup.db");
    backUp(database, copy);
    await store.close();
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    const restored = await openStore(`file:${copy}`, { poolSize: 1 });
    expect(await restored.tenants.list()).toEqual([tenant]);
    await restored.close();
  });

  it("makes no backup, and no database, where the path is mistyped", () => {
    const [mistyped, copy] = [join(folder, "comerce.db"), join(folder, "none.db")];
    expect(() => backUp(mistyped, copy)).toThrow("unable to open database file");
    expect([mistyped, copy].filter((path) => existsSync(path))).toEqual([]);
  });
});
