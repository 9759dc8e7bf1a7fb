import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openDatabase } from "./databases.ts";

test("each program gets a copy of the database, also if its title is the name of a scoped package", async () => {
  await using database = await openDatabase("sqlite");
  writeFileSync(fileURLToPath(database.url), "rows");
  expect(await database.copy("@hono/zod-openapi 1.6.3")).toBe(`${database.url}-_hono_zod_openapi_1_6_3`);
});
