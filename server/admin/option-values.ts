import { InvalidArgumentError } from "commander";
import { nearestWord } from "#specbind/nearest-word";
import { operations } from "../../generated/operations.ts";
import type { Clock } from "../domain/clock.ts";
import { isDialCode, isEventName, isMobile, isWebhookUrl, longest } from "../domain/registration.ts";
import type { ApiKeyKind } from "../store/store.ts";

/** Line breaks, terminal controls and text direction controls. They could make a list show something false. */
const controls = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

export function parseText(value: string): string {
  if (value.trim() === "") throw new InvalidArgumentError("It must not be empty.");
  if (controls.test(value)) throw new InvalidArgumentError("It must not contain control characters.");
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

const unitsMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Returns milliseconds. */
export function parseDuration(value: string): number {
  const durationMs = durationOf(value);
  if (durationMs !== undefined) return durationMs;
  throw new InvalidArgumentError("It must be a whole number with the unit s, m, h or d, such as 24h.");
}

function durationOf(value: string): number | undefined {
  const [, count, unit] = /^([0-9]{1,5})([smhd])$/.exec(value) ?? [];
  return unit === undefined ? undefined : Number(count) * unitsMs[unit as keyof typeof unitsMs];
}

/** Milliseconds since the epoch, or `never`. It is not null, because commander ignores that value. */
export type Expiry = number | "never";

export const parseExpiry =
  (clock: Clock) =>
  (value: string): Expiry => {
    if (value === "never") return value;
    const now = clock();
    const durationMs = durationOf(value);
    const time = durationMs === undefined ? timeOf(value) : now + durationMs;
    if (Number.isNaN(time)) {
      throw new InvalidArgumentError(
        "It must be a duration such as 90d or 12h, a date such as 2027-01-31 (00:00 UTC), a time such as 2027-01-31T18:00Z, or never.",
      );
    }
    if (time > now) return time;
    throw new InvalidArgumentError(`It must be in the future; it is ${new Date(now).toISOString()} now.`);
  };

/** Returns NaN for a day that does not exist. JavaScript would read February 30 as a day in March. */
function timeOf(value: string): number {
  if (!/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z)?$/.test(value)) return Number.NaN;
  const time = Date.parse(value);
  return Number.isNaN(time) || value.startsWith(new Date(time).toISOString().slice(0, 10))
    ? time
    : Number.NaN;
}

export function collectOperation(value: string, before: string[] | undefined): string[] {
  if (Object.hasOwn(operations, value)) return [...new Set([...(before ?? []), value])];
  throw new InvalidArgumentError(`It must be an operationId: ${Object.keys(operations).join(", ")}.`);
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
    "It must be a complete http or https URL. Percent-encode special characters.",
  );
}

export function parseWebhookId(value: string): number {
  const id = Number(value);
  if (/^[1-9][0-9]*$/.test(value) && Number.isSafeInteger(id)) return id;
  throw new InvalidArgumentError('It must be a number from the ID column of "webhook list".');
}

/** The event kind that the spec names. Others are allowed, because there is no complete list. */
export const knownEventKind = "order.created";

export function collectEventName(value: string, before: string[] | undefined): string[] {
  if (value !== knownEventKind && nearestWord(value, [knownEventKind], 1) !== undefined)
    throw new InvalidArgumentError(`There is no such event kind. Did you mean ${knownEventKind}?`);
  if (isEventName(value)) return [...(before ?? []), value];
  throw new InvalidArgumentError(
    "It must consist of lower-case words with dots between them, such as order.created.",
  );
}
