import { andThen, type BodyCheck } from "#specbind/server";
import type { Clock } from "../domain/clock.ts";
import { checkCommission, definitionHash, rateOf } from "../domain/commissions.ts";
import { invalidRequest } from "../errors.ts";
import { handler } from "../principal.ts";
import type { Store } from "../store/store.ts";

export const checkSubmission: BodyCheck = (body, isValid) => {
  const definition =
    typeof body === "object" && body !== null && "commission" in body ? body.commission : undefined;
  return checkCommission(definition, (pointer) => isValid(`/commission${pointer}`)).map(
    ({ pointer, message }) => ({
      pointer: `/commission${pointer}`,
      message,
    }),
  );
};

export type SubmitCommissionDependencies = {
  store: Pick<Store, "commissions">;
  clock: Clock;
  /** Undefined if there is no limit. */
  definitionsPerTenant?: number | undefined;
};

/** The request must be valid according to `checkSubmission`. */
export function submitCommission(dependencies: SubmitCommissionDependencies) {
  const { store, clock, definitionsPerTenant } = dependencies;
  const quotaProblem = {
    in: "body",
    pointer: "/commission",
    message: `must equal a stored definition, because the tenant has reached its limit of ${definitionsPerTenant}`,
  } as const;
  return handler("submitCommission", ({ body: { commission: definition } }, { principal, requestId }) => {
    const { hash, canonical } = definitionHash(definition);
    const submission = {
      tenant_id: principal.tenant_id,
      definition_hash: hash,
      definition: canonical,
      rate: rateOf(definition),
      created_at: clock(),
    };
    return andThen(store.commissions.submit(submission, definitionsPerTenant), (record) => {
      if (record === undefined) return invalidRequest(requestId, [quotaProblem]);
      const { id, rate } = record;
      return { status: 200, body: { status: true, data: { commission: { id, rate } } } };
    });
  });
}
