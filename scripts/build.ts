import { join, resolve } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import { project } from "./project.ts";
import { BuildError } from "./toolkit/build-client/manifest.ts";
import { buildClientCommand, kilobytes } from "./toolkit/commands/build-client.ts";
import { runProgram } from "./toolkit/commands/command-line.ts";

/**
 * Limit of the code that a browser loads, minified and compressed with gzip. The client of this spec has 8 kB. The rest
 * is for more operations.
 */
const limitBytes = 10_000;

async function check(folder: string): Promise<string> {
  // Loaded here because --help does not need it.
  const { browserWeight } = await import("./build/browser-weight.ts");
  const root = resolve(import.meta.dirname, "..");
  const { gzipBytes, minifiedBytes } = await browserWeight(root, join(folder, "client/index.js"));
  if (gzipBytes > limitBytes)
    throw new BuildError(
      `a page would load ${gzipBytes} bytes of the client, more than ${limitBytes}: remove code that not every page needs, or move it to a separate entry`,
    );
  return `a page loads ${kilobytes(gzipBytes)}, minified and compressed with gzip (${kilobytes(minifiedBytes)} before gzip); the limit is ${kilobytes(limitBytes)}`;
}

if (import.meta.main) await runProgram(buildClientCommand(project, packageJson.name, check));
