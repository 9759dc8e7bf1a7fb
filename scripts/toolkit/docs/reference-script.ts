/** The reference page's script: one file of Scalar's package, taken from the registry without its dependencies. */
import { execFile } from "node:child_process";
import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const name = "@scalar/api-reference";
const version = "1.57.5";
/** The SHA-512 digest of the package's file. */
const integrity = "1T0rXEtG2XfbHuvyphlZsMr3VXUGCTDxybknMSUykl/5j1WoW9Goz16fVspf5fBLtkw5FUw2+a3DgVJKHU7vXQ==";
const licence = fileURLToPath(new URL("scalar-license.txt", import.meta.url));
const run = promisify(execFile);
/** A page waits for the script. */
const longestMs = 30_000;

/** The message names the package and the fix. */
export class ReferenceScriptError extends Error {}

/**
 * Writes the script and its licence to a folder that may be missing, unless it contains them. Returns the script's path.
 * @throws ReferenceScriptError if the registry does not answer or returns another file, or the folder cannot be written
 */
export async function fetchReferenceScript(folder: string): Promise<string> {
  const target = join(folder, `scalar-${version}.js`);
  if (existsSync(target)) return target;
  const temporary = await mkdtemp(join(tmpdir(), "reference-script-"));
  try {
    const script = await extracted(temporary);
    await mkdir(folder, { recursive: true });
    await copyFile(licence, join(folder, "LICENSE"));
    await copyFile(script, `${target}.new`);
    await rename(`${target}.new`, target);
    return target;
  } catch (error) {
    if (error instanceof ReferenceScriptError || !(error instanceof Error)) throw error;
    throw new ReferenceScriptError(`the reference page's script cannot be written: ${error.message}`);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Uses npm, because it knows the user's registry, proxy and credentials. */
async function extracted(folder: string): Promise<string> {
  const shell = process.platform === "win32";
  const args = [
    "pack",
    `${name}@${version}`,
    "--pack-destination",
    folder,
    "--loglevel=error",
    "--fetch-retries=1",
    "--fetch-retry-mintimeout=500",
  ];
  const { stdout } = await run("npm", args, { shell, cwd: folder, timeout: longestMs }).catch(
    (error: Error) => {
      const reason = /npm error (.*)/.exec(error.message)?.[1] ?? "npm failed";
      throw new ReferenceScriptError(
        `${name}@${version} cannot be loaded from the registry (${reason}); try again with a network connection`,
      );
    },
  );
  const file = join(folder, stdout.trim());
  if (hash("sha512", await readFile(file), "base64") !== integrity)
    throw new ReferenceScriptError(
      `${name}@${version} from the registry is not the file that was reviewed; check the registry of npm`,
    );
  const script = "package/dist/browser/standalone.js";
  await run("tar", ["-xzf", file, "-C", dirname(file), script]);
  return join(folder, script);
}
