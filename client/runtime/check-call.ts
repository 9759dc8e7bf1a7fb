/**
 * Finds values that JSON, a path or a header cannot contain, such as NaN, `..` or a line break. The server
 * validates the request against the schemas.
 */
import type { HeadersOptions } from "openapi-fetch";
import type { OperationDescription } from "#specbind/contract";
import { hasStyledParameters } from "../../generated/operations.ts";
import { isObject, ownValue } from "./features/parameters.ts";
import { isBodyInit } from "./features/serialise.ts";
import { checkHeaders, type HeaderRecord, headerRecord } from "./headers.ts";
import { type CallProblem, pointerTo, type Report, reportTo } from "./problems.ts";

type Values = Readonly<Record<string, unknown>>;
type WritePath = (template: string, values: Values) => string;
type CheckBody = (content: unknown, report: Report) => void;

export const places = ["path", "query", "header", "cookie"] as const;
const maxDepth = 500;

export function problemsOf(
  operation: OperationDescription,
  writePath: WritePath,
  params: Readonly<Record<string, Values | null | undefined>>,
  headers: HeaderRecord,
  content: unknown,
  checkBody: CheckBody,
): CallProblem[] {
  const problems: CallProblem[] = [];
  for (const place of places) {
    checkNames(operation, place, params[place] ?? {}, reportTo(problems, place));
    checkValue(params[place], "", reportTo(problems, place));
  }
  const reportBody = reportTo(problems, "body");
  if (content === undefined) {
    if (operation.content?.required) reportBody("", "is missing");
  } else if (operation.content === undefined) reportBody("", "must be left out");
  else checkBody(content, reportBody);
  const writable = problems.length === 0 ? writePath : undefined;
  checkPath(operation.path, params.path ?? {}, reportTo(problems, "path"), writable);
  for (const each of [headerRecord(params.header as HeadersOptions), headers])
    checkHeaders(each, reportTo(problems, "header"));
  return problems;
}

export function checkJson(content: unknown, report: Report): void {
  checkValue(content, "", report);
}

/** Also checks forms, and accepts bodies that are already serialised, such as a Blob. */
export function bodyCheckOf(mediaType = ""): CheckBody {
  return (content, report) => {
    const isWritten = isBodyInit(content);
    const isForm = /\/(?:x-www-)?form-/.test(mediaType);
    if (isForm && !isWritten && !isObject(content)) report("", "must be an object with the form's fields");
    if (!isWritten || typeof content === "string")
      checkValue(mediaType.startsWith("multipart/") ? withoutFiles(content) : content, "", report);
  };
}

/** Replaces files by empty strings. A form's field, or an item of a field that is a list, may be a file. */
function withoutFiles(content: unknown): unknown {
  if (!isObject(content) || Object.keys(content).length === 0) return content;
  const withoutFile = (value: unknown) => (value instanceof Blob ? "" : value);
  return Object.fromEntries(
    Object.entries(content).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(withoutFile) : withoutFile(value),
    ]),
  );
}

/** Header names are case-insensitive (RFC 9110, section 5.1). */
function checkNames(
  { path, parameters = [] }: OperationDescription,
  place: (typeof places)[number],
  values: Values,
  report: Report,
): void {
  if (hasStyledParameters && place === "query" && parameters.some((each) => each.in === "querystring"))
    return;
  const keyOf = (name: string) => (place === "header" ? name.toLowerCase() : name);
  for (const name of Object.keys(values))
    if (
      !parameters.some((each) => each.in === place && keyOf(each.name) === keyOf(name)) &&
      !(place === "path" && path.includes(`{${name}}`))
    )
      report(pointerTo("", name), "is not a parameter of this operation");
}

function checkPath(path: string, values: Values, report: Report, writePath: WritePath | undefined): void {
  for (const segment of path.split("/")) {
    for (const [, name = ""] of segment.matchAll(/\{([^{}]+)\}/g)) {
      const value = ownValue(values, name);
      const pointer = pointerTo("", name);
      if (value === undefined || value === null) report(pointer, "is missing");
      else if (isEmpty(value) || (writePath && /^\.{0,2}$/.test(writePath(segment, values))))
        report(pointer, "must not be empty, `.` or `..`, because that would change the path");
    }
  }
}

function isEmpty(value: unknown): boolean {
  return value === "" || (typeof value === "object" && Object.keys(value ?? {}).length === 0);
}

/** Undefined values are left out, except in a list. */
function checkValue(value: unknown, pointer: string, report: Report, within: readonly object[] = []): void {
  if (typeof value === "string") {
    if (/\p{Surrogate}/u.test(value)) report(pointer, "must not have unpaired surrogates");
  } else if (/bigint|function|symbol/.test(typeof value)) {
    report(pointer, `must not be a ${typeof value}, which cannot be sent`);
  } else if (typeof value === "number") {
    if (!Number.isFinite(value)) report(pointer, `must not be ${value}, which cannot be sent`);
  } else if (typeof value === "object" && value !== null) {
    const kind = Object.prototype.toString.call(value).slice(8, -1);
    const below = [...within, value];
    if (within.includes(value) || within.length > maxDepth)
      report(pointer, `must not be circular or more than ${maxDepth} levels deep`);
    else if (Array.isArray(value)) {
      // Also visits the gaps of a sparse list.
      for (let index = 0; index < value.length; index++) {
        const place = pointerTo(pointer, index);
        if (value[index] === undefined) report(place, "must not contain undefined in a list");
        checkValue(value[index], place, report, below);
      }
    } else if (kind !== "Object" || ("toJSON" in value && typeof value.toJSON === "function")) {
      report(pointer, `must be a plain value, such as date.toISOString(), not ${kind}`);
    } else {
      for (const [name, item] of Object.entries(value)) {
        const place = pointerTo(pointer, name);
        checkValue(name, place, report);
        checkValue(item, place, report, below);
      }
    }
  }
}
