/** A worker of an edge runtime. It calls every operation of the given service, and returns the results. */
import { createClient } from "commerce-service/client";

export default {
  async fetch(request) {
    const { baseUrl, apiKey } = await request.json();
    const client = createClient({ baseUrl, apiKey });
    const commission = { title: "Flat", type: "supply", default_value: 10 };
    const user = {
      uuid: "device",
      type: "customer",
      dial_code: "91",
      mobile: "9876543210",
      password: "wrong",
    };
    const rejected = await client.submitCommission({ body: { commission } }).catch(({ name }) => name);
    const login = await client.loginUser({ body: { user } });
    const webhook = await client.getWebhook({ params: { path: { webhook_id: 1 } } });
    return Response.json([rejected, login.error?.error.code, webhook.status]);
  },
};
