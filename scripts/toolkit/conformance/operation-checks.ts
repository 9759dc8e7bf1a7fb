/** Sends the requests of an operation, and reports problems of the responses. */
import fc from "fast-check";
import type { OperationDrafts } from "./drafts.ts";
import { type HttpRequest, type HttpResponse, inWords, type Problem } from "./exchange.ts";
import { responseProblems } from "./exchange-check.ts";
import { bodyKindOf, contentFor } from "./media-types.ts";
import type { OperationModel, ServiceModel } from "./operation-model.ts";
import { placeOf } from "./request-parts.ts";
import { type Credential, type Draft, noBody, writeRequest } from "./requests.ts";
import { operationFor } from "./routes.ts";
import {
  type NamedPlace,
  type RejectionReason,
  rejectionProblems,
  type ServiceUnderTest,
  type SuiteOptions,
} from "./service-under-test.ts";
import type { OperationTime } from "./time-budget.ts";

export interface Subject {
  readonly service: ServiceUnderTest;
  readonly model: ServiceModel;
  readonly operation: OperationModel;
  readonly drafts: OperationDrafts;
  readonly options: SuiteOptions;
  readonly checking: OperationTime;
}

export interface Violation {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly message: string;
}

interface OperationCheck {
  readonly name: string;
  run(on: Subject): Promise<Violation[]>;
}

export const operationChecks = {
  examples: { name: "responds to its examples as documented", run: checkExamples },
  validRequests: { name: "responds to valid requests as documented", run: checkValidRequests },
  invalidValues: {
    name: "rejects a single invalid value, and accepts a valid one in its place",
    run: checkInvalidValues,
  },
  bodies: { name: "rejects a body of another media type, and a malformed one", run: checkBodies },
  credentials: { name: "rejects missing, wrong and insufficient credentials", run: checkCredentials },
} satisfies { readonly [key: string]: OperationCheck };

/** The request must be accepted, be rejected for this reason, or be rejected because of this place only. */
type Expected = "valid" | RejectionReason | NamedPlace;

async function checkExamples(on: Subject): Promise<Violation[]> {
  const found: Violation[] = [];
  for (const draft of on.drafts.examples())
    found.push(...(await trial(on, await ready(on, draft), "valid", draft.problem)).violations);
  return found;
}

async function checkValidRequests(on: Subject): Promise<Violation[]> {
  const { seed, validRequests: numRuns, mustSucceed } = on.options;
  const base = on.drafts.base();
  const drafts = on.drafts.valid();
  if (base === undefined || drafts === undefined) return [];
  let last: Violation[] = [];
  const statuses = new Map<number, number>();
  let rejected: { request: HttpRequest; response: HttpResponse } | undefined;
  const send = async (draft: Draft): Promise<boolean> => {
    const request = await ready(on, draft);
    const { violations, response } = await trial(on, request, "valid");
    if (violations.length > 0) last = violations;
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    rejected ??= { request, response };
    return violations.length === 0;
  };
  await send(base);
  const property = fc.asyncProperty(drafts, send);
  const { failed, errorInstance } = on.drafts.isOutOfTime
    ? { failed: last.length > 0 }
    : await fc.check(property, { seed, numRuns });
  if (failed && last.length === 0) throw errorInstance;
  if (failed) return last;
  if (rejected === undefined || mustSucceed === false || [...statuses.keys()].some(isSuccess)) return [];
  const remedy =
    "make a record in `setUp`, name an existing one in `known`, or make the body succeed in `settle`";
  return [{ ...rejected, message: `${noSuccess} (${countsOf(statuses)}): ${remedy}` }];
}

/** The start of the message if every valid request got an error. */
export const noSuccess = "no valid request succeeded";

/** Such as `200 ×3, 404 ×1`. */
export function countsOf(statuses: ReadonlyMap<number, number>): string {
  return [...statuses]
    .toSorted(([left], [right]) => left - right)
    .map(([status, count]) => `${status} ×${count}`)
    .join(", ");
}

async function checkInvalidValues(on: Subject): Promise<Violation[]> {
  const found: Violation[] = [];
  for (const part of on.drafts.parts)
    for (const constraint of part.constraints)
      for (const { problem, ...draft } of on.drafts.draftsFor(part, constraint)) {
        const isRight = constraint.verdict === "valid" || constraint.verdict === "absent";
        const about = `${placeOf(part, constraint)} (${constraint.verdict}): `;
        const request = await ready(on, draft);
        const tried = isRight ? trial(on, request, "valid") : trial(on, request, problem, problem, about);
        found.push(...(await tried).violations);
      }
  return found;
}

async function checkBodies(on: Subject): Promise<Violation[]> {
  const { operation } = on;
  const { maxContentBytes } = on.service;
  const base = on.drafts.base();
  if (base === undefined || operation.body === undefined) return [];
  const { mediaTypes, required: isRequired } = operation.body;
  const documented = mediaTypes.map(({ mediaType }) => mediaType);
  const ofKind = (kind: string) => documented.find((each) => bodyKindOf(each) === kind);
  const undocumented = ["application/x-undocumented", "text/x-undocumented"].filter(
    (mediaType) => contentFor(mediaType, mediaTypes) === undefined,
  );
  const written = (mediaType: string | undefined, body: Uint8Array): HttpRequest => {
    const { headers, ...request } = writeRequest(operation, on.drafts.present({ ...base, body: undefined }));
    const type = mediaType === undefined ? [] : [["Content-Type", mediaType] as const];
    return { ...request, headers: [...headers, ...type], body };
  };
  const object = Buffer.from("{}");
  const trials: (readonly [HttpRequest, "valid" | RejectionReason | Problem])[] = undocumented.map(
    (mediaType) => [written(mediaType, object), "media_type_unsupported"],
  );
  // A body without a media type may be read as bytes (RFC 9110, section 8.3).
  if (contentFor("application/octet-stream", mediaTypes) === undefined)
    trials.push([written(undefined, object), "media_type_unsupported"]);
  const json = ofKind("json");
  if (json !== undefined) {
    for (const body of malformed) trials.push([written(json, body), "malformed_content"]);
    if (maxContentBytes !== undefined)
      trials.push([written(json, Buffer.alloc(maxContentBytes + 1, " ")), "content_too_large"]);
  }
  const multipart = ofKind("multipart");
  if (multipart !== undefined)
    trials.push([written(`${multipart}; boundary=a`, object), "malformed_content"]);
  const plain = written(json ?? base.body?.mediaType, json ? object : (base.body?.bytes ?? object));
  const headers = [...plain.headers, ["Content-Encoding", "x-undocumented"] as const];
  trials.push([{ ...plain, headers }, "content_coding_unsupported"]);
  const required = { in: "body", pointer: "", message: "is required" };
  // An empty body is a valid form.
  const other = documented.find((each) => bodyKindOf(each) !== "form");
  if (other !== undefined) trials.push([written(other, noBody), isRequired ? required : "valid"]);
  const found: Violation[] = [];
  for (const [request, expected] of trials) {
    const problem = typeof expected === "string" ? bodyProblems[expected] : expected;
    found.push(...(await trial(on, request, expected, problem)).violations);
  }
  return found;
}

const unreadable: Problem = { in: "content", pointer: "", message: "cannot be read as its media type" };
const bodyProblems: { readonly [expected: string]: Problem } = {
  media_type_unsupported: { in: "media type", pointer: "", message: "is not documented" },
  malformed_content: unreadable,
  content_too_large: unreadable,
};

/** Incomplete JSON, text that is not JSON, bytes that are not UTF-8, and JSON with half of a surrogate pair. */
const malformed: readonly Uint8Array[] = [
  Buffer.from("{"),
  Buffer.from("{}}"),
  Buffer.from([0x22, 0xff, 0x22]),
  Buffer.from('"\\ud800"'),
];

async function checkCredentials(on: Subject): Promise<Violation[]> {
  const { service, drafts, operation } = on;
  const accepted = operation.security.length === 0 ? undefined : await acceptedDraft(on);
  if (accepted === undefined) return [];
  const written = (credentials: readonly Credential[]) => ready(on, { ...accepted.draft, credentials });
  const found: Violation[] = [];
  const rejected = async (
    request: HttpRequest,
    what: string,
    reason: RejectionReason,
    status: number,
  ): Promise<void> => {
    const { response, problems } = await exchanged(on, request);
    const others = rejectionProblems(service, reason, response, status);
    for (const message of [...problems, ...others.map((each) => `${what}: ${each}`)])
      found.push({ request, response, message });
  };
  if (operation.security.every((alternative) => alternative.length > 0))
    await rejected(await written([]), "without a credential", "credential_missing", 401);
  for (const alternative of operation.security)
    for (const requirement of alternative) {
      const others = drafts.credentialsOf(alternative).filter((each) => each.requirement !== requirement);
      const { valid = [], invalid = {} } = service.credentials[requirement.scheme] ?? {};
      for (const [why, text] of Object.entries(invalid)) {
        const request = await written([...others, { requirement, text }]);
        await rejected(request, `with a credential that is ${why}`, "credential_invalid", 401);
      }
      for (const { text, roles } of valid) {
        const request = await written([...others, { requirement, text }]);
        const what = `with a credential that has ${roles.length > 0 ? `the roles ${roles.join(", ")}` : "no roles"}`;
        if (!isEnough(operation, requirement.scheme, roles)) {
          await rejected(request, what, "role_missing", 403);
          continue;
        }
        const { violations, response } = await trial(on, request, "valid");
        found.push(...violations);
        const { status } = response;
        if (accepted.isAccepted && (status === 401 || status === 403))
          found.push({ request, response, message: `${what}, which is enough: the response is ${status}` });
      }
    }
  return found;
}

function isEnough({ security }: OperationModel, scheme: string, roles: readonly string[]): boolean {
  return security.some((alternative) =>
    alternative.every((each) => each.scheme === scheme && each.roles.every((role) => roles.includes(role))),
  );
}

/** Returns a valid request that succeeds. If none does, returns the base of all other requests. */
async function acceptedDraft(on: Subject): Promise<{ draft: Draft; isAccepted: boolean } | undefined> {
  const base = on.drafts.base();
  const drafts = on.drafts.valid();
  if (base === undefined || drafts === undefined) return undefined;
  const { seed, validRequests: numRuns } = on.options;
  const others = on.drafts.isOutOfTime ? [] : fc.sample(drafts, { seed, numRuns });
  for (const draft of [base, ...others]) {
    const { status } = await send(on, await ready(on, draft));
    if (isSuccess(status)) return { draft, isAccepted: true };
  }
  return { draft: base, isAccepted: false };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/**
 * @param problem why the request must be rejected
 * @param about the start of messages, which says what is special about the request
 */
async function trial(
  on: Subject,
  request: HttpRequest,
  expected: Expected,
  problem?: Problem,
  about = "",
): Promise<{ violations: Violation[]; response: HttpResponse }> {
  const { response, problems } = await exchanged(on, request);
  const { status } = response;
  const why = on.drafts.lacksCredential() ? "credential is required" : problem && inWords(problem);
  const others =
    isSuccess(status) && why !== undefined
      ? [`was accepted with ${status}, although ${why}`]
      : statusProblems(on.service, expected, response);
  const messages = [...problems, ...others.map((message) => about + message)];
  return { violations: messages.map((message) => ({ request, response, message })), response };
}

/** Checks the status of a response, and the places in the request that the response reports. */
function statusProblems(service: ServiceUnderTest, expected: Expected, response: HttpResponse): string[] {
  const { status } = response;
  const places = service.placesIn?.(response);
  const named = places?.map(shownPlace).join(", ") || "no place";
  if (expected === "valid") {
    // These are wrong even if documented: a valid request must not fail, and its method and media type are supported.
    if (status >= 500 || status === 405 || status === 415 || isUnreadable(service, response)) {
      const reason = service.reasonOf?.(response);
      return [`the request is valid, but the response is ${status}${reason ? `: ${reason}` : ""}`];
    }
    if (places === undefined || places.length === 0) return [];
    return [`the request is valid, but the response is ${status} and reports ${named}`];
  }
  if (status < 400 || status >= 500) return [`the response is ${status}, not 4xx`];
  if (typeof expected === "string") return rejectionProblems(service, expected, response);
  const isSame = (each: NamedPlace) => each.in === expected.in && each.pointer === expected.pointer;
  if (places === undefined || (places.length > 0 && places.every(isSame)))
    return rejectionProblems(service, "request_invalid", response);
  return [`the response is ${status} and reports ${named}, not ${shownPlace(expected)}`];
}

/** True if the service did not find the path or could not read the body. */
function isUnreadable({ rejections }: ServiceUnderTest, response: HttpResponse): boolean {
  const { route_not_found: unknown, malformed_content: malformed } = rejections?.expected ?? {};
  const code = rejections?.codeIn(response);
  return [unknown, malformed].some(
    (each) => each?.code !== undefined && each.code === code && each.status === response.status,
  );
}

function shownPlace({ in: place, pointer }: NamedPlace): string {
  return `${place} ${pointer || "as a whole"}`;
}

/** Returns the request of a draft after `setUp` has made what the request needs. */
async function ready({ drafts, operation }: Subject, draft: Draft): Promise<HttpRequest> {
  if (drafts.isSpent) await drafts.setUp();
  return writeRequest(operation, drafts.present(draft));
}

async function send({ service, drafts }: Subject, request: HttpRequest): Promise<HttpResponse> {
  const response = await service.send(request);
  if (isSuccess(response.status) && !["GET", "HEAD", "QUERY"].includes(request.method)) drafts.isSpent = true;
  return response;
}

async function exchanged(on: Subject, request: HttpRequest) {
  const { service, model, checking } = on;
  const { undeclaredHeaders } = service;
  const response = await send(on, request);
  const responses = operationFor(model, request)?.responses ?? model.unmatched;
  const problems = responseProblems(responses, request.method, response, undeclaredHeaders, checking);
  return { response, problems: problems.map((each) => `response ${response.status}: ${inWords(each)}`) };
}
