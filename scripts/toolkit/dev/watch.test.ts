import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { type Batch, watchFolders } from "./watch.ts";

const folder = temporaryFolder();
const temporary = ["4913", ".a.ts.swp", ".#a.ts", "#a.ts#", "a.ts~", "a.ts___jb_tmp___", "a.ts___jb_old___"];

it("reports saved files, but no temporary files of editors", async () => {
  const { promise, resolve } = Promise.withResolvers<Batch>();
  const stop = watchFolders([folder], resolve);
  for (const name of [...temporary, "a.ts"]) writeFileSync(join(folder, name), "");
  expect((await promise).files).toEqual([join(folder, "a.ts")]);
  stop();
});
