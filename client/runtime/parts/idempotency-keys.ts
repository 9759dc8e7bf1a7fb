import { idempotentMethods, type RepetitionPart } from "../parts.ts";

const name = "idempotency-key";

/** Several requests with the same value of the header `Idempotency-Key` are executed only once. */
export const idempotencyKeys: RepetitionPart = (operation, requestId) => {
  const [, isIdempotent] = idempotentMethods(operation, requestId);
  const hasKey = operation.parameters?.some(
    (each) => each.in === "header" && each.name.toLowerCase() === name,
  );
  return [
    hasKey ? { [name]: requestId } : {},
    (request) => isIdempotent(request) || request.headers.has(name),
  ];
};
