/** The file `.env` of the working folder: settings that the environment does not name. */
import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { ConfigError } from "./config.ts";

/** Node reads these before any line of a program runs. */
const readByNode = ["NODE_OPTIONS", "NODE_EXTRA_CA_CERTS"];

/** A line of its own, or the text between quotes, which may be several. */
const assignment =
  /^[ \t]*(?:export[ \t]+)?[A-Za-z_][\w.-]*[ \t]*=[ \t]*(?:(["'`])[\s\S]*?\1[ \t]*(?:#.*)?|[^"'`\s].*)?$/gm;
const passing = /^\s*(?:#.*)?$/;

/**
 * Adds the variables of the file to the environment. What the environment has already is left as it is. Without a file
 * nothing happens.
 *
 * @throws ConfigError where it cannot be read, and for every line that sets nothing; no value is repeated
 */
export function readEnvironmentFile(file: string, environment: Record<string, string | undefined>): void {
  const text = textOf(file);
  const faults = faultsOf(text);
  const variables = parseEnv(text);
  for (const name of readByNode.filter((each) => each in variables))
    faults.push(`${name} comes too late; set it in the environment`);
  if (faults.length > 0) throw new ConfigError(faults.map((fault) => `${file}: ${fault}`));
  for (const [name, value] of Object.entries(variables)) environment[name] ??= value;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw new ConfigError([`${file} cannot be read (${error instanceof Error ? error.message : error})`]);
  }
}

function faultsOf(text: string): string[] {
  const rest = text
    .replaceAll("\r\n", "\n")
    .replaceAll(assignment, (found) => found.replaceAll(/[^\n]/g, ""));
  return rest
    .split("\n")
    .flatMap((line, index) =>
      passing.test(line) ? [] : [`line ${index + 1} is not of the form NAME=VALUE, nor a comment`],
    );
}
