/** Waits for the recorder after each test file, so that the record misses no exchange. */
import { afterAll } from "vitest";
import { recorded } from "./observed.ts";

afterAll(recorded);
