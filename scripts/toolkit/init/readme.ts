/** Makes the README of a new project. Its handler and its commands use operations of the document. */
import type { Contract, CredentialDescription } from "#specbind/contract";
import type { HttpRequest } from "../conformance/exchange.ts";
import type { OperationModel } from "../conformance/operation-model.ts";
import { shellCommand } from "../conformance/shell-command.ts";
import { javascript, literal } from "../generate/literal.ts";
import { shellQuoted } from "../generate/samples/http-samples.ts";
import { propertyName } from "../json-schema/code.ts";
import { type GeneratedValues, generatedValues } from "../mock/generated-values.ts";
import type { JsonObject } from "../openapi/document.ts";
import type { InstalledPackages } from "./installed-packages.ts";
import { variableName } from "./operation-files.ts";
import type { NewProject } from "./project-files.ts";

const url = "http://127.0.0.1:3000";
const developmentKey = "some-long-key";
const seed = 1;

/** @param credentials the security schemes, if the client has options for them */
export function readmeOf(
  { info, contract, packages }: NewProject,
  name: string,
  document: JsonObject,
  credentials: { readonly [scheme: string]: CredentialDescription },
): string {
  const values = generatedValues(document, contract, seed);
  const { id, text } = handlerOf(contract, values);
  const requests = values.requests((security) => (security.length > 0 ? developmentKey : undefined));
  const commands = callsOf(requests, id).map((request) => shellCommand(url, request));
  const options = Object.entries(credentials).map(
    ([scheme, kind]) =>
      `${propertyName(scheme)}: ${kind === "basic" ? `{ user: "developer", password: "${developmentKey}" }` : `"${developmentKey}"`}`,
  );
  const isOpen = Object.values(contract.operations).every(({ security }) => security.length === 0);
  const key = options.length > 0 ? `credentials: { ${options.join(", ")} }` : `apiKey: "${developmentKey}"`;
  return readme(info.title, name, text, commands, isOpen ? "" : `, ${key}`, upgradeOf(packages));
}

/** The arguments of `npm install`: versions, or the paths of tarballs. */
function upgradeOf(packages: InstalledPackages): string {
  const words = Object.entries(packages).map(([name, installed]) =>
    installed.startsWith("file:")
      ? shellQuoted(installed.slice(5).replace(/\d+\.\d+\.\d+[^/]*(?=\.tgz$)/, "VERSION"))
      : `${name}@VERSION`,
  );
  return words.join(" ");
}

/** One request for each set of security schemes: that of the preferred operation, or else the shortest one. */
function callsOf(
  requests: ReadonlyMap<OperationModel, HttpRequest | undefined>,
  preferred: string | undefined,
): HttpRequest[] {
  const chosen = new Map<string, { readonly cost: number; readonly request: HttpRequest }>();
  for (const [{ id, security, twinOf }, request] of requests) {
    if (request === undefined || twinOf !== undefined) continue;
    const schemes = (security[0] ?? []).map(({ scheme }) => scheme).join();
    const { method, target, body } = request;
    const length = target.length + body.byteLength * 10 + (method === "GET" ? 0 : 500);
    const cost = id === preferred ? 0 : length;
    if (cost < (chosen.get(schemes)?.cost ?? Infinity)) chosen.set(schemes, { cost, request });
  }
  return [...chosen.values()].map(({ request }) => request);
}

/** Values of large schemas take time. */
const mostTried = 10;

interface SampleHandler {
  readonly id?: string;
  readonly text: string;
}

/** The handler with the shortest response. A GET whose response is not empty is preferred. */
function handlerOf({ operations }: Contract, values: GeneratedValues): SampleHandler {
  const candidates = Object.entries(operations)
    .filter(([id]) => variableName(id) === id)
    .slice(0, mostTried)
    .flatMap(([id, { method, responses }]) =>
      Object.keys(responses).flatMap((status) => {
        const response = /^2\d\d$/.test(status) ? values.response(id, status) : undefined;
        const { "Content-Type": mediaType = "", ...others } = response?.headers ?? {};
        // The header of generated values is the only one that the document does not require.
        if (!/[/+]json$/.test(mediaType) || Object.keys(others).length > 1) return [];
        const body = literal(response?.body, javascript, "  ");
        const text = `export const ${id} = handler(${JSON.stringify(id)}, async ({ path, query, body }) => {
  return { status: ${status}, body: ${body} };
});`;
        return { id, text, cost: body.length + (method === "GET" ? 0 : 500) + (body.length < 10 ? 1000 : 0) };
      }),
    );
  return candidates.toSorted((one, other) => one.cost - other.cost)[0] ?? { text: noHandler };
}

const noHandler = `export const anOperation = handler("anOperation", async ({ path, query, body }) => {
  return { status: 204 };
});`;

function readme(
  title: string,
  name: string,
  handler: string,
  commands: readonly string[],
  key: string,
  upgrade: string,
): string {
  return `# ${title}

\`spec/openapi.yaml\` is the source of truth of this API. \`specbind\` generates types, validators, the contract of the server and a client
from it. The compiler and the tests fail if the code and the document disagree.

\`\`\`sh
npm install && npm test
DEVELOPMENT_KEY=${developmentKey} npm start
\`\`\`

The server needs Node 22.18 or newer. It listens on ${url}, and \`npm start -- --help\` lists its settings. Operations are
served at the root, and below the path of the first entry of \`servers\`. The server also has \`/docs\`, \`/openapi.json\`, \`/healthz\` and \`/readyz\`.
After SIGTERM, open requests can finish. An operation returns 501 until its handler is written:

\`\`\`sh
${commands.join("\n")}
\`\`\`

\`DEVELOPMENT_KEY\` is accepted as a token, as an API key and as the password of any user. Its holder may call everything, so the server
does not start with it if \`NODE_ENV\` is \`production\`. Other credentials are rejected until \`server/principal.ts\` looks them up.

## Write a handler

Replace \`notImplemented\` in \`server/operations\` by a function. Files there export only handlers, so keep stores in other files:

\`\`\`ts
${handler}
\`\`\`

It gets a valid request with the document's types and defaults, and returns a documented response. Any other response does not compile. If
a response violates its schema at run time, the caller gets a 500, and the log has the place.

Then \`npm test\` sends requests to the handler that are made from the document. If the handler needs a record, \`server/conformance.test.ts\`
makes it in \`setUp\`. The tests also report rejections that the document lacks, such as a 401. \`npx specbind add-rejections\` adds them to the document.

## Edit the document

\`npm run dev\` generates, checks and restarts the server after each save. Without it, run \`npm run generate && npm test\`. The compiler
lists each handler and each call that no longer matches. A new operation needs a handler in a file of \`server/operations\`.

\`npm run mock\` serves the document's examples. \`npx specbind release\` stores the document as the released one, and \`npx specbind diff\`
then shows what a change means for callers. \`npx specbind --help\` lists all commands.

## Call the API

\`\`\`ts
import { createClient } from "${name}/client";

const client = createClient({ baseUrl: "${url}"${key} });
\`\`\`

${referencePageAndTelemetry(name)}
## Upgrade

\`npm install ${upgrade} && npx specbind generate && npm test\`. Both packages always have the same version.
`;
}

function referencePageAndTelemetry(name: string): string {
  return `## Reference page, metrics and traces

\`/docs\` lists the operations. For schemas, examples and a form for requests, \`npx specbind docs --assets assets\` writes the script of
the page to a folder. Set \`DOCS_ASSETS=assets\`. For metrics, install \`prom-client\`,
set \`METRICS_PORT\`, and add this to \`server/main.ts\`:

\`\`\`ts
createMetrics: async (policy) => {
  const [promClient, { createMetrics }] = await Promise.all([import("prom-client"), import("specbind-runtime/server/metrics")]);
  return createMetrics(promClient, Object.keys(contract.operations), policy);
},
\`\`\`

For traces, install \`@opentelemetry/{api,core,sdk-trace,exporter-trace-otlp-http}\`, set \`OTEL_EXPORTER_OTLP_ENDPOINT\`, and add this:

\`\`\`ts
startTracing: async (options) => {
  const [api, { W3CTraceContextPropagator }, { BatchSpanProcessor, TracerProvider }, { OTLPTraceExporter }, { createTracing }] =
    await Promise.all([
      import("@opentelemetry/api"),
      import("@opentelemetry/core"),
      import("@opentelemetry/sdk-trace"),
      import("@opentelemetry/exporter-trace-otlp-http"),
      import("specbind-runtime/server/tracing"),
    ]);
  const exporter = new OTLPTraceExporter();
  const provider = new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter })] });
  const [tracer, propagator] = [provider.getTracer("${name}"), new W3CTraceContextPropagator()];
  return createTracing(() => ({ api, tracer, propagator, shutdown: () => provider.shutdown() }), options);
},
\`\`\`
`;
}
