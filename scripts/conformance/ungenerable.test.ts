/** What cannot be generated is reported with its place and reason; everything else is still tested. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Contract } from "../../generated/contract.ts";
import { Coverage } from "../coverage/cells.ts";
import { generate } from "../generate/pipeline.ts";
import type { SentRequest } from "./contract-check.ts";
import { type Suite, suiteOf } from "./suite.ts";

let folder: string;
let contract: Contract;
let document: unknown;
let suite: Suite;
let sent: SentRequest[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ungenerable-"));
  const files = await generate("scripts/conformance/fixtures/ungenerable.yaml");
  for (const [name, content] of files) await writeFile(join(folder, name), content);
  ({ contract } = await import(/* @vite-ignore */ join(folder, "contract.ts")));
  document = JSON.parse(files.get("openapi.json") ?? "");
  sent = [];
  const send = async (request: SentRequest) => {
    sent.push(request);
    return { status: 204, headers: [], content: new Uint8Array() };
  };
  const service = { contract, document, send, placesIn: () => [], credentials: {} };
  suite = suiteOf(service, { seed: 1, validRequests: 5, requestsEach: 1 });
});
afterAll(() => rm(folder, { recursive: true }));

const exampleless = "has no example to send";
const notMade = "no valid one can be made: only its examples are sent";
const noValue = "no value was found that its schema admits, if it admits any";

it("is said by the suite: of schemas without values or examples, one line each, and of what is not judged", () => {
  const told = suite.omissions().map(({ operationId, place, why }) => `${operationId} ${place}: ${why}`);
  expect(told).toEqual([
    `plantTree body (application/json): ${exampleless}`,
    `beginEndless body (application/json): ${exampleless}`,
    `beginEndless request: ${notMade}`,
    `beginEndless body: ${noValue}`,
    `tryImpossible request: ${notMade}`,
    `tryImpossible body: ${noValue}`,
    `sendHollow body /none: ${noValue}`,
    "sendUnjudged body /host: the format hostname is not judged: no fault of it is generated",
    "sendUnjudged body /odd: `not` is not judged: no fault of it is generated",
    "sendForm body (application/x-www-form-urlencoded): is not JSON: no content is generated",
  ]);
});

it("is said by the coverage, beside the cells that there are", () => {
  const { cells, omissions } = new Coverage(document, contract, "/code").matrix();
  expect(omissions.map(({ operation, place }) => `${operation} ${place}`)).toEqual([
    "plantTree body (application/json)",
    "beginEndless body (application/json)",
    "sendUnjudged body /host",
    "sendUnjudged body /odd",
    "sendForm body (application/x-www-form-urlencoded)",
  ]);
  const ofTree = cells.filter(({ operation, kind }) => operation === "plantTree" && kind === "value");
  expect(ofTree.map(({ row, column }) => `${row} ${column}`)).toEqual([
    "body / valid",
    "body / type",
    "body / additionalProperties",
    "body /name required",
    "body /name valid",
    "body /name type",
    "body /children absent",
    "body /children valid",
    "body /children type",
    "body /children/* valid",
    "body /children/* type",
    "body /children/* additionalProperties",
  ]);
});

it("does not keep the rest from being found: a service that takes everything is told of each constraint", async () => {
  const faults = suite.checks.find(
    ({ operationId, name }) => operationId === "plantTree" && name.includes("invalid value"),
  );
  const findings = (await faults?.run()) ?? [];
  expect(findings.map(({ message }) => message.replace(/: was accepted.*/, ""))).toEqual([
    "body (type)",
    "body (additionalProperties)",
    "body /name (required)",
    "body /name (type)",
    "body /children (type)",
    "body /children/* (type)",
    "body /children/* (additionalProperties)",
  ]);
});

it("is never sent as if it held", async () => {
  sent.length = 0;
  for (const check of suite.checks)
    if (check.operationId === "beginEndless" || check.operationId === "tryImpossible") await check.run();
  expect(sent.map(({ target, content }) => `${target} ${Buffer.from(content).toString("utf8")}`)).toEqual([
    '/impossible "none"',
  ]);
});

it("leaves no header that cannot be sent: any text that a schema admits, a header does not", async () => {
  sent.length = 0;
  for (const check of suite.checks) if (check.operationId === "sendForm") await check.run();
  const notes = sent.flatMap(({ headers }) => headers.filter(([name]) => name === "X-Note"));
  expect(notes.length).toBeGreaterThan(0);
  expect(notes.filter(([, note]) => note !== note.trim() || /[^ -~]/.test(note))).toEqual([]);
});
