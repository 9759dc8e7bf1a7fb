import { configDefaults, defineConfig } from "vitest/config";
import { compiledFolder } from "#specbind/server/compile-cache";

/** Tests that start many processes, copy the tree, build packages, need a browser or kill servers. */
const slow = "{server,client,scripts}/**/*.slow.test.ts";

export default defineConfig({
  test: {
    // For the processes that tests start. Workers read it too late.
    env: { NODE_COMPILE_CACHE: compiledFolder(new URL(".", import.meta.url)) },
    globalSetup: ["server/store/postgres/testing/global-setup.ts"],
    // No test waits for time to pass. This only ends a test that hangs, also on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // Node runs TypeScript itself. Every file shares the modules of its worker, because no test changes them.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    pool: "threads",
    isolate: false,
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: "fast",
          globalSetup: ["scripts/toolkit/coverage/record.ts"],
          setupFiles: ["scripts/toolkit/coverage/testing/setup.ts"],
          include: ["{server,client,scripts}/**/*.test.ts"],
          exclude: [...configDefaults.exclude, slow],
        },
      },
      {
        extends: true,
        test: {
          name: "slow",
          include: [slow],
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
});
