/** Runs the command on a correct service, and on a service that violates its document in several ways. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { startService } from "../../../server/testing/service.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { type ConformOptions, conform } from "./run-conform.ts";

const notes = "scripts/toolkit/conformance/fixtures/notes.yaml";
const folder = temporaryFolder();
const defaults = {
  spec: notes,
  url: "",
  headers: [],
  generate: false,
  seed: 1,
  lenient: false,
  thorough: false,
  only: [],
  mayReject: false,
  strict: false,
  format: "text" as const,
};

async function run(options: Partial<ConformOptions>) {
  const [out, err]: string[][] = [[], []];
  const status = await conform(
    { ...defaults, ...options },
    {
      stdout: { write: (text) => out?.push(text) },
      stderr: { write: (text) => err?.push(text) },
      isColoured: false,
    },
  );
  const linesOf = (texts: string[] = []) => texts.join("").split("\n").slice(0, -1);
  return { status, stdout: linesOf(out), stderr: linesOf(err) };
}

type Received = IncomingMessage & { readonly body: string };

async function serve(respond: (response: ServerResponse, request: Received) => void) {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString("utf8");
    respond(response, Object.assign(request, { body }));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

it("sends the document's examples to a service, and reports that it conforms", async () => {
  await using service = await startService();
  const { status, stdout, stderr } = await run({
    spec: "spec/openapi.yaml",
    url: service.url,
    headers: [["Authorization", `Bearer ${service.acme.secretKey}`]],
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: [] });
  const done = stdout.map((line) => line.replaceAll(/ ×\d+/g, ""));
  expect(done).toEqual(
    expect.arrayContaining([
      "ok    submitCommissionByQuery  responds to its examples as documented (200)",
      "ok    loginUser  responds to its examples as documented (200, 401)",
      `${done.length - 1} checks of ${service.url}: no difference found; 16 requests`,
    ]),
  );
});

const headers = [
  ["Authorization", "Bearer k-secret"],
  ["X-Tenant", "acme"],
] as const;

const variables =
  "to run the commands in bash or zsh, first set API_KEY (the credential for key), API_X_TENANT (the value of the header X-Tenant)";
const secret = '-H "Authorization: Bearer $API_KEY" -H "X-Tenant: $API_X_TENANT"';
const createNote = (url: string) =>
  `curl -sS -w '\\n' -X POST '${url}/notes' -H 'Content-Type: application/json' ${secret} --data-raw '{"text":"Buy milk."}'`;
const getNote = (url: string) => `curl -sS -w '\\n' -X GET '${url}/notes/1' ${secret}`;

/** Accepts any note, returns the credential, and fails for long texts. */
function wrong(response: ServerResponse, { headers: sent, url, body }: Received): void {
  if (sent.authorization !== "Bearer k-secret") response.writeHead(403).end();
  else if (url !== "/v1/notes") json(response, sent["x-tenant"] === "acme" ? 200 : 400, [1, 2]);
  else json(response, /"text":"[^"]{21}/.test(body) ? 500 : 201, { id: "1", "Bearer k-secret": true });
}

describe("a service that violates its document", () => {
  it("is reported with each finding and its request, without the values of headers", async () => {
    await using service = await serve(wrong);
    expect(await run({ url: service.url, headers })).toEqual({
      status: 1,
      stdout: [
        "FAIL  createNote  responds to its examples as documented (201 ×1)",
        "        response 201: body /id violates `type: integer`",
        "        response 201: body /[redacted] is not a known property",
        `          ${createNote(service.url)}`,
        '          returned 201 application/json {"id":"1","[redacted]":true}',
        "FAIL  getNote  responds to its examples as documented (200 ×1)",
        "        response 200: header /X-Count is required",
        "        ×2  response 200: body /* violates `type: string`",
        `          first: ${getNote(service.url)}`,
        "          returned 200 application/json [1,2]",
        "skip  searchNotes  responds to its examples as documented (no request)",
        "operation    examples",
        "createNote   FAIL",
        "getNote      FAIL",
        "searchNotes  skip",
        `note  ${variables}`,
        "note  searchNotes: no example to send; add one to the document, or use --generate",
        `3 checks of ${service.url}: 2 failed; 2 requests`,
      ],
      stderr: [],
    });
  });

  it("is reported for invalid values that it accepts, and equal findings are counted", async () => {
    await using service = await serve(wrong);
    const { stdout } = await run({ url: service.url, headers, generate: true });
    const begin = stdout.findIndex((line) => line.includes("createNote  rejects a single invalid value"));
    const found = stdout.slice(begin).filter((line) => !line.startsWith(" ".repeat(10)));
    expect(found.slice(0, 9)).toEqual([
      "FAIL  createNote  rejects a single invalid value, and accepts a valid one in its place (201 ×87, 500 ×5)",
      "        ×87  response 201: body /id violates `type: integer`",
      "        ×87  response 201: body /[redacted] is not a known property",
      "        ×12  body violates `type: object`: was accepted with 201",
      "        ×2  body /undeclared is not a known property: was accepted with 201",
      "        ×2  body /__proto__ is not a known property: was accepted with 201",
      "        ×2  body /constructor is not a known property: was accepted with 201",
      "        ×2  body /TEXT is not a known property: was accepted with 201",
      "        ×2  body /id is not a known property: was accepted with 201",
    ]);
  });

  it("is reported as JSON", async () => {
    await using service = await serve(wrong);
    const { stdout } = await run({ url: service.url, headers, format: "json" });
    const { checks, ...others } = JSON.parse(stdout.join("\n"));
    const exchange = {
      request: "GET /notes/1",
      response: "200 application/json [1,2]",
      curl: getNote(service.url),
    };
    expect({ checks: checks.slice(1, 2), ...others }).toEqual({
      spec: notes,
      url: service.url,
      conforms: false,
      checks: [
        {
          operationId: "getNote",
          check: "responds to its examples as documented",
          statuses: { 200: 1 },
          findings: [
            { message: "response 200: header /X-Count is required", count: 1, ...exchange },
            { message: "response 200: body /* violates `type: string`", count: 2, ...exchange },
          ],
        },
      ],
      notes: [variables, "searchNotes: no example to send; add one to the document, or use --generate"],
    });
  });

  it("is reported as Markdown and as JUnit XML, with the same verdicts", async () => {
    await using service = await serve(wrong);
    const url = service.url;
    const markdown = await run({ url, headers, only: ["getNote"], format: "markdown" });
    expect(markdown.stdout).toEqual([
      `# Conformance of ${url}`,
      "",
      "1 requests",
      "",
      "| operation | examples |",
      "| --- | --- |",
      "| getNote | FAIL |",
      "",
      "- getNote: response 200: header /X-Count is required (×1)",
      "",
      "  ```sh",
      `  ${getNote(url)}`,
      "  ```",
      "- getNote: response 200: body /* violates `type: string` (×2)",
      "",
      "  ```sh",
      `  ${getNote(url)}`,
      "  ```",
      `- Note: ${variables}`,
    ]);
    const junit = await run({ url, headers, only: ["searchNotes", "getNote"], format: "junit" });
    const xml = junit.stdout.join("\n");
    expect(xml).toContain(`<testsuite name="${url}" tests="2" failures="1" skipped="1">`);
    expect(xml).toContain(`<system-out>${variables}\nsearchNotes: no example`);
    expect(xml).toContain('<failure message="response 200: header /X-Count is required">');
    expect(xml).toContain(
      '<testcase classname="searchNotes" name="responds to its examples as documented"><skipped/></testcase>',
    );
  });

  it("gets the same requests from the commands, which have variables in place of secrets", async () => {
    const received = new Set<string>();
    await using service = await serve((response, { method, url, headers: sent, body }) => {
      const { authorization, cookie, "x-tenant": tenant, "x-shop-key": key, "content-type": type } = sent;
      received.add(JSON.stringify([method, url, authorization, cookie, tenant, key, type, body]));
      json(response, 200, {});
    });
    const { stdout } = await run({
      spec: "scripts/toolkit/conformance/fixtures/bookshop.yaml",
      url: service.url,
      headers: [
        ["Authorization", "Bearer token-4f9a1c"],
        ["Authorization", `Basic ${btoa("ada:open $esame")}`],
        ["X-Shop-Key", 'shop"77b2'],
        ["X-Tenant", "acme"],
      ],
      generate: true,
      only: ["getBook", "pay", "sendFeedback"],
      format: "json",
    });
    const { checks, notes: printed }: { checks: { findings: { curl: string }[] }[]; notes: string[] } =
      JSON.parse(stdout.join("\n"));
    const commands = checks.flatMap(({ findings }) => findings.map(({ curl }) => curl));
    expect(commands.join("\n")).not.toMatch(/token-4f|9a1c|open|esame|shop"|77b2|acme/);
    expect(printed[0]).toBe(
      "to run the commands in bash or zsh, first set API_TOKEN (the credential for token), API_SHOP_KEY (the credential for shopKey), API_SHOP_KEY_ENCODED (API_SHOP_KEY, percent-encoded), API_ACCOUNT_USER (the user name for account), API_ACCOUNT_PASSWORD (the password for account), API_X_TENANT (the value of the header X-Tenant)",
    );
    const env = {
      ...process.env,
      ...{ API_TOKEN: "token-4f9a1c", API_SHOP_KEY: 'shop"77b2', API_X_TENANT: "acme" },
      API_SHOP_KEY_ENCODED: encodeURIComponent('shop"77b2'),
      ...{ API_ACCOUNT_USER: "ada", API_ACCOUNT_PASSWORD: "open $esame" },
    };
    const before = [...received];
    received.clear();
    const ofCredentials = commands.filter((command) => /API_(?:TOKEN|SHOP|ACCOUNT)/.test(command));
    for (const command of ofCredentials)
      await promisify(execFile)("bash", ["-c", command.replace("curl", "curl --max-time 5")], {
        env,
      });
    expect(ofCredentials.length).toBeGreaterThan(30);
    expect(before).toEqual(expect.arrayContaining([...received]));
  });

  it("is reported if it stops responding", async () => {
    let requests = 0;
    await using service = await serve((response) => {
      requests += 1;
      if (requests > 1) response.destroy();
      else json(response, 201, { id: 1 });
    });
    const { status, stdout } = await run({ url: service.url, headers });
    expect({ status, stdout: stdout.slice(0, 4) }).toEqual({
      status: 1,
      stdout: [
        "ok    createNote  responds to its examples as documented (201 ×1)",
        "FAIL  getNote  responds to its examples as documented (no request)",
        "        no response (ECONNRESET), so this check ends here",
        `          ${getNote(service.url)}`,
      ],
    });
  });
});

describe("nothing is checked, and one line gives the reason", () => {
  it("if the document has no such operation", async () => {
    expect(await run({ url: "http://127.0.0.1:1", only: ["getNotes"] })).toEqual({
      status: 2,
      stdout: [],
      stderr: [
        "the document has no operation getNotes; --only takes one of createNote, getNote, searchNotes",
      ],
    });
  });

  it("if the service rejects the credential", async () => {
    await using service = await serve(wrong);
    expect(await run({ url: service.url })).toMatchObject({
      status: 2,
      stderr: [
        `${service.url} rejected every request with 401 or 403; send a valid credential, such as --header 'Authorization: Bearer KEY'`,
      ],
    });
  });

  it("if the service is not reachable, without a line for the operations that have no example", async () => {
    const gone = await serve(() => {});
    await gone[Symbol.asyncDispose]();
    const spec = join(folder, "openapi.json");
    const id = { name: "id", in: "path", required: true, schema: { type: "string" } };
    const responses = { 200: { description: "Done." } };
    const paths = {
      "/a/{id}": { get: { operationId: "getA", parameters: [id], responses } },
      "/b": { get: { operationId: "getB", responses } },
    };
    await writeFile(spec, JSON.stringify({ openapi: "3.1.1", info: { title: "A", version: "1" }, paths }));
    expect(await run({ url: gone.url, spec })).toEqual({
      status: 2,
      stdout: [],
      stderr: [`cannot reach ${gone.url} (ECONNREFUSED); start the service, or correct --url`],
    });
  });

  it("if the service is not reachable (on another machine, after a list of operations that may change data)", async () => {
    const gone = await serve(() => {});
    await gone[Symbol.asyncDispose]();
    const url = gone.url.replace("127.0.0.1", "0.0.0.0");
    expect(await run({ url, headers })).toEqual({
      status: 2,
      stdout: [],
      stderr: [
        `These operations of ${url} may change data:`,
        "  POST /notes (createNote)",
        "  GET /search (searchNotes)",
        `cannot reach ${url} (ECONNREFUSED); start the service, or correct --url`,
      ],
    });
  });
});
