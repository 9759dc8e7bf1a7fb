/** A request and its response, as bytes, and the problems that they can have. */
import type { Json } from "../openapi/document.ts";

export type Headers = readonly (readonly [name: string, value: string])[];

export interface HttpRequest {
  readonly method: string;
  /** The path relative to the base URL, with the query. */
  readonly target: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

export interface Problem {
  /** A part of a request or response, such as `body` or `media type`. */
  readonly in: string;
  /** A JSON pointer (RFC 6901) into the body, or the name of a parameter or header after a slash. */
  readonly pointer: string;
  readonly message: string;
}

export function inWords({ in: place, pointer, message }: Problem): string {
  return [place, pointer, message].filter((each) => each !== "").join(" ");
}

/** Parses a body. Returns undefined if it is not JSON. */
export function jsonIn(bytes: Uint8Array): Json | undefined {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** Joins header lines with the same name into a list (RFC 9110, section 5.3). */
export function headerOf(headers: Headers, name: string): string | undefined {
  const values = headers.filter(([each]) => each.toLowerCase() === name.toLowerCase());
  return values.length === 0 ? undefined : values.map(([, value]) => value).join(", ");
}
