/** Part of `npm run generate`: writes the lists of settings in documents from the table in server/config.ts. */
import { readFileSync, writeFileSync } from "node:fs";
import type { Setting } from "#specbind/server/settings";
import { settings } from "../../server/config.ts";

/** The place of each document's list, and the lines of a setting. */
const lists: {
  readonly [path: string]: readonly [place: RegExp, lines: (name: string, setting: Setting) => string];
} = {
  "docs/settings.md": [
    /(?<=\n\|(?:---\|)+\n)(?:\|.*\n)*/,
    (name, { fallback, meaning, formerly }) => {
      const note = formerly ? `. Its former name \`${formerly}\` still works` : "";
      return `| \`${name}\` | ${fallback ? `\`${fallback}\`` : ""} | ${meaning}${note} |\n`;
    },
  ],
  ".env.example": [
    /(?<=^# Copy .*\n).*/s,
    (name, { fallback = "", meaning }) => `\n# ${meaning.replaceAll("`", "")}\n#${name}=${fallback}\n`,
  ],
  "compose.yaml": [
    /(?<=\n +# These settings come from .*\n)(?: +[A-Z_]+:\n)*/,
    (name, { formerly = name }) =>
      [...new Set([name, formerly])]
        .map((each) => (setByCompose.includes(each) ? "" : `      ${each}:\n`))
        .join(""),
  ],
};
const setByCompose = ["DATABASE_URL", "HOST", "PORT", "NODE_ENV"];

const fileOf = (path: string) => new URL(`../../${path}`, import.meta.url);

/** Returns the current text of each document and the text with a new list. */
export function settingsLists(): {
  readonly path: string;
  readonly text: string;
  readonly updated: string;
}[] {
  return Object.entries(lists).map(([path, [place, lines]]) => {
    const text = readFileSync(fileOf(path), "utf8");
    const list = Object.entries<Setting>(settings).map(([name, setting]) => lines(name, setting));
    return { path, text, updated: text.replace(place, () => list.join("")) };
  });
}

/** Returns the paths of the documents whose list was stale. */
export function writeSettingsLists(): string[] {
  const stale = settingsLists().filter(({ text, updated }) => updated !== text);
  for (const { path, updated } of stale) writeFileSync(fileOf(path), updated);
  return stale.map(({ path }) => path);
}
