import { err as serializeError } from "pino-std-serializers";
import { hidden, hider } from "../contract/secrets.ts";

/** No error of a driver is nested this deeply. */
const maxDepth = 6;

export interface LoggableError {
  readonly type: string;
  readonly message: string;
  readonly stack: string;
  readonly [detail: string]: unknown;
}

/** Use this outside a request, where it is unknown which parts of a message are secret. */
export function withoutMessage(error: unknown): { readonly type: string; readonly stack: string } {
  if (!(error instanceof Error)) return { type: typeof error, stack: "" };
  const { stack = "", message } = error;
  const frames = stack.slice(stack.indexOf(message) + message.length);
  return { type: error.constructor.name, stack: stack.includes(message) ? frames.trim() : "" };
}

export function loggable(error: unknown, secrets: readonly string[]): LoggableError {
  const { type, message, stack, ...details } = serializeError(
    error instanceof Error ? error : new Error(String(error)),
  );
  const hide = hider(secrets);
  const shown = Object.entries(details).map(([key, value]) => [hide(key), redacted(value, hide, maxDepth)]);
  return { ...Object.fromEntries(shown), type, message: hide(message), stack: hide(stack) };
}

function redacted(value: unknown, hide: (text: string) => string, depth: number): unknown {
  if (typeof value === "string") return hide(value);
  if (typeof value === "number") return hide(String(value)) === String(value) ? value : hidden;
  if (typeof value !== "object" || value === null) return value;
  // Bytes would be logged as numbers. The search would not find a secret in them, but a reader could decode it.
  if (depth === 0 || ArrayBuffer.isView(value)) return hidden;
  if (Array.isArray(value)) return value.map((item) => redacted(item, hide, depth - 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [hide(key), redacted(item, hide, depth - 1)]),
  );
}
