import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: ["{server,client,scripts}/**/*.test.ts"], testTimeout: 60_000, hookTimeout: 60_000 },
});
