/**
 * Follows docs/add-an-operation.md in a copy of the tree. Its diffs must apply, and its commands must print what it
 * shows.
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "../generated/contract.ts";
import { asShown } from "./testing/console.ts";
import { copyTree } from "./testing/copied-tree.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = readFileSync(join(root, "docs/add-an-operation.md"), "utf8");

type Block =
  | { readonly does: "changes"; readonly diff: string }
  | { readonly does: "writes"; readonly file: string; readonly content: string }
  | { readonly does: "runs"; readonly commands: string; readonly printed: string };

/** Returns blocks in page order. A block's file is in the line above it. The block after a command shows its output. */
function blocksOf(markdown: string): Block[] {
  const fenced = [...markdown.matchAll(/([^\n]*)\n\n```(\w+)\n(.*?)^```$/gms)];
  return fenced.flatMap(([, above = "", language = "", content = ""], index): Block[] => {
    const [, , nextLanguage, next = ""] = fenced[index + 1] ?? [];
    if (language === "text") return [];
    if (language === "diff") return [{ does: "changes", diff: content }];
    if (language === "sh")
      return [{ does: "runs", commands: content, printed: nextLanguage === "text" ? next : "" }];
    const [, file] = /`([\w./-]+)`(?:, in the folder of the project)?:$/.exec(above) ?? [];
    if (file === undefined) throw new Error(`the line above has no path of a file: ${content}`);
    return [{ does: "writes", file, content }];
  });
}
function titleOf(block: Block): string {
  if (block.does === "runs") return `shows what \`${block.commands.trim().replaceAll("\n", " && ")}\` prints`;
  if (block.does === "writes") return `shows the whole of ${block.file}`;
  const files = [...block.diff.matchAll(/^\+\+\+ b\/(.*)$/gm)].map(([, file]) => file);
  return `shows a diff that applies to ${files.join(" and ")}`;
}

const blocks = blocksOf(page);
let copy: string;
beforeAll(async () => {
  copy = copyTree();
  // The page assumes that 1.1.0 is released with the spec unchanged, so later releases are removed.
  const spec = await readFile(join(copy, "spec/openapi.yaml"), "utf8");
  await writeFile(join(copy, "spec/openapi.yaml"), spec.replace(/^( {2}version: ).*$/m, "$11.1.0"));
  await rm(join(copy, "spec/released"), { recursive: true });
  await rm(join(copy, "CHANGELOG.md"));
  // The second compilation is incremental.
  const options = join(copy, "tsconfig.json");
  const begin = '"compilerOptions": {\n';
  const parts = (await readFile(options, "utf8")).split(begin);
  expect(parts).toHaveLength(2);
  await writeFile(
    options,
    parts.join(`${begin}    "incremental": true,\n    "tsBuildInfoFile": "coverage/tsbuildinfo",\n`),
  );
  expect(await run("npm run -s release && npm run -s generate")).toContain("spec/released/openapi.json");
});
afterAll(() => rm(copy, { recursive: true, force: true }));

/** Returns the whole output in order, for any exit status. */
async function run(commands: string, input = ""): Promise<string> {
  const env = {
    // The user's npm settings must not change the output.
    HOME: join(copy, "coverage"),
    PATH: [join(copy, "node_modules/.bin"), process.env.PATH].join(delimiter),
    NO_COLOR: "1",
    // Prevents git from looking for a repository in the parent folders.
    GIT_CEILING_DIRECTORIES: dirname(copy),
  };
  const child = spawn("sh", ["-c", `{ ${commands}\n} 2>&1`], { cwd: copy, env });
  child.stdin.end(input);
  return text(child.stdout);
}

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
    expect(new Set(blocks.map(({ does }) => does))).toEqual(new Set(["changes", "writes", "runs"]));
    expect(blocks).toHaveLength([...page.matchAll(/^```(?!text$)\w+$/gm)].length);
  });

  it.each(blocks.map((block) => [titleOf(block), block] as const))("%s", async (_, block) => {
    if (block.does === "writes") {
      await mkdir(dirname(join(copy, block.file)), { recursive: true });
      await writeFile(join(copy, block.file), block.content);
    } else if (block.does === "changes")
      expect(await run("git apply --whitespace=nowarn -", block.diff)).toBe("");
    else {
      const shown = comparable(block.printed);
      expect(asShown(comparable(await run(block.commands)), shown)).toBe(shown);
    }
  });
});
