/** The mock as a `fetch` for tests. It responds like the mock server, without a socket. */
import { contract } from "../../generated/contract.ts";
import document from "../../generated/openapi.json" with { type: "json" };
import type { operations } from "../../generated/types.ts";
import type { Contracted } from "../../server/runtime/contract/bind.ts";
import { matchesPath } from "../../server/runtime/contract/parameters.ts";
import { Rejection, type RequestView } from "../../server/runtime/contract/request.ts";
import { examplesOf } from "../runtime/mock/examples.ts";
import { createMock } from "../runtime/mock/mock.ts";

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
  const examples = examplesOf(document, contract.operations);
  const mock = createMock({
    contract,
    examples,
    responses,
    log: () => {},
  });
  return async (request) => {
    request.signal.throwIfAborted();
    const view = viewOf(request, new Uint8Array(await request.arrayBuffer()));
    const { status, headers, body } = await respond(mock, view);
    const hasBody = body !== undefined && request.method !== "HEAD";
    return new Response(hasBody ? String(body) : null, { status, headers });
  };
}

function viewOf({ url, method, headers, signal }: Request, content: Uint8Array): RequestView {
  const { pathname, search } = new URL(url);
  return {
    method,
    path: pathname,
    query: search.slice(1),
    header: (name) => headers.get(name) ?? undefined,
    body: (maxBytes) => {
      if (content.byteLength > maxBytes) throw new Rejection({ reason: "content_too_large", maxBytes });
      return content;
    },
    peer: undefined,
    signal,
  };
}

function respond({ paths, unmatched }: Contracted, view: RequestView) {
  const found = paths.find(({ template }) => matchesPath(template, view.path));
  if (found === undefined) return unmatched(view);
  return (found.byMethod[view.method === "HEAD" ? "GET" : view.method] ?? found.otherMethod)(view);
}
