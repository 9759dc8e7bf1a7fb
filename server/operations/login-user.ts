/** Logs a user in and answers the keys of the new session. */
import type { Handler } from "../contract/handlers.ts";
import { type LoginDependencies, logIn, mobileAndPassword } from "../domain/login.ts";
import type { LoginLimits } from "../domain/login-limits.ts";
import { errorResponse } from "../errors.ts";
import type { CallContext } from "../principal.ts";

const flowProblem = {
  in: "body",
  pointer: "/user/auth_type",
  message: `must be ${mobileAndPassword}`,
} as const;

export function loginUser(
  dependencies: LoginDependencies & { loginLimits: LoginLimits },
): Handler<"loginUser", CallContext> {
  const { loginLimits } = dependencies;
  return async ({ body: { user } }, { principal: { tenant_id }, requestId, address }) => {
    const attempt = { tenant_id, user, address };
    const limited = await loginLimits.admit(attempt);
    if (limited !== undefined) {
      return errorResponse("too_many_attempts", requestId, {
        headers: { "Retry-After": limited.retryAfterSeconds },
      });
    }
    const outcome = await logIn(dependencies, tenant_id, user);
    if (!outcome.ok) {
      const isFlowNamed = outcome.reason === "auth_flow_unsupported" && user.auth_type !== undefined;
      return errorResponse(outcome.reason, requestId, isFlowNamed ? { problems: [flowProblem] } : {});
    }
    await loginLimits.succeeded(attempt);
    return { status: 200, body: { status: true, data: { user: outcome.user } } };
  };
}
