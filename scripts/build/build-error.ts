/** Nothing could be built, or the result must not be published. A line for each problem, with its remedy. */
export class BuildError extends Error {
  override readonly name = "BuildError";
}
