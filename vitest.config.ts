import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{server,client,scripts}/**/*.test.ts"],
    globalSetup: ["server/store/postgres/testing/global-setup.ts"],
    // Nothing waits for time to pass; this only ends what hangs, also on a machine that is busy.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
