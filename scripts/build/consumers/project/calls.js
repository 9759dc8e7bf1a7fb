/** Calls every operation of a service and prints the results. The arguments are its URL and a key. */
import { createClient } from "commerce-service/client";

const [baseUrl, apiKey] = globalThis.process.argv.slice(2);
const client = createClient({ baseUrl, apiKey });

const commission = { title: "Flat", type: "supply", default_value: 10 };
const user = { uuid: "device", type: "customer", dial_code: "91", mobile: "9876543210", password: "wrong" };
const results = [
  await client.submitCommission({ body: { commission } }),
  await client.submitCommission({ body: { commission: { ...commission, title: "" } } }),
  await client.loginUser({ body: { user } }),
  await client.getWebhook({ params: { path: { webhook_id: 1 } } }),
];
console.log(JSON.stringify(results.map(({ status, error }) => error?.error.code ?? status)));
