/**
 * Responds to every operation of a contract with the document's examples, chosen by the header `Prefer`.
 * Validates requests and examples as the server does.
 */
import { isDeepStrictEqual } from "node:util";
import type { Contract, OperationContract, Validate } from "../../generated/contract.ts";
import { bindContract, type Contracted } from "../../server/contract/bind.ts";
import type { Binding } from "../../server/contract/pipeline.ts";
import type { PlainResponse } from "../../server/contract/response.ts";
import type { OperationExamples } from "./examples.ts";
import { authenticateKey } from "./keys.ts";
import { type Preference, parsePrefer } from "./prefer.ts";

export interface MockDependencies
  extends Pick<Binding<string>, "contract" | "reject" | "requestIdOf" | "onSettled"> {
  readonly examples: ReadonlyMap<string, OperationExamples>;
  /** The response if a request has no `Prefer`, by operation. */
  readonly responses?: { readonly [operationId: string]: Preference };
  /** The response if no example matches `Prefer`. */
  readonly rejectPreference: (message: string, requestId: string) => PlainResponse;
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
    message: "must be code=STATUS, example=NAME, or both with a comma between",
  }) === 0;

export function createMock(dependencies: MockDependencies): Contracted {
  const { contract, examples, responses = {}, reject, rejectPreference, log } = dependencies;
  const schemes = Object.values(contract.operations).flatMap(({ security }) => security);
  return bindContract<string>({
    ...dependencies,
    contract: withPrefer(contract),
    handlers: Object.fromEntries(
      Object.entries(contract.operations).map(([id, operation]) => [
        id,
        respondFrom(examples.get(id), id, operation, () => responses[id] ?? {}),
      ]),
    ),
    authenticate: Object.fromEntries(schemes.flat().map(({ scheme }) => [scheme, authenticateKey])),
    fail: (error, requestId) => {
      if (error instanceof UnmetPreference) return rejectPreference(error.message, requestId);
      log(error instanceof Error ? (error.stack ?? error.message) : String(error));
      return reject({ reason: "failed" }, requestId, {});
    },
    onViolation: ({ operationId, status, problems }) => {
      for (const { pointer, message } of problems)
        log(`the example of ${operationId} ${status} violates the spec: ${pointer} ${message}`);
    },
    responsePolicy: "enforce",
    rejectsBeyondContract: true,
    maxContentBytes,
  });
}

class UnmetPreference extends Error {}

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

function respondFrom(
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
      const choice = bodies.size === 0 ? "It has no body" : `Choose from ${[...bodies.keys()].join(", ")}`;
      throw new UnmetPreference(`Prefer: ${id} ${status} has no example ${preference.example}. ${choice}.`);
    }
    const sameName = [...contents].find(
      ([name, content]) => bodies.has(name) && isDeepStrictEqual(content, request.body),
    )?.[0];
    const name = preference.example ?? sameName ?? bodies.keys().next().value ?? "";
    return { status, headers, body: bodies.get(name) };
  };
}

/** The examples of the request body with their defaults, as handlers receive them. */
function completed({ contents }: OperationExamples, { content }: OperationContract): Map<string, unknown> {
  const [media] = Object.values(content?.mediaTypes ?? {});
  const complete = media?.complete ?? ((value: unknown) => value);
  return new Map([...contents].map(([name, value]) => [name, complete(structuredClone(value))]));
}
