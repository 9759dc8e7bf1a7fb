/** Rejects requests as a document describes it, because a caller of the mock reads the errors of the real service. */
import { examplesOf, type MockDependencies } from "#specbind/client/mock";
import { responseFor } from "#specbind/contract";
import { isJson } from "#specbind/media-type";
import { errorResponses } from "#specbind/server";
import type { GeneratedValues } from "./generated-values.ts";

/**
 * The body is the first example of the documented response, or is made from its schema. A response that is not
 * documented is problem details.
 *
 * @param log is called with the reason, because the documented body may not contain it
 */
export function documentedErrors(
  { contract, document }: Pick<MockDependencies, "contract" | "document">,
  values: Pick<GeneratedValues, "response">,
  log: (line: string) => void,
): MockDependencies["reject"] {
  const plain = errorResponses(contract);
  const examples = examplesOf(document, contract.operations);
  const ids = new Map(Object.entries(contract.operations).map(([id, { responses }]) => [responses, id]));
  return (detail, requestId, documented) => {
    const error = plain(detail, requestId, documented);
    const id = ids.get(documented);
    const example = responseFor(examples.get(id ?? "")?.responses ?? {}, error.status);
    // A 404 of an operation explains the header `Prefer`.
    if (id === undefined || example === undefined || detail.reason === "route_not_found") return error;
    const problems = detail.reason === "request_invalid" ? detail.problems : [];
    const reasons = problems.map((problem) => `${problem.in} ${problem.pointer} ${problem.message}`);
    log(`${id} ${error.status}: ${reasons.join("; ") || detail.reason}`);
    const mediaTypes = Object.keys(responseFor(documented, error.status)?.mediaTypes ?? {});
    const mediaType = mediaTypes.find(isJson) ?? mediaTypes[0];
    const { "Content-Type": _, ...headers } = { ...error.headers, ...example.headers };
    if (mediaType === undefined) return { status: error.status, headers };
    const [body] = example.bodies.values();
    const made = body === undefined ? values.response(id, example.key) : { headers: {}, body };
    if (made === undefined) return error;
    const known = { "Content-Type": mediaType, ...headers, ...made.headers };
    return { status: error.status, headers: known, body: made.body };
  };
}
