/**
 * Who calls. How a credential is looked up is for the owner of this service to write: until then nobody is known, but for
 * whoever sends the development key.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { type Contract, contract } from "../generated/contract.ts";
import type { Authenticate, HandlerContext } from "./contract/pipeline.ts";

/** Whom a credential stands for, as handlers get to know it. */
export interface Principal {
  readonly id: string;
}

/** What every operation gets beside its request. */
export type CallContext = HandlerContext<Principal>;

/** By the names of the document's security schemes. */
export type Authenticators = { readonly [scheme: string]: Authenticate<Principal> };

const { operations }: Contract = contract;
const requirements = Object.values(operations).flatMap(({ security }) => security.flat());

/** Whether any operation asks for a credential. */
export const asksForCredentials = requirements.length > 0;

/**
 * One for each security scheme. A credential comes as it was sent: a token, a key, or `user:password`.
 *
 * @param developmentKey has all roles as a token, as a key, and as the password of any user; without it nothing has any
 */
export function createAuthenticators(developmentKey: string | undefined): Authenticators {
  const roles = [...new Set(requirements.flatMap((requirement) => requirement.roles))];
  return Object.fromEntries(
    requirements.map(({ scheme, sent }) => {
      const authenticate: Authenticate<Principal> = async (credential) => {
        const key = sent === "basic" ? credential.slice(credential.indexOf(":") + 1) : credential;
        if (developmentKey === undefined || !isSame(key, developmentKey)) return undefined;
        return { principal: { id: "developer" }, roles };
      };
      return [scheme, authenticate];
    }),
  );
}

/** In a time that tells nothing of the key. */
function isSame(credential: string, key: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(credential), digest(key));
}
