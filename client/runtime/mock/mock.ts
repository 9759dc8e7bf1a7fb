/**
 * Responds to every operation of a contract with the document's examples, chosen by the header `Prefer`.
 * Validates requests and examples as the server does.
 */
import { isDeepStrictEqual } from "node:util";
import { type Contract, type OperationContract, responseFor, type Validate } from "#specbind/contract";
import { bindContract, type Contracted } from "../../../server/runtime/contract/bind.ts";
import { type Binding, type HandlerContext, requestIdOf } from "../../../server/runtime/contract/pipeline.ts";
import { Rejection } from "../../../server/runtime/contract/request.ts";
import {
  type PlainResponse,
  type ResponseProblem,
  type ResponseViolation,
  responseWriter,
} from "../../../server/runtime/contract/response.ts";
import type { Authenticate } from "../../../server/runtime/contract/security.ts";
import { examplesOf, type OperationExamples, type ResponseExamples } from "./examples.ts";

interface Preference {
  readonly code?: number;
  readonly example?: string;
}

export interface MockDependencies extends Pick<Binding<string>, "contract" | "reject" | "onSettled"> {
  /** OpenAPI 3.1, with local references only. */
  readonly document: object;
  /** Used for every security scheme. Default: every credential is valid and has all roles. */
  readonly authenticate?: Authenticate<string> | undefined;
  /** Chooses the response to a request without `Prefer`. Keyed by operation. */
  readonly responses?: { readonly [operationId: string]: Preference };
  /** Makes headers and a body if a response has no valid example. `key` is the response's key in the document. */
  readonly generate?: (operationId: string, key: string) => Omit<PlainResponse, "status"> | undefined;
  readonly log: (line: string) => void;
}

interface MockRequest {
  readonly header: { readonly Prefer?: string };
  readonly body: unknown;
}

const maxContentBytes = 65_536;

const validatePrefer: Validate = (value, problems) =>
  (typeof value === "string" && parsePrefer(value) !== undefined) ||
  problems.push({
    pointer: "",
    message: "must be code=STATUS, example=NAME, or both, separated by a comma",
  }) === 0;

export function createMock(dependencies: MockDependencies): Contracted {
  const { contract, document, reject, responses = {}, log } = dependencies;
  const examples = examplesOf(document, contract.operations);
  const requirements = Object.values(contract.operations).flatMap(({ security }) => security.flat());
  const roles = requirements.flatMap((each) => each.roles);
  const { authenticate = (principal: string) => ({ principal, roles }) } = dependencies;
  const onViolation = ({ operationId = "", status, problems, isRejection }: ResponseViolation): void => {
    if (isRejection) {
      log(`the spec does not document the rejection ${status} of ${operationId}`);
      return;
    }
    const response = responseFor(examples.get(operationId)?.responses ?? {}, status);
    const violations = problems.map((problem) =>
      hasExample(response, problem)
        ? `the example of ${operationId} ${status} violates the spec: ${problem.pointer} ${problem.message}`
        : `${operationId} ${status} has no example of ${placeOf(problem)}, and no valid value of its schema was found`,
    );
    for (const violation of new Set(violations)) log(violation);
  };
  return bindContract<string>({
    ...dependencies,
    contract: mocked(contract),
    handlers: Object.fromEntries(
      Object.entries(contract.operations).map(([id, operation]) => [
        id,
        respondFrom({ ...dependencies, examples, onViolation }, id, operation, () => responses[id] ?? {}),
      ]),
    ),
    authenticate: Object.fromEntries(requirements.map(({ scheme }) => [scheme, authenticate])),
    fail: (error, requestId) => {
      log(error instanceof Error ? (error.stack ?? error.message) : String(error));
      return reject({ reason: "failed" }, requestId, {});
    },
    requestIdOf,
    onViolation,
    responsePolicy: "enforce",
    maxContentBytes,
  });
}

/** Adds the header `Prefer`. */
function mocked(contract: Contract): Contract {
  const operations = Object.entries(contract.operations).map(([id, operation]) => [
    id,
    {
      ...operation,
      security: securityOf(operation),
      parameters: [
        ...operation.parameters,
        { in: "header", name: "Prefer", required: false, type: "string", validate: validatePrefer },
      ],
    } satisfies OperationContract,
  ]);
  return { ...contract, operations: Object.fromEntries(operations) };
}

/**
 * A mock has no TLS, so each caller counts as one with a certificate. If a caller cannot send any of an operation's
 * credentials, the operation needs none.
 */
function securityOf({ security }: OperationContract): OperationContract["security"] {
  const sendable = security.map((each) => each.filter(({ credential }) => credential !== "certificate"));
  return sendable.some((each) => each.every(({ credential }) => credential !== "unknown")) ? sendable : [];
}

function respondFrom(
  source: Pick<MockDependencies, "generate"> & {
    readonly examples: ReadonlyMap<string, OperationExamples>;
    readonly onViolation: (violation: ResponseViolation) => void;
  },
  id: string,
  operation: OperationContract,
  preferred: () => Preference,
) {
  const examples = source.examples.get(id);
  if (examples === undefined) throw new Error(`operation ${id} is not in the document`);
  const { responses } = examples;
  const keys = Object.keys(responses);
  const success = keys.find((key) => key.startsWith("2")) ?? keys.find((key) => key === "default") ?? keys[0];
  const requestBodies = completed(examples, operation);
  const write = responseWriter(operation.responses, true);

  return async (request: MockRequest, { requestId }: HandlerContext<string>): Promise<PlainResponse> => {
    const { Prefer } = request.header;
    const preference = Prefer === undefined ? preferred() : (parsePrefer(Prefer) ?? {});

    const status = preference.code ?? statusOf(success);
    const response = responseFor(responses, status);
    if (response === undefined)
      throw unmet(`${id} does not document ${status}. Choose from ${keys.join(", ")}.`);
    const { key, headers, bodies } = response;
    if (preference.example !== undefined && !bodies.has(preference.example)) {
      const choice =
        bodies.size === 0 ? "It has no examples" : `Choose from ${[...bodies.keys()].join(", ")}`;
      throw unmet(`${id} ${status} has no example "${preference.example}". ${choice}.`);
    }
    const sameName = [...requestBodies].find(
      ([name, body]) => bodies.has(name) && isDeepStrictEqual(body, request.body),
    )?.[0];
    const name = preference.example ?? sameName ?? bodies.keys().next().value ?? "";
    const example = { status, headers, body: bodies.get(name) };
    const { problems } = write(example, requestId);
    const made = problems.length === 0 ? undefined : source.generate?.(id, key);
    if (made === undefined) return example;
    const violations = problems.filter((problem) => hasExample(response, problem));
    source.onViolation({ operationId: id, status, problems: violations });
    const isInvalid = (name: string) => problems.some(({ pointer }) => pointer === `/${name}`);
    const valid = Object.entries(headers).filter(([header]) => !isInvalid(header));
    const body = problems.some((each) => each.in === "body") ? made.body : example.body;
    return { status, headers: { ...made.headers, ...Object.fromEntries(valid) }, body };
  };
}

function unmet(message: string): Rejection {
  return new Rejection({ reason: "route_not_found", message: `Prefer: ${message}` });
}

function hasExample(
  response: ResponseExamples | undefined,
  { in: place, pointer }: ResponseProblem,
): boolean {
  return place === "header"
    ? response?.headers[pointer.slice(1)] !== undefined
    : response !== undefined && response.bodies.size > 0;
}

function placeOf({ in: place, pointer }: ResponseProblem): string {
  return place === "header" ? `the header ${pointer.slice(1)}` : "a body";
}

/** Returns the status for a response's key in the document, such as `200`, `4XX` or `default`. */
export function statusOf(key = "default"): number {
  return key === "default" ? 200 : Number(key.replace("XX", "00"));
}

/** Returns the examples of the request body, with the defaults that handlers receive. */
function completed(
  { requestBodies }: OperationExamples,
  { requestBody }: OperationContract,
): Map<string, unknown> {
  const [media] = Object.values(requestBody?.mediaTypes ?? {});
  const complete = media?.complete ?? ((value: unknown) => value);
  return new Map([...requestBodies].map(([name, value]) => [name, complete(structuredClone(value))]));
}

const preferenceForm = /^([^\s=]+)\s*=\s*(?:"([^"]*)"|([^\s"]*))$/;

/**
 * Reads `code=404`, `example=name`, or both separated by a comma. Ignores repetitions and other preferences
 * (RFC 7240, section 2).
 *
 * @returns undefined if the code is not a valid status, or one of the two preferences has no value
 */
export function parsePrefer(header: string): Preference | undefined {
  let preference: Preference = {};
  for (const part of header.split(/[,;]/)) {
    const [, name = part.trim(), quoted, plain] = preferenceForm.exec(part.trim()) ?? [];
    const value = quoted ?? plain ?? "";
    switch (name.toLowerCase()) {
      case "code":
        if (!/^[1-5]\d\d$/.test(value)) return undefined;
        preference = { code: Number(value), ...preference };
        break;
      case "example":
        if (value === "") return undefined;
        preference = { example: value, ...preference };
        break;
    }
  }
  return preference;
}
