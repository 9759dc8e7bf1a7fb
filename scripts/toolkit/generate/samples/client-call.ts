import type { Json } from "../../openapi/document.ts";
import { javascript, literal } from "../literal.ts";

interface ClientCall {
  readonly operationId: string;
  readonly parameters: readonly { readonly in: string; readonly name: string; readonly value: Json }[];
  /** Undefined if no body is sent, or if the client sends the default itself. */
  readonly body: Json | undefined;
}

export function clientCall({ operationId, parameters, body }: ClientCall): string {
  const init: { [name: string]: Json } = {};
  const params: { [place: string]: Json } = {};
  for (const { in: place, name, value } of parameters)
    if (place === "querystring") params.query = value;
    else params[place] = { ...Object(params[place]), [name]: value };
  if (parameters.length > 0) init.params = params;
  if (body !== undefined) init.body = body;
  const lines = Object.entries(init).map(
    ([name, value]) => `  ${name}: ${literal(value, javascript, "  ")},\n`,
  );
  return `client.${operationId}(${lines.length === 0 ? "" : `{\n${lines.join("")}}`})`;
}
