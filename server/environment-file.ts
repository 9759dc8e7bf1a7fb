/** The file `.env` of the working folder: settings that the environment does not name. */
import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { ConfigError } from "./settings.ts";

/** Node reads these before any line of a program runs. */
const readByNode = ["NODE_OPTIONS", "NODE_EXTRA_CA_CERTS"];

/** A value is of one line: a quote that is closed lines later would take the settings between for its own. */
const assignment =
  /^[ \t]*(?:export[ \t]+)?[A-Za-z_][\w.-]*[ \t]*=[ \t]*(?:(["'`]).*?\1[ \t]*(?:#.*)?|[^"'`\s].*)?$/;
const unclosed = /^[^#=]*=[ \t]*["'`]/;
const passing = /^\s*(?:#.*)?$/;

/**
 * Adds the variables of the file to the environment. What the environment has already is left as it is. Without a file
 * nothing happens.
 *
 * @throws ConfigError where it cannot be read, and for every line that sets nothing; no value is repeated
 */
export function readEnvironmentFile(file: string, environment: Record<string, string | undefined>): void {
  const faults: string[] = [];
  const variables: Record<string, string> = {};
  for (const [index, line] of textOf(file).split(/\r?\n/).entries()) {
    const fault = faultOf(line);
    if (fault === undefined) Object.assign(variables, parseEnv(line));
    else faults.push(`line ${index + 1} ${fault}`);
  }
  for (const name of readByNode.filter((each) => each in variables))
    faults.push(`${name} comes too late; set it in the environment`);
  if (faults.length > 0) throw new ConfigError(faults.map((fault) => `${file}: ${fault}`));
  for (const [name, value] of Object.entries(variables)) environment[name] ??= value;
}

function textOf(file: string): string {
  try {
    // Editors on Windows put a byte order mark first.
    return readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw new ConfigError([`${file} cannot be read (${error instanceof Error ? error.message : error})`]);
  }
}

function faultOf(line: string): string | undefined {
  if (passing.test(line)) return undefined;
  if (assignment.test(line)) {
    // Between double quotes \n stands for the end of a line.
    const isOneLine = Object.values(parseEnv(line)).every((value) => !/[\r\n]/.test(value ?? ""));
    return isOneLine ? undefined : "sets a value of several lines, which no setting has";
  }
  if (unclosed.test(line))
    return "has a quote that is not closed on it; close it, or quote the value otherwise";
  return "is not of the form NAME=VALUE, nor a comment";
}
