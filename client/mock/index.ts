/** The mock as a `fetch` for tests. It responds like the mock server, without a socket. */
import { createMockFetch as createFetch } from "#specbind/client/mock";
import { contract } from "../../generated/contract.ts";
import document from "../../generated/openapi.json" with { type: "json" };
import type { operations } from "../../generated/types.ts";
import { rejectionResponse } from "../../server/rejections.ts";
import { authenticate } from "./keys.ts";

/** The response to a valid call, keyed by operation. Default: the first documented success. */
export type MockResponses = {
  readonly [Id in keyof operations]?: {
    readonly code?: keyof operations[Id]["responses"] & number;
    readonly example?: string;
  };
};

/** @deprecated Use `MockResponses`. */
export type MockAnswers = MockResponses;

/**
 * For `createClient({ fetch })`. Accepts every `sk_…` key as a secret key, every `pk_…` key as a publishable key, and
 * any `baseUrl`. The header `Prefer`, such as `code=404`, overrides `responses` for a single call.
 *
 * @param responses a test may change this object between calls
 */
export function createMockFetch(responses: MockResponses = {}): (request: Request) => Promise<Response> {
  return createFetch({ contract, document, responses, authenticate, reject: rejectionResponse });
}
