/** The files and folders of the project that a command runs in, relative to its root. */
export interface Project {
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
