/** A request that cannot be generated is reported with its place and reason. Everything else is still tested. */
import { beforeAll, expect, it } from "vitest";
import { loadSpec } from "../../openapi/load.ts";
import type { HttpRequest } from "../exchange.ts";
import { type Suite, suiteOf } from "../suite.ts";

let document: object;
let suite: Suite;
let sent: HttpRequest[];
beforeAll(async () => {
  ({ document } = await loadSpec("scripts/toolkit/conformance/fixtures/ungenerable.yaml"));
  sent = [];
  const send = async (request: HttpRequest) => {
    sent.push(request);
    return { status: 204, headers: [], body: new Uint8Array() };
  };
  const service = { document, send, placesIn: () => [], credentials: {} };
  suite = suiteOf(service, { seed: 1, validRequests: 5, requestsEach: 1 });
});

const exampleless = "has no example to send";
const notMade = "no valid request can be made, so only examples are sent";
const noValue = (path: string, why: string) => {
  const schema = `#/paths/~1${path}/post/requestBody/content/application~1json/schema`;
  return `no value was found that is valid for its schema (${schema}${why}`;
};
const tooShort = `no value was found for { type: "string", minLength: 5, maxLength: 2 }`;

it("is listed by the suite once for each schema without values or examples, and once for each keyword", () => {
  const listed = suite.omissions().map(({ operationId, place, why }) => `${operationId} ${place}: ${why}`);
  expect(listed).toEqual([
    `plantTree body (application/json): ${exampleless}`,
    `beginEndless body (application/json): ${exampleless}`,
    `beginEndless request: ${notMade}`,
    `beginEndless body: ${noValue("endless", " at /next): every value contains another one of the same schema")}`,
    `tryImpossible request: ${notMade}`,
    `tryImpossible body: ${noValue("impossible", `): ${tooShort}`)}`,
    `sendHollow body /none: ${noValue("hollow", ` at /code): ${tooShort}`)}`,
    "sendNamed body /host: the format idn-hostname: no invalid value is generated",
  ]);
});

it("the suite still reports a finding for every other constraint, if the service accepts everything", async () => {
  const check = suite.checks.find(
    ({ operationId, name }) => operationId === "plantTree" && name.includes("invalid value"),
  );
  const findings = (await check?.run()) ?? [];
  expect(findings.map(({ message }) => message.replace(/: was accepted.*/, ""))).toEqual([
    "body violates `type: object`",
    "body /undeclared is not a known property",
    "body /name is required",
    "body /name violates `type: string`",
    "body /children violates `type: array`",
    "body /children/0 violates `type: object`",
    "body /children/0/undeclared is not a known property",
  ]);
});

it("is not sent as a valid request", async () => {
  sent.length = 0;
  for (const check of suite.checks)
    if (check.operationId === "beginEndless" || check.operationId === "tryImpossible") await check.run();
  expect(sent.map(({ target, body }) => `${target} ${Buffer.from(body).toString("utf8")}`)).toEqual([
    '/impossible "none"',
  ]);
});

it("is not sent in a header if HTTP does not allow the value there", async () => {
  sent.length = 0;
  for (const check of suite.checks) if (check.operationId === "sendForm") await check.run();
  const notes = sent.flatMap(({ headers }) => headers.filter(([name]) => name === "X-Note"));
  expect(notes.length).toBeGreaterThan(0);
  expect(notes.filter(([, note]) => note !== note.trim() || /[^ -~]/.test(note))).toEqual([]);
});
