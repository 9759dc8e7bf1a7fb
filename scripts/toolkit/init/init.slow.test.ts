/** Makes projects with the packed packages, and does in them what their README says. */
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { tools } from "../../build/consumers/testing/installed.ts";
import { installPackages } from "../../packages/testing/installed-packages.ts";
import { type Ended, ended, Program, run } from "../../testing/program.ts";
import { snippetsOf } from "../../testing/snippets.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";

const museum = "scripts/toolkit/generate/fixtures/real/museum/openapi.yaml";
const folder = temporaryFolder();
const tree = join(folder, "packages #1 %20");
const specbind = join(tree, "node_modules/specbind/scripts/toolkit/bin.js");
beforeAll(async () => {
  await installPackages(tree);
  // npm writes this file.
  const lock = join(tree, "node_modules/.package-lock.json");
  await rm(lock, { force: true });
  const packages = ["specbind", "specbind-runtime"].map((name) => [
    `node_modules/${name}`,
    { resolved: `file:../out/${name}-0.1.0.tgz` },
  ]);
  await writeFile(lock, JSON.stringify({ packages: Object.fromEntries(packages) }));
});
const init = (...args: string[]): Promise<Ended> => run(".", specbind, "init", ...args);
const link = (project: string) => symlink(join(tree, "node_modules"), join(project, "node_modules"));
const compile = (project: string, compiler = "typescript") =>
  run(project, `node_modules/${compiler}/bin/tsc`, "-p", ".");
const test = (project: string) => run(project, "--test", "--test-reporter=tap", "server/conformance.test.ts");
const compiled = { status: 0, stdout: "", stderr: "" };

/** Of the files that a user of the project edits. */
async function sizeOf(project: string): Promise<{ readonly files: number; readonly lines: number }> {
  const entries = await readdir(project, { recursive: true, withFileTypes: true });
  const texts = entries
    .filter((each) => each.isFile() && !/\/(generated|node_modules)(\/|$)/.test(each.parentPath))
    .map((each) => join(each.parentPath, each.name))
    .filter((path) => !path.endsWith("spec/openapi.yaml"));
  const lines = await Promise.all(
    texts.map(async (path) => (await readFile(path, "utf8")).split("\n").length),
  );
  return { files: texts.length, lines: lines.reduce((sum, each) => sum + each) };
}

/** Starts the server of a project, and stops it at the end of the test. */
async function start(project: string, environment: Readonly<Record<string, string>>) {
  const env = { ...process.env, PORT: "0", DEVELOPMENT_KEY: "some-long-key", ...environment };
  const server = new Program([process.execPath, "server/main.ts"], { cwd: project, env });
  const lines = (await server.next(/"msg":"listening".*\n/)).trim().split("\n");
  const { url, metrics }: { url: string; metrics: string } = JSON.parse(lines.at(-1) ?? "");
  return { url, metrics, stop: () => server.stop() };
}

describe("a project made from a museum's document", () => {
  const project = join(folder, "made/a museum");
  let made: Ended;
  let readme: string;
  beforeAll(async () => {
    made = await init(museum, project);
    readme = await readFile(join(project, "README.md"), "utf8");
    await link(project);
  });

  it("is reported with the next steps, and no temporary files are left", async () => {
    expect(made).toEqual({
      status: 0,
      stderr: expect.stringMatching(
        /21 responses that the server sends before a handler runs(?:.|\n)*`npx specbind add-rejections` adds the responses\.\n$/,
      ),
      stdout: `${project}: 8 operations, 14 files to edit

Next:
  cd '${project}'
  npm install && npm test
  DEVELOPMENT_KEY=some-long-key npm start

README.md shows how to write a handler.
`,
    });
    expect(await readdir(dirname(project))).toEqual([basename(project)]);
  });

  it("has at most 20 files and 400 lines besides its document and generated code", async () => {
    const { files, lines } = await sizeOf(project);
    expect(files).toBeLessThanOrEqual(20);
    expect(lines).toBeLessThan(320);
  });

  it("installs the tarballs that made it", async () => {
    const { dependencies, devDependencies } = JSON.parse(
      await readFile(join(project, "package.json"), "utf8"),
    );
    expect([dependencies["specbind-runtime"], devDependencies.specbind]).toEqual([
      "file:../../out/specbind-runtime-0.1.0.tgz",
      "file:../../out/specbind-0.1.0.tgz",
    ]);
    expect(readme).toContain(
      "`npm install '../../out/specbind-VERSION.tgz' '../../out/specbind-runtime-VERSION.tgz' && npx specbind generate",
    );
  });

  it("compiles with both versions of TypeScript, and `specbind check` passes", async () => {
    expect(await compile(project)).toEqual(compiled);
    expect(await compile(project, "typescript-7")).toEqual(compiled);
    expect(await run(project, specbind, "check")).toMatchObject({ status: 0 });
  });

  it("passes its tests, which skip handlers that are not written yet", async () => {
    const { status, stdout } = await test(project);
    expect({ status, stdout }).toMatchObject({ status: 0 });
    expect(stdout.match(/^ok .* # SKIP the handler is not written yet$/gm)?.length).toBeGreaterThan(39);
    expect(stdout).toMatch(/^# pass 2$/m);
  });

  it("serves the operations at the root and below the base path, to the commands of its README and to its client", async () => {
    const { url, stop } = await start(project, {});
    const commands = readme.split("\n").filter((line) => line.startsWith("curl "));
    expect(commands).toHaveLength(1);
    for (const base of [url, `${url}/_mock/docs/openapi/museum-api`]) {
      const command = `${commands[0]?.replace("http://127.0.0.1:3000", base)} -sS`;
      expect((await ended(["sh", "-c", command])).stdout).toContain('"code":"not_implemented"');
    }
    const [, call] = snippetsOf(readme);
    const program = `${call?.text.replace("http://127.0.0.1:3000", url)}
const { status, response } = await client.getMuseumHours();
console.log(status, response.status);
`;
    await writeFile(join(project, "client/try.ts"), program);
    expect((await run(project, "client/try.ts")).stdout).toBe("undocumented 501\n");
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(await (await fetch(`${url}/docs`)).text()).toContain("<title>Redocly Museum API");
    expect(await stop()).toBe(0);
  });

  it("has a mock, whose commands succeed", async () => {
    await using mock = new Program([process.execPath, specbind, "mock", "--port", "0"], { cwd: project });
    const printed = await mock.next(/\n\n#.*\n\n/s);
    const commands = printed.split("\n").filter((line) => line.startsWith("curl "));
    const script = commands.map((command) => `${command} -o /dev/null -w '%{http_code} '`).join("\n");
    const { stdout } = await ended(["sh", "-c", script]);
    expect(stdout).toBe("200 201 200 200 200 204 201 200 ");
  });

  it("starts only on a Node that runs TypeScript files, and otherwise prints one line", async () => {
    const { scripts } = JSON.parse(await readFile(join(project, "package.json"), "utf8"));
    const [, ...args] = scripts.start.split(" ");
    expect(await ended([join(tools, "node-20/bin/node"), ...args], { cwd: project })).toEqual({
      status: 1,
      stdout: "",
      stderr:
        "this is Node 20.3.0, but the server needs 22.18 or newer: install it, for example with `npm install node@22`\n",
    });
    expect(await run(project, ...args, "--help")).toMatchObject({ status: 0, stderr: "" });
  });

  it("has `specbind dev`, which restarts the server after each save without errors", async () => {
    const env = { ...process.env, PORT: "0", NO_COLOR: "1" };
    await using dev = new Program([process.execPath, specbind, "dev"], { cwd: project, env });
    const listening = /"url":"([^"]+)"/;
    const [, url = ""] = listening.exec(await dev.next(listening)) ?? [];
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const spec = join(project, "spec/openapi.yaml");
    const given = await readFile(spec, "utf8");
    await writeFile(spec, given.replace("operationId: getMuseumHours", "operationId: listMuseumHours"));
    await dev.next(/server keeps the last version/);
    await writeFile(spec, given);
    await dev.next(listening);
    expect(await dev.stop("SIGINT")).toBe(0);
  });

  it("lists its settings, and reports a setting whose module is not passed in", async () => {
    expect((await run(project, "server/main.ts", "--help")).stdout).toMatch(
      /^Serves Redocly Museum API\.\n(.*\n)*? {2}DEVELOPMENT_KEY /,
    );
    const env = { ...process.env, METRICS_PORT: "0" };
    expect(await ended([process.execPath, "server/main.ts"], { cwd: project, env })).toEqual({
      status: 2,
      stdout: "",
      stderr: "METRICS_PORT needs the option createMetrics of serve\nTry: npm start -- --help\n",
    });
  });

  it("has metrics and traces with the lines of its README", async () => {
    const options = snippetsOf(readme).flatMap(({ text }) =>
      /^(?:createMetrics|startTracing): /.test(text) ? [text] : [],
    );
    expect(options).toHaveLength(2);
    const path = join(project, "server/main.ts");
    const main = await readFile(path, "utf8");
    const imported = 'import { contract } from "../generated/contract.ts";\n';
    await writeFile(path, imported + main.replace("  start:", `${options.join("")}  start:`));
    expect(await compile(project)).toEqual(compiled);
    const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9", METRICS_PORT: "0" };
    const { url, metrics, stop } = await start(project, collector);
    await fetch(`${url}/museum-hours`);
    expect(await (await fetch(metrics)).text()).toContain('operation="getMuseumHours"');
    expect(await stop()).toBe(0);
    await writeFile(path, main);
  });

  it("compiles with the handlers of its README and of the guide, and has the files that the guide lists", async () => {
    const guide = await readFile("docs/your-own-api.md", "utf8");
    const [ofReadme, ofGuide] = [readme, guide].map((page) => snippetsOf(page)[0]?.text);
    const paths = ["readme", "guide"].map((name) => join(project, `server/operations/of-the-${name}.ts`));
    await writeFile(paths[0] ?? "", `import { handler } from "../principal.ts";\n${ofReadme}`);
    await writeFile(paths[1] ?? "", ofGuide ?? "no snippet");
    expect(await compile(project)).toEqual(compiled);
    for (const path of paths) await rm(path);
    const [, table = ""] = guide.split("\n| path | contains |\n");
    const listed = [...(table.split("\n\n")[0] ?? "").matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell = ""]) => [
      ...cell.matchAll(/`([^`]+)`/g),
    ]);
    expect(listed.length).toBeGreaterThan(8);
    expect(listed.filter(([, path = ""]) => !existsSync(join(project, path)))).toEqual([]);
  });

  it("passes its tests with handlers, after the rejections were added to its document", async () => {
    expect((await run(project, specbind, "generate")).stderr).toContain(
      "\n`npx specbind add-rejections --spec spec/openapi.yaml` adds the responses that are not documented.\n",
    );
    expect(await run(project, specbind, "add-rejections")).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("spec/openapi.yaml: 21 responses added\n"),
    });
    await writeFile(join(project, "server/handlers.ts"), handlersOfMuseum);
    const path = join(project, "server/conformance.test.ts");
    const text = await readFile(path, "utf8");
    await writeFile(
      path,
      `import { addEvent, addTicket } from "./handlers.ts";\n${text.replace("setUp: {},", setUpOfMuseum)}`,
    );
    expect(await compile(project)).toEqual(compiled);
    const { status, stdout } = await test(project);
    expect({ status, stdout }).toMatchObject({ status: 0 });
    expect(stdout).toMatch(/^# pass 58$/m);
  });

  it("finds the handler whose response violates the document, and reports the place from the log", async () => {
    const body = '[{ date: "2026-01-01", timeOpen: "9", timeClose: "18:00" }]';
    await writeFile(
      join(project, "server/handlers.ts"),
      handlersOfMuseum.replace("body: [] }", `body: ${body} }`),
    );
    const { status, stdout } = await test(project);
    expect(status).toBe(1);
    expect(stdout).toMatch(
      /the request is valid, but the response is 500: .*pointer\W+\/0\/timeOpen\W+message\W+must match the pattern/,
    );
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
    expect((await init(file, project)).stdout).toContain(": 1 operation, ");
    expect(await readFile(join(project, "spec/parts/book.yaml"), "utf8")).toBe("type: string\n");
  });

  it("with 80 operations makes at most 20 files and 400 lines", async () => {
    const responses = { 204: { description: "Done." } };
    const paths = Object.fromEntries(
      Array.from({ length: 80 }, (_, index) => [
        `/p${index}`,
        { get: { tags: [`t${index % 9}`], responses } },
      ]),
    );
    const document = { openapi: "3.1.1", info: { title: "Many", version: "1" }, paths };
    const project = join(folder, "many-made");
    expect((await init(await put("many/many.json", JSON.stringify(document)), project)).status).toBe(0);
    const { files, lines } = await sizeOf(project);
    expect([files <= 20, lines < 400]).toEqual([true, true]);
  });

  it.each(["everything", "error-codes"])(
    "of this project, %s.yaml, makes a project whose tests pass",
    async (name) => {
      const project = join(folder, `${name}-made`);
      await init("--lenient", `scripts/toolkit/generate/fixtures/accept/${name}.yaml`, project);
      await link(project);
      expect(await run(project, specbind, "check")).toMatchObject({ status: 0 });
      const { status, stdout } = await test(project);
      expect({ status, stdout }).toMatchObject({ status: 0 });
    },
  );

  it("cannot refer to a file that cannot be copied", async () => {
    const file = await put("apart/books.yaml", books("$ref: ../book.yaml"));
    await put("book.yaml", "type: string\n");
    const { status, stderr } = await init(file, join(folder, "apart-made"));
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(
        /books\.yaml:7:91 {2}\S+book\.yaml is outside the folder of the document; move it into that folder, or merge both with `npx redocly bundle` \[reference\]\nNothing was written\. Fix the document, or ignore these rules with --lenient\.\n$/,
      ),
    });
    expect(await readdir(folder)).not.toContain("apart-made");
  });

  it("can be JSON without servers and with odd names, and the rules that cannot be enforced are waived", async () => {
    const ids = ["constructor", "toString", "default", "delete", "twice", "twice"];
    const parameters = [{ name: "limit", in: "query", schema: { type: "integer" } }];
    const responses = { 200: { description: "Done.", content: { "application/json": { schema: {} } } } };
    const paths = Object.fromEntries(
      ids.map((operationId, index) => [
        `/p${index}`,
        { get: { operationId, tags: [operationId], parameters, responses } },
      ]),
    );
    const text = JSON.stringify(
      { openapi: "3.1.1", info: { title: "Ünïcode & more", version: "v1" }, paths },
      null,
      "\t",
    );
    const file = await put("json/names.json", text);
    const project = join(folder, "json-made");
    const rejected = await init(file, project);
    expect(rejected).toMatchObject({ status: 1, stdout: "" });
    expect(rejected.stderr).toMatch(
      /\nNothing was written\. Fix the document, or ignore these rules with --lenient\.\n$/,
    );
    const made = await init("--lenient", file, project);
    expect(made.stdout).toMatch(/^Not enforced: \d places?, listed above and in spec\/waivers\.yaml\.$/m);
    expect(made.stdout).toMatch(/^ {2}npm start$/m);
    expect(await readFile(join(project, "spec/openapi.yaml"), "utf8")).toBe(text);
    const { name, version } = JSON.parse(await readFile(join(project, "package.json"), "utf8"));
    expect({ name, version }).toEqual({ name: "unicode-more", version: "0.0.0" });
    // The README shows a handler whose variable has the name of its operation.
    expect(await readFile(join(project, "README.md"), "utf8")).toContain(
      '\nexport const twice = handler("twice", ',
    );
    await link(project);
    expect(await compile(project, "typescript-7")).toEqual(compiled);
    expect(await test(project)).toMatchObject({ status: 0 });
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
    ["if no folder is given", [museum], 2, "missing required argument 'DIR'; see specbind init --help\n"],
  ])("%s", async (_, args, status, stderr) => {
    await writeFile(file, "");
    const before = (await readdir(folder)).toSorted();
    expect(await init(...args)).toEqual({ status, stdout: "", stderr });
    expect((await readdir(folder)).toSorted()).toEqual(before);
  });

  it("if the disk becomes full between two files", async () => {
    const project = join(folder, "no-room");
    const before = (await readdir(folder)).toSorted();
    // The limit, in blocks of 512 bytes. The document is smaller, and the page that is generated from it is larger.
    const limited = 'ulimit -f 80; exec "$0" "$1" init "$2" "$3"';
    expect(await ended(["sh", "-c", limited, process.execPath, specbind, museum, project])).toEqual({
      status: 1,
      stdout: "",
      stderr: `the disk of ${project} is full; free some space, or give a folder on another disk\n`,
    });
    expect((await readdir(folder)).toSorted()).toEqual(before);
  });

  it("if a signal comes while the files are written", async () => {
    const around = join(folder, "interrupted");
    await mkdir(around);
    const running = new Program([process.execPath, specbind, "init", museum, join(around, "made")]);
    while ((await readdir(around)).length === 0);
    expect({ status: await running.stop("SIGINT"), stderr: running.stderr }).toEqual({
      status: 1,
      stderr: "Nothing was written.\n",
    });
    expect(await readdir(around)).toEqual([]);
  });
});

it("a run removes the temporary folders of killed runs, but not those of runs that are still active", async () => {
  const around = join(folder, "around");
  const killed = new Program([process.execPath, "--version"]);
  await killed.ended;
  const old = killed.child.pid;
  const running = `.made-init-${process.pid}-abcDEF`;
  const mine = [".made-init-notes", ".made-abcDEF", `.other-init-${old}-abcDEF`];
  for (const name of [running, ...mine, `.made-init-${old}-abcDEF`])
    await mkdir(join(around, name, "server"), { recursive: true });
  expect(await init(museum, join(around, "made"))).toMatchObject({ status: 0 });
  expect((await readdir(around)).toSorted()).toEqual([running, ...mine, "made"].toSorted());
});

const handlersOfMuseum = `import type { Handlers } from "../generated/server.ts";
import type { components } from "../generated/types.ts";
import { type CallContext, handler } from "./principal.ts";

type SpecialEvent = components["schemas"]["SpecialEvent"];
const events = new Map<string, SpecialEvent>();
const tickets = new Set<string>();
const notFound = { status: 404, body: { title: "Not found" } } as const;

export function addEvent(): { "path /eventId": string } {
  const eventId = crypto.randomUUID();
  events.set(eventId, { eventId, name: "Pirates", location: "Hall", eventDescription: "C", dates: [], price: 1 });
  return { "path /eventId": eventId };
}

export function addTicket(): { "path /ticketId": string } {
  const ticketId = crypto.randomUUID();
  tickets.add(ticketId);
  return { "path /ticketId": ticketId };
}

export const handlers = {
  getMuseumHours: handler("getMuseumHours", async () => ({ status: 200, body: [] })),
  createSpecialEvent: handler("createSpecialEvent", async ({ body }) => {
    const event = { ...body, eventId: body.eventId ?? crypto.randomUUID() };
    events.set(event.eventId, event);
    return { status: 201, body: event };
  }),
  listSpecialEvents: handler("listSpecialEvents", async ({ query }) => ({
    status: 200,
    body: [...events.values()].slice(0, Math.abs(query.limit)),
  })),
  getSpecialEvent: handler("getSpecialEvent", async ({ path }) => {
    const body = events.get(path.eventId);
    return body ? { status: 200, body } : notFound;
  }),
  updateSpecialEvent: handler("updateSpecialEvent", async ({ path, body }) => {
    const event = events.get(path.eventId);
    if (event === undefined) return notFound;
    events.set(path.eventId, { ...event, ...body });
    return { status: 200, body: { ...event, ...body } };
  }),
  deleteSpecialEvent: handler("deleteSpecialEvent", async ({ path }) =>
    events.delete(path.eventId) ? { status: 204 } : notFound,
  ),
  buyMuseumTickets: handler("buyMuseumTickets", async ({ body: { email: _, ...ticket } }) => ({
    status: 201,
    body: { ...ticket, message: "Bought", confirmationCode: "c" },
  })),
  getTicketCode: handler("getTicketCode", async ({ path }) =>
    tickets.has(path.ticketId) ? { status: 200, body: new Uint8Array([0x89]) } : notFound,
  ),
} satisfies Handlers<CallContext>;
`;

const setUpOfMuseum = `setUp: {
        getSpecialEvent: async () => addEvent(),
        updateSpecialEvent: async () => addEvent(),
        deleteSpecialEvent: async () => addEvent(),
        getTicketCode: async () => addTicket(),
      },`;
