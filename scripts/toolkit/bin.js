#!/usr/bin/env node
/** Starts the command of the built package. An old Node understands this file, and gets one line instead of a stack. */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major > 22 || (major === 22 && minor >= 18)) {
  import("./specbind.js");
} else {
  console.error(
    `this is Node ${process.versions.node}, but specbind needs 22.18 or newer: install it, for example with \`npm install --save-dev node@22\``,
  );
  process.exitCode = 1;
}
