/** Code with its texts, numbers and words marked, so that the page can colour them without a script. */
import { Html, inContent } from "./html.ts";

export type Language = "json" | "shell" | "typescript";

const kinds = ["text", "number", "word"] as const;

/** Each has groups of these kinds, as far as the language has such; what is in none of them is passed over. */
const tokens: { readonly [L in Language]: RegExp } = {
  json: /"(?:[^"\\]|\\.)*"(?=:)|(?<text>"(?:[^"\\]|\\.)*")|(?<number>-?\b\d[\d.eE+-]*)|(?<word>\b(?:true|false|null)\b)/g,
  shell: /(?<text>'[^']*'|"(?:[^"\\]|\\.)*")|(?<word>^curl\b|(?<=\s)--?[A-Za-z][\w-]*)/gm,
  typescript:
    /(?<text>"(?:[^"\\]|\\.)*")|(?<number>-?\b\d[\d.eE+-]*)|(?<word>\b(?:import|from|const|await|new|true|false|null)\b)/g,
};

export function highlighted(code: string, language: Language): Html {
  let marked = "";
  let end = 0;
  for (const match of code.matchAll(tokens[language])) {
    const kind = kinds.find((each) => match.groups?.[each] !== undefined);
    if (kind === undefined) continue;
    marked += `${inContent(code.slice(end, match.index))}<i class="${kind}">${inContent(match[0])}</i>`;
    end = match.index + match[0].length;
  }
  return new Html(marked + inContent(code.slice(end)));
}
