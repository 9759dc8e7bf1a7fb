/** Waits for the recorder after each test file, so that no exchange is missing in the record. */
import { afterAll } from "vitest";
import { recorded } from "./observed.ts";

afterAll(recorded);
