import { andThen } from "#specbind/server";
import { errorResponse } from "../errors.ts";
import { handler } from "../principal.ts";
import type { Store } from "../store/store.ts";

export function getWebhook({ store }: { store: Pick<Store, "webhooks"> }) {
  return handler("getWebhook", ({ path: { webhook_id } }, { principal, requestId }) =>
    andThen(store.webhooks.find(principal.tenant_id, webhook_id), (webhook) => {
      if (webhook === undefined) return errorResponse("webhook_not_found", requestId);
      const { id, url, events } = webhook;
      return { status: 200, body: { status: true, data: { webhook: { id, url, events } } } };
    }),
  );
}
