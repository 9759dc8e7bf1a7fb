import { readFileSync } from "node:fs";
import { SettingError } from "./setting-readers.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Keyed by the name of the variable. */
export interface Settings {
  readonly [name: string]: Setting;
}

export interface Setting {
  /** The default. */
  readonly fallback?: string;
  readonly meaning: string;
  /** The name of a variable that has the path of a file with the value. */
  readonly file?: string;
  /** @throws SettingError */
  readonly read: (text: string) => unknown;
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
  const read = (name: string, { fallback = "", file = "", read }: Setting): unknown => {
    const path = environment[file];
    try {
      if (path && environment[name]) throw new SettingError(`and ${file} are both set; set only one of them`);
      return read(path ? textOf(path) : environment[name] || fallback);
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
      problems.push(`${name}${path && !environment[name] ? ` in the file ${path}` : ""} ${error.message}`);
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

/**
 * Finds variables whose names are probably misspelt. They are only reported, because they may be for another program.
 */
export function misspeltIn(
  settings: Settings,
  environment: Environment,
): { readonly name: string; readonly suggestion: string }[] {
  const known = Object.keys(settings);
  return Object.keys(environment)
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const differencesOf = (each: string) => distance(name.toUpperCase(), each);
      const [suggestion] = known
        .filter(
          (each) =>
            sorted(name.toUpperCase()) === sorted(each) ||
            (each.length >= 8 &&
              Math.abs(name.length - each.length) <= each.length / 4 &&
              differencesOf(each) <= each.length / 4),
        )
        .toSorted((one, other) => differencesOf(one) - differencesOf(other));
      return suggestion === undefined ? [] : [{ name, suggestion }];
    });
}

/** Makes names with the same letters equal, such as PORT and PROT. */
function sorted(name: string): string {
  return [...name].sort().join("");
}

/** Levenshtein distance. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= to.length; at += 1) {
      const exchanged = (row[at - 1] ?? 0) + (letter === to[at - 1] ? 0 : 1);
      next.push(Math.min(exchanged, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
