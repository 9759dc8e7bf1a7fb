/** Who calls: the API key's own identity, its tenant and its kind. */
import type { HandlerContext } from "./contract/bind.ts";
import type { Authenticate } from "./contract/security.ts";
import { hashOfApiKey } from "./domain/api-keys.ts";
import type { ApiKey, Store } from "./store/store.ts";

export type Principal = Pick<ApiKey, "id" | "tenant_id" | "kind">;

/** What every operation of this service gets beside its request. */
export type CallContext = HandlerContext<Principal>;

/** Looks API keys up. A key's kind is its one role, and every call looks again: a revocation takes effect at once. */
export function authenticateApiKey(store: Pick<Store, "apiKeys">): Authenticate<Principal> {
  return async (credential) => {
    const hash = hashOfApiKey(credential);
    const principal = hash && (await store.apiKeys.findActiveByHash(hash));
    return principal ? { principal, roles: [principal.kind] } : undefined;
  };
}
