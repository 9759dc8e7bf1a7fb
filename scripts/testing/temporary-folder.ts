import { randomUUID } from "node:crypto";
import { mkdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";

/** A folder that exists while the tests of the calling file or `describe` run. */
export function temporaryFolder(): string {
  const folder = join(realpathSync(tmpdir()), `test-${randomUUID()}`);
  beforeAll(() => void mkdirSync(folder, 0o700));
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}
