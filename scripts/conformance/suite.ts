/**
 * Checks a running service with requests made from its document. It knows only the document and the `ServiceUnderTest`.
 * Tests and `npm run conform` use it.
 */
import fc from "fast-check";
import type { Json } from "../openapi/document.ts";
import type { Omission } from "./constraints.ts";
import type { SentRequest } from "./contract-check.ts";
import { OperationDrafts } from "./drafts.ts";
import { operationChecks, runs, type Violation } from "./operation-checks.ts";
import { modelOf } from "./operation-model.ts";
import type { SentParameters } from "./requests.ts";
import type { ServiceUnderTest, SuiteOptions } from "./service-under-test.ts";
import { wrongAddresses, wrongMethods } from "./unmatched-checks.ts";

export interface Finding {
  /** Undefined for requests that match no operation. */
  readonly operationId: string | undefined;
  readonly check: string;
  /** Method, target and body, shortened. */
  readonly request: string;
  readonly message: string;
}

export interface Check {
  readonly operationId: string | undefined;
  readonly name: string;
  run(): Promise<Finding[]>;
}

/** A valid call, for a client to make. */
export interface ValidCall {
  readonly parameters: SentParameters;
  /** Undefined if none is sent. */
  readonly content: Json | undefined;
}

export interface Suite {
  readonly checks: readonly Check[];
  /** By operation: every example, and `validRequests` other valid calls. */
  calls(): ReadonlyMap<string, readonly ValidCall[]>;
  /** Places for which no request is made. */
  omissions(): (Omission & { readonly operationId: string })[];
}

export const serviceChecks = {
  methods: "rejects a method that a path does not have",
  addresses: "rejects a path that is not documented",
} as const;

/** Runs nothing yet. */
export function suiteOf(service: ServiceUnderTest, options: SuiteOptions): Suite {
  const { operations } = modelOf(service.document, service.contract);
  const subjects = operations.map((operation) => {
    const drafts = new OperationDrafts(service, operation, options);
    return { service, operation, drafts, options };
  });
  const keys = Object.keys(operationChecks) as (keyof typeof operationChecks)[];
  return {
    checks: [
      ...subjects.flatMap((on) =>
        keys.map((key) => check(on.operation.id, operationChecks[key], () => runs[key](on))),
      ),
      check(undefined, serviceChecks.methods, () => wrongMethods(service)),
      check(undefined, serviceChecks.addresses, () => wrongAddresses(service)),
    ],
    // On demand, because values of large schemas take time.
    calls: () => new Map(subjects.map(({ operation, drafts }) => [operation.id, callsOf(drafts, options)])),
    omissions: () =>
      subjects.flatMap(({ operation, drafts }) =>
        drafts.omissions().map((each) => ({ ...each, operationId: operation.id })),
      ),
  };
}

function check(operationId: string | undefined, name: string, run: () => Promise<Violation[]>): Check {
  return {
    operationId,
    name,
    run: async () =>
      (await run()).map(({ request, message }) => ({
        operationId,
        check: name,
        request: shown(request),
        message,
      })),
  };
}

function callsOf(drafts: OperationDrafts, { seed, validRequests: numRuns }: SuiteOptions): ValidCall[] {
  const valid = drafts.base() === undefined ? undefined : drafts.valid();
  const others = valid === undefined ? [] : fc.sample(valid, { seed, numRuns });
  return [...drafts.examples(), ...others].map(({ parameters, content }) => ({
    parameters,
    content: content.byteLength === 0 ? undefined : JSON.parse(Buffer.from(content).toString("utf8")),
  }));
}

/** Shortens the body and leaves out headers, which may be secrets. */
export function shown({ method, target, content }: SentRequest): string {
  const text = Buffer.from(content).toString("utf8");
  const abridged = text.length > 300 ? `${text.slice(0, 300)}…` : text;
  return [method, target, abridged].filter((each) => each !== "").join(" ");
}
