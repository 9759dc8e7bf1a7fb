/** Logs a user in and answers the keys of the new session. */
import type { Handler } from "../contract/handlers.ts";
import type { BoundedWork } from "../domain/bounded-work.ts";
import { type LoginDependencies, logIn, mobileAndPassword } from "../domain/login.ts";
import { type Admission, holdersOf, type LoginLimits } from "../domain/login-limits.ts";
import { errorResponse } from "../errors.ts";
import type { CallContext } from "../principal.ts";

const flowProblem = {
  in: "body",
  pointer: "/user/auth_type",
  message: `must be ${mobileAndPassword}`,
} as const;

/** Seconds after which a caller may try again who found no place. */
const retryAfterSeconds = 1;

export type LoginUserDependencies = LoginDependencies & {
  loginLimits: LoginLimits;
  passwordWork: BoundedWork;
};

export function loginUser(dependencies: LoginUserDependencies): Handler<"loginUser", CallContext> {
  const { loginLimits, passwordWork } = dependencies;
  return async ({ body: { user } }, context) => {
    const { requestId, signal, address } = context;
    const { tenant_id } = context.principal;
    const unavailable = () =>
      errorResponse("unavailable", requestId, { headers: { "Retry-After": retryAfterSeconds } });

    const { type, dial_code, mobile, uuid } = user;
    const name = { tenant_id, type, dial_code, mobile };
    const leave = passwordWork.enter(holdersOf({ name, address }));
    if (leave === undefined) return unavailable();
    try {
      const admission = await loginLimits.admit({ name, uuid, address });
      if (!admission.admitted) return tooManyAttempts(requestId, admission);
      const outcome = await logIn(dependencies, tenant_id, user, signal).catch(async (error: unknown) => {
        if (error !== signal.reason) throw error;
        await admission.takeBack();
        return undefined;
      });
      // The caller went away while waiting: nobody reads the answer.
      if (outcome === undefined) return unavailable();
      if (outcome.ok) {
        await admission.succeeded();
        return { status: 200, body: { status: true, data: { user: outcome.user } } };
      }
      switch (outcome.reason) {
        case "too_many_attempts":
          return tooManyAttempts(requestId, outcome.admission);
        case "auth_flow_unsupported":
          await admission.takeBack();
          return errorResponse(
            "auth_flow_unsupported",
            requestId,
            user.auth_type === undefined ? {} : { problems: [flowProblem] },
          );
        case "totp_required":
          // The password held and no code was guessed: not a failure of the account or its address.
          await admission.takeBack();
          return errorResponse("totp_required", requestId);
        default:
          return errorResponse(outcome.reason, requestId, { headers: rateLimitHeaders(admission) });
      }
    } finally {
      leave();
    }
  };
}

function tooManyAttempts(requestId: string, admission: Admission) {
  return errorResponse("too_many_attempts", requestId, {
    headers: { ...rateLimitHeaders(admission), "Retry-After": admission.retryAfterSeconds },
  });
}

/** draft-ietf-httpapi-ratelimit-headers-11: lists of structured fields (RFC 9651), an item for each limit. */
function rateLimitHeaders({ standings }: Admission): { RateLimit: string; "RateLimit-Policy": string } {
  const list = (item: (standing: Admission["standings"][number]) => string) =>
    standings.map((standing) => `"${standing.policy}";${item(standing)}`).join(", ");
  return {
    RateLimit: list(({ remaining, resetSeconds }) => `r=${remaining};t=${resetSeconds}`),
    "RateLimit-Policy": list(({ quota, windowSeconds }) => `q=${quota};w=${windowSeconds}`),
  };
}
