/** The pipeline as a function, and as a command on real files. */
import { cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import ts from "typescript";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { createClient } from "../../../client/index.ts";
import { operations } from "../../../generated/operations.ts";
import { ended } from "../../testing/program.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { typeErrors } from "../../testing/type-errors.ts";
import { locationOf, SpecFiles } from "../openapi/files.ts";
import { Findings } from "../openapi/findings.ts";
import { loadSpec } from "../openapi/load.ts";
import { SpecProblemsError } from "../openapi/spec-problems.ts";
import { readWaivers } from "../openapi/waivers.ts";
import { type GeneratedFiles, withManifest } from "./output.ts";
import { generate, run as runPipeline } from "./pipeline.ts";
import { fixtures, library, run, textsOf } from "./testing/programs.ts";

const accepted = [
  ...(await readdir(join(fixtures, "accept"))).map((name) => `accept/${name}`),
  ...["museum", "petstore"].map((name) => `real/${name}/openapi.yaml`),
];

const folder = temporaryFolder();
const specFilesOf = () => new SpecFiles([fixtures, join(folder, "files")]);
/** For each document that the generator rejects, its problems. The key is the file. */
const rejected = new Map<string, readonly string[]>();
beforeAll(async () => {
  for (const name of await readdir(join(fixtures, "reject"))) {
    const file = join(fixtures, "reject", name);
    rejected.set(file, await statedIn(file));
  }
  await cp(join(fixtures, "files"), join(folder, "files"), { recursive: true });
  const { base, documents }: Rejected = parse(await readFile(join(fixtures, "reject.yaml"), "utf8"));
  for (const { name, expect: expected, ...given } of documents) {
    const text = "text" in given ? given.text : base.replace(given.old, () => given.new);
    const file = await put(`reject/${name}.yaml`, text);
    rejected.set(file, shownIn(file, expected));
  }
});

async function faultsOf(specPath: string, waivers?: string): Promise<string[]> {
  const specFiles = specFilesOf();
  try {
    const findings = new Findings({ waivers: await readWaivers(specPath, waivers, specFiles) });
    await generate(specPath, findings, specFiles);
    findings.settle();
    return [];
  } catch (error) {
    if (!(error instanceof SpecProblemsError)) throw error;
    return error.problems.map(({ location, message }) => `${location}  ${message}`);
  }
}

const lenientRuns = new Map<string, ReturnType<typeof runLeniently>>();

/** The same document is generated only once. Its files are missing if not even a lenient run can generate them. */
function leniently(specPath: string): ReturnType<typeof runLeniently> {
  const run = lenientRuns.get(specPath) ?? runLeniently(specPath);
  lenientRuns.set(specPath, run);
  return run;
}

async function runLeniently(specPath: string) {
  const findings = new Findings({ lenient: true });
  const files = await generate(specPath, findings, specFilesOf()).catch((error: unknown) => {
    if (!(error instanceof SpecProblemsError)) throw error;
  });
  return { files, problems: findings.settle(), notes: findings.notes() };
}

interface Rejected {
  readonly base: string;
  readonly documents: readonly ({ name: string; expect: readonly string[] } & (
    | { text: string }
    | { old: string; new: string }
  ))[];
}

/** A fixture begins with lines that name its problems, or its notes if its document is valid. */
async function statedIn(file: string): Promise<string[]> {
  const lines = (await readFile(file, "utf8")).split("\n");
  return shownIn(
    file,
    lines.flatMap((line) => /^# expect:? (.*)$/.exec(line)?.[1] ?? []),
  );
}

/** @param problems such as `3:1  message`, or `in ../other.yaml: 3:1  message` */
function shownIn(file: string, problems: readonly string[]): string[] {
  return problems.map((line) => {
    const [, other, problem] = /^(?:in (\S+): )?(.*)$/.exec(line) ?? [];
    return `${relative(process.cwd(), other === undefined ? file : join(dirname(file), other))}:${problem}`;
  });
}

/** The output of a fixture whose only problems are waived, and whose notes are the expected ones. */
async function acceptedOutput(name: string): Promise<GeneratedFiles> {
  const path = join(fixtures, name);
  const specFiles = specFilesOf();
  const findings = new Findings({ waivers: await readWaivers(path, undefined, specFiles) });
  const files = await generate(path, findings, specFiles);
  expect(findings.settle()).toEqual([]);
  // Few fixtures describe the errors that the server returns before a handler runs.
  const notes = findings.notes().filter(({ rule }) => rule !== "undocumented-rejection");
  expect(notes.map(({ location, message }) => `${location}  ${message}`)).toEqual(await statedIn(path));
  return files;
}

async function put(name: string, text: string | Uint8Array): Promise<string> {
  const file = join(folder, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  return file;
}

const done = { 204: { description: "Done." } };
function putPaths(name: string, paths: object): Promise<string> {
  return put(name, JSON.stringify({ openapi: "3.1.0", info: { title: "t", version: "1.0.0" }, paths }));
}

async function writeTo(name: string, files: Iterable<readonly [string, string]>): Promise<string> {
  for (const [file, text] of files) await put(join(name, file), text);
  return join(folder, name);
}

function compileErrors(files: readonly string[]): string[] {
  return typeErrors(files).map(({ file, line, message }) => `${file}:${line} ${message}`);
}

function from(text: string | undefined, start: string): string {
  return text?.slice(text.indexOf(start)) ?? "";
}

const remedies =
  "Fix these places. If you cannot change the document, add `-- --write-waivers` to the command to waive them, or `-- --lenient` to ignore them.";

describe("a spec with a problem", () => {
  test("is rejected with the place and the fix of each problem, for every fixture", async () => {
    for (const [file, expected] of rejected) {
      expect(expected, file).not.toEqual([]);
      expect(await faultsOf(file), file).toEqual(expected);
    }
    expect(rejected.size).toBeGreaterThan(50);
  });

  test("has no hint about waivers if all of its problems are misspellings", async () => {
    const misspelt = join(folder, "reject/security-scheme-misspelt.yaml");
    expect((await run(["--spec", misspelt, "--out", join(folder, "misspelt")])).stderr).toMatch(
      /; did you mean `apiKey`\? \[security\]\nNothing was generated\.\n$/,
    );
  });

  test("hides the differences of twins, which it may have caused", async () => {
    const text = await readFile(join(fixtures, "reject/twin-differs.yaml"), "utf8");
    const spec = await put("twin.yaml", text.replace("security: []", "security: [{ missing: [] }]"));
    expect(await faultsOf(spec)).toEqual([expect.stringContaining("there is no security scheme `missing`")]);
  });

  test("leaves old output untouched, and its report shows no stack trace", async () => {
    const file = join(fixtures, "reject/several-problems.yaml");
    const old = { "types.ts": "// old\n", "mine.txt": "mine" };
    const out = await writeTo("old", Object.entries(old));
    const { status, stdout, stderr } = await run(["--spec", file, "--out", out]);
    const list = (rejected.get(file) ?? []).map((line) => `${line}\n`).join("");
    const rules = ["path-segment", "unknown-format", "security", "response-status"];
    const waivers = rules.map(
      (rule) => `- rule: ${rule}\n  reason: Not enforced when this waiver was written, in 1 place.\n`,
    );
    const waiversFile = relative(process.cwd(), join(fixtures, "reject/waivers.yaml"));
    const paste = `The waivers to paste into ${waiversFile}:\n${waivers.join("")}`;
    expect({ status, stdout, stderr: stderr.replaceAll(/ \[[\w-]+\]$/gm, "") }).toEqual({
      status: 1,
      stdout: "",
      stderr: `${list}Nothing was generated.\n${remedies}\n${paste}`,
    });
    expect(await textsOf(out)).toEqual(old);
  });

  test("is reported with only its file if no line is the cause", async () => {
    const missing = relative(process.cwd(), join(folder, "missing.yaml"));
    expect(await faultsOf(missing)).toEqual([`${missing}  no such file; give the spec with --spec FILE`]);
    expect(await faultsOf("spec")).toEqual(["spec  is a folder; give the file itself with --spec FILE"]);
    const utf16 = await put("utf-16.yaml", Buffer.from("\ufeffopenapi: 3.1.1\n", "utf16le"));
    expect(await faultsOf(utf16)).toEqual([
      `${relative(process.cwd(), utf16)}  is not UTF-8 text; save it as UTF-8`,
    ]);
  });

  test("is rejected if its nesting would exhaust the stack", async () => {
    const deep = await put("deep.json", `{"openapi":"3.1.1","x-deep":${"[".repeat(50_000)}`);
    expect(await faultsOf(deep)).toEqual([
      `${relative(process.cwd(), deep)}:1:228  nested deeper than 200 levels; nest less`,
    ]);
    const chain = Array.from({ length: 50_000 }, (_, index) => `  - &a${index + 1} [*a${index}]\n`);
    const chained = await put("chained.yaml", `openapi: 3.1.1\nx-deep:\n  - &a0 []\n${chain.join("")}`);
    expect(await faultsOf(chained)).toEqual([
      `${relative(process.cwd(), chained)}:201:13  nested deeper than 200 levels; nest less`,
    ]);
  });
});

describe("a part that cannot be enforced", () => {
  test("is listed by a lenient run as by a strict run, for every fixture", async () => {
    for (const [path, expected] of rejected) {
      const { files, problems } = await leniently(path);
      if (files)
        expect(
          problems.map(({ location, message }) => `${location}  ${message}`),
          path,
        ).toEqual(expected);
    }
  });

  test("is not listed if a waiver covers it", async () => {
    const spec = await put(
      "waived/openapi.yaml",
      await readFile(join(folder, "reject/pattern-invalid.yaml")),
    );
    const faultsWith = async (text: string) => {
      await put("waived/waivers.yaml", text);
      return faultsOf(spec);
    };
    for (const at of ["", '  at: "#/components/schemas/Book"\n', '  at: "openapi.yaml#/components"\n'])
      expect(await faultsWith(`- rule: invalid-pattern\n  reason: It is old.\n${at}`)).toEqual([]);
    expect(
      await faultsWith('- rule: invalid-pattern\n  reason: r\n  at: "#/components/schemas/B"\n'),
    ).toEqual([expect.stringContaining("openapi.yaml:20:32  `pattern` is not a valid")]);
  });

  test("is one line with its equals and the waiver to paste, and --write-waivers waives all of them", async () => {
    const content = { "application/xml": { schema: { type: "object", xml: {} } } };
    const operations = Array.from({ length: 31 }, (_, index) => [
      `/${index}`,
      { get: { responses: { "200": { description: "x", content } } } },
    ]);
    const spec = await putPaths("many.json", Object.fromEntries(operations));
    const args = ["--spec", spec, "--out", join(folder, "many"), "--waivers", join(folder, "new/many.yaml")];
    const lines = (await run(args.slice(0, 4))).stderr.split("\n");
    expect(lines[0]).toMatch(/ \(also at 1:253, 1:376, 28 more\) \[media-type\]$/);
    expect(lines.slice(1)).toEqual([
      "31 places: 31 media-type. --verbose lists all of them.",
      "Nothing was generated.",
      remedies,
      `The waivers to paste into ${relative(process.cwd(), join(folder, "waivers.yaml"))}:`,
      "- rule: media-type",
      "  reason: Not enforced when this waiver was written, in 31 places.",
      "",
    ]);
    expect((await run([...args.slice(0, 4), "--verbose"])).stderr.split("\n")).toHaveLength(37);
    expect((await run([...args, "--lenient", "--write-waivers"])).status).toBe(0);
    expect(await run(args)).toMatchObject({ status: 0, stderr: "" });
  });

  test("must exist for each waiver, and each waiver must have its fields", async () => {
    const faultsWith = async (text: string) => faultsOf(library, await put("waivers.yaml", text));
    const shown = relative(process.cwd(), join(folder, "waivers.yaml"));
    expect(await faultsWith('- { rule: media-type, reason: "Soon." }\n')).toEqual([
      `${shown}:1:3  no problem needs this waiver; remove it`,
    ]);
    expect(
      await faultsWith(
        "- media-type\n- { rule: media-type }\n- { reason: r }\n- { rule: r, reason: r, at: '#a' }\n- { of: 1 }\n",
      ),
    ).toEqual([
      `${shown}:1:3  a waiver is an object; write \`{ rule: NAME, reason: WHY }\``,
      `${shown}:2:3  this waiver has no \`reason\`; add it`,
      `${shown}:3:3  this waiver has no \`rule\`; add the name that the problem has in brackets`,
      `${shown}:4:3  \`at\` must be a reference such as \`#/components/schemas/Name\` or \`book.yaml#/title\``,
      `${shown}:5:3  a waiver cannot have \`of\`; use rule, at, reason, until`,
    ]);
    expect(await faultsWith("")).toEqual([
      `${shown}:1:1  waivers are a list; begin each with \`- rule: NAME\``,
    ]);
  });

  test("rejects all callers if it is a waived security requirement", async () => {
    const { files } = await leniently(join(fixtures, "reject/security-scheme-of-another-type.yaml"));
    expect(files?.get("contract.ts")).toContain(
      'security: [[{ scheme: "key", roles: [], credential: "unknown" }]],',
    );
  });

  test("is removed everywhere if it is a default that its own schema rejects", async () => {
    const { files = new Map<string, string>() } = await leniently(
      join(folder, "reject/default-contradicts.yaml"),
    );
    expect([...files].filter(([, text]) => text.includes("wrong"))).toEqual([]);
    expect(files.get("contract.ts")).not.toContain("validators.complete");
    expect(files.get("types.ts")).toMatch(
      /limit\?: number;(?:.|\n)*requestBody\?: \{(?:.|\n)*title\?: string;/,
    );
    expect(files.get("types.ts")).not.toMatch(/limit: number|title: string/);
  });

  test("is in no file if it is a waived media type, and a response with only this media type has no body", async () => {
    const { files = new Map<string, string>() } = await leniently(join(folder, "reject/media-type.yaml"));
    expect([...files.values()].filter((text) => text.includes("application/xml"))).toEqual([]);
    expect(files.get("types.ts")).toMatch(/200: \{[^}]*\};\s*content\?: never;/);
  });

  test("does not affect other statuses of a shared response if it is the body of a 204", async () => {
    const file = join(fixtures, "reject/response-without-a-body-shared.yaml");
    const { files = new Map<string, string>() } = await leniently(file);
    expect(JSON.parse(files.get("openapi.json") ?? "").paths["/books"].delete.responses).toEqual({
      200: { $ref: "#/components/responses/Deleted" },
      204: { description: "The books are gone." },
    });
    const contract = from(files.get("contract.ts"), "const responses").replaceAll(/\s+/g, " ");
    expect(contract).toContain(
      'Deleted: { headers: [], mediaTypes: { "application/json": { validate: validators.validateDeleted, project: validators.projectDeleted } }, }',
    );
    expect(contract).toContain("responses: { 200: responses.Deleted, 204: responses.DeleteBooks204 }");
    expect(contract).toContain("DeleteBooks204: { headers: [], mediaTypes: {} }");
  });

  test("is not in the output if it is a header that OpenAPI ignores, or a media type that responses never have", async () => {
    const files = await generate(join(fixtures, "accept/everything.yaml"));
    expect(files.get("types.ts")).not.toContain("authorization");
    expect([...files.values()].filter((text) => text.includes("application/xml"))).toEqual([]);
  });

  test("is listed by a run that succeeds if it is only a note, unless the run is quiet or a waiver covers it", async () => {
    const spec = await putPaths("notes/openapi.json", {
      "/": { get: { responses: { 200: { description: "", content: { "application/json": {} } } } } },
    });
    const out = join(folder, "notes/out");
    const noted = await run(["--spec", spec, "--out", out]);
    expect(noted).toMatchObject({
      status: 0,
      stderr: `${relative(process.cwd(), spec)}:1:128  a body without a \`schema\` may have any value; add one to check the body [content-without-schema]
Notes: 1 place, listed above. Notes do not stop generation.
`,
    });
    expect(await run(["--spec", spec, "--out", out, "--quiet"])).toMatchObject({ status: 0, stderr: "" });
    await put("notes/waivers.yaml", "- rule: content-without-schema\n  reason: It is old.\n");
    expect(await run(["--spec", spec, "--out", out])).toMatchObject({ status: 0, stderr: "" });
  });

  test("is one counted note if the document lacks rejections of the server", async () => {
    const get = { security: [{ key: [] }], responses: done };
    const put = {
      requestBody: { content: { "text/plain": { schema: { type: "string" } } } },
      responses: done,
    };
    const spec = await putPaths("rejections/openapi.json", { "/": { get, put } });
    const { problems, notes } = await runLeniently(spec);
    expect(problems.filter(({ rule }) => rule !== "security")).toEqual([]);
    expect(notes).toEqual([
      {
        location: expect.stringMatching(/rejections\/openapi\.json:1:\d{3}$/),
        message:
          "6 responses that the server sends before a handler runs are not documented, such as 401 of GET /; add them",
        rule: "undocumented-rejection",
      },
    ]);
    const { stderr } = await run(["--spec", spec, "--out", join(folder, "rejections-of-a-run"), "--lenient"]);
    expect(stderr).toContain("Notes: 1 place, listed above. Notes do not stop generation.\n");
    expect(stderr).not.toContain("add-rejections");
  });

  test("is listed by a lenient run with --quiet only if the run writes a file", async () => {
    const spec = join(fixtures, "reject/callbacks.yaml");
    const args = ["--spec", spec, "--out", join(folder, "quiet"), "--lenient", "--quiet"];
    expect((await run(args)).stderr).toContain("Not enforced: 2 places, listed above.\n");
    expect(await run(args)).toMatchObject({ status: 0, stdout: "", stderr: "" });
  });

  test("has no type for handlers if it is a waived parameter", async () => {
    const { files } = await leniently(join(fixtures, "reject/parameter-style-of-another-place.yaml"));
    const [callers = "", handlers = ""] = files?.get("types.ts")?.split("export interface received") ?? [];
    expect(callers).toContain("id?: string;");
    expect(handlers).toContain("query?: never;");
  });

  test("belongs to a rule that the docs explain, and each explained rule has a fixture", async () => {
    const [, waivers = ""] = (await readFile("docs/generator.md", "utf8")).split("## Waivers");
    const explained = [...waivers.matchAll(/^\| `([\w-]+)`/gm)].map(([, rule]) => rule);
    const seen = new Set<string | undefined>();
    const noted = ["everything", "annotations-3-2", "notes", "version-3-0"].map((name) =>
      join(fixtures, `accept/${name}.yaml`),
    );
    for (const file of [...rejected.keys(), ...noted]) {
      const { problems, notes } = await leniently(file);
      for (const { rule } of [...problems, ...notes]) seen.add(rule);
    }
    expect(explained.filter((rule) => !seen.has(rule))).toEqual([]);
    const rules = ["inexact-integer", "syntax"];
    for (const file of [
      "generate/model.ts",
      "json-schema/schema.ts",
      "openapi/downgrade.ts",
      "openapi/object-rules.ts",
      "openapi/twins.ts",
      "openapi/upgrade.ts",
    ]) {
      const [type = ""] =
        /^export type \w+Rule =[^;]+/m.exec(await readFile(`scripts/toolkit/${file}`, "utf8")) ?? [];
      rules.push(...[...type.matchAll(/"(.+?)"/g)].map(([, rule = ""]) => rule));
    }
    expect(explained.toSorted()).toEqual(rules.toSorted());
  });
});

describe("a place in a spec", () => {
  test("of a null is the word `null`, or the key if nothing is written after it", async () => {
    const files = new SpecFiles();
    const file = await files.read(
      await put("nulls.yaml", "a: { b: , c: null, d: [1, null] }\ne:\nf:\n  - null\n  -\n"),
    );
    const placeOf = (pointer: string): string =>
      locationOf({ file, pointer }, false).slice(file.shownPath.length + 1);
    expect(["/a/b", "/a/c", "/a/d/1", "/e", "/f/0"].map(placeOf)).toEqual([
      "1:6",
      "1:14",
      "1:27",
      "2:1",
      "4:5",
    ]);
  });

  test("is correct in JSON with a byte order mark, tabs, CRLF and multi-byte characters", async () => {
    const json = await put(
      "spec.json",
      '\ufeff{\r\n\t"openapi": "3.1.1", "info": {"title": "é😀", "version": "1"},\r\n\t"paths": {},\r\n\t"components": {"schemas": {"A": {"properties": {\r\n\t\t"é": {"type": "string"}, "50%25": {"type": "string"}, "": {"minimum": 1}}}}}}\r\n',
    );
    const { locate } = await loadSpec(json);
    const file = relative(process.cwd(), json);
    expect(locate("/info/version")).toBe(`${file}:2:47`);
    expect(locate("/components/schemas/A/properties/é/type")).toBe(`${file}:5:9`);
    expect(locate("/components/schemas/A/properties/50%25/type")).toBe(`${file}:5:38`);
    // An empty key is not found, so the place that contains it is returned.
    expect(locate("/components/schemas/A/properties//minimum")).toBe(`${file}:4:35`);
  });
});

describe("a spec of several files", () => {
  test("becomes one document in which each part has one name, cycles are kept, and each place is the original one", async () => {
    const { document, locate } = await loadSpec(
      join(fixtures, "accept/several-files.yaml"),
      undefined,
      specFilesOf(),
    );
    const people = { type: "array", items: { $ref: "#/components/schemas/book" } };
    const top = "paths__shelves_get_responses_200_content_application_json_schema_properties_books";
    expect(document.components).toEqual({
      schemas: {
        Person: {
          type: "object",
          properties: {
            name: { type: "string" },
            books: people,
            rival: { $ref: "#/components/schemas/Person" },
          },
        },
        Author: { type: "string", description: "Not the author of people.json." },
        book: {
          type: "object",
          properties: {
            title: { type: "string" },
            author: { $ref: "#/components/schemas/Person" },
            publisher: { $ref: "#/components/schemas/Person" },
          },
        },
        [top]: people,
      },
      parameters: { id: { name: "id", in: "path", required: true, schema: { type: "string" } } },
      responses: {
        gone: {
          description: "There is none.",
          content: { "application/json": { schema: { $ref: "#/components/schemas/Person" } } },
        },
      },
    });
    expect(Object.keys(document.paths ?? {})).toEqual(["/books/{id}", "/shelves"]);
    const files = relative(process.cwd(), join(fixtures, "files"));
    expect(locate("/paths/~1books~1{id}/get/responses/404")).toBe(`${files}/paths.yaml:12:7`);
    expect(locate("/components/schemas/book/properties/author/$ref")).toBe(`${files}/book.yaml:5:13`);
    expect(locate("/components/schemas/Person/properties/books/type")).toBe(`${files}/people.json:6:18`);
  });

  test("must not leave the document's folder, not even by symbolic links, unless another folder is allowed", async () => {
    const at = (file: string) => ({ get: { responses: { 200: { $ref: `${file}#/response` } } } });
    await put("all/apart/shared.json", JSON.stringify({ response: { description: "Shared." } }));
    const spec = await putPaths("all/spec/openapi.json", {
      "/a": at("../apart/shared.json"),
      "/b": at("link.json"),
    });
    await symlink("../apart/shared.json", join(folder, "all/spec/link.json"));
    const problem = (place: string, file: string): string =>
      `${relative(process.cwd(), spec)}:${place}  ${relative(process.cwd(), join(folder, "all", file))} is outside the folder of the document; move it into that folder, or allow its folder with --allow-outside DIR`;
    expect(await faultsOf(spec)).toEqual([
      problem("1:101", "apart/shared.json"),
      problem("1:178", "spec/link.json"),
    ]);
    for (const allowed of ["apart", "."]) {
      const files = await generate(spec, new Findings(), new SpecFiles([join(folder, "all", allowed)]));
      expect(files.get("openapi.json")).toContain("Shared.");
    }
  });
});

test("a spec of OpenAPI 3.2 stays 3.2 if it has QUERY operations or the new fields of tags", async () => {
  const { document } = await loadSpec(join(fixtures, "accept/query.yaml"));
  expect(document).toMatchObject({
    openapi: "3.2.0",
    tags: [
      { name: "books", summary: "Books", kind: "nav" },
      { name: "old", parent: "books" },
    ],
    paths: { "/books": { query: { operationId: "findBooks" } } },
  });
});

test("a spec of OpenAPI 3.2 is also generated as 3.1, and a server can publish both", async () => {
  const files = await generate(join(fixtures, "accept/query.yaml"));
  const openApi31 = JSON.parse(files.get("openapi-3.1.json") ?? "");
  expect([openApi31.openapi, openApi31.paths["/books"].query]).toEqual(["3.1.1", undefined]);
  const published = (server = ""): string | undefined => /documents:.* = (.*);/.exec(server)?.[1];
  expect(published(files.get("documents.ts"))).toBe(
    '{ "/openapi.json": openApi31, "/openapi-3.2.json": document }',
  );
  const older = await generate(library);
  expect([older.has("openapi-3.1.json"), published(older.get("documents.ts"))]).toEqual([
    false,
    '{ "/openapi.json": document }',
  ]);
});

test("a twin becomes a method of its GET. It has samples, but no function, types or handler", async () => {
  const files = await generate(join(fixtures, "accept/query.yaml"));
  const names = ["types.ts", "operations.ts", "contract.ts"];
  expect(names.filter((name) => files.get(name)?.includes("ByQuery"))).toEqual([]);
  expect(files.get("operations.ts")).toContain('method: "GET",\n    path: "/authors",\n    twin: "QUERY",\n');
  const { query } = JSON.parse(files.get("openapi.json") ?? "").paths["/authors"];
  expect(query["x-codeSamples"].map(({ label }: { label: string }) => label)).toEqual([
    "curl",
    "JavaScript",
    "Python",
  ]);
  expect(query["x-codeSamples"][0].source).toBe(
    `curl -X QUERY 'https://shelf.test/authors' \\\n  -H 'Content-Type: application/json' \\\n  -d '[\n  "Joyce"\n]'`,
  );
});

test("any other spec of OpenAPI 3.2 becomes 3.1", async () => {
  const { document } = await loadSpec(join(fixtures, "accept/version-3-2.yaml"));
  const book = { $ref: "#/components/schemas/Book" };
  const content = {
    "application/json": { schema: book, examples: { ulysses: { value: { title: "Ulysses" } } } },
  };
  const responses = { 200: { description: "The book.", content }, 204: { description: "" } };
  expect(document).toMatchObject({
    openapi: "3.1.1",
    paths: { "/books": { post: { requestBody: { content }, responses } } },
    components: { schemas: { Book: { properties: { next: book } } } },
  });
  expect(document).not.toHaveProperty("$self");
  expect(Object.keys(document.components ?? {})).toEqual(["schemas"]);
});

/** Code that must compile with the output of a fixture. */
const checks: Readonly<Record<string, string>> = {
  "accept/recurring.yaml": `
import type { components } from "./types.ts";

type Schemas = components["schemas"];
export const shelves: Schemas["Shelf"] = ["a", [{}, ["b"]]];
// @ts-expect-error a shelf holds no numbers, however deep
export const numbers: Schemas["Shelf"] = ["a", [["b", [1]]]];
export const tree: Schemas["Tree"] = [[null]];
export const labels: Schemas["NamedLabel"][] = [null, { text: "a" }];
// @ts-expect-error text is required
export const unnamed: Schemas["NamedLabel"] = { colour: "red" };
`,
  "accept/library.yaml": `
import type { received } from "./types.ts";

export function daysOf({ requestBody }: received["operations"]["lendBook"]): number {
  // If a caller omits the body, the handler gets its default, so it is never undefined.
  return requestBody.content["application/json"].days;
}
`,
  "accept/directions.yaml": `
import type { components } from "./types.ts";

export const friend = { id: 1, made: "", name: "Bob" } satisfies components["schemas"]["Member"];
// @ts-expect-error the types of components are those of responses, which have no passwords
({ ...friend, password: "p" }) satisfies components["schemas"]["Member"];
`,
};

describe("generated output", () => {
  test("has the document that was read, with samples for each operation", async () => {
    const files = await generate(library);
    const { document } = await loadSpec(library);
    const samples: unknown[] = [];
    const withoutSamples = JSON.parse(files.get("openapi.json") ?? "", (key, value) => {
      if (key !== "x-codeSamples") return value;
      samples.push(...value);
      return undefined;
    });
    expect(withoutSamples).toEqual(document);
    expect(samples).toContainEqual({
      lang: "shell",
      label: "curl",
      source: "curl -X GET 'https://api.example.com/shelves/1/books/text'",
    });
  });

  test("has samples with the servers of their path", async () => {
    const files = await generate(join(fixtures, "accept/notes.yaml"));
    const { get } = JSON.parse(files.get("openapi.json") ?? "").paths["/socket"];
    expect(get["x-codeSamples"][0].source).toBe("curl -X GET 'https://socket.test/v2/socket'");
  });

  test("has validators that narrow values to the named types, except for bytes", async () => {
    for (const [extension, language] of [
      ["ts", "js"],
      ["js", "ts"],
    ] as const) {
      const spec = join(fixtures, "accept/everything.yaml");
      const { files } = await runPipeline({ spec, lenient: true, importExt: extension });
      await writeTo(`guards-${language}`, files);
      const guard = (name: string) =>
        `import { validate${name} } from "./validators.${language}";\n` +
        `import type { ${name} } from "./types.${extension}";\n` +
        `export const narrowed${name} = (value: unknown): ${name} | undefined => validate${name}(value, []) ? value : undefined;\n`;
      const program = await put(`guards-${language}/program.ts`, guard("Point") + guard("Upload"));
      expect(compileErrors([program])).toEqual([
        expect.stringContaining("program.ts:6 Type 'unknown' is not assignable to type"),
      ]);
    }
  });

  test("keeps the samples of a document", async () => {
    const files = await generate(join(fixtures, "accept/references-in-data.yaml"));
    const { post } = JSON.parse(files.get("openapi.json") ?? "").paths["/notes"];
    expect(post["x-codeSamples"]).toEqual([{ lang: "shell", source: "curl" }]);
  });

  test("compiles with `strict`, also if parts are ignored, and runs if generating code from strings is disabled, for every fixture", async () => {
    const sources: string[] = [];
    const withNode: string[] = [];
    for (const path of rejected.keys()) {
      const { files } = await leniently(path);
      if (!files) continue;
      const directory = await writeTo(`lenient-${basename(path)}`, files);
      sources.push(join(directory, "contract.ts"), join(directory, "types.ts"));
      withNode.push(join(directory, "server.ts"));
    }
    expect(sources.length).toBeGreaterThan(80);
    const contracts: string[] = [];
    for (const name of accepted) {
      const directory = await writeTo(name.replaceAll("/", "-"), await acceptedOutput(name));
      contracts.push(join(directory, "contract.ts"));
      withNode.push(join(directory, "client.ts"), join(directory, "server.ts"));
      sources.push(join(directory, "contract.ts"), join(directory, "types.ts"));
      withNode.push(join(directory, "server.ts"));
      if (checks[name] !== undefined)
        sources.push(await put(join(basename(directory), "check.ts"), checks[name]));
    }
    expect(compileErrors(sources)).toEqual([]);
    expect(
      typeErrors(withNode, { types: [resolve("node_modules/@types/node")], verbatimModuleSyntax: false }),
    ).toEqual([]);
    const program = `
      for (const path of ${JSON.stringify(contracts)}) {
        const { contract } = await import(path);
        for (const { parameters, content, responses } of Object.values(contract.operations)) {
          for (const { validate, complete } of parameters) for (const value of ["x", 1, [1], { a: 1 }]) {
            validate(value, []);
            complete?.(value);
          }
          const media = [content, ...Object.values(responses)].flatMap((each) => Object.values(each?.mediaTypes ?? {}));
          for (const { validate, complete, project } of media) for (const value of [null, "x", [1], { a: { b: 1 } }]) {
            validate?.(value, []);
            complete?.(structuredClone(value));
            project?.(value);
          }
        }
      }`;
    const args = ["--disallow-code-generation-from-strings", "--input-type=module", "--eval", program];
    expect(await ended([process.execPath, ...args])).toEqual({ status: 0, stdout: "", stderr: "" });
  });

  test("gives each operation a unique identifier, and keeps the spec's names in the document", async () => {
    const files = await generate(join(fixtures, "accept/oddities.yaml"));
    const table = from(files.get("operations.ts"), "export const operations");
    expect([...table.matchAll(/^ {2}(\w+): \{\n {4}method: "(\w+)"/gm)].map(([, ...parts]) => parts)).toEqual(
      [
        ["leaf", "POST"],
        ["treesGet", "GET"],
        ["headTreesTreeId", "HEAD"],
        ["treesGet2", "DELETE"],
        ["proto", "POST"],
      ],
    );
    expect(files.get("openapi.json")).toContain('"operationId": "trees/get"');
    expect(files.get("types.ts")).toContain('pet?: components["schemas"]["Pet"] | null;');
  });

  test("gives no operation the name of another client function, or one that would make the client a promise, and keeps its description", async () => {
    const client = createClient({ baseUrl: "http://library.test", apiKey: "k" });
    const own = Object.keys(client).filter((name) => !(name in operations));
    const names = [...own, "then"];
    const operation = { summary: "Reads", description: "All.", responses: done };
    const paths = names.map((name) => [`/${name}`, { get: { operationId: name, ...operation } }]);
    const files = await generate(await putPaths("names.json", Object.fromEntries(paths)));
    const table = from(files.get("operations.ts"), "export const operations");
    const ids = [...table.matchAll(/^ {2}(\w+): \{/gm)].map(([, id]) => id);
    expect(own).toContain("use");
    expect([ids.length, ids.filter((id) => id !== undefined && names.includes(id))]).toEqual([
      names.length,
      [],
    ]);
    expect(from(files.get("types.ts"), "export interface operations")).toContain(
      "    /**\n     * Reads\n     * @description All.\n     */\n    use2: {",
    );
  });

  test.each([
    ["a", "query", { type: "integer" }, false],
    ["a", "query", { type: "array", items: { type: "string" } }, true],
    ["a[b]", "query", { type: "string" }, true],
    ["a-b", "path", { type: "string" }, false],
    [".a", "path", { type: "string" }, true],
  ])(
    "tells a client whether it needs code for a parameter: %s in %s, %j",
    async (name, place, schema, styled) => {
      const parameters = [{ name, in: place, required: true, schema }];
      const spec = await putPaths("parameters.json", {
        [place === "path" ? `/{${name}}` : "/"]: { get: { operationId: "get", parameters, responses: done } },
      });
      expect((await generate(spec)).get("client.ts")).toContain(
        `[${styled ? "styledParameters" : "plainParameters"}, jsonBodies, jsonResponses, `,
      );
    },
  );

  const text = { content: { "text/plain": { schema: { type: "string" } } } };
  const stream = { "text/event-stream": { itemSchema: { type: "object" } } };
  const key = { name: "idempotency-key", in: "header", schema: { type: "string" } };
  test.each([
    [
      "a body that is not JSON",
      { requestBody: text, responses: done },
      "anyBodies, anyResponses",
      "idempotentMethods",
    ],
    [
      "a range of media types",
      { responses: { 200: { description: "x", content: { "application/*+json": {} } } } },
      "anyBodies, anyResponses",
      "idempotentMethods",
    ],
    [
      "a stream",
      { responses: { 200: { description: "x", content: stream } } },
      "anyBodies, streamedResponses",
      "idempotentMethods",
    ],
    [
      "an idempotency key",
      { parameters: [key], responses: done },
      "jsonBodies, jsonResponses",
      "idempotencyKeys",
    ],
  ])("gives a client the code for %s only if the document has it", async (_, post, bodies, repetition) => {
    const document = { openapi: "3.2.0", info: { title: "t", version: "1.0.0" }, paths: { "/": { post } } };
    const spec = await put("parts.json", JSON.stringify(document));
    expect((await runLeniently(spec)).files?.get("client.ts")).toContain(
      `[plainParameters, ${bodies}, noCredentials, ${repetition}],`,
    );
  });

  test("lets a client call paths that a server cannot route", async () => {
    const spec = await putPaths("unrouted.json", {
      "/a#B": { get: { operationId: "getB", responses: done } },
      "/a?b=1": { get: { operationId: "getA", responses: done } },
    });
    const files = await generate(spec, new Findings({ lenient: true }));
    expect(files.get("operations.ts")).toContain('path: "/a?b=1"');
    expect(files.get("operations.ts")).toContain('path: "/a#B"');
    expect(files.get("contract.ts")).not.toContain("getA");
    expect(files.get("contract.ts")).not.toContain("getB");
  });

  test("resolves a discriminator's mapping, whether it has schema names or references", async () => {
    const { document } = await loadSpec(join(fixtures, "accept/oddities.yaml"));
    expect(document.components).toMatchObject({
      schemas: {
        Pet: {
          discriminator: { mapping: { cat: "#/components/schemas/Cat", dog: "#/components/schemas/dog.v1" } },
        },
      },
    });
  });

  test("contains no code from the text of a spec", async () => {
    const files = await generate(join(fixtures, "accept/hostile-text.yaml"));
    const source = ts.createSourceFile("types.ts", files.get("types.ts") ?? "", ts.ScriptTarget.ES2024);
    const kinds = new Set(source.statements.map(({ kind }) => ts.SyntaxKind[kind]));
    expect([...kinds]).toEqual(["InterfaceDeclaration", "TypeAliasDeclaration"]);
    await writeTo("hostile", files);
    const program = `
      import { contract } from "./contract.ts";
      import { operations } from "./operations.ts";
      const media = contract.operations.constructor.requestBody.mediaTypes["application/json"];
      media.validate({}, []);
      media.complete(undefined);
      contract.operations.constructor.responses[200].mediaTypes["application/json"].project({});
      const fallback = operations.constructor.requestBody.default;
      console.log(JSON.stringify([globalThis.injected, Object.keys(fallback), typeof fallback.constructor]));`;
    expect(await ended([process.execPath, await put("hostile/program.mjs", program)])).toEqual({
      status: 0,
      stdout: '[null,["__proto__","constructor"],"string"]\n',
      stderr: "",
    });
  });

  test("does not change data that looks like a reference, and opens no file for it", async () => {
    const files = await generate(join(fixtures, "accept/references-in-data.yaml"));
    const document = JSON.parse(files.get("openapi.json") ?? "");
    expect(document["x-guide"]).toEqual({ $ref: "./guide.md" });
    expect(document.paths["/notes"].post.requestBody.content["application/json"].examples).toEqual({
      far: { externalValue: "https://notes.test/far.json" },
      near: { value: { origin: { $ref: "#/nowhere" } } },
    });
    expect(document.components.schemas.Note.const).toEqual({ $ref: "#/nowhere" });
  });

  test("ignores extensions next to paths", async () => {
    const files = await generate(join(fixtures, "accept/recurring.yaml"));
    expect(files.get("types.ts")).not.toContain("x-draft");
    expect(JSON.parse(files.get("openapi.json") ?? "").paths).toMatchObject({
      "x-note": [1, { $ref: "#/nowhere" }],
      "x-draft": { get: { $ref: "gone.yaml", parameters: [{ $ref: "#/nowhere" }] } },
    });
  });

  test("has a table of the error codes in the examples of the document", async () => {
    const files = await generate(join(fixtures, "accept/error-codes.yaml"));
    expect(JSON.parse(files.get("openapi.json") ?? "").info.description).toBe(`About.

## Error codes

| status | code and meaning |
|---|---|
| 400, 422 | \`wrong\`: It is wrong. |
| 404 | \`missing\`: It is \\| gone. |
`);
  });

  test("is the same from any folder and for any spelling of the spec's path", async () => {
    const files = await generate(library, new Findings(), new SpecFiles(), "#specbind");
    const expected = Object.fromEntries(withManifest(files));
    const out = join(folder, "elsewhere");
    const spelled = `.//../${relative(resolve(folder, ".."), fixtures)}/reject/../accept/library.yaml`;
    expect(await run(["--spec", spelled, "--out", "elsewhere"], folder)).toMatchObject({ status: 0 });
    expect(await textsOf(out)).toEqual(expected);
    expect(Object.values(expected).join("")).not.toContain("library.yaml");
  });

  test("differs for another name of the runtime only in this name", async () => {
    const [own, others] = [
      await generate(library),
      await generate(library, new Findings(), new SpecFiles(), "#specbind"),
    ];
    const renamed = [...own].map(([name, text]) => [
      name,
      text.replaceAll('"specbind-runtime/', '"#specbind/'),
    ]);
    expect([...others]).toEqual(renamed);
    expect([...others]).not.toEqual([...own]);
  });
});
