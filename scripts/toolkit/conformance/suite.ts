/**
 * Checks a running service with requests made from its document. It knows only the document and the `ServiceUnderTest`.
 * Tests and the command `conform` use it.
 */
import type { Json } from "../openapi/document.ts";
import { bodyVariants } from "./checks/body-variants.ts";
import { operationChecks } from "./checks/operation-checks.ts";
import { mostPreconditions } from "./checks/preconditions.ts";
import { mostStorageRequests } from "./checks/storage-checks.ts";
import { creatorsOf } from "./checks/stores.ts";
import type { Subject, Violation } from "./checks/trials.ts";
import { wrongMethods, wrongPaths } from "./checks/unmatched-checks.ts";
import { mostUrlRequests } from "./checks/url-checks.ts";
import { isPrecondition, OperationDrafts } from "./drafts.ts";
import { type HttpRequest, type HttpResponse, headerOf } from "./exchange.ts";
import { bodyKindOf } from "./media-types.ts";
import { modelOf, type OperationModel, usualMediaType } from "./operation-model.ts";
import type { ParameterValues } from "./requests.ts";
import type { ServiceUnderTest, SuiteOptions } from "./service-under-test.ts";
import { OperationTime, TimeBudget } from "./time-budget.ts";
import { sample } from "./values/arbitraries.ts";
import type { Omission } from "./values/constraints.ts";

export interface Finding {
  /** Undefined for requests that match no operation. */
  readonly operationId: string | undefined;
  readonly check: string;
  /** Method, target and body, shortened. */
  readonly request: string;
  /** Status, media type and body, shortened. */
  readonly response: string;
  readonly message: string;
  /** The number of equal findings. The request and the response are those of the first one. */
  readonly count: number;
  /** The whole request. It may contain secrets. */
  readonly source: HttpRequest;
}

export interface Check {
  readonly operationId: string | undefined;
  readonly name: string;
  /** The name in one word. */
  readonly label: string;
  run(): Promise<Finding[]>;
}

/** A valid call that a client can make. */
export interface ValidCall {
  readonly parameters: ParameterValues;
  /** The body's value. Undefined if no body is sent. */
  readonly body: Json | undefined;
}

type OperationOmission = Omission & { readonly operationId: string };

export interface Suite {
  readonly checks: readonly Check[];
  /** For each operation, every example and `validRequests` other valid calls. */
  calls(): ReadonlyMap<string, readonly ValidCall[]>;
  /** Places for which no request is made. */
  omissions(): OperationOmission[];
  /** About the number of requests that all checks send. */
  requests(): number;
  /** Operations with responses that were not compared with their schema, because that took too long. */
  unchecked(): OperationOmission[];
}

export const serviceChecks = {
  methods: "rejects a method that a path does not have",
  paths: "rejects a path that is not documented",
} as const;

/** Prepares the checks without running them. */
export function suiteOf(given: ServiceUnderTest, options: SuiteOptions): Suite {
  const setUp = { ...given.setUp };
  const service = { ...given, setUp };
  const whole = modelOf(service.document);
  const operations = whole.operations.map((each) => withoutHeaders(each, service.addedHeaders));
  const model = { ...whole, operations };
  const { limitMs = Infinity } = options;
  const [making, checking] = [0, 1].map(() => new TimeBudget(limitMs, operations.length));
  const subjects: Subject[] = [];
  for (const operation of deletesLast(operations)) {
    const drafts = new OperationDrafts(service, operation, options, new OperationTime(making));
    const checkingTime = new OperationTime(checking);
    subjects.push({ service, model, operation, drafts, options, checking: checkingTime, all: subjects });
  }
  if (options.createsRecords !== false)
    for (const [id, create] of Object.entries(creatorsOf(subjects)))
      if (given.known?.[id] === undefined) setUp[id] ??= create;
  return {
    checks: [
      ...subjects.flatMap((on) =>
        Object.entries(operationChecks).map(([label, { name, run }]) =>
          check(on.operation.id, name, label, async () => {
            await on.drafts.setUp();
            return run(on);
          }),
        ),
      ),
      check(undefined, serviceChecks.methods, "methods", () => wrongMethods(service, model)),
      check(undefined, serviceChecks.paths, "paths", () => wrongPaths(service, model)),
    ],
    // Made only when needed, because values of large schemas take time.
    calls: () => new Map(subjects.map((each) => [each.operation.id, callsOf(each)])),
    omissions: () =>
      subjects.flatMap(({ operation, drafts }) =>
        drafts.omissions().map((each) => ({ ...each, operationId: operation.id })),
      ),
    requests: () =>
      subjects.reduce((sum, on) => sum + requestsOf(on), 0) +
      4 * new Set(operations.map(({ path }) => path)).size,
    unchecked: () =>
      subjects.flatMap(({ operation, checking: { hasSkipped, limitMs } }) => {
        const why = `is not always compared with its schema, because that took more than ${Math.round(limitMs)} ms`;
        return hasSkipped ? [{ operationId: operation.id, place: "response", why }] : [];
      }),
  };
}

export function check(
  operationId: string | undefined,
  name: string,
  label: string,
  run: () => Promise<Violation[]>,
): Check {
  return {
    operationId,
    name,
    label,
    run: async () => groupsOf(await run()).map((found) => ({ operationId, check: name, ...found })),
  };
}

/** The requests of the checks of an operation, without those that create records. */
function requestsOf({ drafts, operation, service, options }: Subject): number {
  const ofValues = drafts.parts.flatMap((part) =>
    part.constraints.map((each) => drafts.draftsFor(part, each).length),
  );
  const ofBodies =
    operation.body === undefined ? 0 : bodyVariants(drafts.bodies(), service.maxContentBytes).length + 1;
  const ofCredentials = operation.security.flat().map(({ scheme }) => {
    const { valid = [], invalid = {} } = service.credentials[scheme] ?? {};
    return valid.length + Object.keys(invalid).length;
  });
  const ofHeaders = operation.parameters.some(isPrecondition) ? mostPreconditions : 0;
  const others =
    ofHeaders + drafts.examples().length + options.validRequests + mostUrlRequests + mostStorageRequests;
  return [...ofValues, ...ofCredentials].reduce((sum, each) => sum + each, ofBodies + others);
}

/** Groups equal findings. Findings about different items of a list are equal. */
function groupsOf(found: readonly Violation[]): Omit<Finding, "operationId" | "check">[] {
  const groups = Map.groupBy(found, ({ message }) => message.replaceAll(/\/\d+(?=[/ ])/g, "/*"));
  return [...groups].flatMap(([message, [first, ...others]]) =>
    first === undefined
      ? []
      : [
          {
            request: shown(first.request),
            response: shownResponse(first.response),
            message: others.length === 0 ? first.message : message,
            count: others.length + 1,
            source: first.request,
          },
        ],
  );
}

/** Sorts operations for checks, because other operations may need what a DELETE removes. */
export function deletesLast(operations: readonly OperationModel[]): OperationModel[] {
  const rank = ({ method }: OperationModel) => (method === "DELETE" ? 1 : 0);
  return operations.toSorted((one, other) => rank(one) - rank(other));
}

function withoutHeaders(operation: OperationModel, names: readonly string[] = []): OperationModel {
  const sent = names.map((name) => name.toLowerCase());
  const parameters = operation.parameters.filter(
    ({ in: place, name }) => place !== "header" || !sent.includes(name.toLowerCase()),
  );
  return { ...operation, parameters };
}

function callsOf({ operation, drafts, options }: Subject): ValidCall[] {
  const { seed, validRequests: numRuns } = options;
  const valid = drafts.base() === undefined ? undefined : drafts.valid();
  const others = valid === undefined ? [] : sample(valid, { seed, numRuns });
  const usual = bodyKindOf(usualMediaType(operation)?.mediaType ?? "");
  return [...drafts.examples(), ...others]
    .filter(({ body }) => body === undefined || bodyKindOf(body.mediaType) === usual)
    .map(({ parameters, value }) => ({ parameters, body: value }));
}

/** Shows a request with a shortened body, and without headers, because they may contain secrets. */
export function shown({ method, target, body }: HttpRequest): string {
  return [method, target, abridged(body)].filter((each) => each !== "").join(" ");
}

function shownResponse({ status, headers, body }: HttpResponse): string {
  const mediaType = headerOf(headers, "content-type") ?? "";
  const isText = ["json", "text", "form"].includes(bodyKindOf(mediaType));
  const text = isText || body.byteLength === 0 ? abridged(body) : `(${body.byteLength} bytes)`;
  return [status, mediaType, text].filter((each) => each !== "").join(" ");
}

function abridged(body: Uint8Array): string {
  const text = Buffer.from(body).toString("utf8");
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
