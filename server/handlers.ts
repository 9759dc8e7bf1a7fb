/** The handler of every operation in the spec. */
import type { Handlers } from "../generated/server.ts";
import { getWebhook } from "./operations/get-webhook.ts";
import { type LoginUserDependencies, loginUser } from "./operations/login-user.ts";
import {
  checkSubmission,
  type SubmitCommissionDependencies,
  submitCommission,
} from "./operations/submit-commission.ts";
import type { CallContext } from "./principal.ts";
import type { Store } from "./store/store.ts";

export type HandlerDependencies = LoginUserDependencies & SubmitCommissionDependencies & { store: Store };

export function createHandlers(dependencies: HandlerDependencies) {
  return {
    submitCommission: submitCommission(dependencies),
    loginUser: loginUser(dependencies),
    getWebhook: getWebhook(dependencies),
  } satisfies Handlers<CallContext>;
}

export const checks = { submitCommission: checkSubmission };
