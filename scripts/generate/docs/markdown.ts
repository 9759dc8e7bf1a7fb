/**
 * A description, CommonMark as OpenAPI has it (section 4.3), as HTML. The library only reads: HTML within the text is shown
 * as text, an image as a link to it, and an address leads somewhere only where following it runs nothing.
 */
import { Lexer, type Token, type Tokens } from "marked";
import { Html, html, type Part } from "./html.ts";

/** @param headings the level of the text's highest headings */
export function markdown(text: string, headings = 4): Html {
  const tokens = new Lexer({ gfm: true }).lex(text);
  const levels = tokens.flatMap((token) => (token.type === "heading" ? [Number(token.depth)] : []));
  return html`${blocks(tokens, headings - Math.min(...levels, 6))}`;
}

/** A text of one line, without paragraphs. */
export function inlineMarkdown(text: string): Html {
  return html`${inlines(Lexer.lexInline(text, { gfm: true }))}`;
}

type Known =
  | Tokens.Blockquote
  | Tokens.Br
  | Tokens.Checkbox
  | Tokens.Code
  | Tokens.Codespan
  | Tokens.Def
  | Tokens.Del
  | Tokens.Em
  | Tokens.Escape
  | Tokens.Heading
  | Tokens.Hr
  | Tokens.HTML
  | Tokens.Image
  | Tokens.Link
  | Tokens.List
  | Tokens.Paragraph
  | Tokens.Space
  | Tokens.Strong
  | Tokens.Table
  | Tokens.Tag
  | Tokens.Text;

function blocks(tokens: readonly Token[], shift: number): Part {
  return tokens.map((token) => block(token as Known, shift));
}

function block(token: Known, shift: number): Part {
  switch (token.type) {
    case "heading": {
      const tag = new Html(`h${Math.min(6, Math.max(1, token.depth + shift))}`);
      return html`<${tag}>${inlines(token.tokens)}</${tag}>`;
    }
    case "paragraph":
      return html`<p>${inlines(token.tokens)}</p>`;
    case "list": {
      const items = token.items.map((item) => html`<li>${blocks(item.tokens, shift)}</li>`);
      if (!token.ordered) return html`<ul>${items}</ul>`;
      return html`<ol start="${Number(token.start) || 1}">${items}</ol>`;
    }
    case "code":
      return html`<pre tabindex="0"><code>${token.text}</code></pre>`;
    case "blockquote":
      return html`<blockquote>${blocks(token.tokens ?? [], shift)}</blockquote>`;
    case "hr":
      return html`<hr>`;
    case "table": {
      const row = (cells: readonly Tokens.TableCell[], tag: Html) =>
        html`<tr>${cells.map(({ tokens }) => html`<${tag}>${inlines(tokens)}</${tag}>`)}</tr>`;
      return html`<div class="wide" tabindex="0"><table>
<thead>${row(token.header, new Html("th"))}</thead>
<tbody>${token.rows.map((cells) => row(cells, new Html("td")))}</tbody></table></div>`;
    }
    case "html":
      return "block" in token && token.block ? html`<p>${token.text}</p>` : token.text;
    case "space":
    case "def":
      return undefined;
    default:
      return inline(token);
  }
}

function inlines(tokens: readonly Token[] | undefined): Part {
  return (tokens ?? []).map((token) => inline(token as Known));
}

function inline(token: Known): Part {
  switch (token.type) {
    case "text":
      return token.tokens === undefined ? withReferences(token.text) : inlines(token.tokens);
    case "escape":
      return token.text;
    case "codespan":
      return html`<code>${token.text}</code>`;
    case "strong":
      return html`<strong>${inlines(token.tokens)}</strong>`;
    case "em":
      return html`<em>${inlines(token.tokens)}</em>`;
    case "del":
      return html`<del>${inlines(token.tokens)}</del>`;
    case "br":
      return html`<br>`;
    case "link":
      return isSafe(token.href)
        ? html`<a href="${token.href}">${inlines(token.tokens)}</a>`
        : inlines(token.tokens);
    case "image":
      return isSafe(token.href) ? html`<a href="${token.href}">${token.text || token.href}</a>` : token.text;
    default:
      return token.raw;
  }
}

/** Relative addresses would lead to wherever the page happens to stand. */
function isSafe(href: string): boolean {
  return /^(?:https?:|mailto:|#)/i.test(href);
}

/** Character references, such as `&nbsp;`, are text in CommonMark: they stand for a character, and for nothing else. */
function withReferences(text: string): Part {
  return text
    .split(/(&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,31});)/)
    .map((piece, index) => (index % 2 === 1 ? new Html(piece) : piece));
}
