/** The mock of this service: its contract and its examples, listening, with a command to paste for each operation. */
import { examplesOf, type OperationExamples } from "../../client/mock/examples.ts";
import { contract } from "../../generated/contract.ts";
import document from "../../generated/openapi.json" with { type: "json" };
import { type Listening, listen } from "../../server/listen.ts";
import { createMockApp } from "./app.ts";
import { curlLine } from "./curl.ts";

/**
 * @param print takes what was answered, a line each, after the address and the commands
 * @throws MissingExamplesError where the spec has no example to answer with
 */
export async function startMock(
  address: { readonly host: string; readonly port: number },
  print: (text: string) => void,
): Promise<Listening> {
  const examples = examplesOf(document, contract.operations);
  const log = (line: string): void => print(`${line}\n`);
  const server = await listen(createMockApp({ contract, examples, log }), {
    ...address,
    onMalformed: () => log("malformed HTTP → 400"),
  });
  print(startText(server.url, examples));
  return server;
}

function startText(url: string, examples: ReadonlyMap<string, OperationExamples>): string {
  const commands = Object.entries(contract.operations).map(([id, operation]) => {
    const found = examples.get(id);
    return found === undefined ? "" : `# ${id}\n${curlLine(url, operation, found)}\n`;
  });
  return `listening on ${url}\n\n${commands.join("")}\n`;
}
