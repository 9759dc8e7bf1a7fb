/** Checks that the tables of the documentation are complete. scripts/documents.test.ts checks that names exist. */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseEnv } from "node:util";
import { describe, expect, it } from "vitest";
import document from "../generated/openapi.json" with { type: "json" };
import { readConfig, settings } from "../server/config.ts";
import { errorResponse } from "../server/errors.ts";
import type { Setting } from "../server/settings.ts";
import { generate } from "./generate/pipeline.ts";
import { snippetErrors, snippetsOf } from "./testing/snippets.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";

const folder = temporaryFolder();

const textOf = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

/** The rows of a page's table, without its head. */
function tableOf(path: string): string[] {
  return textOf(path)
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(2);
}

describe("the documentation", () => {
  it("lists every setting with its default and meaning", () => {
    expect(tableOf("docs/settings.md")).toEqual(
      Object.entries<Setting>(settings).map(
        ([name, { fallback, meaning }]) =>
          `| \`${name}\` | ${fallback ? `\`${fallback}\`` : ""} | ${meaning} |`,
      ),
    );
  });

  it("matches .env.example, which shows every setting with its default", () => {
    const example = textOf(".env.example");
    const lines = Object.entries<Setting>(settings).map(
      ([name, { fallback = "", meaning }]) => `\n# ${meaning.replaceAll("`", "")}\n#${name}=${fallback}\n`,
    );
    const head =
      "# Copy this file to `.env`. The server and `npm run admin` read it from the folder where they start. Environment variables override it.\n";
    expect(example).toBe(head + lines.join(""));
    const uncommented = parseEnv(example.replaceAll(/^#(?=[A-Z_]+=)/gm, ""));
    expect(readConfig(uncommented)).toEqual(readConfig({}));
  });

  it("lists every error code under its status, with its description in the spec", () => {
    const listed = tableOf("docs/errors.md").map((row) => {
      const [, status, code, meaning = ""] = row.split("|").map((cell) => cell.trim());
      return [status, code, `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`];
    });
    const { "x-enumDescriptions": descriptions } = document.components.schemas.ErrorCode;
    const codes = document.components.schemas.ErrorCode.enum as (keyof typeof descriptions)[];
    const expected = codes.map((code) => {
      return [String(errorResponse(code, "r").status), `\`${code}\``, descriptions[code]];
    });
    expect(listed.toSorted()).toEqual(expected.toSorted());
  });

  it("has a README of at most 150 lines, and a list of all pages in docs/README.md", () => {
    expect(textOf("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(150);
    const pages = globSync("docs/*.md").map((path) => basename(path));
    const listed = textOf("docs/README.md").matchAll(/\]\(([\w-]+\.md)\)/g);
    expect(["README.md", ...Array.from(listed, ([, page]) => page)].toSorted()).toEqual(pages.toSorted());
  });

  it("shows modules that compile", async () => {
    const pages = ["README.md", "client/README.md", "docs/client.md", "docs/conformance.md"];
    const snippets = pages.flatMap((page) =>
      snippetsOf(textOf(page)).map(
        ({ text }, index) => [`${page.replaceAll("/", "-")}-${index + 1}.ts`, text] as const,
      ),
    );
    expect(new Set(snippets.map(([name]) => name.replace(/-\d+\.ts$/, ""))).size).toBe(pages.length);
    // The module in docs/conformance.md imports code generated from that page's document.
    const [, document = ""] = /^```yaml\n(.*?)^```$/ms.exec(textOf("docs/conformance.md")) ?? [];
    writeFileSync(join(folder, "notes.yaml"), document);
    const generated = await generate(join(folder, "notes.yaml"));
    const notes = new Map([...generated].map(([name, text]) => [`notes/${name}`, text]));
    expect(snippetErrors(new Map(snippets), notes)).toEqual([]);
  });
});
