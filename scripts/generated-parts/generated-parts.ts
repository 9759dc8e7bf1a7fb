/** Part of `npm run generate`: writes what hand-written files repeat: the settings, the error codes and the version of the interface. */
import { readFileSync, writeFileSync } from "node:fs";
import type { Setting } from "#specbind/server/settings";
import { settings } from "../../server/config.ts";
import { errors } from "../../server/errors.ts";

const table = /(?<=\n\|(?:---\|)+\n)(?:\|.*\n)*/;

/** The place of each document's list, and the lines of a setting. */
const lists: {
  readonly [path: string]: readonly [place: RegExp, lines: (name: string, setting: Setting) => string];
} = {
  "docs/settings.md": [
    table,
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

/** The rows of docs/errors.md. A code without a description is not in the spec, and does not compile. */
function errorRows(meanings: Readonly<Record<string, string>> = {}): string {
  const rows = Object.entries(errors).map(([code, { status }]) => {
    const { [code]: meaning = "" } = meanings;
    return `| ${status} | \`${code}\` | ${meaning.charAt(0).toLowerCase()}${meaning.slice(1).replace(/\.$/, "")} |\n`;
  });
  return rows.toSorted().join("");
}

/** The places of the version in each file. */
const versions: { readonly [path: string]: RegExp } = {
  "package.json": /(?<=^ {2}"version": ")[^"]+/m,
  "package-lock.json": /(?<=^ +"name": "commerce-service",\n +"version": ")[^"]+/gm,
  "docs/deployment/kubernetes.yaml": /(?<=\/commerce-service:)\S+/,
};

const fileOf = (path: string) => new URL(`../../${path}`, import.meta.url);
const textOf = (path: string) => readFileSync(fileOf(path), "utf8");

/** Returns the current text of each file and the text with new parts. */
export function generatedParts(): {
  readonly path: string;
  readonly text: string;
  readonly updated: string;
}[] {
  const withSettings = Object.entries(lists).map(([path, [place, lines]]) => {
    const text = textOf(path);
    const list = Object.entries<Setting>(settings).map(([name, setting]) => lines(name, setting));
    return { path, text, updated: text.replace(place, () => list.join("")) };
  });
  const { info, components } = JSON.parse(textOf("generated/openapi.json"));
  const withVersion = Object.entries(versions).map(([path, place]) => {
    const text = textOf(path);
    return { path, text, updated: text.replace(place, () => info.version) };
  });
  const text = textOf("docs/errors.md");
  const rows = errorRows(components?.schemas?.ErrorCode?.["x-enumDescriptions"]);
  return [
    ...withSettings,
    ...withVersion,
    { path: "docs/errors.md", text, updated: text.replace(table, () => rows) },
  ];
}

/** Returns the paths of the files that had a stale part. */
export function writeGeneratedParts(): string[] {
  const stale = generatedParts().filter(({ text, updated }) => updated !== text);
  for (const { path, updated } of stale) writeFileSync(fileOf(path), updated);
  return stale.map(({ path }) => path);
}
