import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { notImplemented, type PlainResponse } from "#specbind/server";
import { developmentAuthenticators, serviceApp } from "#specbind/server/node";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { type Mocked, readInterface } from "./mock/start-mock.ts";
import { type StartedService, startService, type TestedService } from "./service-tests.ts";

const folder = temporaryFolder();
const spec = `openapi: 3.1.1
info: { title: Books, version: 1.0.0 }
paths:
  /books/{isbn}:
    get:
      operationId: getBook
      security: [{ login: [] }]
      parameters: [{ name: isbn, in: path, required: true, schema: { type: string, pattern: "^[a-z]+$" } }]
      responses:
        "200": { description: A book., content: { application/json: { schema: { type: object, required: [title], properties: { title: { type: string } } } } } }
        default: { description: An error., content: { application/problem+json: {} } }
components:
  securitySchemes: { login: { type: http, scheme: basic } }
`;
let books: Mocked;
beforeAll(async () => {
  const file = join(folder, "books.yaml");
  await writeFile(file, spec);
  books = await readInterface(file);
});
let service: StartedService | undefined;
afterEach(() => service?.stop());

/** The results of the tests with such names: `passed`, or why the test was skipped or failed. */
async function resultsOf(
  getBook: (request: { path: { isbn: string } }) => PlainResponse,
  tested: Partial<TestedService> = {},
  names = "getBook ",
): Promise<string[]> {
  const { contract, document } = books;
  service = await startService({
    contract,
    document,
    createApp: (program) =>
      serviceApp(program, {
        contract,
        documents: { "/openapi.json": document },
        handlers: { getBook },
        authenticate: developmentAuthenticators(contract, program.config.DEVELOPMENT_KEY, "developer"),
      }),
    ...tested,
  });
  const results: string[] = [];
  for (const { name, run } of service.tests)
    if (name.startsWith(names)) {
      const ended = run().then(
        (skipped) => skipped ?? "passed",
        (error: Error) => error.message,
      );
      results.push(await ended);
    }
  return results;
}

const dune = { status: 200, body: { title: "Dune" } };
const noRequest = "no request was sent, because the document has none for this check";
const noBook = { status: 404, headers: { "Content-Type": "application/problem+json" }, body: {} };

describe("the tests of an operation", () => {
  it("pass if its handler returns documented responses", async () => {
    expect(await resultsOf(() => dune)).toEqual([noRequest, noRequest, ...Array(5).fill("passed")]);
  });

  it("are skipped if its handler is not written yet", async () => {
    expect(await resultsOf(notImplemented)).toEqual([
      noRequest,
      noRequest,
      ...Array(5).fill("the handler is not written yet"),
    ]);
  });

  it("of errors for unknown paths are skipped until the handlers are written", async () => {
    const unmatched = { 405: { description: "No such method." } };
    const document = { ...books.document, "x-unmatched-responses": unmatched };
    const error =
      /status 404 is not documented(.|\n)*`errorEnvelope` in server\/app\.ts makes this error, and `x-unmatched-responses` of/;
    for (const handler of [notImplemented, () => dune]) {
      const results = await resultsOf(handler, { document }, "");
      expect(results.at(-1)).toMatch(error);
      expect(results.at(-1)?.includes("\n")).toBe(handler !== notImplemented);
      await service?.stop();
    }
  });

  it("fail with the request, the response and the reason from the log", async () => {
    const results = await resultsOf(() => ({ status: 200, body: { title: 1 } }));
    expect(results.join("\n")).toMatch(
      /^the request is valid, but the response is 500: .*"\/title".*must be a string.*\n {2}GET \/books\/\w+\n {2}500 application\/problem\+json /m,
    );
  });

  it("are skipped if the handler finds no record, and pass if a record is known", async () => {
    const find = ({ path: { isbn } }: { path: { isbn: string } }) => (isbn === "dune" ? dune : noBook);
    expect(await resultsOf(find)).toContainEqual(
      expect.stringMatching(/^no valid request succeeded \(404 ×/),
    );
    await service?.stop();
    expect(await resultsOf(find, { known: { getBook: { "path /isbn": "dune" } } })).toEqual(
      Array(7).fill("passed"),
    );
  });

  it("use the given credentials instead of the development key", async () => {
    const credentials = { login: { valid: [{ text: "anna:wrong", roles: [] }], invalid: {} } };
    const results = await resultsOf(() => dune, { credentials });
    const [failed = ""] = results.slice(2);
    expect(failed).toMatch(/^every valid request got a 401, because the tests' credential is not accepted: /);
    expect(results).toEqual([noRequest, noRequest, ...Array(5).fill(failed)]);
  });
});
