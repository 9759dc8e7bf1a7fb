/** The faults of what a client or a call is told, each with its place. */

/** One fault, with its place as a JSON pointer (RFC 6901) into that part of the call. */
export interface CallProblem {
  /** `options` where the client or the call itself is told what it does not take. */
  readonly in: "path" | "query" | "header" | "cookie" | "body" | "options";
  readonly pointer: string;
  readonly message: string;
}

/** Takes a fault and its place. */
export type Report = (pointer: string, message: string) => void;

export function reportTo(problems: CallProblem[], place: CallProblem["in"]): Report {
  return (pointer, message) => problems.push({ in: place, pointer, message });
}

export function pointerTo(pointer: string, name: string | number): string {
  return `${pointer}/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** In one line for whoever reads an error. */
export function toldOf(problems: readonly CallProblem[]): string {
  return problems
    .map(({ in: place, pointer, message }) => `${place}${pointer && ` ${pointer}`} ${message}`)
    .join("; ");
}
