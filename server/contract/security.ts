/** Holds a request to the security that the spec states for its operation. */
import type { OperationContract, SecurityRequirement } from "../../generated/contract.ts";
import { type Awaitable, andThen, firstOf, inOrder } from "./awaitable.ts";
import { cookiePairs } from "./parameters.ts";
import { Refusal } from "./refusal.ts";
import type { RequestView } from "./request-view.ts";
import { formDecoded, percentDecoded, rawPairs } from "./styles.ts";

/** The caller that a credential stands for, and the roles that it has. */
export interface Authenticated<Principal> {
  readonly principal: Principal;
  readonly roles: readonly string[];
}

/** Looks a credential up. Undefined where it is mistyped, unknown or revoked. */
export type Authenticate<Principal> = (credential: string) => Awaitable<Authenticated<Principal> | undefined>;

type Credentials = Pick<RequestView, "header" | "query">;

/** RFC 6750, section 2.1; the scheme's name is case-insensitive (RFC 9110, section 11.1). */
const bearerCredential = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;
/** RFC 7617, section 2: base64 of the user's name, a colon and the password. */
const basicCredential = /^basic +([A-Za-z0-9+/]+={0,2})$/i;

/** In an alternative the first of these decides; over all alternatives the last. `forbidden` lacks a role. */
const failures = ["missing", "invalid", "forbidden"] as const;

/** How far a credential got. */
type Judged<Principal> =
  | { readonly verdict: (typeof failures)[number] }
  | { readonly verdict: "holds"; readonly principal: Principal };

/**
 * Returns the principal of the first security alternative that a request satisfies, or undefined if it needs none and sent
 * none.
 *
 * @throws Refusal `credential_missing`, `credential_invalid` or `role_missing`
 */
export function authoriser<Principal>(
  security: OperationContract["security"],
  authenticate: { readonly [scheme: string]: Authenticate<Principal> },
): (request: Credentials) => Awaitable<Principal | undefined> {
  if (security.length === 0) return () => undefined;
  const isOptional = security.some((alternative) => alternative.length === 0);
  const needed = security.flatMap((alternative) => alternative.flatMap(({ roles }) => roles));

  return (request) => {
    /** By scheme: each credential is looked up once. */
    const known = new Map<string, Authenticated<Principal> | undefined>();
    let worst = 0;

    const judgeOne = (requirement: SecurityRequirement): Awaitable<Judged<Principal>> => {
      const { scheme } = requirement;
      const credential = credentialIn(request, requirement);
      if (credential === undefined) return { verdict: "missing" };
      if (known.has(scheme)) return judged(requirement, known.get(scheme));
      return andThen(credential === "" ? undefined : authenticate[scheme]?.(credential), (found) => {
        known.set(scheme, found);
        return judged(requirement, found);
      });
    };
    const judgeAlternative = (alternative: readonly SecurityRequirement[]) =>
      andThen(inOrder(alternative, judgeOne), (each) => {
        const failure = failures.findIndex((failed) => hasFailed(each, failed));
        worst = Math.max(worst, failure);
        return failure === -1 ? each[0] : undefined;
      });

    return andThen(firstOf(security, judgeAlternative), (first) => {
      if (first?.verdict === "holds") return first.principal;
      if (failures[worst] === "forbidden") throw new Refusal({ reason: "role_missing", needed });
      if (failures[worst] === "invalid") throw new Refusal({ reason: "credential_invalid" });
      if (isOptional) return undefined;
      throw new Refusal({ reason: "credential_missing" });
    });
  };
}

function judged<Principal>(
  { roles }: SecurityRequirement,
  found: Authenticated<Principal> | undefined,
): Judged<Principal> {
  if (found === undefined) return { verdict: "invalid" };
  if (!roles.every((role) => found.roles.includes(role))) return { verdict: "forbidden" };
  return { verdict: "holds", principal: found.principal };
}

/** Undefined where none was sent, empty where what was sent cannot be one. */
function credentialIn(request: Credentials, { sent }: SecurityRequirement): string | undefined {
  if (sent === "unknown") return undefined;
  if (typeof sent === "object") return textIn(request, sent.in, sent.name) || undefined;
  const authorization = request.header("authorization");
  if (authorization === undefined || authorization.trim() === "") return undefined;
  if (sent === undefined) return bearerCredential.exec(authorization)?.[1] ?? "";
  const encoded = basicCredential.exec(authorization)?.[1];
  return encoded === undefined ? "" : Buffer.from(encoded, "base64").toString("utf8");
}

function textIn(
  request: Credentials,
  place: "header" | "query" | "cookie",
  name: string,
): string | undefined {
  if (place === "header") return request.header(name);
  const pairs = place === "query" ? rawPairs(request.query) : cookiePairs(request.header("cookie"));
  const text = pairs.find(([each]) => each === name)?.[1];
  return text && (place === "query" ? formDecoded(text) : percentDecoded(text));
}

function hasFailed<Principal>(
  all: readonly Judged<Principal>[],
  failure: (typeof failures)[number],
): boolean {
  return all.some(({ verdict }) => verdict === failure);
}
