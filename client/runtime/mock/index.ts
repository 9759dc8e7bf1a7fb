/** The mock as a `fetch`, and what a mock server needs. */
import { responseFor } from "#specbind/contract";
import { nearestWord } from "#specbind/nearest-word";
import type { Contracted } from "../../../server/runtime/contract/bind.ts";
import { matchesPath } from "../../../server/runtime/contract/path-templates.ts";
import { type RequestView, viewOfRequest } from "../../../server/runtime/contract/request.ts";
import { createMock, type MockDependencies } from "./mock.ts";

export { examplesOf, type ResponseExamples, streamOf } from "./examples.ts";
export { createMock, type MockDependencies, statusOf } from "./mock.ts";

type FetchSource = Omit<MockDependencies, "generate" | "log" | "onSettled">;

/**
 * Returns a `fetch` that responds like the mock server, without a socket.
 * @throws TypeError if `responses` chooses what the document does not have. A call rejects, if this was changed later
 */
export function createMockFetch(source: FetchSource): (request: Request) => Promise<Response> {
  const mock = createMock({ ...source, log: () => {} });
  checkResponses(source);
  return async (request) => {
    checkResponses(source);
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

function checkResponses({ contract: { operations }, responses = {} }: FetchSource): void {
  for (const [id, chosen] of Object.entries(responses)) {
    const operation = operations[id];
    if (operation === undefined) {
      const nearest = nearestWord(id, Object.keys(operations));
      const hint = nearest === undefined ? "" : `; did you mean ${nearest}?`;
      throw new TypeError(`responses: there is no operation ${id}${hint}`);
    }
    for (const name of Object.keys(chosen))
      if (name !== "code" && name !== "example")
        throw new TypeError(`responses.${id}: \`${name}\` is unknown; use \`code\` and \`example\``);
    if (chosen.code !== undefined && responseFor(operation.responses, chosen.code) === undefined)
      throw new TypeError(
        `responses.${id}.code: the document has no ${chosen.code}; use ${Object.keys(operation.responses).join(", ")}`,
      );
  }
}
