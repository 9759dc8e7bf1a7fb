import type { Handler } from "../contract/handlers.ts";
import { andThen } from "../contract/pipeline.ts";
import type { BodyCheck } from "../contract/request-body.ts";
import type { Clock } from "../domain/clock.ts";
import { checkCommission, definitionHash, rateOf } from "../domain/commissions.ts";
import type { CallContext } from "../principal.ts";
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

/** The request must have passed `checkSubmission`. */
export function submitCommission(dependencies: {
  store: Pick<Store, "commissions">;
  clock: Clock;
}): Handler<"submitCommission", CallContext> {
  const { store, clock } = dependencies;
  return ({ body: { commission: definition } }, { principal }) => {
    const { hash, canonical } = definitionHash(definition);
    const record = store.commissions.submit({
      tenant_id: principal.tenant_id,
      definition_hash: hash,
      definition: canonical,
      rate: rateOf(definition),
      created_at: clock(),
    });
    return andThen(record, ({ id, rate }) => ({
      status: 200,
      body: { status: true, data: { commission: { id, rate } } },
    }));
  };
}
