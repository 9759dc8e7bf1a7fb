/** A separate module, so that clients without validation do not load the validators. */
import type { Problem } from "#specbind/contract";
import { contract } from "../generated/contract.ts";
import type { ResponseProblem, ResponseValidator } from "./runtime/options.ts";
import { documentedFor, documentedMediaType } from "./runtime/result.ts";

interface ValidatedResponse {
  readonly mediaTypes: {
    readonly [mediaType: string]: { readonly validate?: (value: unknown, problems: Problem[]) => boolean };
  };
}
const operations: {
  readonly [operationId: string]: { readonly responses: { readonly [status: string]: ValidatedResponse } };
} = contract.operations;

/**
 * For the client's option `validate`. A response that violates its schema becomes an `undocumented` result with
 * its `problems`. Unknown properties are valid unless the schema forbids them. Unknown values of an enum are invalid.
 */
export const validateResponse: ResponseValidator = (operationId, status, contentType, content) => {
  const mediaTypes = documentedFor(operations[operationId]?.responses ?? {}, status)?.mediaTypes ?? {};
  const mediaType = documentedMediaType(Object.keys(mediaTypes), contentType);
  const problems: ResponseProblem[] = [];
  if (mediaType !== undefined) mediaTypes[mediaType]?.validate?.(content, problems);
  return problems;
};
