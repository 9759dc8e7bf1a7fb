import { readFileSync } from "node:fs";
import { isIP } from "node:net";

/** The message completes a sentence that starts with the setting's name. */
export class SettingError extends Error {}

/** Errors do not show longer text or text with control characters, because it may contain a secret setting. */
const mostShown = 40;

function shown(text: string): string {
  if (text.length > mostShown) return `text of ${text.length} characters`;
  return /\p{Cc}/u.test(text) ? "text with control characters" : JSON.stringify(text);
}

export function nonEmpty(text: string): string {
  if (text.trim() === "") throw new SettingError("must not be empty");
  return text;
}

export function fileText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new SettingError(`must be a file that can be read, not ${shown(path)}`);
  }
}

export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most) {
      throw new SettingError(`must be a whole number from ${least} to ${most}, not ${shown(text)}`);
    }
    return value;
  };
}

export function oneOf<const Choice extends string>(...choices: readonly Choice[]): (text: string) => Choice {
  return (text) => {
    const chosen = choices.find((choice) => choice === text);
    if (chosen === undefined) {
      throw new SettingError(`must be one of ${choices.join(", ")}, not ${shown(text)}`);
    }
    return chosen;
  };
}

export function share(text: string): number {
  const value = Number(text);
  if (!/^\d*\.?\d+$/.test(text) || value > 1)
    throw new SettingError(`must be a number from 0 to 1, not ${shown(text)}`);
  return value;
}

/** The message does not contain the text, because it is secret. */
export function secretKeys(text: string): readonly Uint8Array[] {
  const texts = text.split(",").map((key) => key.trim());
  const keys = text === "" ? [] : texts.map((key) => Buffer.from(key, "base64"));
  if (keys.some((key, n) => key.byteLength !== 32 || !/^[\w+/-]{43}=?$/.test(texts[n] ?? ""))) {
    throw new SettingError(
      "must be keys of 32 bytes in Base64, separated by commas; `openssl rand -base64 32` makes one",
    );
  }
  return keys;
}

/** Makes a reader that also accepts an empty setting. */
export function optional<Value>(read: (text: string) => Value): (text: string) => Value | undefined {
  return (text) => (text === "" ? undefined : read(text));
}

/** The message does not contain the text, because a URL may contain a password. */
export function httpUrl(text: string): string {
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? ""))
    throw new SettingError("must be an http or https URL");
  return text;
}

/** Reads addresses and ranges (CIDR), such as `10.0.0.0/8` or `fd00::/8`, separated by commas. */
export function addressRanges(text: string): readonly string[] {
  return listOf(text, "addresses or ranges such as 10.0.0.0/8, separated by commas", (range) => {
    const [address = "", prefix = "0", ...rest] = range.split("/");
    const bits = { 4: 32, 6: 128 }[isIP(address)] ?? -1;
    return /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits && rest.length === 0 && !address.includes("%");
  });
}

/** Reads origins as browsers send them (RFC 6454, section 6.1), separated by commas, or `*` for every origin. */
export function origins(text: string): "*" | readonly string[] {
  return text === "*" ? text : originList(text, ", or only *");
}

/** Reads the origins of trusted pages, separated by commas. `*` is rejected. */
export function exactOrigins(text: string): readonly string[] {
  if (text.includes("*"))
    throw new SettingError(
      "must list every origin; * is not allowed, because pages of these origins send secret keys",
    );
  return originList(text);
}

function originList(text: string, alternative = ""): readonly string[] {
  const form = `origins such as https://shop.example, separated by commas${alternative}`;
  return listOf(text, form, (origin) => {
    const url = URL.canParse(origin) ? new URL(origin) : undefined;
    return !origin.includes("*") && /^https?:$/.test(url?.protocol ?? "") && url?.origin === origin;
  });
}

function listOf(text: string, form: string, isValid: (item: string) => boolean): readonly string[] {
  const items = text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
  const invalid = items.find((item) => !isValid(item));
  if (invalid !== undefined) throw new SettingError(`must be ${form}; ${shown(invalid)} is invalid`);
  return items;
}
