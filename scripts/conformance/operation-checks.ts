/** Sends the requests that are made for an operation, and reports what is wrong with the responses. */
import fc from "fast-check";
import type { OperationContract, Problem } from "../../generated/contract.ts";
import { isJson } from "../../server/contract/media-type.ts";
import { contractOf } from "../../server/contract/response.ts";
import {
  inWords,
  judgeExchange,
  type ReceivedAnswer,
  type SentRequest,
  undeclaredHeaders,
} from "./contract-check.ts";
import { type OperationDrafts, partsOf, placeOf } from "./drafts.ts";
import type { OperationModel, ResponseModel } from "./operation-model.ts";
import { type Credential, type Draft, noContent, writeRequest } from "./requests.ts";
import {
  type NamedPlace,
  type Provocation,
  refusalFaults,
  type ServiceUnderTest,
  type SuiteOptions,
} from "./service-under-test.ts";

export interface Violation {
  readonly request: SentRequest;
  readonly message: string;
}

interface Subject {
  readonly service: ServiceUnderTest;
  readonly operation: OperationModel;
  readonly drafts: OperationDrafts;
  readonly options: SuiteOptions;
}

export const operationChecks = {
  examples: "responds to its examples as documented",
  validRequests: "responds to valid requests as documented",
  faults: "rejects a single invalid value, and accepts a valid one in its place",
  contents: "rejects a body of another media type, and a malformed one",
  credentials: "rejects missing, wrong and insufficient credentials",
} as const;

type OperationCheck = (on: Subject) => Promise<Violation[]>;

export const runs: Readonly<Record<keyof typeof operationChecks, OperationCheck>> = {
  examples: checkExamples,
  validRequests: checkValidRequests,
  faults: checkInvalidValues,
  contents: checkContents,
  credentials: checkCredentials,
};

/** A request must be accepted, be rejected for this reason, or be rejected for this place only. */
type Expected = "valid" | Provocation | NamedPlace;

async function checkExamples(on: Subject): Promise<Violation[]> {
  const found: Violation[] = [];
  for (const draft of on.drafts.examples()) {
    const request = writeRequest(on.operation.contract, draft);
    found.push(...(await trial(on, request, "valid")).violations);
  }
  return [...found, ...on.operation.responses.flatMap((response) => invalidExamples(on, response))];
}

function invalidExamples({ operation, drafts }: Subject, { status, examples }: ResponseModel): Violation[] {
  const { contract } = operation;
  const ofClass = Number(status.replace(/XX$/, "00")) || 0;
  const mediaTypes = contractOf(contract.responses, ofClass)?.mediaTypes ?? {};
  return [...examples].flatMap(([mediaType, values]) =>
    [...values].flatMap(([name, value]) => {
      const problems: Problem[] = [];
      if (isJson(mediaType)) mediaTypes[mediaType]?.validate?.(value, problems);
      const request = writeRequest(contract, drafts.base() ?? emptyDraft);
      return problems.map(({ pointer, message }) => ({
        request,
        message: `the example ${name} of ${status} breaks its schema: ${pointer} ${message}`,
      }));
    }),
  );
}

const emptyDraft: Draft = { parameters: {}, content: noContent, credentials: [] };

async function checkValidRequests(on: Subject): Promise<Violation[]> {
  const { contract } = on.operation;
  const { seed, validRequests: numRuns, mustSucceed } = on.options;
  const base = on.drafts.base();
  const drafts = on.drafts.valid();
  if (base === undefined || drafts === undefined) return [];
  let last: Violation[] = [];
  let successes = 0;
  const send = async (draft: Draft): Promise<boolean> => {
    const { violations, status } = await trial(on, writeRequest(contract, draft), "valid");
    if (violations.length > 0) last = violations;
    if (isSuccess(status)) successes += 1;
    return violations.length === 0;
  };
  await send(base);
  const property = fc.asyncProperty(drafts, send);
  const { failed, counterexamplePath, errorInstance } = await fc.check(property, { seed, numRuns });
  if (failed && last.length === 0) throw errorInstance;
  if (failed)
    return last.map(({ request, message }) => ({
      request,
      message: `${message} (seed ${seed}, path ${counterexamplePath})`,
    }));
  if (successes > 0 || mustSucceed === false) return [];
  const remedy = "set in `known` which parameters find something, or in `settle` which body succeeds";
  const request = writeRequest(contract, base);
  return [{ request, message: `no valid request succeeded; ${remedy}` }];
}

async function checkInvalidValues(on: Subject): Promise<Violation[]> {
  const found: Violation[] = [];
  for (const part of partsOf(on.operation))
    for (const constraint of part.model.constraints)
      for (const { draft, place } of on.drafts.draftsFor(part, constraint)) {
        const isRight = constraint.verdict === "valid" || constraint.verdict === "absent";
        const about = isRight ? "" : `${placeOf(part, constraint)} (${constraint.verdict}): `;
        const request = writeRequest(on.operation.contract, draft);
        found.push(...(await trial(on, request, isRight ? "valid" : place, about)).violations);
      }
  return found;
}

async function checkContents(on: Subject): Promise<Violation[]> {
  const { contract } = on.operation;
  const { maxContentBytes } = on.service;
  const base = on.drafts.base();
  if (base === undefined || contract.content === undefined) return [];
  const documented = Object.keys(contract.content.mediaTypes);
  const json = documented.find(isJson);
  const undocumented = ["application/x-undocumented", "text/x-undocumented"].filter(
    (mediaType) => !isCovered(documented, mediaType),
  );
  const written = (mediaType: string | undefined, content: Uint8Array): SentRequest =>
    writeRequest(contract, { ...base, mediaType, content });
  const object = Buffer.from("{}");
  const trials: (readonly [SentRequest, Expected])[] = undocumented.map((mediaType) => [
    written(mediaType, object),
    "media_type_unsupported",
  ]);
  if (undocumented.length > 0) trials.push([written(undefined, object), "media_type_unsupported"]);
  if (json !== undefined) {
    for (const content of malformed) trials.push([written(json, content), "content_malformed"]);
    if (maxContentBytes !== undefined)
      trials.push([written(json, Buffer.alloc(maxContentBytes + 1, " ")), "content_too_large"]);
  }
  const plain = written(json, object);
  const headers = [...plain.headers, ["Content-Encoding", "x-undocumented"] as const];
  const required: NamedPlace = { in: "body", pointer: "" };
  trials.push([{ ...plain, headers }, "content_coding_unsupported"]);
  trials.push([written(base.mediaType, noContent), contract.content.required ? required : "valid"]);
  const found: Violation[] = [];
  for (const [request, expected] of trials) found.push(...(await trial(on, request, expected)).violations);
  return found;
}

/** JSON that breaks off, is not JSON, is not UTF-8, and has half of a surrogate pair. */
const malformed: readonly Uint8Array[] = [
  Buffer.from("{"),
  Buffer.from("{}}"),
  Buffer.from([0x22, 0xff, 0x22]),
  Buffer.from('"\\ud800"'),
];

function isCovered(documented: readonly string[], mediaType: string): boolean {
  const [type] = mediaType.split("/");
  return documented.some((each) => each === mediaType || each === `${type}/*` || each === "*/*");
}

async function checkCredentials(on: Subject): Promise<Violation[]> {
  const { service, drafts } = on;
  const { contract } = on.operation;
  const accepted = contract.security.length === 0 ? undefined : await acceptedDraft(on);
  if (accepted === undefined) return [];
  const written = (credentials: readonly Credential[]): SentRequest =>
    writeRequest(contract, { ...accepted.draft, credentials });
  const found: Violation[] = [];
  const refused = async (
    request: SentRequest,
    what: string,
    provocation: Provocation,
    status: number,
  ): Promise<void> => {
    const { answer, faults } = await exchanged(service, request);
    const others =
      answer.status === status
        ? refusalFaults(service, provocation, answer)
        : [`the response is ${answer.status}, not ${status}`];
    for (const message of [...faults, ...others.map((each) => `${what}: ${each}`)])
      found.push({ request, message });
  };
  if (contract.security.every((alternative) => alternative.length > 0))
    await refused(written([]), "without a credential", "credential_missing", 401);
  for (const alternative of contract.security)
    for (const requirement of alternative) {
      const others = drafts.credentialsOf(alternative).filter((each) => each.requirement !== requirement);
      const { valid = [], invalid = {} } = service.credentials[requirement.scheme] ?? {};
      for (const [why, text] of Object.entries(invalid)) {
        const request = written([...others, { requirement, text }]);
        await refused(request, `with a credential that is ${why}`, "credential_invalid", 401);
      }
      for (const { text, roles } of valid) {
        const request = written([...others, { requirement, text }]);
        const what = `with a credential of the roles ${roles.join(", ") || "none"}`;
        if (!isEnough(contract, requirement.scheme, roles)) {
          await refused(request, what, "role_missing", 403);
          continue;
        }
        const { violations, status } = await trial(on, request, "valid");
        found.push(...violations);
        if (accepted.isTaken && (status === 401 || status === 403))
          found.push({ request, message: `${what}, which are enough: the response is ${status}` });
      }
    }
  return found;
}

function isEnough({ security }: OperationContract, scheme: string, roles: readonly string[]): boolean {
  return security.some((alternative) =>
    alternative.every((each) => each.scheme === scheme && each.roles.every((role) => roles.includes(role))),
  );
}

/** A valid request that succeeds, if one is found, else the base of all others. */
async function acceptedDraft(on: Subject): Promise<{ draft: Draft; isTaken: boolean } | undefined> {
  const base = on.drafts.base();
  const drafts = on.drafts.valid();
  if (base === undefined || drafts === undefined) return undefined;
  const { seed, validRequests: numRuns } = on.options;
  for (const draft of [base, ...fc.sample(drafts, { seed, numRuns })]) {
    const { status } = await on.service.send(writeRequest(on.operation.contract, draft));
    if (isSuccess(status)) return { draft, isTaken: true };
  }
  return { draft: base, isTaken: false };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** @param about what the request has, for messages about a missing rejection */
async function trial(
  { service }: Subject,
  request: SentRequest,
  expected: Expected,
  about = "",
): Promise<{ violations: Violation[]; status: number }> {
  const { answer, faults, acceptance } = await exchanged(service, request);
  const others = [...acceptance, ...rejectionFaults(service, expected, answer, acceptance.length > 0)];
  const messages = [...faults, ...others.map((message) => about + message)];
  return { violations: messages.map((message) => ({ request, message })), status: answer.status };
}

/** What is wrong with the status of a response and with the places that it names. */
function rejectionFaults(
  service: ServiceUnderTest,
  expected: Expected,
  answer: ReceivedAnswer,
  isAcceptanceKnown: boolean,
): string[] {
  const { status } = answer;
  const places = service.placesIn?.(answer);
  const named = places?.map(shownPlace).join(", ") || "no place";
  if (expected === "valid") {
    // Documented or not: a valid request must not fail.
    if (status >= 500) {
      const reason = service.reasonOf?.(answer);
      return [`the request is valid, but the response is ${status}${reason ? `: ${reason}` : ""}`];
    }
    if (places === undefined || places.length === 0) return [];
    return [`the request is valid, but the response is ${status} and names ${named}`];
  }
  if (status < 400 || status >= 500) return isAcceptanceKnown ? [] : [`the response is ${status}, not 4xx`];
  if (typeof expected === "string") return refusalFaults(service, expected, answer);
  const isSame = (each: NamedPlace) => each.in === expected.in && each.pointer === expected.pointer;
  if (places === undefined || (places.length > 0 && places.every(isSame)))
    return refusalFaults(service, "request_invalid", answer);
  return [`the response is ${status} and names ${named}, not ${shownPlace(expected)}`];
}

function shownPlace({ in: place, pointer }: NamedPlace): string {
  return `${place} ${pointer || "as a whole"}`;
}

async function exchanged(service: ServiceUnderTest, request: SentRequest) {
  const { operations, unmatched } = service.contract;
  const answer = await service.send(request);
  const judged = await judgeExchange(service.contract, request, answer);
  const responses = operations[judged.operationId ?? ""]?.responses ?? unmatched;
  const undeclared = undeclaredHeaders(responses, answer, service.undeclaredHeaders);
  const faults = [
    ...judged.answer.map(inWords),
    ...undeclared.map((name) => `header /${name} is not declared`),
  ];
  const accepted = judged.isWronglyAccepted ? judged.request.slice(0, 1) : [];
  return {
    answer,
    faults: faults.map((fault) => `response ${answer.status}: ${fault}`),
    acceptance: accepted.map((fault) => `was accepted with ${answer.status}, although ${inWords(fault)}`),
  };
}
