/** Ends a Node that cannot load TypeScript with one line. Without this, Node prints a stack. */
import { readFileSync } from "node:fs";

if (!process.features.typescript) {
  const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const least = engines.node.replace(">=", "");
  console.error(`Node ${process.versions.node} does not load TypeScript: install ${least} or newer`);
  process.exit(1);
}
