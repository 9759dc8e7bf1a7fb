import { type Contract, responseFor } from "#specbind/contract";
import { matchType } from "../../server/runtime/shared/media-type.ts";
import type { ResponseProblem, ResponseValidator } from "./options.ts";

/** Makes the client's option `validate` from a contract. */
export function responseValidator({ operations }: Contract): ResponseValidator {
  return (operationId, status, contentType, body) => {
    const mediaTypes = responseFor(operations[operationId]?.responses ?? {}, status)?.mediaTypes ?? {};
    const mediaType = matchType(contentType, Object.keys(mediaTypes))?.key;
    const problems: ResponseProblem[] = [];
    if (mediaType !== undefined) mediaTypes[mediaType]?.validate?.(body, problems);
    return problems;
  };
}
