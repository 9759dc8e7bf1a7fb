/** The package must not be published. The message has a line for each problem, with its fix. */
export class BuildError extends Error {
  override readonly name = "BuildError";
}
