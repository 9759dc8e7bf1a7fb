import type { Project } from "./toolkit/commands/project.ts";

/** The files and folders of this repository, for the commands of the toolkit. */
export const project = {
  program: "npm run",
  spec: "spec/openapi.yaml",
  generated: "generated",
  rules: "spec/redocly.yaml",
  runtime: "#specbind",
  docsAssets: "node_modules/.cache/reference-page",
  main: "scripts/serve.ts",
  watched: ["spec", "server", "client", "scripts"],
} satisfies Project;
