/** Starts the real application on a real socket, and makes valid calls of its operations. */
import { pino } from "pino";
import type { Contract, SecurityRequirement } from "#specbind/contract";
import { listen } from "#specbind/server/node";
import { contract } from "../../generated/contract.ts";
import document from "../../generated/openapi.json" with { type: "json" };
import { writeBody } from "../../scripts/toolkit/conformance/bodies.ts";
import { type HttpResponse, inWords } from "../../scripts/toolkit/conformance/exchange.ts";
import { responseProblems } from "../../scripts/toolkit/conformance/exchange-check.ts";
import { modelOf, usualMediaType } from "../../scripts/toolkit/conformance/operation-model.ts";
import { writeRequest } from "../../scripts/toolkit/conformance/requests.ts";
import { sendRequest } from "../../scripts/toolkit/conformance/send.ts";
import { placesAt } from "../../scripts/toolkit/conformance/service-under-test.ts";
import { type Suite, suiteOf, type ValidCall } from "../../scripts/toolkit/conformance/suite.ts";
import { createApp } from "../app.ts";
import { type ErrorCode, errorCodeOf } from "../errors.ts";
import { createAuthenticators } from "../principal.ts";
import { rejectionResponse } from "../rejections.ts";
import { records } from "./records.ts";

const developmentKey = "development-key";
/** CONFORMANCE_SEED=2 makes other requests. */
export const seed = Number(process.env.CONFORMANCE_SEED ?? 1);

const model = modelOf(document);
export const { operations }: Contract = contract;
export const operationIds = Object.keys(operations) as (keyof typeof contract.operations)[];

export interface TestService extends AsyncDisposable {
  readonly url: string;
  readonly suite: Suite;
  /** A valid call for each operation, if one can be generated. */
  readonly calls: ReadonlyMap<string, ValidCall>;
  /** Returns the unchanged response, and how it violates the document. @param below a base path */
  call(
    operationId: string,
    call: ValidCall,
    below?: string,
  ): Promise<HttpResponse & { readonly problems: readonly string[] }>;
}

/** Stops the suite's requests to an operation that has no handler. */
export class NotWritten extends Error {}

/** @param key the key that the service accepts. Calls always send `developmentKey` */
export async function startService(key: string | undefined = developmentKey): Promise<TestService> {
  const maxContentBytes = 65_536;
  /** What the log says about failed requests, by their ids. */
  const failures = new Map<string, string>();
  const write = (line: string) => {
    const { level: _, request_id, ...reason } = JSON.parse(line);
    failures.set(request_id, JSON.stringify(reason));
  };
  const app = createApp({
    log: pino({ level: "error", base: null, timestamp: false }, { write }),
    authenticate: createAuthenticators(key),
    responsePolicy: "enforce",
    maxContentBytes,
    findScript: () => Promise.resolve(undefined),
  });
  const server = await listen(app, {
    host: "127.0.0.1",
    port: 0,
    reject: rejectionResponse,
    onMalformed: () => {},
  });
  const schemes = Object.values(operations).flatMap(({ security }) => security.flat());
  const roles = schemes.flatMap((requirement) => requirement.roles);
  const suite = suiteOf(
    {
      document,
      send: async (request) => {
        const response = await sendRequest(server.url, request);
        if (isNotImplemented(response)) throw new NotWritten();
        return response;
      },
      placesIn: (response) => placesAt(response, "/problems"),
      reasonOf: ({ headers }) =>
        failures.get(headers.find(([name]) => name.toLowerCase() === "x-request-id")?.[1] ?? ""),
      credentials: Object.fromEntries(
        schemes.map((requirement) => [
          requirement.scheme,
          {
            valid: [{ text: credentialFor(requirement), roles }],
            invalid: { unknown: credentialFor(requirement, "unknown-key") },
          },
        ]),
      ),
      maxContentBytes,
      ...records,
    },
    { seed, validRequests: 20, requestsEach: 2 },
  );
  const calls = [...suite.calls()].flatMap(([id, [first]]) => (first ? [[id, first] as const] : []));
  return {
    url: server.url,
    suite,
    calls: new Map(calls),
    async call(operationId, { parameters, body }, below = "") {
      const operation = model.operations.find(({ id }) => id === operationId);
      if (operation === undefined) throw new Error(`the document has no operation ${operationId}`);
      const usual = usualMediaType(operation);
      const request = writeRequest(operation, {
        parameters,
        body: usual === undefined || body === undefined ? undefined : writeBody(usual, body),
        credentials: (operation.security[0] ?? []).map((requirement) => ({
          requirement,
          text: credentialFor(requirement),
        })),
      });
      const response = await sendRequest(server.url + below, request);
      const problems = responseProblems(operation.responses, operation.method, response);
      return { ...response, problems: problems.map(inWords) };
    },
    async [Symbol.asyncDispose]() {
      await server.stop(1000);
    },
  };
}

function credentialFor({ credential }: SecurityRequirement, key = developmentKey): string {
  return credential === "basic" ? `developer:${key}` : key;
}

/** The header in which a client sends the credential. Undefined if it is sent elsewhere or not needed. */
export function credentialHeader(operationId: string): readonly [name: string, value: string] | undefined {
  const [requirement] = operations[operationId]?.security[0] ?? [];
  if (requirement === undefined) return undefined;
  const { credential = "bearer" } = requirement;
  const text = credentialFor(requirement);
  if (credential === "bearer") return ["Authorization", `Bearer ${text}`];
  if (credential === "basic") return ["Authorization", `Basic ${Buffer.from(text).toString("base64")}`];
  return typeof credential === "object" && credential.in === "header" ? [credential.name, text] : undefined;
}

export function isNotImplemented({ status, body }: Pick<HttpResponse, "status" | "body">): boolean {
  return status === 501 && rejectionIn(body) === "not_implemented";
}

/** The code of an error that is sent without a handler. Undefined for all other responses. */
export function rejectionIn(body: Uint8Array): ErrorCode | undefined {
  try {
    return errorCodeOf(JSON.parse(Buffer.from(body).toString("utf8")));
  } catch {
    return undefined;
  }
}
