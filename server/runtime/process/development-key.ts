/** Accepts one key for everything, until a new service can look up credentials. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { Contract } from "#specbind/contract";
import type { Authenticators } from "../contract/security.ts";

/**
 * Returns a function for each security scheme of the contract.
 * @param key is accepted as a token, as a key, and as any user's password, and has all roles. If it is undefined, no
 *   credential is accepted
 * @param own functions that get every other credential
 */
export function developmentAuthenticators<Principal>(
  { operations }: Pick<Contract, "operations">,
  key: string | undefined,
  principal: Principal,
  own: Authenticators<Principal> = {},
): Authenticators<Principal> {
  const requirements = Object.values(operations).flatMap(({ security }) => security.flat());
  const roles = [...new Set(requirements.flatMap((requirement) => requirement.roles))];
  return Object.fromEntries(
    requirements.map(({ scheme, credential: kind }) => [
      scheme,
      (credential, c) => {
        const sent = kind === "basic" ? credential.slice(credential.indexOf(":") + 1) : credential;
        if (key !== undefined && isSame(sent, key)) return { principal, roles };
        return Object.hasOwn(own, scheme) ? own[scheme]?.(credential, c) : undefined;
      },
    ]),
  );
}

/** Compares in constant time, so that timing reveals nothing about the key. */
function isSame(credential: string, key: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(credential), digest(key));
}
