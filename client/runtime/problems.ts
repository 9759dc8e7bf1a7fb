/** One problem of a call. `in` is the part of the call, and `pointer` a JSON pointer (RFC 6901) into this part. */
export interface CallProblem {
  /** `options` means the options of the client or of the call. */
  readonly in: "path" | "query" | "header" | "cookie" | "body" | "options";
  readonly pointer: string;
  readonly message: string;
}

export type Report = (pointer: string, message: string) => void;

export function reportTo(problems: CallProblem[], place: CallProblem["in"]): Report {
  return (pointer, message) => problems.push({ in: place, pointer, message });
}

export function problemText(problems: readonly CallProblem[]): string {
  return problems
    .map(({ in: place, pointer, message }) => `${place}${pointer && ` ${pointer}`} ${message}`)
    .join("; ");
}
