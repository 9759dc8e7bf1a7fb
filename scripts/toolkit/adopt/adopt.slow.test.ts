import { spawn, spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { type Ended, run } from "../../testing/run-node.ts";
import { snippetsOf } from "../../testing/snippets.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { adopt, museum, testsOf } from "./testing/project.ts";

const folder = temporaryFolder();

describe("a project made from a museum's document", () => {
  let project: string;
  let ended: Ended;
  beforeAll(async () => {
    project = join(folder, "made/museum");
    ended = await adopt(museum, project);
    await symlink(resolve("node_modules"), join(project, "node_modules"));
  });

  it("is reported with the next steps, and no temporary files are left", async () => {
    expect({ ...ended, stdout: ended.stdout.replace(/\d{3} files/, "many files") }).toEqual({
      status: 0,
      stderr: expect.stringContaining("21 responses that the server sends before a handler runs"),
      stdout: `${project}: 8 operations, many files

Next:
  cd ${project}
  git init && npm ci && npm run add-rejections && npm test
  DEVELOPMENT_KEY=some-long-key npm start

Then write the handlers in server/operations/. Write in server/principal.ts who may call them. See README.md.
`,
    });
    expect(await readdir(dirname(project))).toEqual(["museum"]);
  });

  it("generates its files from its spec", async () => {
    expect(await run(project, "scripts/generate.ts", "--check")).toEqual({
      status: 0,
      stdout: "generated is up to date with spec/openapi.yaml\n",
      stderr: expect.stringMatching(
        /^\S+ {2}21 responses .* such as 401 of GET \/museum-hours; the command `add-rejections` adds them \[undocumented-rejection\]\nNotes: 1 place/,
      ),
    });
  });

  it("has a mock, whose commands succeed", async () => {
    const command = 'exec 2>&1; exec "$0" scripts/mock.ts --port 0';
    const mock = spawn("sh", ["-c", command, process.execPath], { cwd: project });
    const isComplete = /\n\n#.*\n\n/s;
    let printed = "";
    for await (const chunk of mock.stdout.iterator({ destroyOnReturn: false })) {
      printed += chunk;
      if (isComplete.test(printed)) break;
    }
    expect(printed).toMatch(isComplete);
    const commands = printed.split("\n").filter((line) => line.startsWith("curl "));
    const script = commands.map((command) => `${command} -sS -o /dev/null -w '%{http_code} '`).join("\n");
    const { stdout } = spawnSync("sh", ["-c", script], { encoding: "utf8" });
    mock.kill();
    expect(stdout).toBe("200 201 200 200 200 204 201 200 ");
  });

  it("has the required code style", async () => {
    const { status, stderr } = await run(project, "node_modules/@biomejs/biome/bin/biome", "check", ".");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });

  it("compiles, even with the handler from the guide", async () => {
    const [snippet] = snippetsOf(await readFile("docs/adopt.md", "utf8"));
    const place = join(project, "server/operations/of-the-guide.ts");
    await writeFile(place, snippet?.text ?? "no snippet");
    const ended = await run(project, "node_modules/typescript/bin/tsc");
    await rm(place);
    expect(ended).toEqual({ status: 0, stdout: "", stderr: "" });
  });

  it("passes its tests, which skip handlers that are not written yet", async () => {
    const tests = await testsOf(project);
    expect(tests.filter(({ status }) => status === "failed")).toEqual([]);
    const titled = (pattern: RegExp) =>
      tests.filter(({ title }) => pattern.test(title)).map((each) => each.status);
    expect(titled(/^responds to a valid call with 501/)).toEqual(Array(8).fill("passed"));
    expect(titled(/^is also served below the base path/)).toEqual(Array(8).fill("passed"));
    expect(titled(/^responds to the client/)).toEqual(Array(8).fill("passed"));
    expect(titled(/rejects unknown credentials$/)).toEqual(Array(8).fill("passed"));
    expect(titled(/^responds to valid requests as documented$/)).toEqual(Array(8).fill("skipped"));
  });
});

describe("a document", () => {
  const put = async (path: string, text: string): Promise<string> => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
    return join(folder, path);
  };
  const books = (schema: string): string => `openapi: 3.1.1
info: { title: Books, version: "2" }
paths:
  /books:
    get:
      operationId: delete
      responses: { "200": { description: Books., content: { application/json: { schema: { ${schema} } } } } }
`;

  it("can consist of several files, which are copied", async () => {
    const file = await put("several/books.yaml", books("$ref: parts/book.yaml"));
    await put("several/parts/book.yaml", "type: string\n");
    const project = join(folder, "several-made");
    expect((await adopt(file, project)).stdout).toContain(": 1 operation, ");
    expect(await readFile(join(project, "spec/parts/book.yaml"), "utf8")).toBe("type: string\n");
  });

  it("cannot refer to a file that cannot be copied", async () => {
    const file = await put("apart/books.yaml", books("$ref: ../book.yaml"));
    await put("book.yaml", "type: string\n");
    const { status, stderr } = await adopt(file, join(folder, "apart-made"));
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `${relative(process.cwd(), file)}:7:91  ${relative(process.cwd(), join(folder, "book.yaml"))} is outside the folder of the document; move it into that folder, or merge both with \`npx redocly bundle\` [reference]\nNothing was written. Fix the document, or ignore these rules with --lenient.\n`,
    });
    expect(await readdir(folder)).not.toContain("apart-made");
  });

  it("can be JSON, and the rules that cannot be enforced are listed and waived", async () => {
    const document = {
      openapi: "3.0.3",
      info: { title: "Ünïcode & more", version: "v1" },
      paths: {
        "/books": {
          get: {
            parameters: [{ name: "Accept", in: "header", schema: { type: "string" } }],
            responses: {
              200: { description: "Books.", content: { "application/xml": { schema: { type: "object" } } } },
            },
          },
        },
      },
    };
    const text = JSON.stringify(document, null, "\t");
    const file = await put("json/books.json", text);
    const project = join(folder, "json-made");
    const rejected = await adopt(file, project);
    expect(rejected).toMatchObject({ status: 1, stdout: "" });
    expect(rejected.stderr).toMatch(
      /\[media-type\]\nNothing was written\. Fix the document, or ignore these rules with --lenient\.\n$/,
    );
    const made = await adopt("--lenient", file, project);
    expect(made.stdout).toContain("Not enforced: 1 place, listed above and in spec/waivers.yaml.");
    expect(made.stderr).toMatch(
      /^\S+books\.json:\d+:\d+ {2}1 response .* 422 of GET \/books; .* \[undocumented-rejection\]\n\S+books\.json:\d+:\d+ {2}OpenAPI ignores a header parameter named Accept; .* \[ignored-header\]\nNotes: 2 places, listed above\. Notes do not stop generation\.\n\S+books\.json:\d+:\d+ {2}a body of media type application\/xml .* \[media-type\]\n$/,
    );
    expect(await readFile(join(project, "spec/openapi.yaml"), "utf8")).toBe(text);
    expect(await readFile(join(project, "spec/waivers.yaml"), "utf8")).toContain("- rule: media-type\n");
    const { name, version } = JSON.parse(await readFile(join(project, "package.json"), "utf8"));
    expect({ name, version }).toEqual({ name: "unicode-more", version: "0.0.0" });
  });
});

describe("a project whose document has no servers, names that every object inherits, and a repeated operationId", () => {
  const project = join(folder, "waived-made");
  beforeAll(async () => {
    const ids = [
      "constructor",
      "__proto__",
      "toString",
      "hasOwnProperty",
      "then",
      "delete",
      "twice",
      "twice",
    ];
    const parameters = [{ name: "limit", in: "query", schema: { type: "integer" } }];
    const responses = { 200: { description: "Done.", content: { "application/json": { schema: {} } } } };
    const paths = Object.fromEntries(
      ids.map((operationId, index) => [`/p${index}`, { get: { operationId, parameters, responses } }]),
    );
    const document = { openapi: "3.1.1", info: { title: "Names", version: "1.0.0" }, paths };
    const file = join(folder, "waived.json");
    await writeFile(file, JSON.stringify(document, null, 2));
    expect((await adopt("--lenient", file, project)).status).toBe(0);
    await symlink(resolve("node_modules"), join(project, "node_modules"));
  });

  it("lints and generates with the waiver, and adds rejections", async () => {
    const added = await run(project, "scripts/add-rejections.ts");
    expect(added).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("\nspec/openapi.yaml: 8 responses added\n"),
    });
    vi.stubEnv("PATH", `${resolve("node_modules/.bin")}:${process.env.PATH}`);
    expect(await run(project, "scripts/lint-spec.ts")).toMatchObject({ status: 0 });
    vi.unstubAllEnvs();
    expect(await run(project, "scripts/generate.ts", "--check")).toMatchObject({ status: 0 });
  });

  it("compiles, has the required code style, and passes its tests", async () => {
    expect(await run(project, "node_modules/typescript/bin/tsc")).toMatchObject({ status: 0, stdout: "" });
    const biome = await run(project, "node_modules/@biomejs/biome/bin/biome", "check", ".");
    expect(biome).toMatchObject({ status: 0 });
    const tests = await testsOf(project);
    expect(tests.filter(({ status }) => status === "failed")).toEqual([]);
    expect(tests.length).toBeGreaterThan(20);
  });
});

describe("nothing is written, and one line reports the reason,", () => {
  const file = join(folder, "file");
  it.each<[what: string, args: string[], status: number, stderr: string]>([
    [
      "if the document is missing",
      ["spec/opneapi.yaml", join(folder, "none")],
      2,
      "spec/opneapi.yaml  no such file; give another FILE\nNothing was written.\n",
    ],
    [
      "if the folder is not empty",
      [museum, folder],
      1,
      `${folder} is not empty; give an empty or a new folder\n`,
    ],
    [
      "if the folder is a file",
      [museum, file],
      1,
      `${file} cannot be a folder, because there is a file in its place; give another folder\n`,
    ],
    [
      "if the folder is not writable",
      [museum, "/sys/museum"],
      1,
      "/sys/museum cannot be written: permission denied; give another folder\n",
    ],
    [
      "if the folder is inside this project",
      [museum, "museum"],
      1,
      "museum is inside this project; give a folder outside, such as ../my-api\n",
    ],
    [
      "if the folder of an upgrade was not made by this command",
      ["--upgrade", folder],
      1,
      `${folder} has no base-files.json, which \`npm run adopt\` writes; make a new project and move your files to it\n`,
    ],
    ["if no folder is given", [museum], 2, "give a FILE and a DIR; see npm run adopt -- --help\n"],
  ])("%s", async (_, args, status, stderr) => {
    await writeFile(file, "");
    const before = (await readdir(folder)).toSorted();
    expect(await adopt(...args)).toEqual({ status, stdout: "", stderr });
    expect((await readdir(folder)).toSorted()).toEqual(before);
  });
});

it("a run removes the temporary folders of killed runs, but not those of runs that are still active", async () => {
  const around = join(folder, "around");
  const ended = spawnSync(process.execPath, ["--version"]).pid;
  const running = `.made-adopt-${process.pid}-abcDEF`;
  const mine = [".made-adopt-notes", ".made-abcDEF", `.other-adopt-${ended}-abcDEF`];
  for (const name of [running, ...mine, `.made-adopt-${ended}-abcDEF`])
    await mkdir(join(around, name, "server"), { recursive: true });
  expect(await adopt(museum, join(around, "made"))).toMatchObject({ status: 0 });
  expect((await readdir(around)).toSorted()).toEqual([running, ...mine, "made"].toSorted());
});

it("nothing is written if the disk becomes full between two files, and one line reports it", async () => {
  const project = join(folder, "no-room");
  const before = (await readdir(folder)).toSorted();
  // The limit, in blocks of 512 bytes. The document is smaller, and the page that is generated from the document is
  // larger.
  const limited = 'ulimit -f 96; exec "$0" scripts/adopt.ts "$1" "$2"';
  const { status, stdout, stderr } = spawnSync("sh", ["-c", limited, process.execPath, museum, project], {
    encoding: "utf8",
  });
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: "",
    stderr: `${project}: EFBIG: file too large, write\n`,
  });
  expect((await readdir(folder)).toSorted()).toEqual(before);
});
