/** Tests a nearly full disk: a small file system in memory, which only root can make. */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  rmdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, runSql } from "../store/postgres/testing/database.ts";
import { startService, type TestService } from "../testing/service.ts";

const submit = ({ acme, send }: TestService, title: string) =>
  send({
    method: "GET",
    path: "/",
    key: acme.secretKey,
    body: { commission: { title, type: "supply", default_value: 1 } },
  });

interface Disk {
  readonly name: string;
  readonly size: string;
  /** Creates a database in a folder on the disk. */
  create(folder: string): Promise<{ readonly url: string; remove(): Promise<void> }>;
}

const disks: readonly Disk[] = [
  {
    name: "SQLite",
    size: "16m",
    create: async (folder) => ({ url: `file:${join(folder, "a.db")}`, remove: async () => {} }),
  },
  {
    name: "PostgreSQL",
    size: "32m",
    async create(folder) {
      const place = join(folder, "tablespace");
      const server = await createDatabase();
      const [{ data = "" } = {}] = await runSql<{ data: string }>(
        server,
        "SELECT current_setting('data_directory') AS data",
      );
      const { uid, gid } = statSync(data);
      mkdirSync(place);
      for (const path of [folder, place]) chownSync(path, uid, gid);
      await runSql(server, `CREATE TABLESPACE small LOCATION '${place}'`);
      const url = await createDatabase("TABLESPACE small");
      return {
        url,
        async remove() {
          await runSql(server, `DROP DATABASE ${new URL(url).pathname.slice(1)}`);
          await runSql(server, "DROP TABLESPACE small");
        },
      };
    },
  },
];

describe.runIf(process.platform === "linux" && process.getuid?.() === 0).each(disks)(
  "a nearly full disk of $name",
  ({ size, create }) => {
    let folder: string;
    let database: Awaited<ReturnType<Disk["create"]>>;
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), "commerce-small-"));
      execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder]);
      database = await create(folder);
    });
    afterAll(async () => {
      await database.remove();
      execFileSync("umount", [folder]);
      rmdirSync(folder);
    });

    it("makes writes and /readyz return 503 until there is space, and loses no acknowledged write", async () => {
      await using service = await startService({ settings: { DATABASE_URL: database.url } });
      const ready = async () => (await service.send({ method: "GET", path: "/readyz" })).status;
      expect(await ready()).toBe(200);
      const filler = join(folder, "filler");
      const { bavail, bsize } = statfsSync(folder);
      writeFileSync(filler, Buffer.alloc(bavail * bsize - 300_000));
      const acknowledged = new Map<string, unknown>();
      const large = (n: number) => `${n} ${randomBytes(25_000).toString("hex")}`;
      let status = 200;
      for (let n = 0; status === 200; n += 1) {
        const title = large(n);
        const response = await submit(service, title);
        status = response.status;
        if (status === 200) acknowledged.set(title, response.body);
      }
      expect(status).toBe(503);
      expect([await ready(), await ready()]).toEqual([503, 503]);
      // Reads and small writes still succeed.
      const [known = ""] = acknowledged.keys();
      expect((await submit(service, known)).status).toBe(200);
      expect(await ready()).toBe(503);
      rmSync(filler);
      expect(await ready()).toBe(200);
      expect((await submit(service, large(-1))).status).toBe(200);
      for (const [title, body] of acknowledged) expect((await submit(service, title)).body).toEqual(body);
    });
  },
);
