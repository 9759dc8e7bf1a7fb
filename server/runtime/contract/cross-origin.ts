/**
 * Decides which operations pages of other origins may call (Fetch standard, "CORS protocol"). A page may call an
 * operation if the roles of the page's origin satisfy the operation's security. Cookies are never allowed, so a page
 * sends only credentials that its script sets.
 */
import {
  methodsOf,
  type OperationContract,
  type ResponseContract,
  type SecurityRequirement,
} from "#specbind/contract";
import type { RequestView } from "./request.ts";

export interface CrossOrigin {
  /** An origin that is listed twice may call the operations of both. */
  readonly pages: readonly {
    /** Origins in the form that browsers send, or `*` for every origin. */
    readonly origins: "*" | readonly string[];
    readonly roles: readonly string[];
  }[];
  /** Request headers that the application reads in addition to those of the contract. */
  readonly requestHeaders: readonly string[];
}

/** Browsers cache a preflight's response for at most two hours. */
const maxAgeSeconds = 7200;
/** Scripts may read these in any response (Fetch standard, "CORS-safelisted response-header name"). */
const readByAnyone = new Set([
  "cache-control",
  "content-language",
  "content-length",
  "content-type",
  "expires",
  "last-modified",
  "pragma",
]);

/** Returns the origins whose pages may call the operation, and `*` for every origin. */
function originsFor(operation: OperationContract, { pages }: CrossOrigin): readonly string[] {
  return pages.filter(({ roles }) => isOpenTo(roles, operation)).flatMap(({ origins }) => origins);
}

/** True if a page with the roles satisfies one alternative of the operation's security. */
function isOpenTo(roles: readonly string[], { security }: OperationContract): boolean {
  const isMet = ({ roles: needed, credential }: SecurityRequirement): boolean =>
    credential !== "unknown" &&
    credential !== "certificate" &&
    !(typeof credential === "object" && credential.in === "cookie") &&
    needed.every((role) => roles.includes(role));
  return security.length === 0 || security.some((alternative) => alternative.every(isMet));
}

/** Returns undefined if no page may call the operation. */
export function admitPages(
  operation: OperationContract,
  crossOrigin: CrossOrigin,
): ((headers: Record<string, string>, origin: string | undefined) => void) | undefined {
  const origins = originsFor(operation, crossOrigin);
  if (origins.length === 0) return undefined;
  const varies = !origins.includes("*");
  const responses: readonly ResponseContract[] = Object.values(operation.responses);
  const exposed = responses.flatMap(({ headers }) => headers.map(({ name }) => name));
  const exposedNames = [...new Set(exposed)]
    .filter((name) => !readByAnyone.has(name.toLowerCase()))
    .join(", ");
  return (headers, origin) => {
    if (varies) headers.Vary = headers.Vary ? `${headers.Vary}, Origin` : "Origin";
    const admitted = admittedOrigin(origins, origin);
    if (admitted === undefined) return;
    headers["Access-Control-Allow-Origin"] = admitted;
    if (exposedNames !== "") headers["Access-Control-Expose-Headers"] = exposedNames;
  };
}

/**
 * Returns undefined if no page may call an operation of the path. Otherwise, returns a function for the requests of
 * the path. For a permitted preflight, it returns the headers of the response, and for any other request undefined.
 */
export function preflightHeaders(
  operations: readonly OperationContract[],
  crossOrigin: CrossOrigin,
): ((request: Pick<RequestView, "method" | "header">) => Record<string, string> | undefined) | undefined {
  const open = operations
    .map((operation) => ({
      methods: methodsOf(operation),
      origins: originsFor(operation, crossOrigin),
      requestHeaders: [...new Set([...requestHeadersOf(operation), ...crossOrigin.requestHeaders])].join(
        ", ",
      ),
    }))
    .filter(({ origins }) => origins.length > 0);
  if (open.length === 0) return undefined;
  const varies = open.some(({ origins }) => !origins.includes("*"));
  return (request) => {
    if (request.method !== "OPTIONS") return undefined;
    const origin = request.header("origin");
    const own = open.filter(({ origins }) => admittedOrigin(origins, origin) !== undefined);
    const asked = own.find(({ methods }) =>
      methods.includes(request.header("access-control-request-method") ?? ""),
    );
    if (origin === undefined || asked === undefined) return undefined;
    return {
      "Access-Control-Allow-Origin": asked.origins.includes("*") ? "*" : origin,
      "Access-Control-Allow-Methods": own.flatMap(({ methods }) => methods).join(", "),
      "Access-Control-Allow-Headers": asked.requestHeaders,
      "Access-Control-Max-Age": String(maxAgeSeconds),
      ...(varies && { Vary: "Origin" }),
    };
  };
}

function requestHeadersOf({ security, parameters, requestBody }: OperationContract): string[] {
  const credentials = security.flat().flatMap(({ credential }) => {
    if (credential === undefined || credential === "basic") return ["Authorization"];
    return typeof credential === "object" && credential.in === "header" ? [credential.name] : [];
  });
  const own = parameters.filter((parameter) => parameter.in === "header").map(({ name }) => name);
  return [...credentials, ...(requestBody === undefined ? [] : ["Content-Type"]), ...own];
}

function admittedOrigin(origins: readonly string[], origin: string | undefined): string | undefined {
  if (origin === undefined) return undefined;
  if (origins.includes("*")) return "*";
  return origins.includes(origin) ? origin : undefined;
}
