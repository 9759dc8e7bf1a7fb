/** The page of every operation, from the document and its examples: what it does, a call that runs, what it answers. */

import type { OperationExamples } from "../../client/mock/examples.ts";
import { credentialFor } from "../../client/mock/keys.ts";
import type { OperationContract } from "../../generated/contract.ts";
import { clientCall, literal } from "../generate/client-call.ts";
import { entriesOf, follow, type Json, pointerTo, valueAt } from "../generate/document.ts";

export interface PageSource {
  /** OpenAPI 3.1, with local references only. */
  readonly document: unknown;
  readonly operations: { readonly [operationId: string]: OperationContract };
  readonly examples: ReadonlyMap<string, OperationExamples>;
  /** What the client is imported as. */
  readonly module: string;
  /** Where the snippets find a service. */
  readonly baseUrl: string;
}

export function operationsPage(source: PageSource): string {
  const sections = Object.keys(source.operations).map((id) => section(source, id));
  return `# Operations of the client

Every snippet runs as it stands while \`npm run mock\` serves the examples. Made by \`npm run docs:client\`: edit the spec, not
this page.

${sections.join("\n")}`;
}

function section(source: PageSource, id: string): string {
  const operation = source.operations[id];
  const examples = source.examples.get(id);
  if (operation === undefined || examples === undefined) throw new Error(`${id} is not in the document`);
  const { method, path } = operation;
  const place = pointerTo(follow(source.document, pointerTo("/paths", path)).pointer, method.toLowerCase());
  const texts = ["summary", "description"].map((name) => valueAt(source.document, pointerTo(place, name)));
  const success = [...examples.responses].find(([status]) => status < 300)?.[1];
  // The client's data is null where the answer has no content.
  const [body] = success?.bodies.values() ?? [];
  return `## ${id}

\`${method} ${path}\`: ${texts
    .flatMap((text) => (typeof text === "string" ? [text.trim()] : []))
    .join("\n\n")}${inBrowsers(operation)}

\`\`\`ts
${snippet(source, id, operation, examples)}
\`\`\`

\`\`\`json
${JSON.stringify(body ?? null, null, 2)}
\`\`\`

${statusTable(source.document, place, examples)}
`;
}

function inBrowsers({ method, content }: OperationContract): string {
  if (!content?.required || !["GET", "HEAD"].includes(method)) return "";
  return `\n\nBrowsers cannot send content with ${method}: called there, it throws a \`ContentNotSendableError\`.`;
}

function snippet(
  { module, baseUrl }: PageSource,
  id: string,
  { security, content }: OperationContract,
  { parameters, contents }: OperationExamples,
): string {
  const [body] = contents.values();
  const call = clientCall({ operationId: id, parameters, body: content?.required ? body : undefined });
  return `import { createClient, unwrap } from ${literal(module)};

const client = createClient({ baseUrl: ${literal(baseUrl)}, apiKey: ${literal(credentialFor(security) ?? "none")} });

const answer = await unwrap(${call});
console.log(JSON.stringify(answer, null, 2));`;
}

/** The documented statuses, with the names by which a mock is asked for each of its answers. */
function statusTable(document: unknown, place: string, { responses }: OperationExamples): string {
  const rows = entriesOf(valueAt(document, pointerTo(place, "responses"))).map(([status]) => {
    const response = follow(document, pointerTo(place, "responses", status)).value ?? {};
    const names = [...(responses.get(Number(status))?.bodies.keys() ?? [])].map((name) => `\`${name}\``);
    return `| ${status} | ${cell(valueAt(response, "/description"))} | ${names.join(", ")} |`;
  });
  return ["| status | means | examples |", "|---|---|---|", ...rows].join("\n");
}

function cell(text: Json | undefined): string {
  return String(text ?? "")
    .trim()
    .replaceAll(/\s*\n\s*/g, " ")
    .replaceAll("|", "\\|");
}
