/** Checks the credentials of a request (OpenAPI 3.1, Security Requirement Object). */
import type { OperationContract, SecurityRequirement } from "#specbind/contract";
import { type Awaitable, andThen } from "./awaitable.ts";
import { cookiePairs, rawPairs } from "./pairs.ts";
import { decodedIfValid, formDecoded } from "./percent-encoding.ts";
import { Rejection, type RequestView } from "./request.ts";

/** Returns undefined if the credential is mistyped, unknown, expired or revoked. */
export type Authenticate<Principal, C = unknown> = (
  /** For mutual TLS, the certificate in PEM format. `new X509Certificate(credential)` reads it. */
  credential: string,
  /** The context of the app that serves the contract. */
  c: C,
) => Awaitable<Authenticated<Principal> | undefined>;

interface Authenticated<Principal> {
  readonly principal: Principal;
  readonly roles: readonly string[];
  /** The only operations that the credential may call. Default: all operations that its roles allow. */
  readonly operations?: readonly string[] | null;
}

/** Keyed by the name of the security scheme. */
export type Authenticators<Principal, C = unknown> = {
  readonly [scheme: string]: Authenticate<Principal, C>;
};

/** The results of checking a credential. The greatest one is reported. */
const progress = { missing: 0, invalid: 1, forbidden: 2, satisfied: 3 } as const;

/**
 * Returns the principal of the first security alternative that the request satisfies, or undefined if none is
 * needed. An invalid credential is rejected even if none is needed.
 *
 * @throws Rejection `credential_missing`, `credential_invalid` or `role_missing`
 */
export function authoriser<Principal>(
  operationId: string,
  security: OperationContract["security"],
  authenticate: Authenticators<Principal, never>,
  certificateOf: (request: RequestView) => string | undefined = (request) => request.certificate?.(),
): (request: RequestView) => Awaitable<Principal | undefined> {
  if (security.length === 0) return () => undefined;
  const requirements = security.flat();
  const alternatives = security.filter((each) => each.length > 0);
  const needed = requirements.flatMap(({ roles }) => roles);
  const textOf = (request: RequestView, { credential }: SecurityRequirement) =>
    credential === "certificate" ? certificateOf(request) : credentialIn(request, credential);

  return (request) =>
    andThen(lookUp(request, requirements, textOf, authenticate, new Map()), (found) => {
      let furthest: number = progress.missing;
      for (const alternative of alternatives) {
        let reached: number = progress.satisfied;
        for (const each of alternative) reached = Math.min(reached, progressOf(operationId, each, found));
        if (reached === progress.satisfied) return found.get(alternative[0]?.scheme ?? "")?.principal;
        furthest = Math.max(furthest, reached);
      }
      if (furthest === progress.forbidden) throw new Rejection({ reason: "role_missing", needed });
      if (furthest === progress.invalid) throw new Rejection({ reason: "credential_invalid" });
      if (alternatives.length < security.length) return undefined;
      throw new Rejection({ reason: "credential_missing" });
    });
}

/** If a credential was not sent, `found` has no entry for it. If it is invalid, its entry is undefined. */
function lookUp<Principal>(
  request: RequestView,
  requirements: readonly SecurityRequirement[],
  textOf: (request: RequestView, requirement: SecurityRequirement) => string | undefined,
  authenticate: Authenticators<Principal, never>,
  found: Map<string, Authenticated<Principal> | undefined>,
): Awaitable<typeof found> {
  for (const requirement of requirements) {
    const { scheme } = requirement;
    const credential = found.has(scheme) ? undefined : textOf(request, requirement);
    if (credential === undefined) continue;
    const known = credential === "" ? undefined : authenticate[scheme]?.(credential, request.c as never);
    if (known instanceof Promise)
      return known.then((each) =>
        lookUp(request, requirements, textOf, authenticate, found.set(scheme, each)),
      );
    found.set(scheme, known);
  }
  return found;
}

function progressOf<Principal>(
  operationId: string,
  { scheme, roles }: SecurityRequirement,
  found: ReadonlyMap<string, Authenticated<Principal> | undefined>,
): number {
  const known = found.get(scheme);
  if (known === undefined) return found.has(scheme) ? progress.invalid : progress.missing;
  if (known.operations != null && !known.operations.includes(operationId)) return progress.forbidden;
  return roles.every((role) => known.roles.includes(role)) ? progress.satisfied : progress.forbidden;
}

/** RFC 6750, section 2.1. The scheme's name is case-insensitive (RFC 9110, section 11.1). */
const bearerCredential = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;
/** RFC 7617, section 2: base64 of the user name, a colon and the password. */
const basicCredential = /^basic +([A-Za-z0-9+/]+={0,2})$/i;

/** Returns undefined if there is no credential, and "" if it has the wrong form. */
function credentialIn(
  request: RequestView,
  credential: SecurityRequirement["credential"],
): string | undefined {
  if (credential === "unknown") return undefined;
  if (typeof credential === "object") return textIn(request, credential.in, credential.name) || undefined;
  const authorization = request.header("authorization");
  if (authorization === undefined || authorization.trim() === "") return undefined;
  // Bearer is the default, so the contract omits it.
  if (credential === undefined) return bearerCredential.exec(authorization)?.[1] ?? "";
  const encoded = basicCredential.exec(authorization)?.[1];
  return encoded === undefined ? "" : decodedBase64(encoded);
}

/** Returns "" if the text is not base64. */
function decodedBase64(text: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(text), (each) => each.charCodeAt(0)));
  } catch {
    return "";
  }
}

function textIn(
  request: RequestView,
  place: "header" | "query" | "cookie",
  name: string,
): string | undefined {
  if (place === "header") return request.header(name);
  const pairs = place === "query" ? rawPairs(request.query) : cookiePairs(request.header("cookie"));
  const text = pairs.find(([each]) => each === name)?.[1];
  return text && (place === "query" ? formDecoded(text) : decodedIfValid(text));
}
