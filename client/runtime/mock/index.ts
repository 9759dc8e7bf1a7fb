/** The mock as a `fetch`, and what a mock server needs. */
import type { Contracted } from "../../../server/runtime/contract/bind.ts";
import { matchesPath } from "../../../server/runtime/contract/path-templates.ts";
import { type RequestView, viewOfRequest } from "../../../server/runtime/contract/request.ts";
import { createMock, type MockDependencies } from "./mock.ts";

export { examplesOf, type ResponseExamples, streamOf } from "./examples.ts";
export { createMock, type MockDependencies, statusOf } from "./mock.ts";

/** Returns a `fetch` that responds like the mock server, without a socket. */
export function createMockFetch(
  source: Omit<MockDependencies, "generate" | "log" | "onSettled">,
): (request: Request) => Promise<Response> {
  const mock = createMock({ ...source, log: () => {} });
  return async (request) => {
    request.signal.throwIfAborted();
    const view = viewOfRequest(request, new Uint8Array(await request.arrayBuffer()));
    const { status, headers, body } = await respond(mock, view);
    const hasBody = body !== undefined && request.method !== "HEAD";
    return new Response(hasBody ? String(body) : null, { status, headers });
  };
}

function respond({ paths, unmatched }: Contracted, view: RequestView) {
  const found = paths.find(({ template }) => matchesPath(template, view.path));
  if (found === undefined) return unmatched(view);
  return (found.byMethod[view.method === "HEAD" ? "GET" : view.method] ?? found.otherMethod)(view);
}
