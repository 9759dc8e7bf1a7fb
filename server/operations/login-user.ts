import { isIP } from "node:net";
import { type LoginDependencies, type LoginResult, logIn, mobileAndPassword } from "../domain/login.ts";
import type { Admission } from "../domain/login-limits.ts";
import { errorResponse, invalidRequest } from "../errors.ts";
import { handler } from "../principal.ts";

const flowProblem = {
  in: "body",
  pointer: "/user/auth_type",
  message: `must be ${mobileAndPassword}`,
} as const;

const endUserAddress = "X-End-User-Address";
/** A publishable key is public, so an attacker with it could send another address with each guess. */
const addressProblem = {
  in: "header",
  pointer: `/${endUserAddress}`,
  message: "is only allowed with a secret key",
} as const;
/** The pattern in the spec also accepts texts with too many groups, because it cannot count the groups on both sides of `::`. */
const groupsProblem = {
  ...addressProblem,
  message: "must be an IPv4 or IPv6 address without a port",
} as const;

/** The value of `Retry-After` if the queue of logins is full. */
const retryAfterSeconds = 1;

export type LoginUserDependencies = LoginDependencies & {
  /** Called after each attempt to log in. The audit log needs it. */
  onLogin?: ((login: LoginEvent) => void) | undefined;
};

/** Do not show this to the caller: after a failed login, it reveals whether the user exists. */
export type LoginEvent = {
  request_id: string;
  tenant_id: string;
  key_id: string;
  user_id: string | undefined;
  result: "done" | "failed" | Extract<LoginResult, { ok: false }>["reason"];
  address: string | undefined;
};

export function loginUser(dependencies: LoginUserDependencies) {
  return handler("loginUser", async ({ header, body: { user } }, context) => {
    const { principal, requestId, address: peer, signal } = context;
    const endUser = header[endUserAddress];
    if (endUser !== undefined && principal.kind !== "secret") {
      return invalidRequest(requestId, [addressProblem]);
    }
    if (endUser !== undefined && isIP(endUser) === 0) return invalidRequest(requestId, [groupsProblem]);
    const address = endUser ?? peer;
    const { tenant_id, id: key_id } = principal;
    let user_id: string | undefined;
    const report = (result: LoginEvent["result"]) =>
      dependencies.onLogin?.({ request_id: requestId, tenant_id, key_id, user_id, result, address });
    const onUser = (id: string) => {
      user_id = id;
    };
    const caller = { address, signal, onUser };
    const outcome = await logIn(dependencies, tenant_id, user, caller).catch((error: unknown) => {
      report("failed");
      throw error;
    });
    report(outcome.ok ? "done" : outcome.reason);
    if (outcome.ok) return { status: 200, body: { status: true, data: { user: outcome.user } } };
    switch (outcome.reason) {
      case "busy":
        return errorResponse("unavailable", requestId, { headers: { "Retry-After": retryAfterSeconds } });
      case "too_many_attempts":
        return errorResponse("too_many_attempts", requestId, {
          headers: {
            ...rateLimitHeaders(outcome.admission),
            "Retry-After": outcome.admission.retryAfterSeconds,
          },
        });
      case "auth_flow_unsupported":
        return errorResponse("auth_flow_unsupported", requestId, {
          ...(user.auth_type !== undefined && { problems: [flowProblem] }),
        });
      case "totp_required":
        return errorResponse("totp_required", requestId);
      default:
        return errorResponse(outcome.reason, requestId, { headers: rateLimitHeaders(outcome.admission) });
    }
  });
}

/** Returns structured lists (RFC 9651) with an item for each limit (draft-ietf-httpapi-ratelimit-headers-11). */
function rateLimitHeaders({ standings }: Admission): { RateLimit: string; "RateLimit-Policy": string } {
  const list = (item: (standing: Admission["standings"][number]) => string) =>
    standings.map((standing) => `"${standing.policy}";${item(standing)}`).join(", ");
  return {
    RateLimit: list(({ remaining, resetSeconds }) => `r=${remaining};t=${resetSeconds}`),
    "RateLimit-Policy": list(({ quota, windowSeconds }) => `q=${quota};w=${windowSeconds}`),
  };
}
