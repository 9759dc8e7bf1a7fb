/**
 * The mock as a `fetch`, for the tests of those who import the client: no socket is opened, and every call is judged and
 * answered as the mock server would.
 */
import { Readable } from "node:stream";
import { contract } from "../../generated/contract.ts";
import document from "../../generated/openapi.json" with { type: "json" };
import type { operations } from "../../generated/types.ts";
import { createMock } from "./app.ts";
import { examplesOf } from "./examples.ts";

/** By operation, which of its documented responses to answer a valid call with; the first success where it is left out. */
export type MockAnswers = {
  readonly [Id in keyof operations]?: {
    /** The status. */
    readonly code?: keyof operations[Id]["responses"] & number;
    /** The name of an example of that status. */
    readonly example?: string;
  };
};

/**
 * For `createClient({ fetch })`. Any `sk_…` key counts as a secret one and any `pk_…` key as a publishable one, and
 * `baseUrl` may be any origin. The header `Prefer`, such as `code=404`, wins over `answers` for a single call.
 *
 * @param answers read again at each call, so that a test may change them
 */
export function createMockFetch(answers: MockAnswers = {}): (request: Request) => Promise<Response> {
  const examples = examplesOf(document, contract.operations);
  const app = createMock({ contract, examples, answers, log: () => {} });
  return async (request) => {
    request.signal.throwIfAborted();
    const { url, method } = request;
    const content = Buffer.from(await request.arrayBuffer());
    const headers = new Headers(request.headers);
    if (content.byteLength > 0) headers.set("content-length", String(content.byteLength));
    return app.fetch(new Request(url, { method, headers }), { incoming: Readable.from([content]) });
  };
}
