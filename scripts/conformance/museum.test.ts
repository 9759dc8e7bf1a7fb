/** Checks that the suite works with another spec (Redocly's museum), and finds one bug of each kind in its service. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Contract, OperationContract, Problem, Validate } from "../../generated/contract.ts";
import { bindContract } from "../../server/contract/bind.ts";
import { type ContractEnv, serveContract } from "../../server/contract/hono.ts";
import type { RejectionReason } from "../../server/contract/request.ts";
import type { PlainResponse } from "../../server/contract/response.ts";
import { listen } from "../../server/listen.ts";
import { generate } from "../generate/pipeline.ts";
import { type JsonObject, pointerTo, valueAt } from "../openapi/document.ts";
import { jsonIn, type ReceivedResponse } from "./exchange.ts";
import { sendRequest } from "./send.ts";
import type { NamedPlace, ServiceUnderTest } from "./service-under-test.ts";
import { type Finding, type Suite, suiteOf } from "./suite.ts";

const seed = 7;
const eventId = "dad4bce8-f5cb-4078-a211-995864315e39";
const ticketId = "a54a57ca-36f8-421b-a6b4-2e8f26858a4c";
const event = {
  eventId,
  name: "Pirate Coding Workshop",
  location: "Computer Room",
  eventDescription: "The C language",
  dates: ["2023-10-29"],
  price: 25,
};

let folder: string;
let contract: Contract;
let document: JsonObject;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "museum-"));
  await writeFile(join(folder, "openapi.yaml"), completed(await readFile(museum, "utf8")));
  const files = await generate(join(folder, "openapi.yaml"));
  for (const [name, content] of files) await writeFile(join(folder, name), content);
  ({ contract } = await import(/* @vite-ignore */ join(folder, "contract.ts")));
  document = JSON.parse(await readFile(join(folder, "openapi.json"), "utf8"));
});
afterAll(() => rm(folder, { recursive: true }));

const museum = "scripts/generate/fixtures/real/museum/openapi.yaml";

/**
 * Completes the museum's spec: documents 401 for all operations, adds a response header and a QUERY, removes the
 * webhooks.
 */
function completed(spec: string): string {
  const unauthorized = `        "401":\n          $ref: '#/components/responses/Unauthorized'\n`;
  const badRequest = `        "400":\n          $ref: '#/components/responses/BadRequest'\n`;
  const location =
    "          headers:\n            Location: { required: true, schema: { type: string, format: uri-reference } }\n";
  const findEvents = `    query:
      operationId: findSpecialEvents
      requestBody:
        required: true
        content:
          application/json:
            schema: { type: object, required: [name], properties: { name: { type: string, maxLength: 40 } } }
            example: { name: Pirate Coding Workshop }
      responses:
        "200":
          description: Success.
          content:
            application/json: { schema: { $ref: "#/components/schemas/SpecialEventCollection" } }
        "400": { $ref: "#/components/responses/BadRequest" }
        "401": { $ref: "#/components/responses/Unauthorized" }
`;
  return spec
    .replace("openapi: 3.1.0", "openapi: 3.2.0")
    .replace("  /special-events/{eventId}:\n", (next) => findEvents + next)
    .replace(/^webhooks:\n(?: .*\n|\n)+/m, "")
    .replaceAll(unauthorized, "")
    .replaceAll(badRequest, badRequest + unauthorized)
    .replaceAll(`        "201":\n          description: Created.\n`, (created) => created + location);
}

interface Request {
  readonly path: { readonly eventId?: string; readonly ticketId?: string };
  readonly body: object;
}
type Handlers = { readonly [operationId: string]: (request: Request) => Promise<PlainResponse> };

const problemType = { "Content-Type": "application/problem+json" };
const notFound: PlainResponse = {
  status: 404,
  headers: problemType,
  body: { type: "about:blank", title: "Not found" },
};
const found = ({ path }: Request, body: object): PlainResponse =>
  path.eventId === eventId ? { status: 200, body } : notFound;
const created = (body: object): PlainResponse => ({ status: 201, headers: { Location: "/created" }, body });

/** Handlers without bugs. */
const correct: Handlers = {
  getMuseumHours: async () => ({
    status: 200,
    body: [{ date: "2023-09-11", timeOpen: "09:00", timeClose: "18:00" }],
  }),
  createSpecialEvent: async ({ body }) => created({ ...body, eventId }),
  listSpecialEvents: async () => ({ status: 200, body: [event] }),
  findSpecialEvents: async () => ({ status: 200, body: [event] }),
  getSpecialEvent: async (request) => found(request, event),
  updateSpecialEvent: async (request) => found(request, { ...event, ...request.body }),
  deleteSpecialEvent: async ({ path }) => (path.eventId === eventId ? { status: 204 } : notFound),
  buyMuseumTickets: async ({ body }) => created({ ...body, message: "Bought", confirmationCode: "c-1" }),
  getTicketCode: async ({ path }) =>
    path.ticketId === ticketId
      ? { status: 200, headers: { "Content-Type": "image/png" }, body: new Uint8Array([0x89]) }
      : notFound,
};

/** The museum reports invalid values in its `title`. */
function reject(detail: RejectionReason): PlainResponse {
  const statuses: { readonly [reason: string]: number } = {
    route_not_found: 404,
    method_not_allowed: 405,
    credential_missing: 401,
    credential_invalid: 401,
    failed: 500,
  };
  const title =
    detail.reason === "request_invalid"
      ? detail.problems.map(({ in: place, pointer }) => `problem in ${place} at '${pointer}'`).join(", ")
      : detail.reason;
  const allow = detail.reason === "method_not_allowed" && { Allow: detail.allowed.join(", ") };
  return {
    status: statuses[detail.reason] ?? 400,
    headers: { ...problemType, ...allow },
    body: { type: "about:blank", title },
  };
}

function placesIn({ headers, content }: ReceivedResponse): NamedPlace[] {
  if (!headers.some(([, value]) => value === problemType["Content-Type"])) return [];
  const text = Buffer.from(content).toString("utf8");
  return [...text.matchAll(/problem in (\w+) at '([^']*)'/g)].map(([, place = "", pointer = ""]) => ({
    in: place,
    pointer,
  }));
}

interface Museum {
  readonly handlers?: Handlers;
  /** The contract that the service uses, if it differs from the document. */
  readonly served?: Contract;
  readonly promised?: JsonObject;
  /** Replaces `reject`, if the bug is in rejections. */
  readonly rejecting?: typeof reject;
  /** Additional valid credentials. */
  readonly others?: readonly string[];
  readonly setUp?: ServiceUnderTest["setUp"];
}

async function suiteWith({
  handlers = correct,
  served = contract,
  promised = document,
  rejecting = reject,
  others = [],
  setUp = {},
}: Museum): Promise<{ suite: Suite } & AsyncDisposable> {
  const app = new Hono<ContractEnv>();
  const contracted = bindContract<string>({
    contract: served,
    handlers,
    authenticate: {
      MuseumPlaceholderAuth: async (credential) =>
        credential === "ann:secret" ? { principal: "ann", roles: [] } : undefined,
    },
    reject: rejecting,
    fail: (error) => {
      throw error;
    },
    requestIdOf: () => "r",
    onViolation: () => {},
    responsePolicy: "off",
    maxContentBytes: 65_536,
  });
  serveContract(app, contracted);
  const server = await listen(app, { host: "127.0.0.1", port: 0, onMalformed: () => {} });
  const known = { "path /eventId": eventId };
  const suite = suiteOf(
    {
      document: promised,
      undeclaredHeaders: ["X-Request-Id", "Cache-Control", "Allow"],
      send: (request) => sendRequest(server.url, request),
      placesIn,
      reasonOf: ({ status }) => `the museum's log of a ${status}`,
      rejections: {
        codeIn: ({ content }) => String(valueAt(jsonIn(content), "/title")),
        expected: {
          credential_missing: { status: 401, code: "credential_missing" },
          credential_invalid: { status: 401, code: "credential_invalid" },
          content_malformed: { status: 400, code: "content_malformed" },
          route_not_found: { status: 404, code: "route_not_found" },
        },
      },
      credentials: {
        MuseumPlaceholderAuth: {
          valid: ["ann:secret", ...others].map((text) => ({ text, roles: [] })),
          invalid: { unknown: "ann:wrong" },
        },
      },
      setUp,
      known: {
        getSpecialEvent: known,
        updateSpecialEvent: known,
        deleteSpecialEvent: known,
        getTicketCode: { "path /ticketId": ticketId },
      },
    },
    { seed, validRequests: 10, requestsEach: 1 },
  );
  return { suite, [Symbol.asyncDispose]: async () => void (await server.stop(1000)) };
}

/** Returns each finding once per operation and message. */
async function findingsIn(museum: Museum, operationId?: string): Promise<string[]> {
  await using museumUnderTest = await suiteWith(museum);
  const findings: Finding[] = [];
  for (const check of museumUnderTest.suite.checks)
    if (operationId === undefined || check.operationId === operationId) findings.push(...(await check.run()));
  const messages = findings.map((finding) => `${finding.operationId}: ${finding.message}`);
  return [...new Set(messages)];
}

it("finds nothing in a museum that matches its document", async () => {
  expect(await findingsIn({})).toEqual([]);
});

it("finds nothing in a service that really deletes if `setUp` makes an event, and checks the deletion last", async () => {
  const events = new Map<string | undefined, object>();
  const foundIn = (id: string | undefined) => {
    const body = events.get(id);
    return body === undefined ? notFound : { status: 200, body };
  };
  const handlers: Handlers = {
    ...correct,
    getSpecialEvent: async ({ path }) => foundIn(path.eventId),
    updateSpecialEvent: async ({ path }) => foundIn(path.eventId),
    deleteSpecialEvent: async ({ path }) => (events.delete(path.eventId) ? { status: 204 } : notFound),
  };
  const addEvent = async () => {
    const id = crypto.randomUUID();
    events.set(id, { ...event, eventId: id });
    return { "path /eventId": id };
  };
  const setUp = { getSpecialEvent: addEvent, updateSpecialEvent: addEvent, deleteSpecialEvent: addEvent };
  expect(await findingsIn({ handlers, setUp })).toEqual([]);
  await using museumUnderTest = await suiteWith({ handlers });
  const ids = museumUnderTest.suite.checks.flatMap(({ operationId }) => operationId ?? []);
  expect(ids.at(-1)).toBe("deleteSpecialEvent");
});

it("makes a request for every place of the museum's document", async () => {
  await using museumUnderTest = await suiteWith({});
  expect(museumUnderTest.suite.omissions()).toEqual([]);
});

describe("a bug is reported with its operation and place", () => {
  it.each<[kind: string, operationId: string, bug: Handlers[string], message: string]>([
    [
      "a response without a required property",
      "getSpecialEvent",
      async (request) => found(request, { ...event, name: undefined }),
      "response 200: body /name is required",
    ],
    [
      "a wrong status that is documented",
      "getSpecialEvent",
      async () => notFound,
      "no valid request succeeded (404 ×11): make a record in `setUp`, name an existing one in `known`, or make the body succeed in `settle`",
    ],
    [
      "a status that is not documented",
      "deleteSpecialEvent",
      async () => ({ status: 202 }),
      "response 202: status 202 is not documented",
    ],
    [
      "a response with an undeclared header",
      "listSpecialEvents",
      async () => ({ status: 200, headers: { "Set-Cookie": "visitor=1" }, body: [event] }),
      "response 200: header /set-cookie is not declared",
    ],
  ])("%s", async (_, operationId, bug, message) => {
    const findings = await findingsIn({ handlers: { ...correct, [operationId]: bug } }, operationId);
    expect(findings).toEqual([`${operationId}: ${message}`]);
  });

  /** Returns a contract that differs from the document. */
  const changed = (
    id: string,
    change: (operation: OperationContract) => Partial<OperationContract>,
  ): Contract => ({
    ...contract,
    operations: Object.fromEntries(
      Object.entries(contract.operations).map(([each, operation]) => [
        each,
        each === id ? { ...operation, ...change(operation) } : operation,
      ]),
    ),
  });

  it("a parameter that is not validated", async () => {
    const served = changed("getMuseumHours", ({ parameters }) => ({
      parameters: parameters.map((parameter) =>
        parameter.name === "limit" ? { ...parameter, validate: () => true } : parameter,
      ),
    }));
    expect(await findingsIn({ served }, "getMuseumHours")).toEqual([
      "getMuseumHours: query /limit (type): was accepted with 200, although query /limit violates `type: integer`",
      "getMuseumHours: query /limit (maximum): was accepted with 200, although query /limit violates `maximum: 30`",
    ]);
  });

  it("a body that is not validated", async () => {
    const content = { required: true, mediaTypes: { "application/json": {} } };
    const served = changed("createSpecialEvent", () => ({ content }));
    const findings = await findingsIn({ served }, "createSpecialEvent");
    const accepted = findings.filter((finding) => finding.includes("was accepted with 201"));
    expect(
      accepted.map((finding) => finding.slice(finding.indexOf("body"), finding.indexOf(")") + 1)),
    ).toEqual([
      "body (type)",
      "body /eventId (type)",
      "body /eventId (format)",
      ...["name", "location", "eventDescription"].flatMap((name) => [
        `body /${name} (required)`,
        `body /${name} (type)`,
      ]),
      "body /dates (required)",
      "body /dates (type)",
      "body /dates/* (type)",
      "body /dates/* (format)",
      "body /price (required)",
      "body /price (type)",
    ]);
  });

  it("a validator that rejects valid values", async () => {
    const served = changed("getMuseumHours", ({ parameters }) => ({
      parameters: parameters.map((parameter) =>
        parameter.name === "page"
          ? { ...parameter, validate: (_, problems) => rejected(problems) }
          : parameter,
      ),
    }));
    expect(await findingsIn({ served }, "getMuseumHours")).toContain(
      "getMuseumHours: the request is valid, but the response is 400 and reports query /page",
    );
  });

  it("a rejection that reports a wrong place", async () => {
    const served = changed("getMuseumHours", ({ parameters }) => ({
      parameters: parameters.map((parameter) => {
        const validate: Validate = (value, problems) =>
          Number(value) <= 30 || rejected(problems, "/elsewhere");
        return parameter.name === "limit" ? { ...parameter, validate } : parameter;
      }),
    }));
    expect(await findingsIn({ served }, "getMuseumHours")).toContain(
      "getMuseumHours: query /limit (maximum): the response is 400 and reports query /limit/elsewhere, not query /limit",
    );
  });

  it("a credential that is not required", async () => {
    const served = changed("listSpecialEvents", () => ({ security: [] }));
    expect(await findingsIn({ served }, "listSpecialEvents")).toEqual([
      "listSpecialEvents: without a credential: the response is 200, not 401",
      "listSpecialEvents: with a credential that is unknown: the response is 200, not 401",
    ]);
  });

  it("a credential that is rejected although its roles are sufficient", async () => {
    expect(await findingsIn({ others: ["ben:secret"] }, "getMuseumHours")).toEqual([
      "getMuseumHours: with a credential that has no roles, which is enough: the response is 401",
    ]);
  });

  it("a 5xx for a valid request, even if the document has such a response", async () => {
    const promised = structuredClone(document);
    const responses = valueAt(promised, pointerTo("/paths", "/museum-hours", "get", "responses"));
    Object.assign(Object(responses), { default: { description: "Any other." } });
    const served = changed("getMuseumHours", ({ responses: documented }) => ({
      responses: { ...documented, default: { headers: [], mediaTypes: {} } },
    }));
    let calls = 0;
    const getMuseumHours: Handlers[string] = async (request) => {
      calls += 1;
      return calls % 2 === 0 ? { status: 503 } : (correct.getMuseumHours?.(request) ?? notFound);
    };
    const museum = { handlers: { ...correct, getMuseumHours }, served, promised };
    expect(await findingsIn(museum, "getMuseumHours")).toEqual([
      "getMuseumHours: the request is valid, but the response is 503: the museum's log of a 503",
    ]);
  });

  it.each([
    [
      "credential_invalid",
      "credential_missing",
      "createSpecialEvent: with a credential that is unknown: credential_invalid: the response is 401 credential_missing, not 401 credential_invalid",
    ],
    [
      "content_malformed",
      "media_type_unsupported",
      "createSpecialEvent: content_malformed: the response is 400 media_type_unsupported, not 400 content_malformed",
    ],
  ] as const)("a rejection with a wrong code: %s with the code of %s", async (reason, other, message) => {
    const rejecting: typeof reject = (detail) =>
      reject(detail.reason === reason ? ({ reason: other, supported: [] } as RejectionReason) : detail);
    expect(await findingsIn({ rejecting }, "createSpecialEvent")).toEqual([message]);
  });

  it("an unknown path that is rejected with a wrong code", async () => {
    const rejecting: typeof reject = (detail) => ({
      ...reject(detail),
      ...(detail.reason === "route_not_found" && notFound),
    });
    expect(await findingsIn({ rejecting })).toEqual([
      "undefined: route_not_found: the response is 404 Not found, not 404 route_not_found",
    ]);
  });

  it("an operation that the service has under another method", async () => {
    const served = changed("updateSpecialEvent", () => ({ method: "PUT" }));
    expect(await findingsIn({ served })).toEqual(
      expect.arrayContaining([
        "updateSpecialEvent: response 405: status 405 is not documented",
        "undefined: header /Allow says GET, HEAD, PUT, DELETE, not GET, PATCH, DELETE",
      ]),
    );
  });
});

function rejected(problems: Problem[], pointer = ""): boolean {
  problems.push({ pointer, message: "is rejected" });
  return false;
}
