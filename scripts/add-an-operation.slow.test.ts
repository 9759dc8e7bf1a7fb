/**
 * Follows docs/add-an-operation.md in a copy of the tree. Its diffs must apply, and its commands must print what it
 * shows.
 */
import { readFileSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "../generated/contract.ts";
import { asShown, Console, exchangesOf } from "./testing/console.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = readFileSync(join(root, "docs/add-an-operation.md"), "utf8");

type Block =
  | { readonly does: "changes"; readonly diff: string }
  | { readonly does: "writes"; readonly file: string; readonly text: string }
  | { readonly does: "runs" | "serves"; readonly commands: string; readonly printed: string };

/** Returns blocks in page order. A block's file is in the line above it. The block after a command shows its output. */
function blocksOf(markdown: string): Block[] {
  const fenced = [...markdown.matchAll(/([^\n]*)\n\n```(\w+)\n(.*?)^```$/gms)];
  return fenced.flatMap(([, above = "", language = "", text = ""], index): Block[] => {
    const [, , nextLanguage, next = ""] = fenced[index + 1] ?? [];
    if (language === "text") return [];
    if (language === "console")
      return exchangesOf(`\`\`\`console\n${text}\`\`\`\n`).map(({ command, shown }) => ({
        does: command === "npm start" ? "serves" : "runs",
        commands: command,
        printed: shown,
      }));
    if (language === "diff") return [{ does: "changes", diff: text }];
    if (language === "sh")
      return [{ does: "runs", commands: text, printed: nextLanguage === "text" ? next : "" }];
    const [, file] = /`([\w./-]+)`(?:, in the folder of the project)?:$/.exec(above) ?? [];
    if (file === undefined) throw new Error(`the line above this code block names no file:\n${text}`);
    return [{ does: "writes", file, text }];
  });
}
function titleOf(block: Block): string {
  if ("commands" in block) return `shows what \`${block.commands.trim().replaceAll("\n", " && ")}\` prints`;
  if (block.does === "writes") return `shows the whole of ${block.file}`;
  const files = [...block.diff.matchAll(/^\+\+\+ b\/(.*)$/gm)].map(([, file]) => file);
  return `shows a diff that applies to ${files.join(" and ")}`;
}

const blocks = blocksOf(page);
const released = /^spec\/openapi\.yaml \((.*?)\)/m.exec(page)?.[1];
let console: Console;
beforeAll(async () => {
  console = new Console({
    PATH: [join(root, "node_modules/.bin"), process.env.PATH].join(delimiter),
    NO_COLOR: "1",
    // The user's npm settings must not change the output.
    npm_config_userconfig: "/dev/null",
    // Prevents git from looking for a repository in the parent folders.
    GIT_CEILING_DIRECTORIES: tmpdir(),
    PORT: "0",
    DATABASE_URL: "file:commerce.db",
  });
  const inCopy = (file: string) => join(console.folder, file);
  // The page assumes that its version is released with the spec unchanged, so later releases are removed.
  const spec = await readFile(inCopy("spec/openapi.yaml"), "utf8");
  await writeFile(inCopy("spec/openapi.yaml"), spec.replace(/^( {2}version: ).*$/m, `$1${released}`));
  await rm(inCopy("spec/released"), { recursive: true });
  await rm(inCopy("CHANGELOG.md"));
  // The second compilation is incremental.
  const begin = '"compilerOptions": {\n';
  const parts = (await readFile(inCopy("tsconfig.json"), "utf8")).split(begin);
  expect(parts).toHaveLength(2);
  await writeFile(
    inCopy("tsconfig.json"),
    parts.join(`${begin}    "incremental": true,\n    "tsBuildInfoFile": "coverage/tsbuildinfo",\n`),
  );
  expect(await console.run("npm run -s release && npm run -s generate")).toContain(
    "spec/released/openapi.json",
  );
  await console.serve("npm start", "…\n  secret key        sk_…\n…");
});
afterAll(() => console[Symbol.asyncDispose]());

/** Replaces the parts that differ between runs or move with other edits: times, seeds and positions. */
const comparable = (printed: string): string =>
  printed
    .replaceAll(/ \d+(?:\.\d+)?m?s\b/g, " 0ms")
    .replaceAll(/\(seed \d+\)/g, "(seed 0)")
    .replaceAll(/:\d+:\d+\b/g, ":0:0")
    .replaceAll(/\(\d+,\d+\)/g, "(0,0)")
    .trim();

/** If the spec has other operations than the page assumes, the page's diffs do not apply. */
const fitsTree = isDeepStrictEqual(Object.keys(contract.operations).toSorted(), [
  "getWebhook",
  "loginUser",
  "submitCommission",
]);

describe.runIf(fitsTree)("the page that adds an operation", () => {
  it("contains changes, files and commands, and no block that this test cannot read", () => {
    expect(new Set(blocks.map(({ does }) => does))).toEqual(new Set(["changes", "writes", "runs", "serves"]));
    expect(blocks).toHaveLength([...page.matchAll(/^```(?!text$|console$)\w+$|^\$ /gm)].length);
  });

  it.each(blocks.map((block) => [titleOf(block), block] as const))("%s", async (_, block) => {
    if (block.does === "writes") {
      const file = join(console.folder, block.file);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, block.text);
    } else if (block.does === "changes")
      expect(await console.run(`git apply --whitespace=nowarn - <<'END'\n${block.diff}END`)).toBe("");
    else if (block.does === "serves") {
      expect(asShown(await console.serve(block.commands, block.printed), block.printed)).toBe(block.printed);
    } else {
      const shown = comparable(block.printed);
      expect(asShown(comparable(await console.run(block.commands)), shown)).toBe(shown);
    }
  });
});
