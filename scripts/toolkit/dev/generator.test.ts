import { copyFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { project as ownProject } from "../../project.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { Generator } from "./generator.ts";

const rejectedSpec = "scripts/toolkit/generate/fixtures/reject/callbacks.yaml";
const folder = temporaryFolder();
const generator = new Generator();
afterAll(() => generator.reload());

it("ignores only the problems that spec/waivers.yaml waives", async () => {
  const [spec, rules] = [join(folder, "openapi.yaml"), join(folder, "redocly.yaml")];
  await copyFile(rejectedSpec, spec);
  await writeFile(rules, "rules: {}\n");
  const project = { ...ownProject, spec, rules, generated: join(folder, "generated") };
  const rejected = await generator.generate(project);
  expect(rejected.problems.map(({ rule }) => rule)).toEqual(["callbacks", "callbacks"]);
  expect(await readdir(folder)).toEqual(["openapi.yaml", "redocly.yaml"]);
  await writeFile(
    join(folder, "waivers.yaml"),
    "- { rule: callbacks, reason: They are checked elsewhere. }\n",
  );
  const { problems, written } = await generator.generate(project);
  expect({ problems, written: written.length }).toEqual({ problems: [], written: 17 });
});
