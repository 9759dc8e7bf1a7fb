/** Sends the requests of an operation, and reports problems of the responses. */
import fc from "fast-check";
import type { SecurityRequirement } from "#specbind/contract";
import type { HttpRequest, HttpResponse, Problem } from "../exchange.ts";
import { bodyKindOf } from "../media-types.ts";
import type { OperationModel } from "../operation-model.ts";
import { placeOf } from "../request-parts.ts";
import { type Credential, type Draft, noBody } from "../requests.ts";
import { type RejectionReason, rejectionProblems } from "../service-under-test.ts";
import { type BodyVariant, bodyVariants } from "./body-variants.ts";
import { insufficientCredentials } from "./credentials.ts";
import { otherValue } from "./records.ts";
import { checkStorage } from "./storage-checks.ts";
import { storeOf } from "./stores.ts";
import {
  type Exchange,
  type Expected,
  exchanged,
  invalidDrafts,
  isSuccess,
  ready,
  rejectedAlike,
  type Subject,
  send,
  trial,
  type Violation,
} from "./trials.ts";
import { checkUrls } from "./url-checks.ts";

interface OperationCheck {
  readonly name: string;
  run(on: Subject): Promise<Violation[]>;
}

export const operationChecks = {
  examples: { name: "responds to its examples as documented", run: checkExamples },
  // Before other checks create many records, a list has all records.
  storage: { name: "stores what it creates, until it is deleted", run: checkStorage },
  validRequests: { name: "responds to valid requests as documented", run: checkValidRequests },
  invalidValues: {
    name: "rejects a single invalid value, and accepts a valid one in its place",
    run: checkInvalidValues,
  },
  bodies: { name: "rejects a body of another media type, and a malformed one", run: checkBodies },
  urls: { name: "treats equal URLs alike, and supports HEAD and OPTIONS", run: checkUrls },
  credentials: { name: "rejects missing, wrong and insufficient credentials", run: checkCredentials },
} satisfies { readonly [key: string]: OperationCheck };

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
  on.drafts.isBaseAccepted = [...statuses.keys()].some(isSuccess);
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
  // The response has what the service stores.
  const isEcho = ["PUT", "PATCH"].includes(on.operation.method) || storeOf(on) !== undefined;
  for (const part of on.drafts.parts)
    for (const constraint of part.constraints) {
      const { verdict } = constraint;
      const isRight = verdict === "valid" || verdict === "absent";
      const place = placeOf(part, constraint);
      const about = verdict === "absent" ? `without ${place}` : place;
      const drafts = on.drafts.draftsFor(part, constraint);
      // Without its optional part, the base remains valid.
      const expected =
        verdict === "absent" && part.examples.length > 0 && on.drafts.isBaseAccepted ? "alike" : "valid";
      const rights: Exchange[] = [];
      for (const { problem, ...draft } of drafts) {
        const request = await ready(on, draft);
        const { violations, response } = isRight
          ? await trial(on, request, expected, undefined, expected === "alike" ? about : undefined)
          : await trial(on, request, problem, problem);
        found.push(...violations);
        const lost = isRight && isEcho ? otherValue(draft, response) : undefined;
        if (lost !== undefined) found.push({ request, response, message: `${about}: ${lost}` });
        if (verdict === "valid") rights.push({ request, response });
      }
      // These requests differ in this place only.
      if (rights.some(({ response }) => isSuccess(response.status)))
        for (const exchange of rights) found.push(...rejectedAlike(on, exchange, about));
    }
  return found;
}

async function checkBodies(on: Subject): Promise<Violation[]> {
  const { operation, service, drafts } = on;
  const base = drafts.base();
  if (base === undefined || operation.body === undefined) return [];
  const found: Violation[] = [];
  const send = async (body: Partial<BodyVariant>, ...expected: [Expected, Problem?, string?]) => {
    const { mediaType, bytes = noBody, headers: added = [] } = body;
    const request = await ready(on, { ...base, body: undefined });
    const type = mediaType === undefined ? [] : [["Content-Type", mediaType] as const];
    const headers = [...request.headers, ...type, ...added];
    const sent = await trial(on, { ...request, headers, body: bytes }, ...expected);
    found.push(...sent.violations);
    return isSuccess(sent.response.status);
  };
  const bodies = drafts.bodies();
  let isAccepted = false;
  for (const { what, kind, isOpen, ...body } of bodyVariants(bodies, service.maxContentBytes)) {
    const about = `body (${what})`;
    if (kind === "valid") isAccepted = await send(body, "valid");
    else if (kind === "alike" || (kind === "long" && hasStatus(operation, 413)))
      await send(body, isAccepted ? kind : "valid", undefined, about);
    else if (kind === "long") continue;
    else {
      const isPromised = kind !== "harmless" && (!isOpen || service.rejections?.expected[kind] !== undefined);
      if (isPromised) await send(body, kind, bodyProblems[kind], about);
      else if (isOpen && on.options.strict) await send(body, unreadable, unreadable, about);
      else await send(body, "harmless", undefined, about);
    }
  }
  const required = { in: "body", pointer: "", message: "is required" };
  // An empty body is a valid form.
  const other = operation.body.mediaTypes.find(({ mediaType }) => bodyKindOf(mediaType) !== "form");
  if (other !== undefined && !operation.body.required) await send(other, "valid");
  else if (other !== undefined) await send(other, required, required);
  return found;
}

function hasStatus({ responses }: OperationModel, status: number): boolean {
  return responses.some((each) => each.status === String(status));
}

const unreadable: Problem = { in: "content", pointer: "", message: "cannot be read as its media type" };
const bodyProblems: { readonly [expected: string]: Problem } = {
  media_type_unsupported: { in: "media type", pointer: "", message: "is not documented" },
  malformed_content: unreadable,
  content_too_large: { in: "content", pointer: "", message: "is too large" },
};

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
  ): Promise<boolean> => {
    const { response, problems } = await exchanged(on, request);
    const others = rejectionProblems(service, reason, response, status);
    for (const message of [...problems, ...others.map((each) => `${what}: ${each}`)])
      found.push({ request, response, message });
    return response.status === status;
  };
  // A certificate belongs to the connection, so it is part of every request.
  const isPresent = ({ scheme, credential }: SecurityRequirement): boolean =>
    credential === "certificate" && (service.credentials[scheme]?.valid ?? []).length > 0;
  const isRequired = !operation.security.some((alternative) => alternative.every(isPresent));
  const isMetByTls = operation.security.some((each) => each.length > 0 && each.every(isPresent));
  const isChecked =
    isRequired && (await rejected(await written([]), "without a credential", "credential_missing", 401));
  for (const draft of isChecked ? unknownRecords(on) : []) {
    const request = await ready(on, { ...draft, credentials: [] });
    const what = "without a credential, and with a path that probably finds nothing";
    await rejected(request, what, "credential_missing", 401);
  }
  if (isChecked && service.sendInTurn !== undefined) {
    const requests = [await written(drafts.credentials()), await written([])];
    const [, response] = await service.sendInTurn(requests);
    drafts.isSpent = true;
    const what = "without a credential, on a connection that had one";
    const [, request] = requests;
    if (request && response && isSuccess(response.status))
      found.push({ request, response, message: `${what}: was accepted with ${response.status}` });
  }
  const invalid = on.options.strict && isRequired ? invalidDrafts(on, "body")[0] : undefined;
  if (invalid !== undefined) {
    const request = await ready(on, { ...invalid, credentials: [] });
    await rejected(request, "without a credential, and with an invalid body", "credential_missing", 401);
  }
  for (const { what, credentials } of isRequired ? insufficientCredentials(on) : []) {
    const request = await written(credentials);
    const response = await send(on, request);
    if (isSuccess(response.status))
      found.push({ request, response, message: `${what}: was accepted with ${response.status}` });
  }
  for (const alternative of operation.security)
    for (const requirement of alternative) {
      const others = drafts.credentialsOf(alternative).filter((each) => each.requirement !== requirement);
      const { valid = [], invalid = {} } = service.credentials[requirement.scheme] ?? {};
      for (const [why, form] of isMetByTls ? [] : Object.entries(invalid)) {
        const other = typeof form === "string" ? { text: form } : { text: "", ...form };
        const request = await written([...others, { requirement, ...other }]);
        await rejected(request, `with a credential that is ${why}`, "credential_invalid", 401);
      }
      const isComplete = others.length === alternative.length - 1;
      for (const { text, roles } of isComplete ? valid : []) {
        const request = await written([...others, { requirement, text }]);
        const what = `with a credential that has ${roles.length > 0 ? `the roles ${roles.join(", ")}` : "no roles"}`;
        const isMet = (each: SecurityRequirement): boolean =>
          isPresent(each) || others.some((sent) => sent.requirement === each);
        if (!isEnough(operation, requirement.scheme, roles, isMet)) {
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

/** A request with another valid path. */
function unknownRecords({ drafts }: Subject): Draft[] {
  const part = drafts.parts.findLast(({ place }) => place.in === "path");
  const valid = part?.constraints.find(({ verdict }) => verdict === "valid");
  return part === undefined || valid === undefined ? [] : drafts.draftsFor(part, valid).slice(-1);
}

/** True if a credential with the roles, and the other ones, satisfy an alternative. */
function isEnough(
  { security }: OperationModel,
  scheme: string,
  roles: readonly string[],
  isMet: (requirement: SecurityRequirement) => boolean,
): boolean {
  return security.some((alternative) =>
    alternative.every((each) =>
      each.scheme === scheme ? each.roles.every((role) => roles.includes(role)) : isMet(each),
    ),
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
