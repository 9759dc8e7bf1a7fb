import { readFileSync } from "node:fs";
import { nearestWord } from "../shared/nearest-word.ts";
import { SettingError } from "./setting-readers.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Keyed by the name of the variable. */
export interface Settings {
  readonly [name: string]: Setting;
}

export interface Setting<Value = unknown> {
  /** The default. */
  readonly fallback?: string;
  readonly meaning: string;
  /** The name of a variable that has the path of a file with the value. */
  readonly file?: string;
  /** An earlier name of the setting, which still works. */
  readonly formerly?: string;
  /** @throws SettingError */
  readonly read: (text: string) => Value;
}

export type ValuesOf<Table extends Settings> = {
  readonly [Name in keyof Table]: ReturnType<Table[Name]["read"]>;
};

export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.name = "ConfigError";
    this.problems = problems;
  }
}

/** @param environment such as `process.env`. An empty variable is treated as unset */
export function readSettings<Table extends Settings, Name extends keyof Table & string>(
  settings: Table,
  environment: Environment,
  names = Object.keys(settings) as Name[],
): { values: Pick<ValuesOf<Table>, Name>; problems: string[] } {
  const problems: string[] = [];
  const read = (name: string, { fallback = "", file = "", formerly = "", read }: Setting): unknown => {
    const [used = name, ...others] = [name, file, formerly].filter((each) => environment[each]);
    try {
      if (others.length > 0)
        throw new SettingError(`and ${others.join(", ")} are both set; set only one of them`);
      const value = environment[used] || fallback;
      return read(used === file ? textOf(value) : value);
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
      problems.push(`${used === file ? `${name} in the file ${environment[file]}` : used} ${error.message}`);
      return undefined;
    }
  };
  const values = Object.fromEntries(names.map((name) => [name, read(name, settings[name] as Setting)]));
  // Each setting has a reader of the right type. If there is a problem, the caller does not use the values.
  return { values: values as Pick<ValuesOf<Table>, Name>, problems };
}

/** The message does not contain the file's text, because it is secret. */
function textOf(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, "utf8").trimEnd();
  } catch (error) {
    throw new SettingError(`cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  if (text === "") throw new SettingError("must not be empty");
  if (/\p{Cc}/u.test(text)) throw new SettingError("must be one line");
  return text;
}

/** It resembles `TLS_CERT_FILE`. */
const ofOpenssl = "SSL_CERT_FILE";

/** Returns a warning for each variable with a former or a misspelt name. Such variables may be for another program. */
export function warningsOf(
  settings: Settings,
  environment: Environment,
): { readonly variable: string; readonly warning: string }[] {
  const known = Object.keys(settings);
  const renamed = new Map(Object.entries(settings).map(([name, { formerly }]) => [formerly, name]));
  return Object.keys(environment).flatMap((variable) => {
    if (known.includes(variable) || variable === ofOpenssl) return [];
    const current = renamed.get(variable);
    if (current !== undefined)
      return { variable, warning: `${variable} is now called ${current}; rename it` };
    const suggestion = nearestWord(variable, known);
    const warning = `${variable} is not a setting; did you mean ${suggestion}?`;
    return suggestion === undefined ? [] : { variable, warning };
  });
}
