import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { Generator } from "./generator.ts";

const museum = "scripts/generate/fixtures/real/museum";
const folder = temporaryFolder();
const generator = new Generator();
beforeAll(async () => {
  await writeFile(join(folder, "openapi.yaml"), await readFile(join(museum, "openapi.yaml")));
  await writeFile(join(folder, "redocly.yaml"), "rules: {}\n");
});
afterAll(() => generator.reload());

it("ignores only the problems that spec/waivers.yaml waives", async () => {
  const out = join(folder, "generated");
  const spec = join(folder, "openapi.yaml");
  const task = { spec, rules: join(folder, "redocly.yaml"), out };
  const rejected = await generator.generate(task);
  expect(rejected.problems.map(({ rule }) => rule)).toEqual(["webhooks"]);
  expect(await readdir(folder)).toEqual(["openapi.yaml", "redocly.yaml"]);
  await writeFile(join(folder, "waivers.yaml"), await readFile(join(museum, "waivers.yaml")));
  const { problems, written } = await generator.generate(task);
  expect({ problems, written: written.length }).toEqual({ problems: [], written: 7 });
});

it("writes nothing if the document breaks a rule of the linter", async () => {
  const rules = join(folder, "redocly.yaml");
  await writeFile(rules, "rules: { info-license: error }\n");
  const spec = join(folder, "openapi.yaml");
  await writeFile(spec, (await readFile(spec, "utf8")).replace(/^ {2}license:\n(?: {4}.*\n)+/m, ""));
  const { problems, written } = await generator.generate({ spec, rules, out: join(folder, "other") });
  expect({ messages: problems.map(({ message }) => message), written }).toEqual({
    messages: ["Info object should contain `license` field. (info-license)"],
    written: [],
  });
});
