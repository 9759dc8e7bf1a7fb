/** Starts the mock of this service and prints a command to paste for each operation. */
import { examplesOf, type OperationExamples } from "../../client/mock/examples.ts";
import { credentialFor } from "../../client/mock/keys.ts";
import { contract, type OperationContract } from "../../generated/contract.ts";
import document from "../../generated/openapi.json" with { type: "json" };
import { type Listening, listen } from "../../server/listen.ts";
import { curlCommand } from "../generate/curl.ts";
import { createMockApp } from "./mock-app.ts";

/** @param print gets the URL, commands and a line per response. @throws MissingExamplesError */
export async function startMock(
  address: { readonly host: string; readonly port: number },
  print: (text: string) => void,
): Promise<Listening> {
  const examples = examplesOf(document, contract.operations);
  const log = (line: string): void => print(`${line}\n`);
  const server = await listen(createMockApp({ contract, examples, log }), {
    ...address,
    onMalformed: ({ reply }) => log(`malformed HTTP → ${reply.status}`),
  });
  const commands = Object.entries<OperationContract>(contract.operations).map(([id, operation]) => {
    const found = examples.get(id);
    return found === undefined ? "" : `# ${id}\n${commandFor(server.url, operation, found)}\n`;
  });
  print(`listening on ${server.url}\n\n${commands.join("")}\n`);
  return server;
}

function commandFor(
  baseUrl: string,
  { method, path, parameters, content, security }: OperationContract,
  examples: OperationExamples,
): string {
  const [mediaType = ""] = Object.keys(content?.mediaTypes ?? {});
  const [value] = examples.contents.values();
  const key = credentialFor(security);
  const input = {
    ...{ method, baseUrl, path },
    parameters: parameters.flatMap((each) => {
      const found = examples.parameters.find(
        ({ in: place, name }) => place === each.in && name === each.name,
      );
      return found === undefined ? [] : [{ ...each, value: found.value }];
    }),
    security: key === undefined ? [] : [{ sent: "bearer" as const }],
    body: value === undefined ? undefined : { mediaType, value },
  };
  return curlCommand(input, true)?.replace("$API_KEY", key ?? "") ?? "";
}
