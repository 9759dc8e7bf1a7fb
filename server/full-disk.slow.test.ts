/** Tests a nearly full disk: a small file system in memory, which only root can make. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startService, type TestService } from "./testing/service.ts";

const submit = ({ acme, send }: TestService, title: string) =>
  send({
    method: "GET",
    path: "/",
    key: acme.secretKey,
    content: { commission: { title, type: "supply", default_value: 1 } },
  });

describe.runIf(process.platform === "linux" && process.getuid?.() === 0)("a nearly full disk", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "commerce-small-"));
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=16m", "tmpfs", folder]);
  });
  afterAll(() => {
    execFileSync("umount", [folder]);
    rmdirSync(folder);
  });

  it("makes writes and /readyz return 503 until there is space, and loses no acknowledged write", async () => {
    await using service = await startService({ settings: { DATABASE_URL: `file:${join(folder, "a.db")}` } });
    const ready = async () => (await service.send({ method: "GET", path: "/readyz" })).status;
    expect(await ready()).toBe(200);
    const filler = join(folder, "filler");
    const { bavail, bsize } = statfsSync(folder);
    writeFileSync(filler, Buffer.alloc(bavail * bsize - 300_000));
    const acknowledged = new Map<string, unknown>();
    const large = (n: number) => `${n} ${"x".repeat(50_000)}`;
    let status = 200;
    for (let n = 0; status === 200; n += 1) {
      const reply = await submit(service, large(n));
      status = reply.status;
      if (status === 200) acknowledged.set(large(n), reply.body);
    }
    expect(status).toBe(503);
    expect([await ready(), await ready()]).toEqual([503, 503]);
    // Reads still succeed.
    const [known = ""] = acknowledged.keys();
    expect((await submit(service, known)).status).toBe(200);
    expect(await ready()).toBe(503);
    rmSync(filler);
    expect(await ready()).toBe(200);
    expect((await submit(service, large(-1))).status).toBe(200);
    for (const [title, body] of acknowledged) expect((await submit(service, title)).body).toEqual(body);
  });
});
