/** A contract as a Hono app. Everything except the contract and its handlers has a default. */
import { Hono } from "hono";
import { bindContract, type Resources } from "../contract/bind.ts";
import { type ErrorEnvelope, errorResponses } from "../contract/error-responses.ts";
import { type Binding, requestIdOf } from "../contract/pipeline.ts";
import type { RequestView } from "../contract/request.ts";
import { hider } from "../contract/secrets.ts";
import { type ContractEnv, serveContract } from "./hono.ts";

export interface ContractAppOptions<Principal>
  extends Pick<Binding<Principal>, "contract" | "handlers">,
    Partial<Omit<Binding<Principal>, "contract" | "handlers" | "fail">> {
  /** Makes the responses for all errors that no handler returns. Default: problem details (RFC 9457). */
  readonly errorEnvelope?: ErrorEnvelope;
  /** Logs an error that a handler threw, but never the request's secrets. Default: `console.error`. */
  readonly onError?: (error: unknown, requestId: string, secrets: readonly string[]) => void;
  /** The operations are also served below this path. See `basePathOf`. */
  readonly basePath?: string;
  /** Is called for every request, such as `request` of a tracing. It calls `next` once. */
  readonly around?:
    | ((method: string, header: RequestView["header"], next: () => Promise<void>) => Promise<void>)
    | undefined;
  /** Additional paths for GET. If an operation has the same path, the operation is served. */
  readonly resources?: Resources;
}

/** @throws Error if an operation has no handler, or a security scheme no authenticator */
export function contractApp<Principal>({
  errorEnvelope,
  onError = logError,
  basePath = "",
  around,
  resources = {},
  ...options
}: ContractAppOptions<Principal>): Hono<ContractEnv> {
  const { contract } = options;
  const reject = errorResponses(contract, errorEnvelope);
  const binding: Binding<Principal> = {
    authenticate: {},
    requestIdOf,
    addressOf: ({ peer }) => peer,
    reject,
    fail(error, requestId, secrets) {
      onError(error, requestId, secrets);
      return reject({ reason: "failed" }, requestId);
    },
    onViolation: (violation, requestId) =>
      console.error("a response violates the spec", JSON.stringify({ requestId, ...violation })),
    responsePolicy: "enforce",
    maxContentBytes: 65_536,
    ...options,
  };
  const taken = new Set(Object.values(contract.operations).map(({ path }) => path));
  const own = bindContract(
    binding,
    Object.fromEntries(Object.entries(resources).filter(([path]) => !taken.has(path))),
  );
  const based = own.paths
    .filter(({ template }) => basePath !== "" && taken.has(template))
    .map((path) => ({ ...path, template: basePath + path.template }));
  const app = new Hono<ContractEnv>();
  if (around !== undefined) app.use((c, next) => around(c.req.method, (name) => c.req.header(name), next));
  serveContract(app, { ...own, paths: [...based, ...own.paths] });
  return app;
}

function logError(error: unknown, requestId: string, secrets: readonly string[]): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  console.error(`the request ${requestId} failed:`, hider(secrets)(text));
}
