import type { MockResponses } from "./index.ts";

const documented: MockResponses = { getWebhook: { code: 404, example: "absent" }, loginUser: {} };

// @ts-expect-error no operation documents 418
const undocumented: MockResponses = { getWebhook: { code: 418 } };

// @ts-expect-error this operation does not exist
const unknown: MockResponses = { getWebhooks: {} };

export default [documented, undocumented, unknown];
