/** Runs the command in a project that is not this one. */
import { appendFile, cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { ended, Program, run } from "../testing/program.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const program = resolve("scripts/toolkit/specbind.ts");
const folder = temporaryFolder();
const specbind = (line: string) => run(folder, program, ...line.split(" "));
const put = (path: string, text: string) => writeFile(join(folder, path), text);
const textOf = (path: string) => readFile(join(folder, path), "utf8");

const document = `openapi: 3.1.0
info: { title: Users, version: 1.0.0, license: { name: MIT, identifier: MIT } }
servers: [{ url: https://users.test }]
security: []
paths:
  /users:
    get:
      operationId: listUsers
      summary: List users
      responses:
        "200": { description: All users. }
        "404": { description: No user. }
`;

beforeAll(async () => {
  for (const name of ["spec", "other"]) await mkdir(join(folder, name));
  await put("spec/openapi.yaml", document);
  await put("other/users.yaml", document);
});

describe("specbind", () => {
  it("lists its commands, and each of them its options and exit statuses", async () => {
    const { stdout } = await specbind("--help");
    const [init, ...verbs] = [...stdout.matchAll(/^ {2}([a-z-]+) \[options\]/gm)].map(([, verb]) => verb);
    expect(init).toBe("init");
    expect(verbs).toEqual([
      "generate",
      "check",
      "lint",
      "diff",
      "release",
      "mock",
      "conform",
      "dev",
      "docs",
      "add-rejections",
      "build-client",
    ]);
    for (const verb of verbs) {
      const help = await specbind(`${verb} --help`);
      expect(help).toMatchObject({ status: 0, stderr: "" });
      expect(help.stdout).toMatch(
        new RegExp(`^Usage: specbind ${verb} [^]*--config <FILE>[^]*\nExit status: 0 `),
      );
    }
  });

  it.each([
    ["mok", 2, "unknown command 'mok' (Did you mean mock?); see specbind --help"],
    ["mock --prot 1", 2, "unknown option '--prot' (Did you mean --port?); see specbind mock --help"],
    [
      "mock --spec none.yaml",
      2,
      "none.yaml  no such file; give the spec with --spec FILE\nNothing is served.",
    ],
    [
      "generate --spec swagger.yaml",
      1,
      "swagger.yaml:1:1  OpenAPI 2.0 (Swagger) is not supported, only 3.0, 3.1 and 3.2; convert the document, for example with `npx swagger2openapi`\nNothing was generated.",
    ],
    [
      "lint --spec broken.yaml",
      1,
      "broken.yaml:2:1  not valid YAML or JSON: a quote or a bracket before this place has no end; close it\nNothing was checked.",
    ],
    [
      "lint --spec repeated.yaml",
      1,
      'repeated.yaml:13:1  the key "openapi" occurs twice, first in line 1; keep one of them, because parsers reject both or read the last one. Two YAML libraries read "3.1.1" here. Redocly cannot read it; `generate --lenient` can. [syntax]\nNothing was checked.',
    ],
    [
      "generate --out swagger.yaml",
      1,
      "swagger.yaml cannot be used (EEXIST: file already exists, mkdir 'swagger.yaml'); give a writable folder with --out DIR",
    ],
    [
      "diff HEAD",
      2,
      "spec/openapi.yaml  git cannot read it (git is not installed, or not on the PATH); give a file in a repository, or a document with --base FILE\nNothing was compared.",
    ],
    [
      "diff",
      2,
      "spec/released/openapi.json  nothing was released yet; run `npx specbind release`, or give a revision or --base FILE\nNothing was compared.",
    ],
    [
      "build-client",
      1,
      `${join(folder, "package.json")} is missing: make one with \`npm init\`\nNothing was built.`,
    ],
  ])(
    "reports the mistake in `specbind %s`, with its fix and without a stack",
    async (line, status, message) => {
      await put("swagger.yaml", 'swagger: "2.0"\n');
      await put("broken.yaml", "openapi: [\n");
      await put("repeated.yaml", `${document}openapi: 3.1.1\n`);
      vi.stubEnv("PATH", "/nowhere");
      const ended = await specbind(line);
      vi.unstubAllEnvs();
      expect(ended).toEqual({ status, stdout: "", stderr: `${message}\n` });
    },
  );

  it("adds rejections in the form of the document's other errors, and names what the server needs for it", async () => {
    const errors = join(folder, "errors");
    await mkdir(join(errors, "spec"), { recursive: true });
    const error = "{ type: object, required: [message], properties: { message: { type: string } } }";
    const content = "content: { application/json: { schema: { $ref: '#/components/schemas/Error' } } }";
    await put(
      "errors/spec/openapi.yaml",
      `${document.replace("security: []", "security: [{ token: [] }]").replace("No user. }", `No user., ${content} }`)}components:
  schemas: { Error: ${error} }
  securitySchemes: { token: { type: http, scheme: bearer } }
`,
    );
    expect(await run(errors, program, "add-rejections")).toEqual({
      status: 0,
      stdout: expect.stringContaining("spec/openapi.yaml: 2 responses added\n"),
      stderr: `The responses have the form of the document's other errors, application/json. The server needs an \`errorEnvelope\` that makes it.
`,
    });
    const { stdout, stderr } = await run(errors, program, "add-rejections");
    expect([stdout, stderr]).toEqual(["spec/openapi.yaml: 0 responses added\n", ""]);
  });

  it("lints examples, or with the rules next to the document", async () => {
    await put("spec/short.yaml", document.replace("      summary: List users\n", ""));
    expect(await specbind("lint --spec spec/short.yaml")).toEqual({
      status: 0,
      stdout: "spec/short.yaml follows the rules\n",
      stderr: "",
    });
    const body = "content: { application/json: { schema: { type: string }, example: 1 } }";
    await put("spec/wrong.yaml", document.replace("All users. }", `All users., ${body} }`));
    expect((await specbind("lint --spec spec/wrong.yaml")).stderr).toMatch(
      /^spec\/wrong\.yaml:11:.* \[no-invalid-media-type-examples\]\n$/,
    );
    await put(
      "other/redocly.yaml",
      "rules: { operation-description: warn, tag-description: error, no-server-example.com: error }\n",
    );
    await put("other/tagged.yaml", `${document}tags: [{ name: users }]\n`);
    expect(await specbind("lint --spec other/tagged.yaml")).toEqual({
      status: 1,
      stdout: "",
      stderr: `warning: other/tagged.yaml:7:5  The field \`description\` is missing. Add it. [operation-description]
other/tagged.yaml:13:8  The field \`description\` is missing. Add it. [tag-description]
`,
    });
  });
});

describe("the configuration", () => {
  it.each([
    ['{ specs: "x" }', "specbind.config.ts: unknown field `specs`; did you mean `spec`?"],
    [
      "{ x: 1 }",
      "specbind.config.ts: unknown field `x`; use spec, out, importExt, validators, waivers, allowOutside, rules, impacts, documents",
    ],
    ["{ spec: 3 }", "specbind.config.ts: `spec` must be a path"],
    ['{ importExt: "mts" }', 'specbind.config.ts: `importExt` must be "ts" or "js"'],
    ["{ documents: [] }", "specbind.config.ts: `documents` must be a list of at least one object"],
    [
      "{ documents: [{}, { ruels: 1 }] }",
      "specbind.config.ts: documents[1]: unknown field `ruels`; did you mean `rules`?",
    ],
    [
      "{ documents: [{}, {}] }",
      "specbind.config.ts: 2 documents have the output generated; give each its own",
    ],
    [
      "{ impacts: 1 }",
      'specbind.config.ts: `impacts` must be an object such as { "schema-format": "minor" }',
    ],
    [
      '{ impacts: { "schema-fromat": "minor" } }',
      "specbind.config.ts: impacts: there is no rule `schema-fromat`; did you mean `schema-format`?",
    ],
    [
      '{ documents: [{ impacts: { "removed-while-beta": "minor" } }] }',
      "specbind.config.ts: impacts: there is no rule `removed-while-beta`; use one that `diff` prints in brackets",
    ],
    [
      '{ impacts: { "schema-format": "off" } }',
      'specbind.config.ts: impacts: `schema-format` must be "major" or "minor" or "patch"',
    ],
    ["3", "specbind.config.ts needs a default export: an object, made with defineConfig"],
    ["{ spec: nowhere }", "specbind.config.ts cannot be loaded: nowhere is not defined"],
  ])("rejects %s in one line", async (config, message) => {
    await put("specbind.config.ts", `export default ${config};\n`);
    expect(await specbind("generate")).toEqual({ status: 2, stdout: "", stderr: `${message}\n` });
  });

  it("may be in a file that --config names, whose folder its paths are relative to", async () => {
    await put("other/config.json", JSON.stringify({ spec: "users.yaml", out: "../made" }));
    expect(await specbind("generate --config other/config.json")).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^made: wrote openapi\.json, /),
    });
    expect(await specbind("generate --config missing.json")).toEqual({
      status: 2,
      stdout: "",
      stderr: "missing.json: no such file; give another one with --config FILE\n",
    });
  });

  it("lists several documents, and a command runs for each or needs one of them", async () => {
    const documents = [{ importExt: "js" }, { spec: "other/users.yaml", out: "other/generated" }];
    await put("specbind.config.ts", `export default ${JSON.stringify({ documents })};\n`);
    expect((await specbind("generate")).stdout).toMatch(
      /^generated: wrote .*\nother\/generated: wrote .*\n$/,
    );
    const imports = async (path: string) => (await textOf(path)).match(/(?<=from ")\..*(?=")/g);
    expect(await imports("generated/contract.ts")).toEqual(["./operations.js", "./validators.js"]);
    expect(await imports("other/generated/contract.ts")).toEqual(["./operations.ts", "./validators.js"]);
    expect((await specbind("generate --spec other/users.yaml")).stdout).toBe(
      "other/generated is up to date\n",
    );
    expect(await specbind("docs")).toEqual({
      status: 2,
      stdout: "",
      stderr: "the configuration has 2 documents; choose one with --spec FILE\n",
    });
  });
});

describe("specbind check", () => {
  const git = (...args: string[]) => {
    const options = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
    return ended(["git", ...options, ...args], { cwd: folder });
  };

  it("passes with one line for each check, and names those that the project does not have", async () => {
    const { status, stdout, stderr } = await specbind("check");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(
      stdout
        .replaceAll(/ +\d+\.\d s/g, "")
        .split("\n")
        .toSorted(),
    ).toEqual([
      "",
      "changes of other/users.yaml  skipped: no release, and the last commit has no such document",
      "changes of spec/openapi.yaml  skipped: no release, and the last commit has no such document",
      "generated files",
      "rules",
      "types  skipped: no tsconfig.json, or no package typescript",
    ]);
  });

  it("fails with the output of each check that fails, and its command", async () => {
    await git("init");
    await git("add", ".");
    await git("commit", "-m", "x");
    await cp(resolve("node_modules/typescript"), join(folder, "node_modules/typescript"), {
      recursive: true,
    });
    await put("tsconfig.json", '{ "files": ["wrong.ts"] }');
    await put("wrong.ts", "const one: string = 1;\n");
    await put("spec/openapi.yaml", document.replace("/users:", "/people:"));
    await appendFile(join(folder, "generated/types.ts"), "//");
    const { status, stdout } = await specbind("check --spec spec/openapi.yaml");
    expect(status).toBe(1);
    for (const [name, output, command] of [
      [
        "types",
        "wrong.ts(1,7): error TS2322: Type 'number' is not assignable to type 'string'.",
        "npx tsc --noEmit",
      ],
      [
        "generated files",
        "generated/types.ts is stale",
        "npx specbind generate --check --spec=spec/openapi.yaml",
      ],
      ["breaking changes", "path /users was removed", "npx specbind diff HEAD --spec=spec/openapi.yaml"],
    ] as const) {
      const failed = new RegExp(`^${name}\n((?: {4}.*\n)+)`, "m").exec(stdout)?.[1] ?? "";
      expect(failed, stdout).toContain(output);
      expect(failed).toContain(`run only this: ${command}\n`);
    }
  });
});

describe("specbind diff", () => {
  it("reports all documents of the configuration together", async () => {
    await put("spec/openapi.yaml", document);
    const { status, stdout } = await specbind("diff HEAD --json");
    const files = JSON.parse(stdout).map(({ files: { now } }: { files: { now: string } }) => now);
    expect([status, files]).toEqual([0, ["spec/openapi.yaml", "other/users.yaml"]]);
    expect(await specbind("diff --base spec/openapi.yaml")).toEqual({
      status: 2,
      stdout: "",
      stderr:
        "spec/openapi.yaml cannot be compared with several documents; choose one with --spec FILE; see specbind diff --help\n",
    });
  });

  it("gives the findings of a rule of diff another impact", async () => {
    await put("specbind.config.ts", 'export default { impacts: { "path-added": "major" } };\n');
    await put("other/base.yaml", document.replace("/users:", "/users: { get: { responses: {} } }\n  /x:"));
    const { status, stdout } = await specbind("diff spec/openapi.yaml other/base.yaml --lenient");
    expect(stdout).toContain("callers may call it (the configuration makes it major) [path-added]");
    expect(status).toBe(1);
  });
});

describe("specbind generate --watch", () => {
  it("generates again after each save next to the document, until a signal", async () => {
    const args = [program, "generate", "--watch", "--spec", "other/users.yaml", "--out", "other/watched"];
    await using watching = new Program([process.execPath, ...args], { cwd: folder });
    const next = () => watching.next(/.*\n/);
    expect([await next(), await next()].toSorted()).toEqual([
      expect.stringMatching(/^other\/watched: wrote openapi\.json, /),
      "watching other; press Ctrl-C to stop\n",
    ]);
    await put("other/users.yaml", document.replace("List users", "List all users"));
    expect(await next()).toBe("other/watched: wrote openapi.json, types.ts\n");
    await put("other/users.yaml", "openapi: [");
    expect(await next()).toMatch(/^other\/users\.yaml:1:\d+ {2}not valid YAML/);
    expect(await watching.stop()).toBe(0);
  });
});
