/** Authenticates callers. Only the development key is accepted, until you write how credentials are looked up. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { Contract } from "#specbind/contract";
import type { Authenticate, HandlerContext } from "#specbind/server";
import { contract } from "../generated/contract.ts";
import { handlerMaker } from "../generated/server.ts";

export interface Principal {
  readonly id: string;
}

/** What every handler gets in addition to its request. */
export type CallContext = HandlerContext<Principal>;

/** Makes the handler of an operation. A property of a response that the spec does not declare is a compile error. */
export const handler = handlerMaker<CallContext>();

/** Keyed by the names of the document's security schemes. */
export type Authenticators = { readonly [scheme: string]: Authenticate<Principal> };

const { operations }: Contract = contract;
const requirements = Object.values(operations).flatMap(({ security }) => security.flat());

export const asksForCredentials = requirements.length > 0;

/**
 * Returns an authenticator for each security scheme. It gets the credential that was sent: a token, a key, or
 * `user:password`.
 * @param developmentKey is accepted as a token, as a key, and as any user's password, and has all roles. If it is
 *   undefined, no credential is accepted
 */
export function createAuthenticators(developmentKey: string | undefined): Authenticators {
  const roles = [...new Set(requirements.flatMap((requirement) => requirement.roles))];
  return Object.fromEntries(
    requirements.map(({ scheme, credential: kind }) => {
      const authenticate: Authenticate<Principal> = async (credential) => {
        const key = kind === "basic" ? credential.slice(credential.indexOf(":") + 1) : credential;
        if (developmentKey === undefined || !isSame(key, developmentKey)) return undefined;
        return { principal: { id: "developer" }, roles };
      };
      return [scheme, authenticate];
    }),
  );
}

/** Compares in constant time, so that timing reveals nothing about the key. */
function isSame(credential: string, key: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(credential), digest(key));
}
