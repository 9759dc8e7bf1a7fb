/**
 * Holds answers to their schemas by the generated validators. A module of its own, for it brings all of them: a client
 * that is not given it carries none.
 */
import { contract, type Problem } from "../generated/contract.ts";
import type { ResponseProblem, ResponseValidator } from "./options.ts";
import { documentedFor, documentedMediaType } from "./result.ts";

interface ValidatedResponse {
  readonly mediaTypes: {
    readonly [mediaType: string]: { readonly validate?: (value: unknown, problems: Problem[]) => boolean };
  };
}
const operations: {
  readonly [operationId: string]: { readonly responses: { readonly [status: string]: ValidatedResponse } };
} = contract.operations;

/**
 * For the client's option `validate`. An answer that breaks its schema is then an `undocumented` one with the `problems`.
 * Properties that the schema does not name break nothing, unless it says so; a value that a newer server has added to
 * an enum does.
 */
export const validateResponse: ResponseValidator = (operationId, status, contentType, content) => {
  const mediaTypes = documentedFor(operations[operationId]?.responses ?? {}, status)?.mediaTypes ?? {};
  const mediaType = documentedMediaType(Object.keys(mediaTypes), contentType);
  const problems: ResponseProblem[] = [];
  if (mediaType !== undefined) mediaTypes[mediaType]?.validate?.(content, problems);
  return problems;
};
