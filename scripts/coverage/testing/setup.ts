/** Waits for the recorder after each test file, so that no exchange is missing in the record. */
import { relative } from "node:path";
import { afterAll, expect } from "vitest";
import { recordTestFile } from "../record.ts";
import { recorded } from "./observed.ts";

afterAll(async () => {
  await recorded();
  recordTestFile(relative(process.cwd(), expect.getState().testPath ?? ""));
});
