import { InvalidArgumentError } from "commander";
import { isDialCode, isEventName, isMobile, isWebhookUrl, longest } from "../domain/registration.ts";
import type { ApiKeyKind } from "../store/store.ts";

/** One line of text. Control characters in a stored name could rewrite the operator's terminal. */
export function parseText(value: string): string {
  if (value.trim() === "") throw new InvalidArgumentError("It must not be empty.");
  if (/\p{Cc}/u.test(value)) throw new InvalidArgumentError("It must not contain control characters.");
  return value;
}

export function parseName(value: string): string {
  return assertLength(parseText(value), longest.name);
}

function assertLength(value: string, most: number): string {
  if ([...value].length <= most) return value;
  throw new InvalidArgumentError(`It must have at most ${most} characters.`);
}

export function parseAuthType(value: string): number {
  if (!/^[0-9]{1,9}$/.test(value)) throw new InvalidArgumentError("It must be a whole number, such as 3.");
  return Number(value);
}

export function parseKind(value: string): ApiKeyKind {
  if (value !== "secret" && value !== "publishable") {
    throw new InvalidArgumentError("It must be secret or publishable.");
  }
  return value;
}

export function parseDialCode(value: string): string {
  if (isDialCode(value)) return value;
  throw new InvalidArgumentError("It must be one to four digits, such as 91, without + or leading zeros.");
}

export function parseMobile(value: string): string {
  if (isMobile(value)) return value;
  throw new InvalidArgumentError("It must be 4 to 15 digits, without the dial code.");
}

export function parseEmail(value: string): string {
  if (/^[^\s@]+@[^\s@]+$/.test(parseText(value))) return assertLength(value, longest.email);
  throw new InvalidArgumentError("It must be an e-mail address such as asha@example.com.");
}

export function parseWebhookUrl(value: string): string {
  if (isWebhookUrl(value)) return value;
  throw new InvalidArgumentError(
    "It must be a complete http or https URL, with special characters percent-encoded.",
  );
}

export function parseWebhookId(value: string): number {
  const id = Number(value);
  if (/^[1-9][0-9]*$/.test(value) && Number.isSafeInteger(id)) return id;
  throw new InvalidArgumentError('It must be a number, as "webhook list" shows it.');
}

export function collectEventName(value: string, before: string[] | undefined): string[] {
  if (isEventName(value)) return [...(before ?? []), value];
  throw new InvalidArgumentError("It must be lower-case words joined by dots, such as order.created.");
}
