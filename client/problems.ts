/** One problem, with its place as a JSON pointer (RFC 6901) into that part of the call. */
export interface CallProblem {
  /** `options` for an option of the client or of the call. */
  readonly in: "path" | "query" | "header" | "cookie" | "body" | "options";
  readonly pointer: string;
  readonly message: string;
}

export type Report = (pointer: string, message: string) => void;

export function reportTo(problems: CallProblem[], place: CallProblem["in"]): Report {
  return (pointer, message) => problems.push({ in: place, pointer, message });
}

export function pointerTo(pointer: string, name: string | number): string {
  return `${pointer}/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

export function problemText(problems: readonly CallProblem[]): string {
  return problems
    .map(({ in: place, pointer, message }) => `${place}${pointer && ` ${pointer}`} ${message}`)
    .join("; ");
}
