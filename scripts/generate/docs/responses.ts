/** What an operation may answer: for each status its meaning, codes, headers, content and examples. */
import { entriesOf, follow, isObject, type JsonObject, pointerTo, valueAt } from "../document.ts";
import { type Example, examplesAt } from "../examples.ts";
import type { Response } from "../model.ts";
import { code } from "./code-block.ts";
import type { Codes } from "./codes.ts";
import { type Html, html, joined, type Part } from "./html.ts";
import { inlineMarkdown, markdown } from "./markdown.ts";
import type { Schemas } from "./schemas.ts";

export interface ResponseParts {
  readonly document: JsonObject;
  readonly schemas: Schemas;
  readonly codes: Codes;
}

/**
 * @param pointer of the Responses Object
 * @param owner what the anchors begin with, such as `getBook` in `getBook-404`
 */
export function responsesOf(
  parts: ResponseParts,
  pointer: string,
  responses: readonly Response[],
  owner: string,
): Html {
  return html`<div class="responses">${responses.map((response) => responseOf(parts, pointer, response, owner))}</div>`;
}

function responseOf(
  { document, schemas, codes }: ResponseParts,
  pointer: string,
  response: Response,
  owner: string,
): Html {
  const { status } = response;
  const { pointer: place, value } = follow(document, pointerTo(pointer, status));
  const description = isObject(value) && typeof value.description === "string" ? value.description : "";
  const own = codes.of(place, response);
  const headers = entriesOf(valueAt(document, pointerTo(place, "headers"))).flatMap(([name]) => {
    const header = follow(document, pointerTo(place, "headers", name)).value;
    if (!isObject(header)) return [];
    const { description } = header;
    const field = schemas.field(name, schemaOf(header), { required: header.required === true, description });
    return [{ name, field }];
  });
  const contents = response.mediaTypes.map(({ mediaType, schema }) => {
    const examples = examplesAt(document, pointerTo(place, "content", mediaType));
    const content = schema && schemas.content(schema.pointer);
    return html`<h4>Content <code>${mediaType}</code></h4>${content}${examples.map(exampleOf)}`;
  });
  const rows = own.map(
    (each) =>
      html`<tr><td><a href="#${codeId(each.code)}"><code>${each.code}</code></a></td><td>${inlineMarkdown(each.meaning)}</td></tr>`,
  );
  return html`<details id="${owner}-${status}"${status.startsWith("2") ? html` open` : ""}>
<summary><b class="${statusClass(status)}">${status}</b> <span>${inlineMarkdown(firstParagraph(description))}</span></summary>
<div>${afterFirstParagraph(description)}${rows.length > 0 && html`<table class="stacked">${rows}</table>`}${contents}${headersOf(headers)}</div>
</details>
`;
}

function headersOf(headers: readonly { readonly name: string; readonly field: Html }[]): Part {
  if (headers.length === 0) return undefined;
  const names = joined(
    headers.map(({ name }) => html`<code>${name}</code>`),
    ", ",
  );
  return html`<details><summary><b>Headers</b> ${names}</summary><dl class="fields">${headers.map(({ field }) => field)}</dl></details>`;
}

export function exampleOf({ value, summary }: Example): Html {
  const title = summary === undefined ? "Example" : inlineMarkdown(summary);
  return html`<figure><figcaption>${title}</figcaption>${code(value)}</figure>`;
}

/** A parameter or header has its schema at once, or within its one media type. */
export function schemaOf({ schema, content }: JsonObject) {
  if (schema !== undefined) return schema;
  const [[, media] = []] = entriesOf(content);
  return isObject(media) ? media.schema : undefined;
}

export function statusClass(status: string): string {
  return status.startsWith("2") || status.startsWith("3") ? "good" : "bad";
}

export function codeId(code: string): string {
  return `code-${code}`;
}

function firstParagraph(text: string): string {
  return text.trim().split(/\n\s*\n/, 1)[0] ?? "";
}

function afterFirstParagraph(text: string): Html {
  return markdown(text.trim().slice(firstParagraph(text).length), 5);
}
