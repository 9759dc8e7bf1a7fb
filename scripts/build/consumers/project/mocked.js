/** A test that a user of the package could write. It replaces the service by the mock. */
import assert from "node:assert/strict";
import { createClient } from "commerce-service/client";
import { createMockFetch } from "commerce-service/client/mock";

const webhook = { params: { path: { webhook_id: 1 } } };
const over = (fetch) => createClient({ baseUrl: "http://mock.test", apiKey: "sk_test", fetch });

const found = await over(createMockFetch()).getWebhook(webhook);
const absent = await over(createMockFetch({ getWebhook: { code: 404 } })).getWebhook(webhook);
const invalid = await over(createMockFetch()).submitCommission({ body: { commission: {} } });
assert.deepEqual([found.status, absent.status, invalid.status], [200, 404, 422]);
console.log(JSON.stringify(invalid.error.error.problems.length));
