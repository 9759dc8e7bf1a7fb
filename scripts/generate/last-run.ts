/** Keeps digests of what a run read and wrote, so that the next run can skip unchanged work. */
import { hash } from "node:crypto";
import { globSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** By absolute path, the SHA-256 of each file that a run read or wrote; null if there was none. */
type Digests = Readonly<Record<string, string | null>>;

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Reads the generator's sources, so call it before they load. Undefined without npm's list of packages. */
export async function recordOf(options: unknown): Promise<string | undefined> {
  const sources = globSync("scripts/{generate.ts,{openapi,json-schema,generate}/**/*.{ts,js}}", {
    cwd: root,
  }).toSorted();
  const read = [join(root, "node_modules/.package-lock.json"), ...sources.map((name) => join(root, name))];
  const digests = await Promise.all(read.map(async (path) => [path, await digestOf(path)]));
  if (digests[0]?.[1] === null) return undefined;
  const name = hash("sha256", JSON.stringify([process.version, options, digests]));
  return join(root, "node_modules/.cache/generate", `${name}.json`);
}

export async function isUpToDate(record: string): Promise<boolean> {
  try {
    const digests: Digests = JSON.parse(await readFile(record, "utf8"));
    const checks = Object.entries(digests).map(async ([path, digest]) => digest === (await digestOf(path)));
    return (await Promise.all(checks)).every(Boolean);
  } catch {
    return false;
  }
}

/** If the digests cannot be written, the next run generates everything. */
export async function keepDigests(record: string, digests: Digests): Promise<void> {
  await mkdir(dirname(record), { recursive: true }).catch(() => undefined);
  await writeFile(record, JSON.stringify(digests)).catch(() => undefined);
}

async function digestOf(path: string): Promise<string | null> {
  return readFile(path).then(
    (bytes) => hash("sha256", bytes),
    () => null,
  );
}
