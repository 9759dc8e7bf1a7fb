/** What README lists is what the code has; that the names in it exist, scripts/documents.test.ts sees. */
import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { describe, expect, it } from "vitest";
import document from "../generated/openapi.json" with { type: "json" };
import { readConfig, settings } from "../server/config.ts";
import { errorStatuses } from "../server/errors.ts";
import { snippetErrors } from "./testing/snippets.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

/** The rows of the table below a heading, without its head. */
function tableBelow(heading: string): string[] {
  const section = readme.split(`\n${heading}\n`)[1]?.split("\n#")[0] ?? "";
  return section
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(2);
}

describe("README", () => {
  it("lists every setting with its default and meaning", () => {
    expect(tableBelow("## Settings")).toEqual(
      Object.values(settings).map(
        ({ name, fallback, meaning }) => `| \`${name}\` | ${fallback && `\`${fallback}\``} | ${meaning} |`,
      ),
    );
  });

  it("is followed by .env.example, which shows every setting at its default", () => {
    const example = readFileSync(new URL("../.env.example", import.meta.url), "utf8");
    const lines = Object.values(settings).map(
      ({ name, fallback, meaning }) => `\n# ${meaning.replaceAll("`", "")}\n#${name}=${fallback}\n`,
    );
    const head =
      "# Copy to `.env`, which the server and `npm run admin` read from the folder they are started in. A variable of the environment goes first.\n";
    expect(example).toBe(head + lines.join(""));
    const uncommented = parseEnv(example.replaceAll(/^#(?=[A-Z_]+=)/gm, ""));
    expect(readConfig(uncommented)).toEqual(readConfig({}));
  });

  it("lists every error code under its status", () => {
    const listed = tableBelow("## Errors").map((row) => {
      const [, status = "", code = ""] = row.split("|").map((cell) => cell.trim().replaceAll("`", ""));
      return [code, Number(status)];
    });
    expect(Object.fromEntries(listed)).toEqual(errorStatuses);
    expect(listed).toHaveLength(Object.keys(errorStatuses).length);
  });

  it("says of every error code what the spec says", () => {
    const meanings = tableBelow("## Errors").map((row) => {
      const [, , code = "", meaning = ""] = row.split("|").map((cell) => cell.trim());
      return [code.replaceAll("`", ""), `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`];
    });
    expect(Object.fromEntries(meanings)).toEqual(document.components.schemas.ErrorCode["x-enumDescriptions"]);
  });

  it("has every top-level folder in its tree", () => {
    const rows = tableBelow("## What is where").join("\n");
    for (const folder of ["spec/", "generated/", "server/", "client", "scripts/"])
      expect(rows).toContain(`| \`${folder}`);
  });

  it("shows calls of the client that compile", () => {
    const [, snippet = ""] = /```ts\n(.*?)```/s.exec(readme) ?? [];
    expect(snippet).toContain("createClient");
    expect(snippetErrors(snippet)).toEqual([]);
  });
});
