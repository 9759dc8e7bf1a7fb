import { handlerMaker } from "./runtime/contract/handlers.ts";
import type { HandlerContext } from "./runtime/contract/pipeline.ts";
import type { ApiKey } from "./store/store.ts";

export type Principal = Pick<ApiKey, "id" | "tenant_id" | "kind">;

export type CallContext = HandlerContext<Principal>;

export const handler = handlerMaker<CallContext>();
