import { configDefaults, defineConfig } from "vitest/config";

/** They need what `npm ci` does not install, and take far longer. */
const apart = { package: "scripts/build/consumers/*.test.ts", browser: "client/browser/*.test.ts" };

/** Tests of a project that is begun from here, for a spec of its own. */
const ofOtherProjects = "scripts/adopt/template/**";

export default defineConfig({
  test: {
    globalSetup: ["server/store/postgres/testing/global-setup.ts"],
    // Nothing waits for time to pass; this only ends what hangs, also on a machine that is busy.
    testTimeout: 60_000,
    expect: { poll: { timeout: 50_000 } },
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          globalSetup: ["scripts/coverage/testing/global-setup.ts"],
          setupFiles: ["scripts/coverage/testing/setup.ts"],
          include: ["{server,client,scripts}/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...Object.values(apart), ofOtherProjects],
        },
      },
      ...Object.entries(apart).map(([name, include]) => ({
        extends: true as const,
        test: { name, include: [include], testTimeout: 120_000, hookTimeout: 120_000 },
      })),
    ],
  },
});
