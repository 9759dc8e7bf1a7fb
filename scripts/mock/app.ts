/**
 * Answers every operation of a contract from the spec's examples. Requests are held to the contract as the server holds
 * them, and so are the examples; which of them is answered the caller may say by `Prefer`.
 */
import { isDeepStrictEqual } from "node:util";
import { Hono } from "hono";
import type { Contract, OperationContract, Validate } from "../../generated/contract.ts";
import { bindContract } from "../../server/contract/bind.ts";
import type { PlainResponse } from "../../server/contract/check-response.ts";
import { type ContractEnv, serveContract } from "../../server/contract/hono.ts";
import { errorResponse } from "../../server/errors.ts";
import { refusalResponse } from "../../server/refusals.ts";
import { requestIdOf } from "../../server/request-id.ts";
import type { OperationExamples } from "./examples.ts";
import { authenticateKey } from "./keys.ts";
import { type Preference, parsePrefer } from "./prefer.ts";

export interface MockDependencies {
  readonly contract: Contract;
  /** Those of the document that the contract was generated from, by operation. */
  readonly examples: ReadonlyMap<string, OperationExamples>;
  /** What to answer where a request says nothing of it, by operation. */
  readonly answers?: { readonly [operationId: string]: Preference };
  /** Takes a line for each request, and for each fault. */
  readonly log: (line: string) => void;
}

/** As much of a request as a mock looks at. */
interface MockRequest {
  readonly header: { readonly Prefer?: string };
  readonly body: unknown;
}

const maxContentBytes = 65_536;

const validatePrefer: Validate = (value, problems) =>
  (typeof value === "string" && parsePrefer(value) !== undefined) ||
  problems.push({
    pointer: "",
    message: "must be code=STATUS, example=NAME, or both with a comma between",
  }) === 0;

export function createMock({ contract, examples, answers = {}, log }: MockDependencies): Hono<ContractEnv> {
  const app = new Hono<ContractEnv>();
  const schemes = Object.values(contract.operations).flatMap(({ security }) => security);
  const contracted = bindContract<string>({
    contract: withPrefer(contract),
    handlers: Object.fromEntries(
      Object.entries(contract.operations).map(([id, operation]) => [
        id,
        answerFrom(examples.get(id), id, operation, () => answers[id] ?? {}),
      ]),
    ),
    authenticate: Object.fromEntries(schemes.flat().map(({ scheme }) => [scheme, authenticateKey])),
    refuse: refusalResponse,
    fail: (error, requestId) => {
      if (error instanceof UnmetPreference)
        return errorResponse("route_not_found", requestId, { message: error.message });
      log(error instanceof Error ? (error.stack ?? error.message) : String(error));
      return errorResponse("internal_error", requestId);
    },
    requestIdOf: (request) => requestIdOf(request.header("x-request-id"), request.header("authorization")),
    onSettled: ({ request, answer }) => log(`${request?.method} ${request?.path} ${answer.status}`),
    onViolation: ({ operationId, status, problems }) => {
      for (const { pointer, message } of problems)
        log(`the example of ${operationId} ${status} breaks the spec: ${pointer} ${message}`);
    },
    responsePolicy: "enforce",
    refusesBeyondContract: true,
    maxContentBytes,
  });
  serveContract(app, contracted);
  return app;
}

/** The spec has no such answer; the message lists those that it has. */
class UnmetPreference extends Error {}

/** A mock's own contract: each operation takes `Prefer` as well. */
function withPrefer(contract: Contract): Contract {
  const operations = Object.entries(contract.operations).map(([id, operation]) => [
    id,
    {
      ...operation,
      parameters: [
        ...operation.parameters,
        { in: "header", name: "Prefer", required: false, type: "string", validate: validatePrefer },
      ],
    } satisfies OperationContract,
  ]);
  return { ...contract, operations: Object.fromEntries(operations) };
}

function answerFrom(
  examples: OperationExamples | undefined,
  id: string,
  operation: OperationContract,
  preferred: () => Preference,
) {
  if (examples === undefined) throw new Error(`operation ${id} is not in the document`);
  const statuses = [...examples.responses.keys()];
  const success = statuses.find((status) => status >= 200 && status < 300) ?? statuses[0];
  const contents = completed(examples, operation);

  return async (request: MockRequest): Promise<PlainResponse> => {
    const { Prefer } = request.header;
    const preference = Prefer === undefined ? preferred() : (parsePrefer(Prefer) ?? {});

    const status = preference.code ?? success ?? 200;
    const response = examples.responses.get(status);
    if (response === undefined)
      throw new UnmetPreference(`Prefer: ${id} documents no ${status}. Choose from ${statuses.join(", ")}.`);
    const { headers, bodies } = response;
    if (preference.example !== undefined && !bodies.has(preference.example)) {
      const choice = bodies.size === 0 ? "It has no content" : `Choose from ${[...bodies.keys()].join(", ")}`;
      throw new UnmetPreference(`Prefer: ${id} ${status} has no example ${preference.example}. ${choice}.`);
    }
    const sameName = [...contents].find(
      ([name, content]) => bodies.has(name) && isDeepStrictEqual(content, request.body),
    )?.[0];
    const name = preference.example ?? sameName ?? bodies.keys().next().value ?? "";
    return { status, headers, body: bodies.get(name) };
  };
}

/** The examples of the content as handlers receive it, defaults filled in. */
function completed({ contents }: OperationExamples, { content }: OperationContract): Map<string, unknown> {
  const [media] = Object.values(content?.mediaTypes ?? {});
  const complete = media?.complete ?? ((value: unknown) => value);
  return new Map([...contents].map(([name, value]) => [name, complete(structuredClone(value))]));
}
