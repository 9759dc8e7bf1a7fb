/**
 * Checks that the suite finds each of these errors in server/runtime, although both read the same document. Each break
 * changes one place in a copy of the folder, which then serves fixtures/wire.yaml.
 */
import { readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Hono } from "hono";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import type { Contract } from "#specbind/contract";
import type { RejectionReason } from "#specbind/rejection-reasons";
import type { Binding } from "../../../server/runtime/contract/pipeline.ts";
import type { PlainResponse } from "../../../server/runtime/contract/response.ts";
import type { ContractEnv } from "../../../server/runtime/http/hono.ts";
import { listen } from "../../../server/runtime/http/listen.ts";
import { generate } from "../generate/pipeline.ts";
import { valueAt } from "../openapi/document.ts";
import { jsonIn } from "./exchange.ts";
import { sendRequest } from "./send.ts";
import { placesAt } from "./service-under-test.ts";
import { suiteOf } from "./suite.ts";

interface Break {
  readonly title: string;
  /** The path in server/runtime. */
  readonly file: string;
  readonly find: string;
  readonly replacement: string;
}

const breaks: readonly Break[] = parse(
  readFileSync("scripts/toolkit/conformance/fixtures/breaks.yaml", "utf8"),
);

const seed = Number(process.env.CONFORMANCE_SEED ?? 7);
const root = resolve(import.meta.dirname, "../../..");
let folder: string;
let contract: Contract;
let document: object;
beforeAll(async () => {
  await mkdir(join(root, "coverage"), { recursive: true });
  // The folder is inside the project, so that imports of packages work.
  folder = await mkdtemp(join(root, "coverage/breaks-"));
  const files = await generate("scripts/toolkit/conformance/fixtures/wire.yaml");
  for (const [name, text] of files) await writeFile(join(folder, name), text);
  ({ contract } = await import(join(folder, "contract.ts")));
  document = JSON.parse(files.get("openapi.json") ?? "");
});
afterAll(() => rm(folder, { recursive: true }));

const statuses: Readonly<Record<RejectionReason["reason"], number>> = {
  route_not_found: 404,
  method_not_allowed: 405,
  credential_missing: 401,
  credential_invalid: 401,
  role_missing: 403,
  content_too_large: 413,
  media_type_unsupported: 415,
  content_coding_unsupported: 415,
  malformed_content: 400,
  request_invalid: 422,
  not_implemented: 501,
  failed: 500,
  request_malformed: 400,
};

function reject(detail: RejectionReason): PlainResponse {
  const problems = detail.reason === "request_invalid" && { problems: detail.problems };
  return {
    status: statuses[detail.reason],
    headers: {
      "Content-Type": "application/problem+json",
      ...(detail.reason === "method_not_allowed" && { Allow: detail.allowed.join(", ") }),
    },
    body: { title: detail.reason, ...problems },
  };
}

const done = async (): Promise<PlainResponse> => ({ status: 204 });

/** Returns the first finding of the suite for the changed server. */
async function firstFinding(change?: Break): Promise<string | undefined> {
  const copy = await mkdtemp(join(folder, "server-"));
  await cp(join(root, "server/runtime"), join(copy, "server/runtime"), { recursive: true });
  // It has the aliases, which then lead to the copy.
  await cp(join(root, "package.json"), join(copy, "package.json"));
  if (change !== undefined) {
    const { find, replacement } = change;
    const file = join(copy, "server/runtime", change.file);
    const text = await readFile(file, "utf8");
    expect(text.split(find).length, `occurrences in ${change.file}`).toBe(2);
    await writeFile(
      file,
      text.replace(find, () => replacement),
    );
  }
  const { bindContract } = await import(join(copy, "server/runtime/contract/bind.ts"));
  const { serveContract } = await import(join(copy, "server/runtime/http/hono.ts"));
  const binding: Binding<string> = {
    contract,
    handlers: {
      getThing: async ({ path }: { path: { id: string } }) => ({ status: 200, body: { id: path.id } }),
      listThings: async () => ({ status: 200, body: ["a"] }),
      readPath: done,
      readQuery: done,
      readHeaders: done,
      sendBody: done,
      getResponse: async () => ({ status: 201, headers: { "X-Sizes": "1,2" }, body: { x: 1, secret: 1 } }),
      getText: async () => ({ status: 200, headers: { "Content-Type": "text/csv" }, body: "a,b" }),
    },
    authenticate: {},
    reject,
    fail: (error) => {
      throw error;
    },
    requestIdOf: () => "r",
    onViolation: () => {},
    responsePolicy: "enforce",
    maxContentBytes: 65_536,
  };
  const app = new Hono<ContractEnv>();
  serveContract(app, bindContract(binding));
  const server = await listen(app, { host: "127.0.0.1", port: 0, reject, onMalformed: () => {} });
  try {
    const expected = Object.entries(statuses).map(([code, status]) => [code, { status, code }]);
    const suite = suiteOf(
      {
        document,
        send: (request) => sendRequest(server.url, request),
        placesIn: (response) => placesAt(response, "/problems"),
        rejections: {
          codeIn: ({ body }) => String(valueAt(jsonIn(body), "/title")),
          expected: Object.fromEntries(expected),
        },
        undeclaredHeaders: ["X-Request-Id", "Cache-Control", "Allow"],
        credentials: {},
        maxContentBytes: 65_536,
      },
      { seed, validRequests: 30, requestsEach: 1 },
    );
    if (change === undefined)
      expect(
        suite.omissions().map(({ operationId, place, why }) => `${operationId} ${place}: ${why}`),
      ).toEqual([]);
    for (const { run } of suite.checks)
      for (const { operationId, check, request, message } of await run())
        return [operationId, check, request, message].join("\n");
    return undefined;
  } finally {
    await server.stop(1000);
  }
}

it("finds nothing in a correct server, and sends a request for every place", async () => {
  expect(await firstFinding()).toBeUndefined();
});

it.each(breaks)("finds that $title", async (change) => {
  expect(await firstFinding(change)).toBeDefined();
});
