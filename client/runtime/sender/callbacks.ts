/** Evaluates the runtime expressions in the URLs of callbacks (OpenAPI 3.1, Runtime Expressions). */
import { pathReader } from "../../../server/runtime/contract/path-templates.ts";
import type { RequestView } from "../../../server/runtime/contract/request.ts";
import { valueAt } from "../../../server/runtime/shared/document.ts";
import { InvalidCallError } from "../errors.ts";

/** The request of the operation that the callback belongs to. */
export interface CallbackSource {
  readonly request: RequestView;
  /** The parsed body. */
  readonly body: unknown;
}

interface Callback {
  readonly expression: string;
  /** The path template of the operation. */
  readonly path: string;
}

/** @throws InvalidCallError if a part of the URL cannot be evaluated */
export function callbackUrl(name: string, { expression, path }: Callback, source: CallbackSource): string {
  const whole = expression.startsWith("$") ? `{${expression}}` : expression;
  return whole.replaceAll(/\{(\$[^{}]*)\}/g, (_, each: string, index: number) => {
    const value = evaluated(each, path, source);
    const fail = (message: string): never => {
      throw new InvalidCallError(name, [
        { in: "options", pointer: "/url", message: `\`${each}\` ${message}` },
      ]);
    };
    if (/^\$(?:response|statusCode)/.test(each))
      return fail(
        "needs the response, which does not exist yet; send the callback with the sender and its `url`",
      );
    if (value === undefined || value === null || value === "") return fail("has no value in this request");
    if (typeof value === "object") return fail("is no text in this request");
    if (value === "." || value === "..") return fail("must not be `.` or `..`, which would change the path");
    // A value in the middle of a URL must not change its other parts.
    return index === 0 ? String(value) : encodeURIComponent(String(value));
  });
}

function evaluated(expression: string, path: string, { request, body }: CallbackSource): unknown {
  if (expression === "$method") return request.method;
  if (expression === "$url") return (request.c as { req?: { url?: string } } | undefined)?.req?.url;
  const [, place, name = ""] = /^\$request\.(header|query|path|body)[.#]?(.*)$/s.exec(expression) ?? [];
  switch (place) {
    case "header":
      return request.header(name);
    case "query":
      return new URLSearchParams(request.query).get(name);
    case "path":
      return decodeURIComponent(pathReader(path)(request.path)[name] ?? "");
    case "body":
      return valueAt(body, name);
    default:
      return undefined;
  }
}
