import { expect, it } from "vitest";
import { lockfileFor } from "./lockfile.ts";

const packages = {
  "": { name: "shop", dependencies: { web: "^1.0.0", pay: "^1.0.0" }, devDependencies: { test: "^1.0.0" } },
  "node_modules/web": { version: "1.0.0", dependencies: { text: "^2.0.0" } },
  "node_modules/web/node_modules/text": { version: "2.0.0", dependencies: { letter: "*" } },
  "node_modules/text": { version: "1.0.0", dev: true },
  "node_modules/letter": { version: "3.0.0" },
  "node_modules/pay": { version: "1.0.0", dependencies: { coin: "*" } },
  "node_modules/coin": { version: "1.0.0" },
  "node_modules/test": {
    version: "1.0.0",
    dev: true,
    dependencies: { text: "^1.0.0", coin: "*" },
    optionalDependencies: { "test-on-other": "1.0.0", absent: "1.0.0" },
    peerDependencies: { web: "*" },
  },
  "node_modules/tools": { resolved: "scripts/tools", link: true },
  "scripts/tools": { version: "1.0.0", dev: true, dependencies: { coin: "*" } },
  "node_modules/test-on-other": { version: "1.0.0", optional: true, dev: true, os: ["other"] },
};

it("keeps the packages that the new project needs, with versions and paths, and marks development packages", () => {
  const manifest = {
    name: "museum",
    version: "1.2.0",
    dependencies: { web: "^1.0.0" },
    devDependencies: { test: "^1.0.0", tools: "file:scripts/tools" },
  };
  expect(lockfileFor(manifest, { lockfileVersion: 3, packages })).toEqual({
    name: "museum",
    version: "1.2.0",
    lockfileVersion: 3,
    requires: true,
    packages: {
      "": manifest,
      "node_modules/web": packages["node_modules/web"],
      "node_modules/web/node_modules/text": packages["node_modules/web/node_modules/text"],
      "node_modules/text": packages["node_modules/text"],
      "node_modules/letter": packages["node_modules/letter"],
      "node_modules/coin": { version: "1.0.0", dev: true },
      "node_modules/test": packages["node_modules/test"],
      "node_modules/test-on-other": packages["node_modules/test-on-other"],
      "node_modules/tools": { ...packages["node_modules/tools"], dev: true },
      "scripts/tools": packages["scripts/tools"],
    },
  });
});
