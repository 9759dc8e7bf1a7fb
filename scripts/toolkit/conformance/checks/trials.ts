/** Sends one request of an operation, and reports the problems of its response. */
import type { OperationDrafts } from "../drafts.ts";
import { type HttpRequest, type HttpResponse, headerOf, inWords, type Problem } from "../exchange.ts";
import { responseProblems } from "../exchange-check.ts";
import { bodyKindOf } from "../media-types.ts";
import type { OperationModel, ServiceModel } from "../operation-model.ts";
import { type Draft, writeRequest } from "../requests.ts";
import { operationFor } from "../routes.ts";
import {
  type NamedPlace,
  type RejectionReason,
  rejectionProblems,
  type ServiceUnderTest,
  type SuiteOptions,
} from "../service-under-test.ts";
import type { OperationTime } from "../time-budget.ts";

export interface Subject {
  readonly service: ServiceUnderTest;
  readonly model: ServiceModel;
  readonly operation: OperationModel;
  readonly drafts: OperationDrafts;
  readonly options: SuiteOptions;
  readonly checking: OperationTime;
  /** The subjects of all operations. */
  readonly all: readonly Subject[];
}

export interface Exchange {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
}

export interface Violation extends Exchange {
  readonly message: string;
}

/**
 * The request must not fail (`harmless`), must also be understood (`valid`), must be accepted because an equivalent one
 * was (`alike`), unless it is too large (`long`), be rejected for this reason, or be rejected because of this place only.
 */
export type Expected = "harmless" | "valid" | "alike" | "long" | RejectionReason | NamedPlace;

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/**
 * @param problem why the request must be rejected
 * @param about what is special about the request. Default: the problem
 */
export async function trial(
  on: Subject,
  request: HttpRequest,
  expected: Expected,
  problem?: Problem,
  about = problem && inWords(problem),
): Promise<{ violations: Violation[]; response: HttpResponse }> {
  const { response, problems } = await exchanged(on, request);
  const { status } = response;
  const why = on.drafts.lacksCredential() ? "the request lacks a credential" : problem && about;
  const others =
    isSuccess(status) && why !== undefined
      ? [`${why}: was accepted with ${status}`]
      : statusProblems(on, expected, request, response).map((message) => prefixed(about, message));
  const violations = [...problems, ...others].map((message): Violation => ({ request, response, message }));
  if (expected === "alike" || (expected === "long" && status !== 413))
    violations.push(...rejectedAlike(on, { request, response }, about));
  return { violations, response };
}

function prefixed(about: string | undefined, message: string): string {
  return about === undefined ? message : `${about}: ${message}`;
}

/** Reports the rejection of a valid request. A similar request was accepted. */
export function rejectedAlike(
  { service, options }: Subject,
  exchange: Exchange,
  about?: string,
): Violation[] {
  const { status } = exchange.response;
  // If the service reports places, the rejection has already been reported.
  const isReported = (service.placesIn?.(exchange.response) ?? []).length > 0;
  if (options.mayReject || isReported || !ofWrongBody.includes(status)) return [];
  const message = `the response is ${status}, although the document allows the request`;
  return [{ ...exchange, message: prefixed(about, message) }];
}

/** Checks the status of a response, and the places in the request that the response reports. */
function statusProblems(
  { service, operation }: Subject,
  expected: Expected,
  request: HttpRequest,
  response: HttpResponse,
): string[] {
  const { status } = response;
  const places = service.placesIn?.(response);
  const named = places?.map(shownPlace).join(", ") || "no place";
  if (expected === "harmless") return status >= 500 ? [`the response is ${status}`] : [];
  if (expected === "valid" || expected === "alike" || expected === "long") {
    // A JSON text need not be an object or a list (RFC 8259, section 2). Other values are rejected with 422.
    const isScalarUnread =
      status === 400 && isScalar(request) && operation.responses.some((each) => each.status === "422");
    // These are wrong even if documented: a valid request must not fail, and its method and media type are supported.
    if (
      status >= 500 ||
      status === 405 ||
      status === 415 ||
      isUnreadable(service, response) ||
      isScalarUnread
    ) {
      const reason = service.reasonOf?.(response);
      return [`the request is valid, but the response is ${status}${reason ? `: ${reason}` : ""}`];
    }
    return places === undefined || places.length === 0
      ? []
      : [`the request is valid, but the response is ${status} and reports ${named}`];
  }
  if (status < 400 || status >= 500) return [`the response is ${status}, not 4xx`];
  if (typeof expected === "string") {
    const usual = usualStatuses[expected];
    const isUsual = operation.responses.some((each) => each.status === String(usual));
    const isFixed = service.rejections === undefined && isUsual;
    return rejectionProblems(service, expected, response, isFixed ? usual : status);
  }
  const isSame = (each: NamedPlace) => each.in === expected.in && each.pointer === expected.pointer;
  if (places === undefined || (places.length > 0 && places.every(isSame)))
    return rejectionProblems(service, "request_invalid", response);
  return [`the response is ${status} and reports ${named}, not ${shownPlace(expected)}`];
}

function isScalar({ headers, body }: HttpRequest): boolean {
  const isJson = bodyKindOf(headerOf(headers, "content-type") ?? "") === "json";
  return isJson && body.byteLength > 0 && !/^\s*[[{]/.test(Buffer.from(body).toString());
}

/** The statuses for a request with wrong content. */
const ofWrongBody = [400, 413, 422];

/** If an operation documents this status, it has this meaning (RFC 9110, section 15.5). */
const usualStatuses: { readonly [R in RejectionReason]?: number } = {
  content_too_large: 413,
  media_type_unsupported: 415,
  malformed_content: 400,
};

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

/** An invalid value of each part of the request that is in this place: inside of it, if it has an inside. */
export function invalidDrafts({ drafts }: Subject, place: string): (Draft & { readonly problem: Problem })[] {
  return drafts.parts.flatMap((part) => {
    const wrong =
      part.place.in !== place
        ? []
        : part.constraints.filter(({ verdict }) => !["valid", "absent", "required"].includes(verdict));
    const constraint = wrong.find(({ steps }) => steps.length > 0) ?? wrong[0];
    return constraint === undefined ? [] : drafts.draftsFor(part, constraint).slice(0, 1);
  });
}

/** Returns the request of a draft after `setUp` has made what the request needs. */
export async function ready({ drafts, operation }: Subject, draft: Draft): Promise<HttpRequest> {
  if (drafts.isSpent) await drafts.setUp();
  return writeRequest(operation, drafts.present(draft));
}

export async function send({ service, drafts }: Subject, request: HttpRequest): Promise<HttpResponse> {
  const response = await service.send(request);
  if (isSuccess(response.status) && !["GET", "HEAD", "QUERY"].includes(request.method)) drafts.isSpent = true;
  return response;
}

export async function exchanged(on: Subject, request: HttpRequest) {
  const { service, model, checking } = on;
  const { undeclaredHeaders } = service;
  const response = await send(on, request);
  const responses = operationFor(model, request)?.responses ?? model.unmatched;
  const problems = responseProblems(responses, request.method, response, undeclaredHeaders, checking);
  return { response, problems: problems.map((each) => `response ${response.status}: ${inWords(each)}`) };
}
