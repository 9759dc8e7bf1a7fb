/** Makes the files of a new project that its user edits, except handlers, the document and the README. */
import type { Contract, SecurityRequirement } from "#specbind/contract";
import { usualRules } from "../generate/lint.ts";
import { propertyName } from "../json-schema/code.ts";
import type { Info } from "../openapi/document.ts";
import type { InstalledPackages } from "./installed-packages.ts";

/** The ranges with which this project is tested. */
export const ranges = {
  hono: "^4.13.19",
  pino: "^10.4.0",
  "@types/node": "^26.6.6",
  typescript: "~5.9.3",
};

export interface NewProject {
  readonly info: Info;
  readonly contract: Contract;
  readonly packages: InstalledPackages;
  /** The severity of a wrong example in the document. */
  readonly examples: keyof typeof reasons;
  /** The code of the error envelope, if the document's errors are no problem details. */
  readonly envelope: string | undefined;
}

export function projectFiles({
  info,
  contract,
  packages,
  examples,
  envelope,
}: NewProject): Map<string, string> {
  return new Map([
    ["package.json", json(manifestOf(info, packages))],
    ["tsconfig.json", json(tsconfig)],
    [".gitignore", "node_modules/\n.env\n"],
    ["spec/redocly.yaml", rulesFile(examples)],
    ["server/main.ts", mainFile(info.title)],
    ["server/app.ts", appFile(envelope)],
    ["server/principal.ts", principalFile(contract)],
    ["server/conformance.test.ts", testFile],
    ["client/index.ts", clientFile],
  ]);
}

function manifestOf({ title, version }: Info, packages: InstalledPackages) {
  const { hono, pino, ...development } = ranges;
  return {
    name: packageName(title),
    version: /^\d+\.\d+\.\d+$/.test(version) ? version : "0.0.0",
    private: true,
    type: "module",
    engines: { node: ">=22.18" },
    exports: { "./client": "./client/index.ts" },
    scripts: {
      start: "node --import specbind-runtime/server/node-version server/main.ts",
      dev: "specbind dev",
      generate: "specbind generate",
      mock: "specbind mock",
      test: 'specbind check && node --test "server/**/*.test.ts"',
    },
    dependencies: { hono, pino, "specbind-runtime": packages["specbind-runtime"] },
    devDependencies: { ...development, specbind: packages.specbind },
  };
}

export function packageName(title: string): string {
  const name = title
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 100)
    .replaceAll(/^-+|-+$/g, "");
  // npm rejects a package that depends on itself.
  const isTaken = name === "node-modules" || name in ranges || name.startsWith("specbind");
  return name === "" ? "api" : isTaken ? `${name}-api` : name;
}

const tsconfig = {
  compilerOptions: {
    target: "es2024",
    lib: ["es2024", "dom", "dom.iterable", "dom.asynciterable"],
    module: "nodenext",
    types: ["node"],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    rewriteRelativeImportExtensions: true,
    resolveJsonModule: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ["generated", "server", "client"],
};

const reasons = {
  error: "The tests would report a wrong example as an error of its handler.",
  warn: "The document has wrong examples, which `npx specbind lint` lists. Make these rules errors when they are correct.",
  off: "Redocly cannot check the examples of this document, because some of its schemas are not valid.",
};

export function rulesFile(examples: NewProject["examples"]): string {
  const [unique, ...ofExamples] = usualRules;
  return `telemetry: off

# Generation checks that the document is valid OpenAPI. Add rules of style here. \`extends: [recommended]\` is a good next step.
rules:
  ${unique}: error
  # ${reasons[examples]}
${ofExamples.map((rule) => `  ${rule}: ${examples}\n`).join("")}`;
}

function mainFile(title: string): string {
  return `import { pino } from "pino";
import { serve } from "specbind-runtime/server/serve";
import { createApp } from "./app.ts";

await serve({
  purpose: ${JSON.stringify(`Serves ${title}.`)},
  commandLine: "npm start --",
  createLog: (options, destination) => pino(options, destination),
  start: (program) => ({ app: createApp(program) }),
});
`;
}

function appFile(envelope: string | undefined): string {
  const names = envelope?.includes("problemDetails(")
    ? "type ErrorEnvelope, problemDetails"
    : "type ErrorEnvelope";
  const imported = envelope === undefined ? "" : `import { ${names} } from "specbind-runtime/server";\n`;
  return `/** The operations of the document, /healthz, /readyz, /docs and the document itself, as a Hono app. */
${imported}import { serviceApp } from "specbind-runtime/server/node";
import type { Program } from "specbind-runtime/server/serve";
import { contract } from "../generated/contract.ts";
import { documents } from "../generated/documents.ts";
import { handlers } from "./handlers.ts";
import { authenticators } from "./principal.ts";

export function createApp(program: Program) {
  const authenticate = authenticators(program.config.DEVELOPMENT_KEY);
  return serviceApp(program, { contract, documents, handlers, authenticate${envelope === undefined ? "" : ", errorEnvelope"} });
}
${envelope === undefined ? "" : `\n${envelope}`}`;
}

function argumentOf(credential: SecurityRequirement["credential"]): string {
  if (credential === "basic") return "userAndPassword";
  if (credential === "certificate") return "pem";
  return credential === undefined ? "token" : "key";
}

function principalFile({ operations }: Contract): string {
  const requirements = Object.values(operations).flatMap(({ security }) => security.flat());
  const kinds = new Map(requirements.map(({ scheme, credential }) => [scheme, credential]));
  const examples = [...kinds].map(
    ([scheme, credential]) =>
      `    // ${propertyName(scheme)}: async (${argumentOf(credential)}) => ({ principal: { id: "…" }, roles: [] }),\n`,
  );
  return `/** The callers of the operations. Only DEVELOPMENT_KEY is accepted, until you look up credentials here. */
import type { Authenticators, HandlerContext } from "specbind-runtime/server";
import { developmentAuthenticators } from "specbind-runtime/server/node";
import { contract } from "../generated/contract.ts";
import { handlerMaker } from "../generated/server.ts";

export interface Principal {
  readonly id: string;
}

/** What a handler gets in addition to its request. */
export type CallContext = HandlerContext<Principal>;

/** Makes the handler of an operation. A response that the document does not declare is a compile error. */
export const handler = handlerMaker<CallContext>();

/**
 * A function for each security scheme. It gets the credential of a request, and returns its caller, or undefined. It does
 * not get the development key, which the tests send.
 */
export function authenticators(developmentKey: string | undefined): Authenticators<Principal> {
  return developmentAuthenticators(contract, developmentKey, { id: "developer" }, {
${examples.join("")}  });
}
`;
}

const testFile = `/** Sends requests that are made from the document to the handlers, and checks the responses. */
import { after, test } from "node:test";
import { startService } from "specbind/testing";
import { contract } from "../generated/contract.ts";
import document from "../generated/openapi.json" with { type: "json" };
import { createApp } from "./app.ts";

const service = await startService({
  contract,
  document,
  createApp,
  // Makes a record and returns the parameters that find it: \`getBook: async () => ({ "path /id": (await addBook()).id })\`.
  setUp: {},
  // Parameters that find a record that always exists: \`getBook: { "path /id": 1 }\`.
  known: {},
  // Changes a valid body so that it follows rules that the document does not state.
  settle: {},
});
after(() => service.stop());

for (const { name, run } of service.tests)
  test(name, async (t) => {
    const whySkipped = await run();
    if (whySkipped) t.skip(whySkipped);
  });
`;

const clientFile = `/** The client: \`createClient({ baseUrl, … })\` has a typed function for each operation. */
export { ApiError, CallError, ConnectionError, TimeoutError, unwrap } from "specbind-runtime/client";
export * from "../generated/client.ts";
export type { components, operations, paths } from "../generated/types.ts";
`;

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
