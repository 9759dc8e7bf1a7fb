/** A project for which its user has written handlers passes its tests and can be upgraded. */
import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { run } from "../../testing/run-node.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { adopt, museum, testsOf } from "./testing/project.ts";

const folder = temporaryFolder();

describe("a museum with handlers", () => {
  let project: string;
  beforeAll(async () => {
    project = join(folder, "museum");
    await adopt(museum, project);
    await symlink(resolve("node_modules"), join(project, "node_modules"));
  });

  it("prints only the error if its document cannot be read", async () => {
    const spec = join(project, "spec/openapi.yaml");
    const text = await readFile(spec, "utf8");
    await writeFile(spec, `${text}\nx: [`);
    const ended = await run(project, "scripts/add-rejections.ts");
    await writeFile(spec, text);
    expect(ended).toMatchObject({
      status: 1,
      stdout: "",
      stderr: expect.stringMatching(/^spec\/openapi\.yaml:/),
    });
  });

  it("passes its tests after the rejections were added to its document", async () => {
    expect(await run(project, "scripts/add-rejections.ts")).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("\nspec/openapi.yaml: 21 responses added\n"),
    });
    await writeFile(join(project, "server/handlers.ts"), handlersOfMuseum);
    const records = join(project, "server/testing/records.ts");
    const text = await readFile(records, "utf8");
    await writeFile(
      records,
      `import { addEvent, addTicket } from "../handlers.ts";\n${text.replace("setUp: {},", setUpOfMuseum)}`,
    );
    const ended = await run(project, "node_modules/typescript-7/bin/tsc");
    expect(ended).toEqual({ status: 0, stdout: "", stderr: "" });
    const tests = await testsOf(project);
    expect(tests.filter(({ status }) => status !== "passed")).toEqual([]);
  });

  it("finds the handler whose response violates the document, and reports the place from the log", async () => {
    const handlers = join(project, "server/handlers.ts");
    const body = '[{ date: "2026-01-01", timeOpen: "9", timeClose: "18:00" }]';
    await writeFile(handlers, handlersOfMuseum.replace("body: [] }", `body: ${body} }`));
    const { stdout, stderr } = await run(project, "node_modules/vitest/vitest.mjs", "run", "conformance");
    await writeFile(handlers, handlersOfMuseum);
    expect(stdout + stderr).toMatch(
      /the request is valid, but the response is 500: .*pointer\W+\/0\/timeOpen\W+message\W+must match the pattern/,
    );
  });

  it("is upgraded in all files of the base that the user has not changed, and in no others", async () => {
    const at = (path: string) => join(project, path);
    const before = JSON.parse(await readFile(at("base-files.json"), "utf8"));
    const files: { [path: string]: string } = before.files;
    const change = async (path: string, text: string, isOfBase: boolean) => {
      await writeFile(at(path), text);
      if (isOfBase) files[path] = createHash("sha256").update(text).digest("hex");
    };
    for (const path of [
      "server/runtime/http/listen.ts",
      "server/gone.ts",
      "server/runtime/observability/log.ts",
      "server/left.ts",
    ])
      await change(path, "// The base as it was.\n", true);
    for (const path of [
      "server/runtime/observability/log.ts",
      "server/left.ts",
      "server/principal.ts",
      "server/own.ts",
    ])
      await change(path, "// Mine.\n", false);
    for (const path of ["server/runtime/process/stopping.ts", "server/runtime/observability/redaction.ts"])
      delete files[path];
    await rm(at("server/runtime/process/stopping.ts"));
    await change("server/runtime/observability/redaction.ts", "// Mine.\n", false);
    const fields = before.package;
    Object.assign(fields.scripts, { start: "as it was", test: "as it was" });
    fields.dependencies.gone = "1.0.0";
    const own = structuredClone(fields);
    own.scripts.test = "mine";
    own.dependencies.mine = "1.0.0";
    await change("package.json", `${JSON.stringify(own, null, 2)}\n`, false);
    await change("base-files.json", JSON.stringify(before), false);

    // If there is a file where the base has a folder, nothing is changed.
    await rename(at("scripts/node"), at("scripts/node-as-it-was"));
    await writeFile(at("scripts/node"), "");
    delete files["scripts/node/package.json"];
    await change("base-files.json", JSON.stringify(before), false);
    const given = await textsIn(project);
    expect(await adopt("--upgrade", project)).toMatchObject({ status: 1, stdout: "" });
    expect(await textsIn(project)).toEqual(given);
    await rm(at("scripts/node"));
    await rename(at("scripts/node-as-it-was"), at("scripts/node"));

    const old = await textsIn(project);
    const { status, stdout } = await adopt("--upgrade", project);
    expect({ status, lines: stdout.split("\n\nNext")[0]?.split("\n") }).toEqual({
      status: 0,
      lines: [
        `${project}: 4 files written, 1 removed`,
        "package.json scripts.test  you and the base have changed it",
        "server/left.ts  you changed it, and the base no longer has it",
        `server/runtime/observability/log.ts  you and the base have changed it: merge ${resolve("server/runtime/observability/log.ts")}`,
        "server/runtime/observability/redaction.ts  you wrote it, and the base now has a file with this name",
      ],
    });
    const now = await textsIn(project);
    const changed = [...new Set([...old.keys(), ...now.keys()])].filter(
      (path) => old.get(path) !== now.get(path),
    );
    expect(changed.toSorted()).toEqual([
      "base-files.json",
      "package.json",
      "server/gone.ts",
      "server/runtime/http/listen.ts",
      "server/runtime/process/stopping.ts",
    ]);
    expect(now.get("server/runtime/http/listen.ts")).toBe(
      await readFile("server/runtime/http/listen.ts", "utf8"),
    );
    const merged = JSON.parse(now.get("package.json") ?? "");
    expect(merged.scripts).toMatchObject({
      start: expect.stringContaining("scripts/start.ts"),
      test: "mine",
    });
    expect(merged.dependencies).toMatchObject({ mine: "1.0.0" });
    expect(merged.dependencies).not.toHaveProperty("gone");
    expect((await adopt("--upgrade", project)).stdout).toBe(`${project}: 0 files written, 0 removed\n`);
  });
});

async function textsIn(project: string): Promise<Map<string, string>> {
  const files = globSync(["**/*", "**/.*"], { cwd: project, exclude: ["node_modules"], withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const texts = new Map<string, string>();
  for (const path of files) texts.set(path.slice(project.length + 1), await readFile(path, "utf8"));
  return texts;
}

const handlersOfMuseum = `import type { components } from "../generated/types.ts";
import type { Handlers } from "../generated/server.ts";
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
