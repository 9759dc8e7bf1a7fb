import type { ParameterContract } from "../../generated/contract.ts";
import { type Decoded, decodeForm } from "./forms.ts";
import { isJson } from "./media-type.ts";
import type { RequestProblem } from "./request.ts";
import { validated } from "./request-body.ts";
import { isPercentEncoded, malformedEncoding, percentDecoded, readJson } from "./texts.ts";

/** Reads a parameter that consists of the whole query (OpenAPI 3.2, Parameter Locations). */
export function querystringReader(
  contract: ParameterContract,
): (query: string, problems: RequestProblem[]) => unknown {
  const { required, mediaType = "", fields, validate, complete } = contract;
  const isForm = !isJson(mediaType);
  return (query, problems) => {
    // A form without values is serialized as an empty string (URL standard, section 5.2).
    if (query === "" && !(isForm && (required || validate({}, [])))) {
      if (required) problems.push({ in: "query", pointer: "", message: "is required" });
      return complete?.(undefined);
    }
    return validated(isForm ? decodeForm(query, fields) : decodeJson(query), contract, problems, "query");
  };
}

function decodeJson(query: string): Decoded {
  const read = isPercentEncoded(query) ? readJson(percentDecoded(query)) : { problem: malformedEncoding };
  return "value" in read ? read : { value: undefined, problems: [{ pointer: "", message: read.problem }] };
}
