import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { ConfigError } from "./settings.ts";

/** Node reads these variables before the program runs. */
const readByNode = ["NODE_OPTIONS", "NODE_EXTRA_CA_CERTS"];

/** A value must be on one line. With an unclosed quote, the value would include the next settings. */
const assignment =
  /^[ \t]*(?:export[ \t]+)?[A-Za-z_][\w.-]*[ \t]*=[ \t]*(?:(["'`]).*?\1[ \t]*(?:#.*)?|[^"'`\s].*)?$/;
const unclosed = /^[^#=]*=[ \t]*["'`]/;
const passing = /^\s*(?:#.*)?$/;

/**
 * Adds the variables of the file to the environment. Existing variables have priority. A missing file is ignored.
 *
 * @throws ConfigError if the file cannot be read, or if a line is invalid. It lists all such lines but no value
 */
export function readEnvironmentFile(file: string, environment: Record<string, string | undefined>): void {
  const problems: string[] = [];
  const variables: Record<string, string> = {};
  for (const [index, line] of textOf(file).split(/\r?\n/).entries()) {
    const problem = problemOf(line);
    if (problem === undefined) Object.assign(variables, parseEnv(line));
    else problems.push(`line ${index + 1} ${problem}`);
  }
  for (const name of readByNode.filter((each) => each in variables))
    problems.push(`${name} has no effect in this file; set it in the environment`);
  if (problems.length > 0) throw new ConfigError(problems.map((problem) => `${file}: ${problem}`));
  for (const [name, value] of Object.entries(variables)) environment[name] ??= value;
}

function textOf(file: string): string {
  try {
    // Removes the byte order mark, which Windows editors write.
    return readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw new ConfigError([`${file} cannot be read (${error instanceof Error ? error.message : error})`]);
  }
}

function problemOf(line: string): string | undefined {
  if (passing.test(line)) return undefined;
  if (assignment.test(line)) {
    // In double quotes, the two characters \n mean a line break.
    const isOneLine = Object.values(parseEnv(line)).every((value) => !/[\r\n]/.test(value ?? ""));
    return isOneLine ? undefined : "has a value with more than one line, which no setting allows";
  }
  if (unclosed.test(line))
    return "has a quote that is not closed on the same line; close it, or use another quote";
  return "is neither NAME=VALUE nor a comment";
}
