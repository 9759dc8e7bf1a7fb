/** Text of the document must reach generated code only through `quote`, `literal` and `templateText`. */
import { isObject, pointerTo } from "../openapi/document.ts";

/** Also escapes the two line separators that JSON allows in strings and older JavaScript parsers reject. */
export function quote(text: string): string {
  return JSON.stringify(text).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

/** An expression that creates the JSON value. `["__proto__"]` is an ordinary property, `"__proto__"` is not. */
export function literal(value: unknown): string {
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).map(([name, part]) => `${propertyName(name)}: ${literal(part)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

const identifier = /^[A-Za-z_$][\w$]*$/;

/** A computed name is an ordinary property. In a literal, `"__proto__": x` sets the prototype. */
export function propertyName(name: string): string {
  if (name === "__proto__") return '["__proto__"]';
  return identifier.test(name) ? name : quote(name);
}

/** Must be used only for names that Object.prototype does not have. */
export function member(object: string, name: string): string {
  return identifier.test(name) ? `${object}.${name}` : `${object}[${quote(name)}]`;
}

export function identifierPart(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9]+/g, "_");
}

/** Adds a number if the name is taken. The returned name is taken afterwards. */
export function unique(name: string, taken: Set<string>, separator = ""): string {
  let candidate = name;
  for (let count = 2; taken.has(candidate); count += 1) candidate = `${name}${separator}${count}`;
  taken.add(candidate);
  return candidate;
}

/** A JSON pointer at run time: constant text, and variables with indexes and property names. */
export type ValuePath = readonly (string | { index: string } | { key: string })[];

export function below(place: ValuePath, token: string | { index: string } | { key: string }): ValuePath {
  return typeof token === "string" ? [...place, pointerTo("", token)] : [...place, "/", token];
}

function templateText(text: string): string {
  return quote(text).slice(1, -1).replaceAll("`", "\\`").replaceAll("${", "\\${");
}

export function placeExpression(place: ValuePath): string {
  const fixed = place.filter((part) => typeof part === "string");
  if (fixed.length === place.length) return quote(fixed.join(""));
  const text = place.map((part) => {
    if (typeof part === "string") return templateText(part);
    return "index" in part ? `\${${part.index}}` : `\${escapeToken(${part.key})}`;
  });
  return `\`${text.join("")}\``;
}

/** True for one `if` with its `else`. Lines inside it are indented. */
function isChain([first = "", ...others]: readonly string[]): boolean {
  return first.startsWith("if (") && others.every((line) => /^(?: |\}|else\b)/.test(line));
}

/** True for a statement that may follow `if` without braces. An `else` would belong to an inner `if`. */
function isStatement(line: string): boolean {
  return line.endsWith(";") && !/^(?:const|let|if|for)\b/.test(line);
}

export class Lines {
  #lines: string[] = [];
  #depth = 0;

  line(text: string): void {
    this.#lines.push("  ".repeat(this.#depth) + text);
  }

  /** Writes `head { … }`. Writes nothing if the body is empty. */
  block(head: string, body: () => void): void {
    this.chain([[head, body]]);
  }

  /** Writes `if (a) { … } else if (b) { … } else { … }` without the last part if it is empty. */
  chain(links: readonly (readonly [head: string, body: () => void])[]): void {
    const bodies = links.map(([head, body]) => ({ head, lines: this.#capture(body) }));
    while (bodies.at(-1)?.lines.length === 0) bodies.pop();
    let end = "";
    for (const { head, lines } of bodies) {
      const [only = "", ...others] = lines.map((line) => line.slice(2 * (this.#depth + 1)));
      if (head === "else" && isChain([only, ...others])) {
        this.line(`${end}else ${only}`);
        for (const line of others) this.line(line);
        return;
      }
      if (/^(?:if|else)\b/.test(head) && others.length === 0 && isStatement(only)) {
        this.line(`${end}${head} ${only}`);
        end = "";
      } else {
        this.line(`${end}${head} {`);
        this.#lines.push(...lines);
        end = "} ";
      }
    }
    if (end !== "") this.line("}");
  }

  /** Writes a line before the body, which may decide its text. Writes nothing if the body is empty. */
  prelude(text: string | (() => string), body: () => void): void {
    this.#depth -= 1;
    const lines = this.#capture(body);
    this.#depth += 1;
    if (lines.length === 0) return;
    const line = typeof text === "string" ? text : text();
    if (line !== "") this.line(line);
    this.#lines.push(...lines);
  }

  #capture(body: () => void): string[] {
    const outer = this.#lines;
    this.#lines = [];
    this.#depth += 1;
    body();
    const captured = this.#lines;
    this.#lines = outer;
    this.#depth -= 1;
    return captured;
  }

  isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  toString(): string {
    return this.#lines.join("\n");
  }
}
