import type { HandlerContext } from "#specbind/server";
import { handlerMaker } from "../generated/server.ts";
import type { ApiKey } from "./store/store.ts";

export type Principal = Pick<ApiKey, "id" | "tenant_id" | "kind">;

export type CallContext = HandlerContext<Principal>;

export const handler = handlerMaker<CallContext>();
