import { resolve } from "node:path";
import { buildPackages } from "./packages/packages.ts";
import { BuildError } from "./toolkit/build-client/manifest.ts";
import { action, createCommand, runProgram } from "./toolkit/commands/command-line.ts";

async function main({ out }: { readonly out: string }): Promise<number> {
  try {
    for (const { tarball, bytes, limitBytes, files } of await buildPackages(
      resolve(import.meta.dirname, ".."),
      out,
    ))
      process.stdout.write(`${tarball}: ${files} files, ${bytes} bytes; the limit is ${limitBytes}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    process.stderr.write(`${error.message}\nThe package was not built.\n`);
    return 1;
  }
}

if (import.meta.main)
  await runProgram(
    createCommand(
      "npm run build:packages --",
      "Builds and checks the packages that other projects install.",
      "0 built, 1 not built (the old package is unchanged), 2 wrong usage.",
    )
      .option("--out <DIR>", "the folder of the packages and their tarballs", "dist")
      .action(action(main)),
  );
