/** The files and folders of the project that a command runs in, relative to its root. */
export interface Project {
  /** How the user calls commands: `npm run` or `specbind`. */
  readonly program: "npm run" | "specbind";
  /** The OpenAPI document. */
  readonly spec: string;
  /** The folder of the generated files. */
  readonly generated: string;
  /** The rules that Redocly checks. */
  readonly rules: string;
  /** What the runtime's modules are named in generated imports. */
  readonly runtime: string;
  /** The folders whose files `dev` watches. */
  readonly watched: readonly string[];
  /** The folder for the script of the reference page. */
  readonly docsAssets: string;
}

/** Returns the name of a command without options, such as `npm run diff --`. */
export function nameOf({ program }: Pick<Project, "program">, verb: string): string {
  return program === "npm run" ? `npm run ${verb} --` : verb;
}
