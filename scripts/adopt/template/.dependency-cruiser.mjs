// Which part may import which. Each rule's comment is the remedy.

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
      name: "contract-serves-any-spec",
      comment: "server/contract serves any spec: pass what it needs in through its Binding.",
      severity: "error",
      from: { path: "^server/contract/" },
      to: { path: "^(server|client|scripts)/", pathNot: "^server/contract/" },
    },
    {
      name: "generator-stands-alone",
      comment: "The generator serves any spec: it may not import what it generates for, nor its output.",
      severity: "error",
      from: { path: "^scripts/generate(/|\\.ts$)", pathNot: tests },
      to: { path: "^(server|client|generated)/" },
    },
    {
      name: "client-knows-no-server",
      comment: "The client is a package of its own: it imports `generated` and its own files.",
      severity: "error",
      from: { path: "^client/", pathNot: tests },
      to: { path: "^(server|scripts)/" },
    },
    {
      name: "server-knows-no-client",
      comment: "Only tests may hold the two against each other.",
      severity: "error",
      from: { path: "^server/", pathNot: tests },
      to: { path: "^(client|scripts)/" },
    },
    {
      name: "only-one-transport-needs-node",
      comment: "The client runs in browsers too: what only Node has belongs to client/transport/node.ts.",
      severity: "error",
      from: { path: "^client/", pathNot: `^client/transport/node\\.ts$|${tests}` },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "client-carries-no-validators",
      comment: "A client imports generated/types.ts and generated/operations.ts, so that it stays small.",
      severity: "error",
      from: { path: "^client/", pathNot: `^client/validate\\.ts$|${tests}` },
      to: { path: "^generated/", pathNot: "^generated/(types|operations)\\.ts$" },
    },
    {
      name: "only-the-contract-and-the-app-use-hono",
      comment:
        "Pass plain values in and out; HTTP belongs to server/contract, listen.ts and the applications.",
      severity: "error",
      from: {
        pathNot: `^server/(contract/|(app|listen)\\.ts$)|^scripts/mock/app\\.ts$|^node_modules/|${tests}`,
      },
      to: { path: "^node_modules/(hono|@hono)/" },
    },
    {
      name: "one-folder-for-each-replaceable-package",
      comment: "openapi-typescript belongs to scripts/generate, so that replacing it stays a small change.",
      severity: "error",
      from: { pathNot: "^scripts/generate/|^node_modules/" },
      to: { path: "^node_modules/openapi-typescript/" },
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
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["node", "import", "types"],
      extensions: [".ts", ".js", ".mjs", ".json"],
    },
  },
};
