/**
 * Finds what could only be sent wrongly: JSON has no NaN and no Date, a path with an empty value or `..` is another path,
 * a line break ends a header. Whether values fit their schemas is the server's to say.
 */
import type { OperationDescription } from "../generated/operations.ts";
import { writePath } from "./parameters.ts";
import { isBodyInit } from "./serialise.ts";

/** One fault of a call, with its place as a JSON pointer (RFC 6901) into that part of it. */
export interface CallProblem {
  readonly in: "path" | "query" | "header" | "cookie" | "body";
  readonly pointer: string;
  readonly message: string;
}

type Report = (pointer: string, message: string) => void;
type Values = Readonly<Record<string, unknown>>;

const places = ["path", "query", "header", "cookie"] as const;
const maxDepth = 500;

/**
 * Every fault of a call. Content that is bytes or a form already is looked at no further.
 *
 * @param files whether the content may hold files, as a form of several parts does
 */
export function problemsOf(
  operation: OperationDescription,
  params: Readonly<Record<string, Values | undefined>>,
  headers: readonly (readonly [string, unknown])[],
  content: unknown,
  files: boolean,
): CallProblem[] {
  const problems: CallProblem[] = [];
  const reportIn =
    (place: CallProblem["in"]): Report =>
    (pointer, message) =>
      problems.push({ in: place, pointer, message });
  for (const place of places) checkValue(params[place], "", reportIn(place), false);
  if (typeof content === "string" || !isBodyInit(content)) checkValue(content, "", reportIn("body"), files);
  checkPath(operation, params.path ?? {}, reportIn("path"), problems.length === 0);
  checkHeaders([...Object.entries(params.header ?? {}), ...headers], reportIn("header"));
  return problems;
}

/** @param writable whether the values can be written out at all */
function checkPath(
  { path, parameters = [] }: OperationDescription,
  values: Values,
  report: Report,
  writable: boolean,
): void {
  for (const segment of path.split("/")) {
    for (const [, name = ""] of segment.matchAll(/\{([^{}]+)\}/g)) {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      const pointer = pointerTo("", name);
      if (value === undefined || value === null) report(pointer, "is missing");
      else if (value === "" || (typeof value === "object" && Object.keys(value).length === 0))
        report(pointer, "must not be empty, which would make another address");
      else if (writable && /^\.{0,2}$/.test(writePath(segment, parameters, values)))
        report(pointer, "must not be `.` or `..`, which would make another address");
    }
  }
}

/** Faults of headers, whose values may be secret and are not repeated. Null and undefined leave a header out. */
export function checkHeaders(headers: readonly (readonly [string, unknown])[], report: Report): void {
  for (const [name, value] of headers) {
    const pointer = pointerTo("", name);
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) report(pointer, "must have a name of a header");
    if ([value ?? ""].flat().some((each) => !/^[\t\x20-\x7e\x80-\xff]*$/.test(String(each))))
      report(pointer, "must be one line of Latin-1 characters");
  }
}

/** Faults of what is to become JSON or text. What is undefined is left out, but for an item of a list. */
function checkValue(
  value: unknown,
  pointer: string,
  report: Report,
  files: boolean,
  within: readonly object[] = [],
): void {
  const type = typeof value;
  if (typeof value === "string") {
    if (/\p{Surrogate}/u.test(value)) report(pointer, "must be Unicode text, without half a surrogate pair");
  } else if (type === "bigint" || type === "function" || type === "symbol") {
    report(pointer, `must not be a ${type}, which cannot be sent`);
  } else if (typeof value === "number") {
    if (!Number.isFinite(value)) report(pointer, `must not be ${value}, which cannot be sent`);
  } else if (typeof value === "object" && value !== null) {
    const kind = Object.prototype.toString.call(value).slice(8, -1);
    const below = [...within, value];
    if (within.includes(value) || within.length > maxDepth)
      report(pointer, `must not hold itself, nor be more than ${maxDepth} deep`);
    else if (Array.isArray(value)) {
      // By index, for a gap is undefined too.
      for (let index = 0; index < value.length; index++) {
        const place = pointerTo(pointer, index);
        if (value[index] === undefined) report(place, "must not be undefined, for it is in a list");
        checkValue(value[index], place, report, files, below);
      }
    } else if (kind !== "Object" || ("toJSON" in value && typeof value.toJSON === "function")) {
      if (!(files && value instanceof Blob))
        report(pointer, `must be a plain value, such as date.toISOString(), not ${kind}`);
    } else {
      for (const [name, item] of Object.entries(value)) {
        const place = pointerTo(pointer, name);
        checkValue(name, place, report, files);
        checkValue(item, place, report, files, below);
      }
    }
  }
}

function pointerTo(pointer: string, name: string | number): string {
  return `${pointer}/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
