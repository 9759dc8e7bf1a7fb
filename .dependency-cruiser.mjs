// Which part may import which. Each rule's comment is the remedy.

const commerce = "^server/(operations|domain|store|admin)/";
/** Tests and their support may hold any two parts against each other. */
const tests = "\\.(test|suite|type-test)\\.ts$|(^|/)testing(/|\\.ts$)";

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: "no-cycles",
      comment: "Two modules that need each other are one, or need a third.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "resolvable",
      comment: "Name the file with its ending, or install the package.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: "no-dev-packages-in-production",
      comment: "What the server or the client imports belongs to `dependencies`.",
      severity: "error",
      from: { path: "^(server|client|generated)/", pathNot: tests },
      to: { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"], dependencyTypesNot: ["type-only"] },
    },
    {
      name: "generated-imports-nothing",
      comment: "Generated files stand by themselves: take what is missing into the generator.",
      severity: "error",
      from: { path: "^generated/" },
      to: { pathNot: "^generated/" },
    },
    {
      name: "contract-knows-no-commerce",
      comment: "server/contract serves any spec: pass what it needs in through its Binding.",
      severity: "error",
      from: { path: "^server/contract/" },
      to: { path: "^(server|client|scripts)/", pathNot: "^server/(contract|testing)/" },
    },
    {
      name: "generator-stands-alone",
      comment: "The generator serves any spec: it may not import what it generates for, nor its output.",
      severity: "error",
      from: { path: "^scripts/(openapi|json-schema|generate)(/|\\.ts$)", pathNot: tests },
      to: { path: "^(server|client|generated)/" },
    },
    {
      name: "openapi-imports-no-other-folder",
      comment: "scripts/openapi reads documents for all others: move what it needs into it.",
      severity: "error",
      from: { path: "^scripts/openapi/", pathNot: tests },
      to: { path: "^scripts/(?!openapi/)" },
    },
    {
      name: "json-schema-imports-openapi-only",
      comment: "scripts/json-schema compiles schemas for any generator: pass in what it needs.",
      severity: "error",
      from: { path: "^scripts/json-schema/", pathNot: tests },
      to: { path: "^scripts/(?!openapi/|json-schema/)" },
    },
    {
      name: "nothing-imports-the-lab",
      comment: "Bench and drift are measurements: move what others need out of scripts/lab.",
      severity: "error",
      from: { pathNot: `^scripts/(lab/|(bench|drift)\\.ts$)|${tests}` },
      to: { path: "^scripts/lab/" },
    },
    {
      name: "client-knows-no-server",
      comment: "The client is a package of its own: it imports `generated` and its own files.",
      severity: "error",
      from: { path: "^client/", pathNot: `^client/mock/|${tests}` },
      to: { path: "^(server|scripts)/" },
    },
    {
      name: "the-mock-checks-with-the-contract",
      comment: "client/mock may also import server/contract, to check requests as the server does.",
      severity: "error",
      from: { path: "^client/mock/", pathNot: tests },
      to: { path: "^(server|scripts)/", pathNot: "^server/contract/" },
    },
    {
      name: "the-mock-needs-no-hono",
      comment: "The package ships client/mock: import the part of server/contract that does not need Hono.",
      severity: "error",
      from: { path: "^client/mock/", pathNot: tests },
      to: { path: "^node_modules/(hono|@hono)/", reachable: true },
    },
    {
      name: "server-knows-no-client",
      comment: "Only tests may hold the two against each other.",
      severity: "error",
      from: { path: "^server/", pathNot: tests },
      to: { path: "^(client|scripts)/" },
    },
    {
      name: "domain-is-pure",
      comment: "The domain knows itself and the store's interface: no HTTP, no driver, no generated code.",
      severity: "error",
      from: { path: "^server/domain/", pathNot: tests },
      to: {
        path: "^(server|generated|client|scripts)/",
        pathNot: "^server/domain/|^server/store/store\\.ts$",
      },
    },
    {
      name: "domain-does-no-io",
      comment: "The domain is given what it works on: files and sockets belong to its callers.",
      severity: "error",
      from: { path: "^server/domain/", pathNot: tests },
      to: { path: "^(node:)?(fs|fs/promises|https?|http2|net|tls|dgram|child_process|readline)$" },
    },
    {
      name: "domain-uses-few-packages",
      comment:
        "The domain reports by what it answers and throws; logs, metrics and the like belong to its callers.",
      severity: "error",
      from: { path: "^server/domain/", pathNot: tests },
      to: {
        path: "^node_modules/",
        pathNot: "^node_modules/(@node-rs/argon2|otplib)/",
      },
    },
    {
      name: "only-one-transport-needs-node",
      comment: "The client runs in browsers too: what only Node has belongs to client/transport/node.ts.",
      severity: "error",
      from: { path: "^client/", pathNot: `^client/(transport/node\\.ts$|mock/)|${tests}` },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "client-carries-no-validators",
      comment: "A client imports generated/types.ts and generated/operations.ts, so that it stays small.",
      severity: "error",
      from: { path: "^client/", pathNot: `^client/(validate\\.ts$|mock/)|${tests}` },
      to: { path: "^generated/", pathNot: "^generated/(types|operations)\\.ts$" },
    },
    {
      name: "validation-is-the-importers-choice",
      comment:
        "client/validate.ts brings every validator: only whoever imports it by its own name may carry them.",
      severity: "error",
      from: { path: "^client/", pathNot: tests },
      to: { path: "^client/validate\\.ts$" },
    },
    {
      name: "admin-knows-no-http",
      comment: "The command line works on the domain and a store; what HTTP needs stays with the server.",
      severity: "error",
      from: { path: "^server/admin/", pathNot: tests },
      to: {
        path: "^(server|generated|client|scripts)/",
        pathNot:
          "^server/(admin|domain)/|^server/store/(open|store)\\.ts$|^server/(compile-cache|config|environment-file)\\.ts$",
      },
    },
    {
      name: "operations-use-the-domain",
      comment: "An operation knows the domain, the store's interface and its types: no SQL, no Hono.",
      severity: "error",
      from: { path: "^server/operations/", pathNot: tests },
      to: {
        path: "^(server|generated|client|scripts)/",
        pathNot:
          "^server/domain/|^server/store/store\\.ts$|^server/contract/(awaitable|handlers|body-check)\\.ts$|^server/(errors|principal)\\.ts$",
      },
    },
    {
      name: "only-the-contract-and-the-app-use-hono",
      comment:
        "Pass plain values in and out; Hono belongs to server/contract/hono.ts, listen.ts and the applications, the server's and the mock's.",
      severity: "error",
      from: {
        pathNot: `^server/(contract/hono|app|listen)\\.ts$|^scripts/mock/mock-app\\.ts$|^node_modules/|${tests}`,
      },
      to: { path: "^node_modules/(hono|@hono)/" },
    },
    {
      name: "only-a-store-uses-its-driver",
      comment: "SQL and drivers stay in server/store; add what is missing to the Store interface.",
      severity: "error",
      from: { pathNot: "^server/store/(sqlite|postgres)/|^node_modules/" },
      // A package that is not installed has no folder: its bare name counts too.
      to: { path: "^(node:)?sqlite$|^(node_modules/)?(pg|pg-[^/]+|postgres|better-sqlite3)(/|$)" },
    },
    {
      name: "only-open-chooses-a-store",
      comment: "Ask server/store/open.ts for a Store; which database it is on is nobody else's concern.",
      severity: "error",
      from: { pathNot: `^server/store/(open\\.ts$|sqlite/|postgres/)|${tests}` },
      to: { path: "^server/store/(sqlite|postgres)/" },
    },
    {
      name: "stores-stand-apart",
      comment: "A store may not lean on another: move what both need to server/store.",
      severity: "error",
      from: { path: "^server/store/(sqlite|postgres)/", pathNot: tests },
      to: { path: "^server/store/(sqlite|postgres)/", pathNot: "^server/store/$1/" },
    },
    {
      name: "the-store-knows-no-domain",
      comment: "A store keeps what it is given; rules belong to server/domain.",
      severity: "error",
      from: { path: "^server/store/", pathNot: tests },
      to: { path: "^(server|generated|client|scripts)/", pathNot: "^server/store/" },
    },
    {
      name: "one-folder-for-each-replaceable-package",
      comment:
        "openapi-typescript belongs to scripts/generate alone, so that replacing it stays a small change.",
      severity: "error",
      from: { pathNot: "^scripts/generate/|^node_modules/" },
      to: { path: "^node_modules/openapi-typescript/" },
    },
    {
      name: "redocly-only-where-specs-are-read",
      comment:
        "Only scripts/openapi and the lint of scripts/generate use Redocly: take a document from scripts/openapi.",
      severity: "error",
      from: { pathNot: "^scripts/(openapi|generate|diff)/|^node_modules/" },
      to: { path: "^node_modules/@redocly/" },
    },
    {
      name: "openapi-fetch-only-in-the-client",
      comment: "openapi-fetch belongs to client alone, so that replacing it stays a small change.",
      severity: "error",
      from: { pathNot: "^client/|^node_modules/" },
      to: { path: "^node_modules/(openapi-fetch|openapi-typescript-helpers)/" },
    },
    {
      name: "test-support-is-for-tests",
      comment: "What runs in production may not need a test's support: move what both need beside its user.",
      severity: "error",
      from: { path: "^(server|client|scripts|generated)/", pathNot: tests },
      to: { path: tests, pathNot: "^node_modules/" },
    },
    {
      name: "telemetry-in-one-file-each",
      comment:
        "OpenTelemetry belongs to server/tracing.ts, prom-client to server/metrics.ts: pass what they offer along.",
      severity: "error",
      from: { path: "^server/", pathNot: "^server/(tracing|metrics)\\.ts$" },
      to: { path: "^node_modules/(@opentelemetry|prom-client)/" },
    },
    {
      name: "telemetry-is-loaded-when-asked-for",
      comment: "Import the type alone, and the module by `await import()` where a setting asks for it.",
      severity: "error",
      from: { path: "^server/", pathNot: tests },
      to: { path: "^server/(tracing|metrics)\\.ts$", dynamic: false, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "mock-knows-no-commerce",
      comment:
        "The mock answers from the contract and the document: of the server it takes what serves any spec.",
      severity: "error",
      from: { path: "^scripts/mock(/|\\.ts$)", pathNot: tests },
      to: {
        path: "^(server|client)/",
        pathNot: "^client/mock/|^server/contract/|^server/(errors|listen|refusals|request-id)\\.ts$",
      },
    },
    {
      name: "conformance-knows-no-commerce",
      comment:
        "Conformance and coverage check any service against its contract: pass in what they must know of this one.",
      severity: "error",
      from: { path: "^scripts/(conform|conformance|coverage)(/|\\.ts$)", pathNot: tests },
      to: { path: "^(server|client)/", pathNot: "^server/contract/|^client/parameters\\.ts$" },
    },
    {
      name: "dev-imports-nothing-that-it-watches",
      comment:
        "Code that the watch has imported stays as it was at the start: run it as a program or on a thread.",
      severity: "error",
      from: { path: "^scripts/dev(/|\\.ts$)", pathNot: `${tests}|^scripts/dev/generator-thread\\.ts$` },
      to: {
        path: "^(server|client|generated)/|^scripts/(openapi|json-schema|generate|mock)(/|\\.ts$)",
        pathNot: "^scripts/openapi/spec-problems\\.ts$",
      },
    },
    {
      name: "commerce-is-not-for-tools",
      comment: "Scripts work from the spec; they may start the server, but not reach into it.",
      severity: "error",
      from: { path: "^scripts/", pathNot: tests },
      to: { path: commerce },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    // Programs in the manner of others, which run beside packages of their own and import nothing of this project; and
    // files of a project that is begun from here, which import what stands beside them there.
    exclude: { path: "^scripts/(lab/bench/peers|adopt/template)/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["node", "import", "types"],
      extensions: [".ts", ".js", ".mjs", ".json"],
    },
  },
};
