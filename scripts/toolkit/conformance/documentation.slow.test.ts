/** Checks that the commands of docs/conformance.md find the bug that the page describes. */
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import { beforeAll, expect, it } from "vitest";
import { ended } from "../../testing/program.ts";
import { snippetsOf } from "../../testing/snippets.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";

const root = resolve(import.meta.dirname, "../../..");

let page: string;
const folder = temporaryFolder();
beforeAll(async () => {
  page = await readFile(join(root, "docs/conformance.md"), "utf8");
  const [, spec = ""] = /^```yaml\n(.*?)^```$/ms.exec(page) ?? [];
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  await writeFile(join(folder, "notes.yaml"), spec);
});

/** The service with the bug that the page describes. It uses no code of this project. */
function notes(): Server {
  const respond = (response: ServerResponse, status: number, body?: object): void => {
    if (body !== undefined) response.setHeader("Content-Type", "application/json");
    response.writeHead(status).end(body && JSON.stringify(body));
  };
  return createServer(async (request, response) => {
    const body = await buffer(request);
    if (request.url !== "/notes") return respond(response, 404);
    if (request.method !== "POST") return respond(response.setHeader("Allow", "POST"), 405);
    if (request.headers.authorization !== "Bearer k-1") return respond(response, 401);
    if (body.byteLength === 0) return respond(response, 422, { problems: [{ in: "body", pointer: "" }] });
    if (!isJson(request)) return respond(response, 415);
    let note: unknown;
    try {
      note = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    } catch {
      return respond(response, 400);
    }
    const problems = problemsOfNote(note).map((pointer) => ({ in: "body", pointer }));
    return problems.length > 0 ? respond(response, 422, { problems }) : respond(response, 201, { id: 1 });
  });
}

function isJson({ headers }: IncomingMessage): boolean {
  const [mediaType = ""] = (headers["content-type"] ?? "").toLowerCase().split(";");
  return mediaType === "application/json" && headers["content-encoding"] === undefined;
}

function problemsOfNote(note: unknown): string[] {
  if (typeof note !== "object" || note === null || Array.isArray(note)) return [""];
  const { text, ...others }: { text?: unknown } = note;
  const isText = typeof text === "string" && [...text].length <= 200;
  return [...Object.keys(others).map((name) => `/${name}`), ...(isText ? [] : ["/text"])];
}

const shownUrl = "http://127.0.0.1:4000";

async function withUrlOf<Result>(service: Server, use: (url: string) => Promise<Result>): Promise<Result> {
  await once(service.listen(0, "127.0.0.1"), "listening");
  try {
    return await use(`http://127.0.0.1:${(service.address() as AddressInfo).port}`);
  } finally {
    service.close();
    await once(service, "close");
  }
}

it("shows what the command prints for a service with a bug, and the command exits with 1", async () => {
  const [, shown = "", output] = /^\$ npm run -s conform -- (.*)\n((?:.*\n)*?)```$/m.exec(page) ?? [];
  const options = shown.match(/'[^']*'|\S+/g)?.map((each) => each.replaceAll("'", "")) ?? [];
  const printed = await withUrlOf(notes(), async (url) => {
    const args = options.map((each) => (each === shownUrl ? url : each));
    const { status, stdout } = await ended([process.execPath, join(root, "scripts/conform.ts"), ...args], {
      cwd: folder,
    });
    return { status, stdout: stdout.replaceAll(url, shownUrl) };
  });
  expect(printed).toEqual({ status: 1, stdout: output });
});

it("shows what the module prints for this service", async () => {
  const [, shown] = /^```text\n(.*?)^```$/ms.exec(page) ?? [];
  const printed = await withUrlOf(notes(), async (url) => {
    const [module] = snippetsOf(page);
    const text = (module?.text ?? "").replaceAll('"./scripts/', `"${root}/scripts/`).replace(shownUrl, url);
    await writeFile(join(folder, "notes.ts"), text);
    return (await ended([process.execPath, "notes.ts"], { cwd: folder })).stdout;
  });
  expect(printed).toBe(shown);
});

it("lists exactly the options of the suite", async () => {
  const file = join(import.meta.dirname, "service-under-test.ts");
  const [, members = ""] = (await readFile(file, "utf8")).split("interface ServiceUnderTest {\n");
  const [body = ""] = members.split("\n}\n");
  const options = [...body.matchAll(/^ {2}(?:readonly )?(\w+)[?:(]/gm)].map(([, name]) => name);
  const [, section = ""] = page.split("\n## Options of the suite\n");
  const [table = ""] = section.split("\n## ");
  const listed = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
  expect(listed.toSorted()).toEqual(options.toSorted());
});
