import { resolve } from "node:path";
import { buildPackage } from "./build/build-package.ts";
import { BuildError } from "./build/manifest.ts";
import { action, createCommand, runProgram } from "./toolkit/commands/command-line.ts";

/**
 * Limit of the code that a browser loads, minified and compressed with gzip. The client of this spec has 8 kB. The rest
 * is for more operations.
 */
const limitBytes = 10_000;

async function main(out: string): Promise<number> {
  try {
    const built = await buildPackage({
      root: resolve(import.meta.dirname, ".."),
      out: resolve(out),
      limitBytes,
    });
    const { name, version, files, bytes, browser } = built;
    process.stdout.write(
      `${out} contains ${name} ${version}: ${files.length} files, ${kilobytes(bytes)}\n` +
        `a page loads ${kilobytes(browser.gzipBytes)}, minified and compressed with gzip (${kilobytes(browser.minifiedBytes)} before gzip); the limit is ${kilobytes(limitBytes)}\n` +
        `npm pack ${resolve(out)} makes the file to install or publish\n`,
    );
    return 0;
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    process.stderr.write(`${error.message}\nNothing was built.\n`);
    return 1;
  }
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

const command = createCommand(
  "npm run build --",
  "Builds the client as a package for Node, browsers and edge runtimes.",
  "0 built, 1 not built (the old package is unchanged), 2 wrong usage.",
)
  .option("--out <DIR>", "the package's folder, which is replaced", "dist/client")
  .action(action(({ out }: { readonly out: string }) => main(out)));

if (import.meta.main) await runProgram(command);
