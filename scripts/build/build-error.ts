/** Nothing could be built, or what was built may not be published; the message has a line for each fault, with its remedy. */
export class BuildError extends Error {
  override readonly name = "BuildError";
}
