// Which part may import which. The comment of each rule is the fix.

const commerce = "^server/(operations|domain|store|admin)/";
/** Tests and their support files may import any part. */
const tests = "\\.(test|suite|type-test)\\.ts$|(^|/)testing(/|\\.ts$)";
/** Benchmarks use the PostgreSQL server of the tests. */
const measuredDatabases = "^scripts/lab/bench/server/databases\\.ts$";

/** @type {Omit<import('dependency-cruiser').IForbiddenRuleType, "severity">[]} */
const rules = [
  {
    name: "no-cycles",
    comment: "Merge the modules that import each other, or move what they share to a third one.",
    from: {},
    to: { circular: true },
  },
  {
    name: "resolvable",
    comment: "Write the file name with its extension, or install the package.",
    from: {},
    to: { couldNotResolve: true },
  },
  {
    name: "no-dev-packages-in-production",
    comment: "Move the package to `dependencies`: the server or the client imports it.",
    from: { path: "^(server|client|generated)/", pathNot: tests },
    // Only development logs readable lines.
    to: {
      dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"],
      dependencyTypesNot: ["type-only"],
      pathNot: "node_modules/pino-pretty/",
    },
  },
  {
    name: "generated-imports-only-the-runtime",
    comment:
      "Generated files import only each other and the runtime: let the generator write what is missing.",
    from: { path: "^generated/" },
    to: { pathNot: "^(generated|server/runtime|client/runtime)/" },
  },
  {
    name: "the-runtime-knows-no-document",
    comment: "server/runtime works with any document: pass what it needs as an argument.",
    from: { path: "^server/runtime/", pathNot: tests },
    to: { path: "^(generated|spec|client|scripts|server)/", pathNot: "^server/runtime/" },
  },
  {
    name: "the-runtime-is-imported-by-its-entries",
    comment:
      "Import `#specbind/…`, which package.json lists: projects that install the runtime have only these names.",
    from: { path: "^(generated|server|scripts)/", pathNot: `^server/runtime/|${tests}` },
    to: { path: "^(server|client)/runtime/", dependencyTypesNot: ["aliased"] },
  },
  {
    name: "the-contract-needs-no-adapter",
    comment:
      "server/runtime/contract enforces a contract anywhere: pass in what depends on HTTP or the process.",
    from: { path: "^server/runtime/(contract|shared)/", pathNot: tests },
    to: { path: "^server/runtime/(http|observability|process)/" },
  },
  {
    name: "the-entry-for-servers-needs-no-node",
    comment: "Other platforms have no Node modules: export what needs them from server/runtime/node.ts.",
    from: { path: "^server/runtime/(index|http/receiver)\\.ts$" },
    to: {
      path: "^(async_hooks|buffer|child_process|crypto|dns|events|fs|http2?|https|module|net|os|path|stream|timers|tls|url|util|worker_threads|zlib)(/|$)",
      reachable: true,
    },
  },
  {
    name: "shared-imports-nothing",
    comment:
      "Server, client and tools use server/runtime/shared, also without Node: pass in what it needs, or move it to one of them.",
    from: { path: "^server/runtime/shared/", pathNot: tests },
    to: { pathNot: "^server/runtime/shared/" },
  },
  {
    name: "generator-stands-alone",
    comment: "The generator works with any spec: do not import the server, the client or generated code.",
    from: {
      path: "^scripts/(toolkit/(openapi|json-schema|generate)/|toolkit/commands/generate\\.ts$|generate\\.ts$)",
      pathNot: tests,
    },
    to: { path: "^(server|client|generated)/", pathNot: "^server/runtime/shared/" },
  },
  {
    name: "openapi-imports-no-other-folder",
    comment:
      "All other folders use scripts/toolkit/openapi: move what it needs into scripts/toolkit/openapi.",
    from: { path: "^scripts/toolkit/openapi/", pathNot: tests },
    to: { path: "^scripts/(?!toolkit/openapi/)" },
  },
  {
    name: "json-schema-imports-openapi-only",
    comment: "scripts/toolkit/json-schema imports only scripts/toolkit/openapi: pass in what else it needs.",
    from: { path: "^scripts/toolkit/json-schema/", pathNot: tests },
    to: { path: "^scripts/(?!toolkit/(openapi|json-schema)/)" },
  },
  {
    name: "generate-imports-the-readers-only",
    comment:
      "scripts/toolkit/generate imports only scripts/toolkit/openapi and scripts/toolkit/json-schema: pass in what else it needs.",
    from: { path: "^scripts/toolkit/generate/", pathNot: tests },
    to: { path: "^scripts/(?!toolkit/(openapi|json-schema|generate)/)" },
  },
  {
    name: "nothing-imports-the-lab",
    comment: "scripts/lab only has measurements: move what others need out of it.",
    from: { pathNot: `^scripts/(lab/|(bench|drift)\\.ts$)|${tests}` },
    to: { path: "^scripts/lab/" },
  },
  {
    name: "client-knows-no-server",
    comment: "The client is a separate package: import only `generated` and files of the client.",
    from: { path: "^client/", pathNot: `^client/((runtime/)?mock|runtime/sender)/|${tests}` },
    to: { path: "^(server|scripts)/", pathNot: "^server/runtime/shared/" },
  },
  {
    name: "the-mock-checks-with-the-contract",
    comment:
      "client/runtime/mock and client/runtime/sender work with any spec, and use only what checks requests and responses: pass in the document and the error responses.",
    from: { path: "^client/runtime/(mock|sender)/", pathNot: tests },
    to: { path: "^(server|generated|scripts)/", pathNot: "^server/runtime/(contract|shared)/" },
  },
  {
    name: "the-mock-rejects-as-the-service",
    comment:
      "client/mock takes only the error responses from the server: move the rest to client/runtime/mock.",
    from: { path: "^client/mock/", pathNot: tests },
    to: { path: "^(server|scripts)/", pathNot: "^server/((errors|rejections)\\.ts$|runtime/shared/)" },
  },
  {
    name: "the-mock-needs-no-hono",
    comment:
      "client/mock is part of the package: import the part of server/runtime/contract that does not need Hono.",
    from: { path: "^client/((runtime/)?mock|runtime/sender)/", pathNot: tests },
    to: { path: "^node_modules/(hono|@hono)/", reachable: true },
  },
  {
    name: "server-knows-no-client",
    comment: "The server may not import the client or scripts: only tests may.",
    from: { path: "^server/", pathNot: tests },
    to: { path: "^(client|scripts)/" },
  },
  {
    name: "domain-is-pure",
    comment:
      "The domain imports only itself and server/store/store.ts: no HTTP, no driver, no generated code.",
    from: { path: "^server/domain/", pathNot: tests },
    to: {
      path: "^(server|generated|client|scripts)/",
      pathNot: "^server/domain/|^server/store/store\\.ts$",
    },
  },
  {
    name: "domain-does-no-io",
    comment: "The domain does no I/O: let its callers use files and sockets, and pass in the values.",
    from: { path: "^server/domain/", pathNot: tests },
    to: { path: "^(node:)?(fs|fs/promises|https?|http2|net|tls|dgram|child_process|readline)$" },
  },
  {
    name: "domain-uses-few-packages",
    comment: "The domain only returns and throws: let its callers use logs, metrics and other packages.",
    from: { path: "^server/domain/", pathNot: tests },
    to: {
      path: "^node_modules/",
      pathNot: "^node_modules/(@node-rs/argon2|otplib)/",
    },
  },
  {
    name: "only-one-transport-needs-node",
    comment:
      "The client also runs in browsers: move code that needs Node to client/runtime/transport/node.ts.",
    from: {
      path: "^client/",
      pathNot: `^client/(runtime/(transport/node\\.ts$|mock/|sender/)|mock/)|${tests}`,
    },
    to: { dependencyTypes: ["core"] },
  },
  {
    name: "client-carries-no-validators",
    comment: "Import only generated/types.ts and generated/client.ts, so that the client stays small.",
    from: { path: "^client/", pathNot: `^client/(validate\\.ts$|mock/)|${tests}` },
    to: { path: "^generated/", pathNot: "^generated/(types|client)\\.ts$" },
  },
  {
    name: "client-runtime-knows-no-document",
    comment: "client/runtime works with any document: let generated/client.ts pass in what it needs to know.",
    from: { path: "^client/runtime/", pathNot: tests },
    to: { path: "^generated/" },
  },
  {
    name: "validation-is-the-importers-choice",
    comment:
      "client/validate.ts loads every validator: only users who need them import it, as a separate module.",
    from: { path: "^client/", pathNot: tests },
    to: { path: "^client/validate\\.ts$" },
  },
  {
    name: "admin-knows-no-http",
    comment:
      "The command line uses only the domain, a store, the settings and generated/operations.ts: no HTTP.",
    from: { path: "^server/admin/", pathNot: tests },
    to: {
      path: "^(server|generated|client|scripts)/",
      pathNot:
        "^server/(admin|domain)/|^server/store/(open|store)\\.ts$|^server/(admin-command-line|node-version|config|runtime/(settings|shared/nearest-word|process/compile-cache))\\.(ts|js)$|^generated/operations\\.ts$",
    },
  },
  {
    name: "operations-use-the-domain",
    comment:
      "An operation uses only the domain, the store's interface, contract types, errors and principals.",
    from: { path: "^server/operations/", pathNot: tests },
    to: {
      path: "^(server|generated|client|scripts)/",
      pathNot:
        "^server/domain/|^server/store/store\\.ts$|^server/runtime/index\\.ts$|^server/(errors|principal)\\.ts$",
    },
  },
  {
    name: "only-the-contract-and-the-app-use-hono",
    comment:
      "Pass plain values: only server/runtime/http, server/app.ts and scripts/toolkit/mock/mock-app.ts use Hono.",
    from: {
      pathNot: `^server/(runtime/http/|app\\.ts$)|^scripts/toolkit/mock/mock-app\\.ts$|^node_modules/|${tests}`,
    },
    to: { path: "^node_modules/(hono|@hono)/" },
  },
  {
    name: "only-a-store-uses-its-driver",
    comment: "Only server/store uses SQL and drivers: add what is missing to the Store interface.",
    from: { pathNot: "^server/store/(sqlite|postgres)/|^node_modules/" },
    // A package that is not installed has no folder, so its bare name is matched too.
    to: { path: "^(node:)?sqlite$|^(node_modules/)?(pg|pg-[^/]+|postgres|better-sqlite3)(/|$)" },
  },
  {
    name: "only-open-chooses-a-store",
    comment: "Get a Store from server/store/open.ts: only this file knows which databases there are.",
    from: { pathNot: `^server/store/(open\\.ts$|sqlite/|postgres/)|${measuredDatabases}|${tests}` },
    to: { path: "^server/store/(sqlite|postgres)/" },
  },
  {
    name: "stores-stand-apart",
    comment: "A store may not import another store: move what both need to server/store.",
    from: { path: "^server/store/(sqlite|postgres)/", pathNot: tests },
    to: { path: "^server/store/(sqlite|postgres)/", pathNot: "^server/store/$1/" },
  },
  {
    name: "the-store-knows-no-domain",
    comment: "A store only stores rows: move rules to server/domain.",
    from: { path: "^server/store/", pathNot: tests },
    to: {
      path: "^(server|generated|client|scripts)/",
      pathNot: "^server/store/|^server/runtime/observability\\.ts$",
    },
  },
  {
    name: "one-folder-for-each-replaceable-package",
    comment: "Only scripts/toolkit/generate may use openapi-typescript, so that it stays easy to replace.",
    from: { pathNot: "^scripts/toolkit/generate/|^node_modules/" },
    to: { path: "^node_modules/openapi-typescript/" },
  },
  {
    name: "redocly-only-where-specs-are-read",
    comment:
      "Only scripts/toolkit/openapi and the lint of scripts/toolkit/generate use Redocly: read documents with scripts/toolkit/openapi.",
    from: { pathNot: `^scripts/toolkit/(openapi/|generate/lint\\.ts$)|^node_modules/|${tests}` },
    to: { path: "^node_modules/@redocly/" },
  },
  {
    name: "openapi-fetch-only-in-the-client",
    comment: "Only client may use openapi-fetch, so that it stays easy to replace.",
    from: { pathNot: "^client/|^node_modules/" },
    to: { path: "^node_modules/(openapi-fetch|openapi-typescript-helpers)/" },
  },
  {
    name: "test-support-is-for-tests",
    comment: "Only tests may import test support: move what production code needs next to that code.",
    from: { path: "^(server|client|scripts|generated)/", pathNot: `${measuredDatabases}|${tests}` },
    to: { path: tests, pathNot: "^node_modules/" },
  },
  {
    name: "logger-and-telemetry-are-passed-in",
    comment:
      "The runtime works with any version of these packages: let the application pass in what it needs.",
    from: { path: "^server/runtime/", pathNot: tests },
    to: { path: "^node_modules/(@opentelemetry|pino|pino-pretty|prom-client)/" },
  },
  {
    name: "telemetry-is-loaded-when-asked-for",
    comment: "Import only the type. Load the module with `await import()` if a setting enables it.",
    from: { path: "^server/", pathNot: `^server/tracing\\.ts$|${tests}` },
    to: {
      path: "^node_modules/(@opentelemetry|prom-client)/|^server/tracing\\.ts$|^server/runtime/observability/(tracing|metrics)\\.ts$",
      dynamic: false,
      dependencyTypesNot: ["type-only"],
    },
  },
  {
    name: "mock-knows-no-commerce",
    comment:
      "scripts/toolkit/mock works with any spec: let scripts/mock.ts pass in what belongs to this service.",
    from: { path: "^scripts/toolkit/mock/", pathNot: tests },
    to: { path: "^(server|client|generated)/", pathNot: "^client/runtime/(mock|sender)/|^server/runtime/" },
  },
  {
    name: "conformance-is-independent",
    comment:
      "Conformance checks the server, the client and generated code, so it uses none of them: read the document with scripts/toolkit/openapi.",
    from: {
      path: "^scripts/(conform\\.ts$|toolkit/(commands/conform\\.ts$|conformance/))",
      pathNot: tests,
    },
    to: {
      path: "^(server|client|generated)/",
      pathNot: "^server/runtime/shared/(contract|document(-examples)?|standard-webhooks)\\.ts$",
    },
  },
  {
    name: "coverage-knows-no-commerce",
    comment: "Coverage works with any service: pass in what it must know about this one.",
    from: { path: "^scripts/(coverage\\.ts$|toolkit/coverage/)", pathNot: tests },
    to: { path: "^(server|client)/", pathNot: "^server/runtime/" },
  },
  {
    name: "dev-imports-nothing-that-it-watches",
    comment: "The watch mode cannot reload code that it has imported: run it as a program or on a thread.",
    from: {
      path: "^scripts/(dev\\.ts$|toolkit/(commands/dev\\.ts$|dev/))",
      pathNot: `${tests}|^scripts/toolkit/dev/generator-thread\\.ts$`,
    },
    to: {
      path: "^(server|client|generated)/|^scripts/(toolkit/(openapi|json-schema|generate|mock|commands/(generate|mock)\\.ts$)|(generate|mock)\\.ts$)",
      pathNot: "^(scripts/toolkit/openapi/spec-problems|server/runtime/shared/nearest-word)\\.ts$",
    },
  },
  {
    name: "commerce-is-not-for-tools",
    comment: "Scripts may start the server, but not import its commerce parts: use the spec.",
    from: { path: "^scripts/", pathNot: `${measuredDatabases}|${tests}` },
    to: { path: commerce },
  },
];

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: rules.map((rule) => ({ ...rule, severity: "error" })),
  options: {
    doNotFollow: { path: "node_modules" },
    // The peers of the benchmark and the bookshop have separate packages and import nothing of this project.
    exclude: { path: "^scripts/(lab/bench/peers|packages/bookshop)/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["node", "import", "types"],
      extensions: [".ts", ".js", ".mjs", ".json"],
    },
  },
};
