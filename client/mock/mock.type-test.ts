import type { MockAnswers } from "./index.ts";

const documented: MockAnswers = { getWebhook: { code: 404, example: "absent" }, loginUser: {} };

// @ts-expect-error no operation documents 418
const undocumented: MockAnswers = { getWebhook: { code: 418 } };

// @ts-expect-error there is no such operation
const unknown: MockAnswers = { getWebhooks: {} };

export default [documented, undocumented, unknown];
