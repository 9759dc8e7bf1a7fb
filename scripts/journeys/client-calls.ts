/** Makes the calls of journeys by the client, as its importers use it, and holds every answer to its schema. */
import { type Client, createClient } from "../../client/index.ts";
import { validateResponse } from "../../client/validate.ts";
import { operations } from "../../generated/operations.ts";
import type { Json } from "../generate/document.ts";
import type { CallOperation } from "./run.ts";

export const operationIds: readonly string[] = Object.keys(operations);

/**
 * Nothing is sent twice: whoever tries a deployment wants to see what the first answer was.
 *
 * @param server its address
 * @throws ConfigurationError where that is none
 */
export function callsThroughClient(server: string): CallOperation {
  const clientFor = (apiKey: string): Client =>
    createClient({ baseUrl: server, apiKey, maxRetries: 0, validate: validateResponse });
  // Faults of the address are told at once.
  const stranger = clientFor("none");
  return async ({ operationId, parameters, content }) => {
    const { Authorization: authorization, ...header } = parameters.header;
    const [, apiKey] = /^Bearer (\S+)$/.exec(String(authorization)) ?? [];
    const headers = {
      ...(content && { "Content-Type": content.mediaType }),
      // The client sends a key with every call, unless it is told to leave it out or to send something else.
      ...(apiKey === undefined && { Authorization: authorization ?? null }),
    };
    const client = apiKey === undefined ? stranger : clientFor(apiKey);
    const init = { params: { ...parameters, header }, headers, body: content?.payload };
    // The reader of journeys has seen to it that there is such an operation; what a journey sends is for the server to judge.
    const result = await client[operationId as keyof typeof operations](init as never);
    const { response, requestId } = result;
    const answer = { status: response.status, header: headerIn(response), requestId };
    if (result.status !== "undocumented")
      return { ...answer, body: (result.data ?? result.error) as Json, undocumented: [] };
    const problems = result.error.problems?.map(
      ({ pointer, message }) => `the answer's ${pointer} ${message}`,
    );
    return {
      ...answer,
      body: undefined,
      undocumented: problems ?? ["the spec does not describe the answer"],
    };
  };
}

function headerIn({ headers }: Response): (name: string) => string | undefined {
  return (name) => headers.get(name) ?? undefined;
}
