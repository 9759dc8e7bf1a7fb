import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Generator } from "./generator.ts";

const museum = "scripts/generate/fixtures/real/museum";
let folder: string;
const generator = new Generator();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "generator-"));
  await writeFile(join(folder, "openapi.yaml"), await readFile(join(museum, "openapi.yaml")));
});
afterAll(async () => {
  await generator.reload();
  await rm(folder, { recursive: true });
});

it("ignores what spec/waivers.yaml waives, and nothing else", async () => {
  const out = join(folder, "generated");
  const spec = join(folder, "openapi.yaml");
  const rejected = await generator.generate(spec, out);
  expect(rejected.problems.map(({ rule }) => rule)).toEqual(["webhooks"]);
  expect(await readdir(folder)).toEqual(["openapi.yaml"]);
  await writeFile(join(folder, "waivers.yaml"), await readFile(join(museum, "waivers.yaml")));
  const { problems, written } = await generator.generate(spec, out);
  expect({ problems, written: written.length }).toEqual({ problems: [], written: 7 });
});
