/**
 * HTML in which the text of a spec stays text: whatever stands in a template is escaped unless it is HTML already, so that
 * forgetting to escape is not possible.
 */
export class Html {
  readonly text: string;

  /** @param text taken as it is: never text of a spec */
  constructor(text: string) {
    this.text = text;
  }
}

export type Part = Html | string | number | false | undefined | readonly Part[];

export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = strings[0] ?? "";
  for (const [index, part] of parts.entries()) text += textOf(part) + (strings[index + 1] ?? "");
  return new Html(text);
}

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === "string") return escaped(part);
  if (typeof part === "number") return String(part);
  if (part === undefined || part === false) return "";
  return part.map(textOf).join("");
}

export function isEmpty(part: Part): boolean {
  return textOf(part) === "";
}

/** The parts with a separator between them; those that are empty are left out. */
export function joined(parts: readonly Part[], separator: string): Part[] {
  const shown = parts.filter((part) => !isEmpty(part));
  return shown.flatMap((part, index) => (index === 0 ? [part] : [separator, part]));
}

const entities: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** In content, and in attributes within quotes. */
function escaped(text: string): string {
  return /[&<>"']/.test(text) ? text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "") : text;
}

/** Escaped for content alone, where quotes may stay: code is full of them. */
export function inContent(text: string): string {
  return /[&<>]/.test(text) ? text.replaceAll(/[&<>]/g, (character) => entities[character] ?? "") : text;
}
