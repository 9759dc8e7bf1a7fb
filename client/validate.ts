/** A separate module, so that clients without validation do not load the validators. */
import { responseValidator } from "#specbind/client/validate";
import { contract } from "../generated/contract.ts";
import type { ResponseValidator } from "./index.ts";

/**
 * For the client's option `validate`. A response that violates its schema becomes an `undocumented` result with
 * its `problems`. Unknown properties are valid unless the schema forbids them. Unknown values of an enum are invalid.
 */
export const validateResponse: ResponseValidator = responseValidator(contract);
