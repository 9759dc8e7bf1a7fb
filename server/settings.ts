import { readFileSync } from "node:fs";
import { SettingError } from "./setting-readers.ts";

type Environment = Readonly<Record<string, string | undefined>>;

type Settings<Values> = { readonly [Key in keyof Values]: Setting<Values[Key]> };

export type ValuesOf<Table extends Settings<Record<string, unknown>>> = {
  readonly [Key in keyof Table]: ReturnType<Table[Key]["read"]>;
};

export interface Setting<Value> {
  readonly name: string;
  readonly fallback: string;
  readonly meaning: string;
  /** The name of a variable that has the path of a file with the value. */
  readonly file?: string;
  /** @throws SettingError */
  readonly read: (text: string) => Value;
}

export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.name = "ConfigError";
    this.problems = problems;
  }
}

/** @param environment such as `process.env`. An empty variable is treated as unset */
export function readSettings<Values, Key extends keyof Values = keyof Values>(
  settings: Settings<Values>,
  environment: Environment,
  keys: readonly Key[],
): { values: Pick<Values, Key>; problems: string[] } {
  const problems: string[] = [];
  const read = <Value>({ name, fallback, file, read }: Setting<Value>): Value | undefined => {
    const path = file === undefined ? undefined : environment[file];
    try {
      if (path && environment[name]) throw new SettingError(`and ${file} are both set; set only one of them`);
      return read(path ? textOf(path) : environment[name] || fallback);
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
      problems.push(`${name}${path && !environment[name] ? ` in the file ${path}` : ""} ${error.message}`);
      return undefined;
    }
  };
  const values = Object.fromEntries(keys.map((key) => [key, read<unknown>(settings[key])]));
  // Each key has a reader of the right type. If there is a problem, the caller does not use the values.
  return { values: values as Pick<Values, Key>, problems };
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
  settings: { readonly [key: string]: { readonly name: string } },
  environment: Environment,
): Misspelling[] {
  const known = Object.values(settings).map(({ name }) => name);
  return Object.keys(environment)
    .filter((name) => !known.some((each) => each === name))
    .flatMap((name) => {
      const suggestion = known.find(
        (each) =>
          sorted(name.toUpperCase()) === sorted(each) ||
          (each.length >= 8 &&
            Math.abs(name.length - each.length) <= each.length / 4 &&
            distance(name.toUpperCase(), each) <= each.length / 4),
      );
      return suggestion === undefined ? [] : [{ name, suggestion }];
    });
}

export interface Misspelling {
  readonly name: string;
  readonly suggestion: string;
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
