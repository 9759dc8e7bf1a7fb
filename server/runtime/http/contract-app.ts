/** A contract as a Hono app. Everything except the contract and its handlers has a default. */
import { type Context, type Env, Hono } from "hono";
import type { HTTPException } from "hono/http-exception";
import type { Awaitable } from "../contract/awaitable.ts";
import { bindContract, type Contracted, type Resources } from "../contract/bind.ts";
import { readJson } from "../contract/json.ts";
import { type AnyHandlers, type Binding, type HandlerContext, requestIdOf } from "../contract/pipeline.ts";
import type { RequestView } from "../contract/request.ts";
import type { PlainResponse } from "../contract/response.ts";
import { hider } from "../contract/secrets.ts";
import type { Authenticators } from "../contract/security.ts";
import { isJson } from "../shared/media-type.ts";
import { type ErrorEnvelope, errorOfStatus, errorResponses, problemDetails } from "./error-responses.ts";
import { type ContractEnv, mountedRoutes, serveContract } from "./hono.ts";

/** What a handler gets in addition to its request. */
export interface AppContext<Principal, AppEnv extends Env = Env> extends HandlerContext<Principal> {
  /** Hono's context. `c.var` has what middleware has set. */
  readonly c: Context<AppEnv>;
}

export interface ContractAppOptions<Principal, AppEnv extends Env = Env>
  extends Pick<Binding<Principal>, "contract">,
    Partial<Omit<Binding<Principal>, "contract" | "handlers" | "authenticate" | "responseTo">> {
  readonly handlers: AnyHandlers<Principal, Context<AppEnv>>;
  /** Keyed by the name of the security scheme. `c.var` has what middleware has found about the caller. */
  readonly authenticate?: Authenticators<Principal, Context<AppEnv>>;
  /** Makes the responses for all errors that no handler returns. Default: problem details (RFC 9457). */
  readonly errorEnvelope?: ErrorEnvelope;
  /** Logs an error that a handler threw, but never the request's secrets. `fail` replaces it. Default: `console.error`. */
  readonly onError?: (
    error: unknown,
    requestId: string,
    secrets: readonly string[],
    c: Context<AppEnv>,
  ) => void;
  /** The operations are also served below this path, if the app is not mounted. See `basePathOf`. */
  readonly basePath?: string;
  /** Is called for every request, such as `request` of a tracing. It calls `next` once. */
  readonly around?:
    | ((method: string, header: RequestView["header"], next: () => Promise<void>) => Promise<void>)
    | undefined;
  /** Additional paths for GET. If an operation has the same path, the operation is served. */
  readonly resources?: Resources;
}

/**
 * Serves a contract alone, or next to the routes of another app: `app.route("/v1", contractApp({ … }))`.
 * @throws Error if an operation has no handler, or a security scheme no authenticator
 */
export function contractApp<Principal, AppEnv extends Env = Env>({
  basePath = "",
  around,
  resources = {},
  ...options
}: ContractAppOptions<Principal, AppEnv>): Hono<ContractEnv> {
  const { operations } = options.contract;
  const taken = new Set(Object.values(operations).map(({ path }) => path));
  const own = bindContract(
    bindingOf(options),
    Object.fromEntries(Object.entries(resources).filter(([path]) => !taken.has(path))),
  );
  const based = own.paths
    .filter(({ template }) => basePath !== "" && taken.has(template))
    .map((path) => ({ ...path, template: basePath + path.template }));
  return appOf({ ...own, paths: [...based, ...own.paths] }, own, around);
}

/** @param mounted what the app serves if it is mounted in another app */
export function appOf(
  contracted: Contracted,
  mounted: Contracted,
  around: ContractAppOptions<never>["around"],
): Hono<ContractEnv> {
  const app = new Hono<ContractEnv>();
  if (around !== undefined) app.use((c, next) => around(c.req.method, (name) => c.req.header(name), next));
  const middleware = [...app.routes];
  serveContract(app, contracted);
  // The app uses its router. `route()` of another app reads this list.
  app.routes = [...middleware, ...mountedRoutes(mounted)];
  return app;
}

export function bindingOf<Principal, AppEnv extends Env>({
  errorEnvelope = problemDetails,
  onError = logError,
  ...options
}: ContractAppOptions<Principal, AppEnv>): Binding<Principal> {
  const reject = errorResponses(options.contract, errorEnvelope);
  return {
    authenticate: {},
    requestIdOf: (request) => hostsRequestId(request) ?? requestIdOf(request),
    addressOf: ({ peer }) => peer,
    reject,
    onViolation: (violation, requestId) =>
      console.error("a response violates the spec", JSON.stringify({ requestId, ...violation })),
    responsePolicy: "enforce",
    maxContentBytes: 65_536,
    fail(error, requestId, secrets, { c }) {
      onError(error, requestId, secrets, c as Context<AppEnv>);
      return reject({ reason: "failed" }, requestId, {});
    },
    ...options,
    responseTo: (error, requestId) =>
      isHttpException(error) ? responseOf(error, requestId, errorEnvelope) : undefined,
  };
}

/** The middleware `hono/request-id` sets the variable. */
function hostsRequestId({ c }: RequestView): string | undefined {
  const id: unknown = (c as Context | undefined)?.get("requestId");
  return typeof id === "string" && id !== "" ? id : undefined;
}

/** An app may have several copies of Hono, so this does not compare the class. */
function isHttpException(error: unknown): error is HTTPException {
  return error instanceof Error && "getResponse" in error && "status" in error;
}

function responseOf(
  { status, message, res }: HTTPException,
  requestId: string,
  envelope: ErrorEnvelope,
): Awaitable<PlainResponse> {
  if (res === undefined) return envelope(errorOfStatus(status, message, requestId));
  const { "content-length": _, ...headers } = Object.fromEntries(res.headers);
  return res.text().then((text) => {
    if (text === "") return { status, headers };
    const read = isJson(headers["content-type"] ?? "") ? readJson(text) : {};
    return { status, headers, body: "value" in read ? read.value : text };
  });
}

function logError(error: unknown, requestId: string, secrets: readonly string[]): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  console.error(`the request ${requestId} failed:`, hider(secrets)(text));
}
