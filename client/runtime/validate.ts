import { type Contract, contractOf } from "#specbind/contract";
import type { ResponseProblem, ResponseValidator } from "./options.ts";
import { documentedMediaType } from "./result.ts";

/** Makes the client's option `validate` from a contract. */
export function responseValidator({ operations }: Contract): ResponseValidator {
  return (operationId, status, contentType, content) => {
    const mediaTypes = contractOf(operations[operationId]?.responses ?? {}, status)?.mediaTypes ?? {};
    const mediaType = documentedMediaType(Object.keys(mediaTypes), contentType);
    const problems: ResponseProblem[] = [];
    if (mediaType !== undefined) mediaTypes[mediaType]?.validate?.(content, problems);
    return problems;
  };
}
