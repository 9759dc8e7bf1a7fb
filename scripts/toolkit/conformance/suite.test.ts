/** Checks that the suite finds one bug of each kind in a service of its own. */
import { beforeAll, describe, expect, it } from "vitest";
import { type JsonObject, pointerTo, valueAt } from "../openapi/document.ts";
import { loadSpec } from "../openapi/load.ts";
import { type HttpRequest, type HttpResponse, headerOf, jsonIn } from "./exchange.ts";
import { type NamedPlace, placesAt, type ServiceUnderTest } from "./service-under-test.ts";
import { percentDecoded } from "./styles.ts";
import { type Suite, suiteOf } from "./suite.ts";

let document: JsonObject;
beforeAll(async () => {
  ({ document } = await loadSpec("scripts/toolkit/conformance/fixtures/events.yaml"));
});

interface Call {
  readonly id: number;
  readonly limit: string | null;
  readonly body: unknown;
}
type Headers = HttpResponse["headers"];

/** The parts of a service. A bug replaces one of them. */
interface Service {
  /** The `operationId` of each route, such as `GET /events`. */
  readonly operations: { readonly [route: string]: string };
  readonly handlers: { readonly [operationId: string]: (call: Call) => HttpResponse };
  readonly passwords: readonly string[];
  /** Returns the pointers to invalid values in a part of the request. */
  readonly problemsOf: { readonly [place: string]: (call: Call) => string[] };
  reject(code: string, problems?: readonly NamedPlace[], headers?: Headers): HttpResponse;
}

const event = { name: "Pirate Coding", dates: ["2026-10-29"] };
const respond = (status: number, body?: unknown, headers: Headers = []): HttpResponse => ({
  status,
  headers: [...(body === undefined ? [] : [["content-type", "application/json"] as const]), ...headers],
  body: Buffer.from(body === undefined ? "" : JSON.stringify(body)),
});
const notFound = respond(404, { code: "event_not_found" });
const statuses: { readonly [code: string]: number } = {
  route_not_found: 404,
  method_not_allowed: 405,
  credential_missing: 401,
  credential_invalid: 401,
  media_type_unsupported: 415,
  malformed_content: 400,
  request_invalid: 422,
};

const correct: Service = {
  operations: {
    "GET /events": "listEvents",
    "POST /events": "createEvent",
    "GET /events/{id}": "getEvent",
    "DELETE /events/{id}": "deleteEvent",
  },
  handlers: {
    listEvents: () => respond(200, [event]),
    createEvent: () => respond(201, undefined, [["Location", "/events/7"]]),
    getEvent: ({ id }) => (id === 7 ? respond(200, event) : notFound),
    deleteEvent: ({ id }) => (id === 7 ? respond(204) : notFound),
  },
  passwords: ["ann:secret"],
  problemsOf: {
    path: ({ id }) => (Number.isInteger(id) && id >= 1 ? [] : ["/id"]),
    query: ({ limit }) =>
      limit === null || (/^-?\d+$/.test(limit) && Number(limit) <= 30) ? [] : ["/limit"],
    body: ({ body }) => problemsOfEvent(body),
  },
  reject: (code, problems, headers) => respond(statuses[code] ?? 500, { code, problems }, headers),
};

/** The text if it is a day of the calendar. Otherwise another day, or none. */
function dayOf(date: string): string | undefined {
  const time = Date.parse(date);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString().slice(0, 10);
}

function problemsOfEvent(value: unknown): string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [""];
  const { name, dates = [], ...others } = value as JsonObject;
  const isDate = (date: unknown) =>
    typeof date === "string" && /^\d{4}-\d\d-\d\d$/.test(date) && dayOf(date) === date;
  return [
    ...(typeof name === "string" && [...name].length <= 20 ? [] : ["/name"]),
    ...(Array.isArray(dates)
      ? dates.flatMap((date, at) => (isDate(date) ? [] : [`/dates/${at}`]))
      : ["/dates"]),
    ...Object.keys(others).map((key) => `/${key}`),
  ];
}

function responseOf(service: Service, { method, target, headers, body: bytes }: HttpRequest): HttpResponse {
  const { operations, handlers, passwords, problemsOf, reject } = service;
  const { pathname, searchParams } = new URL(target, "http://host");
  const template = pathname.replace(/^\/events\/[^/]+$/, "/events/{id}");
  const routes = Object.keys(operations).filter((route) => route.endsWith(` ${template}`));
  const operationId = operations[`${method} ${template}`];
  if (routes.length === 0) return reject("route_not_found");
  if (operationId === undefined)
    return reject(
      "method_not_allowed",
      [],
      [["Allow", routes.map((route) => route.split(" ")[0]).join(", ")]],
    );
  const [, encoded] = headerOf(headers, "authorization")?.split("Basic ") ?? [];
  const password = encoded && Buffer.from(encoded, "base64").toString();
  if (password === undefined && passwords.length > 0) return reject("credential_missing");
  if (password !== undefined && passwords.length > 0 && !passwords.includes(password))
    return reject("credential_invalid");
  const isJson = /^application\/json(?:;|$)/i.test(headerOf(headers, "content-type") ?? "");
  const takesBody = method === "POST" && bytes.byteLength > 0;
  if (takesBody && (!isJson || headerOf(headers, "content-encoding") !== undefined))
    return reject("media_type_unsupported");
  const body = jsonIn(bytes);
  if (takesBody && (body === undefined || /\\ud800/.test(Buffer.from(bytes).toString())))
    return reject("malformed_content");
  const id = Number(percentDecoded(pathname.split("/")[2] ?? ""));
  const call = { id, limit: searchParams.get("limit"), body };
  const places = template === "/events" ? ["query", ...(method === "POST" ? ["body"] : [])] : ["path"];
  const problems = places.flatMap((place) =>
    (problemsOf[place]?.(call) ?? []).map((pointer) => ({ in: place, pointer })),
  );
  return problems.length > 0
    ? reject("request_invalid", problems)
    : (handlers[operationId]?.(call) ?? notFound);
}

const known = { getEvent: { "path /id": 7 }, deleteEvent: { "path /id": 7 } };

function suiteFor(bug: Partial<Service> = {}, more: Partial<ServiceUnderTest> = { known }): Suite {
  const expected = Object.entries(statuses).map(([code, status]) => [code, { status, code }]);
  const suite = suiteOf(
    {
      document,
      undeclaredHeaders: ["Allow"],
      send: async (request) => responseOf({ ...correct, ...bug }, request),
      placesIn: (response) => placesAt(response, "/problems"),
      reasonOf: ({ status }) => `the log of a ${status}`,
      rejections: {
        codeIn: ({ body }) => String(valueAt(jsonIn(body), "/code")),
        expected: Object.fromEntries(expected),
      },
      credentials: {
        password: { valid: [{ text: "ann:secret", roles: [] }], invalid: { unknown: "ann:wrong" } },
      },
      ...more,
    },
    { seed: 7, validRequests: 10, requestsEach: 1, createsRecords: false },
  );
  // This service stores nothing.
  return { ...suite, checks: suite.checks.filter(({ label }) => label !== "storage") };
}

/** Returns each finding once per operation and message. */
async function findingsIn({ checks }: Suite): Promise<string[]> {
  const findings = [];
  for (const check of checks) findings.push(...(await check.run()));
  return [...new Set(findings.map(({ operationId, message }) => `${operationId}: ${message}`))];
}

it("finds nothing in a service that matches its document, and makes a request for every place", async () => {
  expect([await findingsIn(suiteFor()), suiteFor().omissions()]).toEqual([[], []]);
});

it("finds nothing in a service that really deletes if `setUp` makes an event, and checks the deletion last", async () => {
  const ids = new Set<number>();
  const handlers = {
    ...correct.handlers,
    getEvent: ({ id }: Call) => (ids.has(id) ? respond(200, event) : notFound),
    deleteEvent: ({ id }: Call) => (ids.delete(id) ? respond(204) : notFound),
  };
  const addEvent = async () => {
    ids.add(ids.size + 1000);
    return { "path /id": ids.size + 999 };
  };
  const suite = suiteFor({ handlers }, { setUp: { getEvent: addEvent, deleteEvent: addEvent } });
  expect(await findingsIn(suite)).toEqual([]);
  expect(suite.checks.flatMap(({ operationId }) => operationId ?? []).at(-1)).toBe("deleteEvent");
});

describe("a bug is reported with its operation and place:", () => {
  const handling = (handlers: Service["handlers"]) => ({ handlers: { ...correct.handlers, ...handlers } });
  const checking = (problemsOf: Service["problemsOf"]) => ({
    problemsOf: { ...correct.problemsOf, ...problemsOf },
  });
  const recoded = (from: string, to: string): Partial<Service> => ({
    reject: (code, ...more) => ({
      ...correct.reject(code === from ? to : code, ...more),
      status: statuses[code] ?? 0,
    }),
  });
  let calls = 0;

  it.each<[bug: string, service: Partial<Service>, findings: string[]]>([
    [
      "a response without a required property",
      handling({ getEvent: () => respond(200, { dates: [] }) }),
      ["getEvent: response 200: body /name is required"],
    ],
    [
      "a wrong status that is documented",
      handling({ getEvent: () => notFound }),
      [
        "getEvent: no valid request succeeded (404 ×11): make a record in `setUp`, name an existing one in `known`, or make the body succeed in `settle`",
      ],
    ],
    [
      "a status that is not documented",
      handling({ deleteEvent: () => respond(202) }),
      ["deleteEvent: response 202: status 202 is not documented"],
    ],
    [
      "a response with an undeclared header",
      handling({ listEvents: () => respond(200, [event], [["Set-Cookie", "visitor=1"]]) }),
      ["listEvents: response 200: header /Set-Cookie is not declared"],
    ],
    [
      "a 5xx for a valid request, even if the document has such a response",
      handling({ listEvents: () => (calls++ % 2 === 0 ? respond(200, [event]) : respond(503)) }),
      [
        "listEvents: the request is valid, but the response is 503: the log of a 503",
        "listEvents: URL (with a broken escape in the query): the response is 503",
        "listEvents: header Accept (application/json): the response is 503",
        "listEvents: header Accept (absent): the response is 503",
        "listEvents: header Accept-Language (hi-IN, en;q=0.5): the response is 503",
        "listEvents: header User-Agent (Mozilla/5.0 (X11; Linux x86_64)): the response is 503",
        "listEvents: header Referer (https://undocumented.test/a?b=c): the response is 503",
        "listEvents: header X-HTTP-Method-Override (DELETE): the response is 503",
        'listEvents: header If-None-Match ("undocumented"): the response is 503',
        "listEvents: header Range (bytes=0-0): the response is 503",
        "listEvents: body of a request that has none: the response is 503",
      ],
    ],
    [
      "a parameter that is not validated",
      checking({ query: () => [] }),
      [
        "listEvents: query /limit violates `type: integer`: was accepted with 200",
        "listEvents: query /limit violates `maximum: 30`: was accepted with 200",
      ],
    ],
    [
      "items of a body that are not validated",
      checking({ body: ({ body }) => problemsOfEvent(body).filter((each) => !each.startsWith("/dates/")) }),
      [
        "createEvent: body /dates/2 violates `type: string`: was accepted with 201",
        "createEvent: body /dates/* violates `format: date`: was accepted with 201",
      ],
    ],
    [
      "a validator that rejects valid values",
      checking({ query: ({ limit }) => (limit === null ? [] : ["/limit"]) }),
      ["listEvents: the request is valid, but the response is 422 and reports query /limit"],
    ],
    [
      "a rejection that reports a wrong place",
      checking({
        query: (call) => (correct.problemsOf.query?.(call) ?? []).map((pointer) => `${pointer}/0`),
      }),
      ["type: integer", "maximum: 30"].map(
        (violated) =>
          `listEvents: query /limit violates \`${violated}\`: the response is 422 and reports query /limit/0, not query /limit`,
      ),
    ],
    [
      "a credential that is not required",
      { passwords: [] },
      ["listEvents: 200", "createEvent: 201", "getEvent: 200", "deleteEvent: 204"].flatMap((each) => {
        const [id, status] = each.split(" ");
        return ["without a credential", "with a credential that is unknown"].map(
          (what) => `${id} ${what}: the response is ${status}, not 401`,
        );
      }),
    ],
    [
      "a rejection of a malformed body with another code",
      recoded("malformed_content", "other"),
      [
        "cut off",
        "followed by a bracket",
        "followed by more text",
        "followed by another value",
        "with a comma at its end",
        "with a comment",
        "with single quotes",
        "with a name without quotes",
        "with a line break in a string",
        "only spaces",
        "not UTF-8",
        "with half of a surrogate pair",
        "in UTF-16",
      ].map(
        (what) =>
          `createEvent: body (${what}): malformed_content: the response is 400 other, not 400 malformed_content`,
      ),
    ],
    [
      "a wrong error code for an unknown path",
      recoded("route_not_found", "other"),
      ["undefined: route_not_found: the response is 404 other, not 404 route_not_found"],
    ],
  ])("%s", async (_, bug, findings) => {
    expect(await findingsIn(suiteFor(bug))).toEqual(findings);
  });

  it("requests without a credential, and an invalid example, that are accepted", async () => {
    const promised = structuredClone(document);
    const example = valueAt(
      promised,
      pointerTo("/paths", "/events", "post", "requestBody", "content", "application/json"),
    );
    Object.assign(Object(example), { example: { name: 1 } });
    const bug = { passwords: [], ...checking({ body: () => [] }) };
    const messagesOf = async (more: Partial<ServiceUnderTest>) => {
      const { checks } = suiteFor(bug, { document: promised, known, ...more });
      const examples = await checks.find(({ operationId }) => operationId === "createEvent")?.run();
      return examples?.map(({ message }) => message);
    };
    const credentials = { password: { valid: [], invalid: {} } };
    expect([await messagesOf({}), await messagesOf({ credentials })]).toEqual([
      ["body /name violates `type: string`: was accepted with 201"],
      ["the request lacks a credential: was accepted with 201"],
    ]);
  });

  it("an operation that the service has under another method", async () => {
    const { "DELETE /events/{id}": moved = "", ...others } = correct.operations;
    expect(await findingsIn(suiteFor({ operations: { ...others, "PUT /events/{id}": moved } }))).toEqual(
      expect.arrayContaining([
        "deleteEvent: the request is valid, but the response is 405: the log of a 405",
        "undefined: the response is 401, not 405",
        "undefined: header /Allow says GET, PUT, not DELETE, GET",
      ]),
    );
  });

  it("a credential that is rejected although its roles are sufficient", async () => {
    const valid = ["ann:secret", "ben:secret"].map((text) => ({ text, roles: [] }));
    const findings = await findingsIn(
      suiteFor({}, { known, credentials: { password: { valid, invalid: {} } } }),
    );
    expect(findings).toContain(
      "listEvents: with a credential that has no roles, which is enough: the response is 401",
    );
  });
});
