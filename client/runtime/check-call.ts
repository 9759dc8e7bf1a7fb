/**
 * Finds values that JSON, a path or a header cannot contain, such as NaN, `..` or a line break. The server
 * validates the request against the schemas.
 */
import type { HeadersOptions } from "openapi-fetch";
import type { OperationDescription } from "#specbind/contract";
import { pointerWith } from "../../server/runtime/shared/pointer.ts";
import { checkHeaders, type HeaderRecord, headerRecord } from "./headers.ts";
import { type CallProblem, type Report, reportTo } from "./problems.ts";

export type Values = Readonly<Record<string, unknown>>;
type WritePath = (template: string, values: Values) => string;
export type CheckBody = (body: unknown, report: Report) => void;

export type IsParameter = (operation: OperationDescription, place: string, name: string) => boolean;

export const places = ["path", "query", "header", "cookie"] as const;
const maxDepth = 500;

export function problemsOf(
  operation: OperationDescription,
  writePath: WritePath,
  isParameter: IsParameter,
  params: Readonly<Record<string, Values | null | undefined>>,
  headers: HeaderRecord,
  body: unknown,
  checkBody: CheckBody,
): CallProblem[] {
  const problems: CallProblem[] = [];
  for (const place of places) {
    const report = reportTo(problems, place);
    for (const name of Object.keys(params[place] ?? {}))
      if (!isParameter(operation, place, name)) report(pointerWith("", name), "is not a parameter");
    checkValue(params[place], "", report);
  }
  const reportBody = reportTo(problems, "body");
  if (body === undefined) {
    if (operation.requestBody?.required) reportBody("", "is missing");
  } else if (operation.requestBody === undefined) reportBody("", "must be left out");
  else checkBody(body, reportBody);
  const values = params.path ?? {};
  const isWritable = problems.length === 0;
  const reportPath = reportTo(problems, "path");
  for (const segment of operation.path.split("/"))
    for (const [, name = ""] of segment.matchAll(/\{([^{}]+)\}/g)) {
      const value = ownValue(values, name);
      const pointer = pointerWith("", name);
      if (value === undefined || value === null) reportPath(pointer, "is missing");
      else if (
        value === "" ||
        (typeof value === "object" && Object.keys(value).length === 0) ||
        (isWritable && /^\.{0,2}$/.test(writePath(segment, values)))
      )
        reportPath(pointer, "must not be empty, `.` or `..`");
    }
  for (const each of [headerRecord(params.header as HeadersOptions), headers])
    checkHeaders(each, reportTo(problems, "header"));
  return problems;
}

/** Header names are case-insensitive (RFC 9110, section 5.1). */
export const isParameter: IsParameter = ({ path, parameters = [] }, place, name) => {
  const keyOf = (each: string) => (place === "header" ? each.toLowerCase() : each);
  return (
    parameters.some((each) => each.in === place && keyOf(each.name) === keyOf(name)) ||
    (place === "path" && path.includes(`{${name}}`))
  );
};

/** Ignores inherited properties, because a parameter may have the name of one, such as `constructor`. */
export function ownValue(values: Values, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

export function isObject(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Undefined values are left out, except in a list. */
export function checkValue(
  value: unknown,
  pointer: string,
  report: Report,
  within: readonly object[] = [],
): void {
  if (typeof value === "string") {
    if (/\p{Surrogate}/u.test(value)) report(pointer, "must not have unpaired surrogates");
  } else if (/bigint|function|symbol/.test(typeof value)) {
    report(pointer, `must not be a ${typeof value}`);
  } else if (typeof value === "number") {
    if (!Number.isFinite(value)) report(pointer, `must not be ${value}`);
  } else if (typeof value === "object" && value !== null) {
    const kind = Object.prototype.toString.call(value).slice(8, -1);
    const below = [...within, value];
    if (within.includes(value) || within.length > maxDepth)
      report(pointer, `must not be circular or more than ${maxDepth} levels deep`);
    else if (Array.isArray(value)) {
      // Also visits the gaps of a sparse list.
      for (let index = 0; index < value.length; index++) {
        const place = pointerWith(pointer, index);
        if (value[index] === undefined) report(place, "must not contain undefined in a list");
        checkValue(value[index], place, report, below);
      }
    } else if (kind !== "Object" || ("toJSON" in value && typeof value.toJSON === "function")) {
      report(pointer, `must be a plain value, such as date.toISOString(), not ${kind}`);
    } else {
      for (const [name, item] of Object.entries(value)) {
        const place = pointerWith(pointer, name);
        checkValue(name, place, report);
        checkValue(item, place, report, below);
      }
    }
  }
}
