/** Who calls: the API key's identity, its tenant and its kind, which is its one role. */
import type { HandlerContext } from "./contract/pipeline.ts";
import type { ApiKey } from "./store/store.ts";

export type Principal = Pick<ApiKey, "id" | "tenant_id" | "kind">;

/** What every operation of this service gets next to its request. */
export type CallContext = HandlerContext<Principal>;
