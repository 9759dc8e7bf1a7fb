/** Checks that what the documentation names exists, and that its tables are complete. */
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { describe, expect, it } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { readConfig, settings } from "../server/config.ts";
import { generatedParts } from "./generated-parts/generated-parts.ts";
import { gates } from "./test/stages.ts";
import { snippetErrors, snippetsOf } from "./testing/snippets.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";
import { generate } from "./toolkit/generate/pipeline.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const textOf = (path: string): string => readFileSync(join(root, path), "utf8");
const pages = ["*.md", "docs/*.md", "client/README.md", "scripts/toolkit/README.md"]
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .toSorted();

/** How many requirements the sections of OWASP ASVS 5.0.0 have, in the chapters that SECURITY.md contains completely. */
const requirementsOfSections = {
  ...{ "4.1": 5, "4.2": 5, "4.3": 2, "4.4": 4 },
  ...{ "6.1": 3, "6.2": 12, "6.3": 8, "6.4": 6, "6.5": 8, "6.6": 4, "6.7": 2, "6.8": 4 },
  ...{ "7.1": 3, "7.2": 4, "7.3": 2, "7.4": 5, "7.5": 3, "7.6": 2 },
  ...{ "8.1": 4, "8.2": 4, "8.3": 3, "8.4": 2 },
};

/** The files that a page tells its reader to write. */
function writtenBy(page: string): string[] {
  return [...page.matchAll(/`([\w./-]+)`(?:, [\w ]+)?:\n\n```/g)].map(([, path = ""]) => path);
}

/** Every `path` of this project, including those in fenced shell blocks. */
function pathsIn(page: string): string[] {
  const folders = "spec|generated|server|client|scripts|docs|\\.vscode";
  const files =
    "[A-Z]+\\.md|LICENSE|Dockerfile|\\.dependency-cruiser\\.mjs|\\.env\\.example|(?:package|tsconfig|biome)\\.json|compose\\.yaml";
  const quoted = page.matchAll(new RegExp(`\`((?:${folders})(?:/[\\w./-]*)?|${files})\``, "g"));
  const run = page.matchAll(
    /\b(?:vitest(?: run)? --project fast(?: --reporter \w+)?|npm test --|node) ((?:server|client|scripts)\/[\w./-]+)/g,
  );
  return [...quoted, ...run].map(([, path = ""]) => path);
}

/** The anchors that GitHub makes from the page's headings. */
const anchorsOf = (page: string): string[] =>
  [...page.replaceAll(/^```.*?^```$/gms, "").matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );

/** Earlier npm scripts, which the changelog names. */
const former = ["adopt", "add-rejections"];
/** Files that only a command creates or has created, here or in a new project. */
const made = ["spec/waivers.yaml", "spec/diff-waivers.yaml", "server/conformance.test.ts"].concat(
  "server/testing/records.ts",
);

describe.each(pages)("%s", (path) => {
  const page = textOf(path);

  it("mentions only npm scripts that exist", () => {
    const named = [...page.matchAll(/npm (?:run (?:-s )?([a-z:]+(?:-[a-z]+)*)|(start|test)\b)/g)].map(
      ([, script, builtIn]) => script ?? builtIn ?? "",
    );
    expect(
      named.filter((name) => !former.includes(name) && !Object.hasOwn(packageJson.scripts, name)),
    ).toEqual([]);
  });

  it("mentions only files and folders that exist, or that it tells its reader to write", () => {
    const known = [...writtenBy(page), ...made];
    const missing = pathsIn(page).filter((name) => !known.includes(name) && !existsSync(join(root, name)));
    expect(missing).toEqual([]);
  });

  it("links only to pages and headings that exist", () => {
    const links = [...page.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)];
    const broken = links.filter(([, file = "", anchor]) => {
      const target = file === "" ? path : join(dirname(path), file);
      if (!existsSync(join(root, target))) return true;
      return (
        anchor !== undefined &&
        (statSync(join(root, target)).isDirectory() || !anchorsOf(textOf(target)).includes(anchor))
      );
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });
});

describe("the pages", () => {
  it("contain many paths, so that the tests above check something", () => {
    expect(pages).toEqual(expect.arrayContaining(["README.md", "docs/your-own-api.md", "client/README.md"]));
    expect(pages.flatMap((path) => pathsIn(textOf(path))).length).toBeGreaterThan(100);
  });
});

describe("CONTRIBUTING.md", () => {
  const page = textOf("CONTRIBUTING.md");

  it("lists the gates of `npm test`", () => {
    const [, section = ""] = page.split("\n| gate | checks |\n");
    const listed = [...(section.split("\n\n")[0] ?? "").matchAll(/^\| `([^`]+)` \|/gm)].map(
      ([, gate]) => gate,
    );
    expect(listed).toEqual(gates.map(({ script }) => `npm run ${script}`));
  });

  it("runs a single test by a title that exists", () => {
    const [, file = "", title = ""] = /npm test -- (\S+) --title "(.+)"/.exec(page) ?? [];
    expect(textOf(file)).toMatch(new RegExp(`\\b(?:it|test)\\(".*${title}`));
  });
});

describe("SECURITY.md", () => {
  const page = textOf("SECURITY.md");
  /** The cells of each row of the tables with this heading. */
  const rowsBelow = (heading: string) => {
    const section = page.split(`\n### ${heading}\n`)[1]?.split("\n#")[0] ?? "";
    const tables = [...section.matchAll(/(?:^\|.*\|\n)+/gm)].map(([table]) => table.trimEnd().split("\n"));
    return tables.flatMap((lines) => lines.slice(2).map((line) => line.slice(2, -2).split(" | ")));
  };
  const asvs = rowsBelow("OWASP ASVS 5.0");
  const topTen = rowsBelow("OWASP API Security Top Ten 2023");
  const tested = [...asvs, ...topTen, ...rowsBelow("Other threats")].filter(({ length }) => length > 2);

  it.each(tested)("refers to an existing test for %s", (_promise, _what, test = "") => {
    const [, file = "", title = ""] = /^`(\S+\.(?:test|suite)\.ts)`: "(.+)"$/.exec(test) ?? [];
    expect(textOf(file)).toContain(`"${title}"`);
  });

  it("refers to another test in each row", () => {
    const tests = tested.map(([, , test]) => test);
    expect(tests.length).toBeGreaterThan(80);
    expect(tests.filter((test, index) => tests.indexOf(test) !== index)).toEqual([]);
  });

  it("has each requirement of four chapters of ASVS 5.0.0, and each risk of the Top Ten, once", () => {
    const requirements = asvs.flatMap(([promise = ""]) => (promise.split(":")[0] ?? "").split(", "));
    const ofChapters = requirements.filter((number) => /^[4678]\./.test(number));
    const sections = Object.entries(requirementsOfSections);
    const wanted = sections.flatMap(([section, count]) =>
      Array.from({ length: count }, (_, index) => `${section}.${index + 1}`),
    );
    expect(ofChapters.toSorted()).toEqual(wanted.toSorted());
    expect(requirements.filter((number, index) => requirements.indexOf(number) !== index)).toEqual([]);
    const risks = topTen.map(([risk = ""]) => risk.split(":")[0]);
    expect(risks).toEqual(Array.from({ length: 10 }, (_, index) => `API${index + 1}`));
  });

  it("lists the same security limits as README", () => {
    const limits = (text: string, heading: string) =>
      (text.split(`\n## ${heading}\n\n`)[1] ?? "").split("\n\n")[0]?.split(/\n(?=- )/) ?? [];
    const ofService = limits(textOf("README.md"), "What does not work yet").filter((limit) =>
      /[Ll]ogin/.test(limit),
    );
    expect(ofService.length).toBeGreaterThan(1);
    expect(limits(page, "What it does not protect against")).toEqual(expect.arrayContaining(ofService));
  });
});

describe("the documentation", () => {
  const folder = temporaryFolder();

  it.each(generatedParts())(
    "has the settings, error codes and version, as `npm run generate` writes them: $path",
    ({ text, updated }) => {
      expect(text).toBe(updated);
    },
  );

  it("lists every command and field of specbind in the page of its package, which has no relative links", () => {
    const page = textOf("scripts/toolkit/README.md");
    const imports = textOf("scripts/toolkit/specbind.ts").matchAll(
      /^import \{ \w+Command \} from "\.\/commands\/(.+)\.ts"/gm,
    );
    const listed = page.matchAll(/^\| `([a-z-]+)(?: [A-Z ]+)?` \|/gm);
    const names = (matches: Iterable<RegExpMatchArray>) => Array.from(matches, ([, name]) => name).toSorted();
    expect(names(listed)).toEqual(names(imports));
    const fields = textOf("scripts/toolkit/define-config.ts").matchAll(/readonly (\w+)\?:/g);
    expect(names(fields).filter((name) => !page.includes(`${name}: `))).toEqual([]);
    expect(page).not.toMatch(/\]\((?!https:)/);
  });

  it("lists every setting in docs/settings.md", () => {
    const rows = textOf("docs/settings.md").matchAll(/^\| `(.+?)`/gm);
    expect(Array.from(rows, ([, name]) => name)).toEqual(Object.keys(settings));
  });

  it("shows every setting with its default in .env.example", () => {
    const uncommented = parseEnv(textOf(".env.example").replaceAll(/^#(?=[A-Z_]+=)/gm, ""));
    expect(Object.keys(uncommented).toSorted()).toEqual(Object.keys(settings).toSorted());
    expect(readConfig(uncommented)).toEqual(readConfig({}));
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
    const notes = [...generated].map(([name, text]) => [`notes/${name}`, text] as const);
    expect(snippetErrors(new Map([...snippets, ...notes]))).toEqual([]);
  });
});
