/** Code as the page shows it, below a line of text. What scrolls can be reached by keyboard. */
import type { Json } from "../document.ts";
import { highlighted, type Language } from "./highlight.ts";
import { type Html, html } from "./html.ts";
import { jsonText } from "./json-text.ts";

export function codeBlock(text: string, language: Language): Html {
  const copy = html`<button class="copy" type="button" hidden>Copy</button>`;
  return html`<div class="code"><pre tabindex="0"><code>${highlighted(text, language)}</code></pre>${copy}</div>`;
}

/** An example's value: JSON, or text as it is. */
export function code(value: Json): Html {
  return codeBlock(typeof value === "string" ? value : jsonText(value), "json");
}
