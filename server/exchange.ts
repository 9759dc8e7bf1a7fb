/** One request and its answer, as logs, metrics and traces tell of it. */

export interface Exchange {
  /** The `operationId`, the path of what is no operation, `preflight`, or `unmatched`: a bounded set. */
  readonly operation: string;
  readonly status: number;
  /** The code of the error that was answered. */
  readonly code: string | undefined;
  readonly seconds: number;
}
