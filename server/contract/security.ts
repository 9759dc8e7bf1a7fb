/** Holds a request to the security that the spec states for its operation. */
import type { OperationContract } from "../../generated/contract.ts";
import { Refusal } from "./refusal.ts";

/** Whom a credential stands for, and the roles that it has. */
export interface Authenticated<Principal> {
  readonly principal: Principal;
  readonly roles: readonly string[];
}

/** Looks a credential up. Undefined where it is mistyped, unknown or revoked. */
export type Authenticate<Principal> = (credential: string) => Promise<Authenticated<Principal> | undefined>;

/** RFC 6750, section 2.1; the scheme's name is case-insensitive (RFC 9110, section 11.1). */
const bearerCredential = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/**
 * The principal of the first alternative whose roles the credential has; undefined where the operation asks for none.
 *
 * @throws Refusal `credential_missing`, `credential_invalid` or `role_missing`
 */
export async function authorise<Principal>(
  authorization: string | undefined,
  security: OperationContract["security"],
  authenticate: { readonly [scheme: string]: Authenticate<Principal> },
): Promise<Principal | undefined> {
  if (security.length === 0) return undefined;
  if (authorization === undefined || authorization.trim() === "")
    throw new Refusal({ reason: "credential_missing" });
  const credential = bearerCredential.exec(authorization)?.[1];
  if (credential === undefined) throw new Refusal({ reason: "credential_invalid" });

  const known = new Map<string, Authenticated<Principal> | undefined>();
  for (const { scheme, roles } of security) {
    if (!known.has(scheme)) known.set(scheme, await authenticate[scheme]?.(credential));
    const found = known.get(scheme);
    if (found && roles.every((role) => found.roles.includes(role))) return found.principal;
  }
  if ([...known.values()].every((found) => found === undefined))
    throw new Refusal({ reason: "credential_invalid" });
  throw new Refusal({ reason: "role_missing", needed: security.flatMap(({ roles }) => roles) });
}
