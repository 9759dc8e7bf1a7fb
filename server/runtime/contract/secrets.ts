import type { OperationContract } from "#specbind/contract";
/** Finds the values of a request that the spec marks as sensitive, so that no log contains them. */
import { readJson } from "./json.ts";
import { rawPairs } from "./pairs.ts";
import { pathReader } from "./path-templates.ts";
import { decodedIfValid, formDecoded } from "./percent-encoding.ts";
import type { RequestView } from "./request.ts";

/**
 * A value below a sensitive name is secret in any location, even where the spec does not declare the name.
 *
 * @param template the path of the operation
 * @param names of parameters, headers, and properties at any depth; "" for the whole body
 */
export function secretReader(
  template: string,
  names: readonly string[],
  parameters: OperationContract["parameters"] = [],
): (request: Pick<RequestView, "header" | "query" | "path">, body: unknown) => string[] {
  const readPath = pathReader(template, parameters);
  const sensitive = new Set(names.map((name) => name.toLowerCase()));
  return (request, body) => {
    const secrets = new Set<string>();
    const take = (value: unknown): void => {
      if (typeof value === "string" || typeof value === "number") secrets.add(String(value));
    };
    for (const name of sensitive) {
      if (name === "") continue;
      const header = request.header(name);
      take(header);
      // The credential of a scheme: `Bearer …`, `Basic …`.
      take(header?.split(" ").at(-1));
    }
    for (const [name, text] of rawPairs(request.query)) if (names.includes(name)) take(formDecoded(text));
    for (const [name, text] of Object.entries(readPath(request.path))) if (names.includes(name)) take(text);
    // The query may be JSON.
    const query = readJson(decodedIfValid(request.query));
    // Recursion could exhaust the stack, because the caller chooses the depth.
    const pending: { readonly value: unknown; readonly isSecret: boolean }[] = [
      { value: [body, "value" in query && query.value], isSecret: sensitive.has("") },
    ];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { value, isSecret } = next;
      if (typeof value === "object" && value !== null) {
        const isList = Array.isArray(value);
        for (const [key, item] of Object.entries(value))
          pending.push({ value: item, isSecret: isSecret || (!isList && sensitive.has(key.toLowerCase())) });
      } else if (isSecret) take(value);
    }
    secrets.delete("");
    return [...secrets];
  };
}

export const hidden = "[redacted]";

/** Returns a function that replaces the secrets in a text. */
export function hider(secrets: readonly string[]): (text: string) => string {
  const texts = [...new Set(secrets.flatMap(writingsOf))].toSorted(
    (left, right) => right.length - left.length,
  );
  if (texts.length === 0) return (text) => text;
  const expression = new RegExp(texts.map(patternOf).join("|"), "g");
  return (text) => text.replace(expression, hidden);
}

/** Shorter secrets occur in many words, so a text without them would be unreadable. */
const leastInWords = 4;

/** A short secret is only replaced between quotes, as a value in a URL, and as the whole text. */
function patternOf(secret: string): string {
  const pattern = secret.replaceAll(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
  if (secret.length >= leastInWords) return pattern;
  return `^${pattern}$|(?<=["'\`])${pattern}(?=["'\`])|(?<==)${pattern}(?=[&\\s]|$)`;
}

/** Returns the forms in which an error may contain a secret: unchanged, in JSON and in a URL. */
function writingsOf(secret: string): string[] {
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret.toWellFormed())];
}
