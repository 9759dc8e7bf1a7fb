/** Who calls: the API key's own identity, its tenant and its kind. */
import { andThen } from "./contract/awaitable.ts";
import type { HandlerContext } from "./contract/exchange.ts";
import type { Authenticate } from "./contract/security.ts";
import { hashOfApiKey } from "./domain/api-keys.ts";
import type { ApiKey, Store } from "./store/store.ts";

export type Principal = Pick<ApiKey, "id" | "tenant_id" | "kind">;

/** What every operation of this service gets beside its request. */
export type CallContext = HandlerContext<Principal>;

/** Looks API keys up. A key's kind is its one role, and every call looks again: a revocation takes effect at once. */
export function authenticateApiKey(store: Pick<Store, "apiKeys">): Authenticate<Principal> {
  return (credential) => {
    const hash = hashOfApiKey(credential);
    if (hash === undefined) return undefined;
    return andThen(
      store.apiKeys.findActiveByHash(hash),
      (principal) => principal && { principal, roles: [principal.kind] },
    );
  };
}
