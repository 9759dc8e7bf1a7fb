/** Ends the record of a test file. */
import { relative } from "node:path";
import { afterAll, expect } from "vitest";
import { recordTestFile } from "../record.ts";
import { recorded } from "./observed.ts";

afterAll(async () => {
  await recorded();
  recordTestFile(relative(process.cwd(), expect.getState().testPath ?? ""));
});
