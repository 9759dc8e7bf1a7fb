/** `node --import specbind-runtime/server/node-version FILE` prints one line if this Node cannot run a TypeScript file. */
if (!process.features.typescript) {
  process.stderr.write(
    `this is Node ${process.versions.node}, but the server needs 22.18 or newer: install it, for example with \`npm install node@22\`\n`,
  );
  process.exit(1);
}
