/** Thrown if nothing can be measured. The message is for the user. */
export class DriftError extends Error {}
