import type { HeadersOptions } from "openapi-fetch";
import { pointerWith } from "../../server/runtime/shared/pointer.ts";
import type { Report } from "./problems.ts";

/** Keyed by header name in lower case. May contain invalid headers, which `checkHeaders` reports. */
export type HeaderRecord = Readonly<Record<string, HeaderValue | HeaderValue[] | null | undefined>>;
type HeaderValue = string | number | boolean;

/** Joins headers with the same name into one value (RFC 9110, section 5.3). */
export function headerRecord(headers: HeadersOptions | null | undefined): HeaderRecord {
  const record: Record<string, HeaderRecord[string]> = {};
  const pairs = headers && Symbol.iterator in headers ? headers : Object.entries(headers ?? {});
  for (const { 0: given, 1: value } of pairs) {
    const name = String(given).toLowerCase();
    if (value !== undefined) record[name] = record[name] === undefined ? value : `${record[name]}, ${value}`;
  }
  return record;
}

/** Messages contain no values, because a value may be secret. A header that is null is not sent. */
export function checkHeaders(headers: HeaderRecord, report: Report): void {
  for (const [name, value] of Object.entries(headers)) {
    const pointer = pointerWith("", name);
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) report(pointer, "must have a valid header name");
    if ([value ?? ""].flat().some((each) => !/^[\t\x20-\x7e\x80-\xff]*$/.test(String(each))))
      report(pointer, "must be one line of Latin-1 characters");
  }
}
