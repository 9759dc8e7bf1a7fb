/** Stores a commission definition once and answers its record. */
import type { Handler } from "../contract/handlers.ts";
import type { Clock } from "../domain/clock.ts";
import { checkCommission, definitionHash, rateOf } from "../domain/commissions.ts";
import { invalidRequest } from "../errors.ts";
import type { CallContext } from "../principal.ts";
import type { Store } from "../store/store.ts";

export function submitCommission(dependencies: {
  store: Pick<Store, "commissions">;
  clock: Clock;
}): Handler<"submitCommission", CallContext> {
  const { store, clock } = dependencies;
  return async ({ body: { commission: definition } }, { principal, requestId }) => {
    const problems = checkCommission(definition);
    if (problems.length > 0) {
      return invalidRequest(
        requestId,
        problems.map(({ pointer, message }) => ({ in: "body", pointer: `/commission${pointer}`, message })),
      );
    }
    const { hash, canonical } = definitionHash(definition);
    const { id, rate } = await store.commissions.submit({
      tenant_id: principal.tenant_id,
      definition_hash: hash,
      definition: canonical,
      rate: rateOf(definition),
      created_at: clock(),
    });
    return { status: 200, body: { status: true, data: { commission: { id, rate } } } };
  };
}
