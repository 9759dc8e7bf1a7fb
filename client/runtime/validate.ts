import { assertFormat, type Contract, responseFor } from "#specbind/contract";
import { matchType } from "../../server/runtime/shared/media-type.ts";
import type { ResponseProblem, ResponseValidator } from "./options.ts";

/** Makes the client's option `validate` from a contract. @throws Error if the runtime does not know the format */
export function responseValidator({ format, validators, operations }: Contract): ResponseValidator {
  for (const each of [format, validators]) assertFormat(each);
  return (operationId, status, contentType, body) => {
    const mediaTypes = responseFor(operations[operationId]?.responses ?? {}, status)?.mediaTypes ?? {};
    const mediaType = matchType(contentType, Object.keys(mediaTypes))?.key;
    const problems: ResponseProblem[] = [];
    if (mediaType !== undefined) mediaTypes[mediaType]?.validate?.(body, problems);
    return problems;
  };
}
