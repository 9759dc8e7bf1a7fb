/** An error of the TypeScript compiler in at most three lines: where it is, what is wrong, and what is required there. */
import ts from "typescript";

export interface CompileError {
  readonly file: string;
  /** From 1. Undefined for an error of the configuration file. */
  readonly line: number | undefined;
  readonly column: number | undefined;
  /** Such as `TS2345`. */
  readonly code: string;
  /** The compiler's message and the reasons below it, one line each. */
  readonly lines: readonly string[];
}

/** @param output what the compiler prints without colours */
export function parseErrors(output: string): CompileError[] {
  const errors: (CompileError & { readonly lines: string[] })[] = [];
  for (const text of output.split("\n")) {
    const found = /^(?:(.+)\((\d+),(\d+)\): )?error (TS\d+): (.*)$/.exec(text);
    const [, file = "tsconfig.json", line, column, code = "", message = ""] = found ?? [];
    if (found)
      errors.push({
        file,
        line: line === undefined ? line : Number(line),
        column: column === undefined ? column : Number(column),
        code,
        lines: [message],
      });
    else if (text.startsWith(" ")) errors.at(-1)?.lines.push(text.trim());
  }
  return errors;
}

export interface ShortError extends Pick<CompileError, "file" | "line" | "column" | "code"> {
  /** One or two lines. */
  readonly message: readonly string[];
}

/**
 * Keeps the last reason, which says what to fix, and the property that it is about. If the error is in the responses of
 * a handler, it is located at the `return` of the wrong one instead of the handler.
 * @param read returns the text of a source file
 */
export function shortError(error: CompileError, read: (file: string) => string): ShortError {
  const { lines, ...rest } = error;
  const place = lines.findLast((line) => propertyForm.test(line));
  const [, property] = propertyForm.exec(place ?? "") ?? [];
  const [first = "", second] = reworded(lines.at(-1) ?? "");
  const name = property === undefined || first.startsWith(`\`${property}\``) ? "" : `\`${property}\`: `;
  const message = [clipped(name + first), ...(second === undefined ? [] : [clipped(second)])];
  return { ...rest, ...(lines.length > 1 && returnOf(error, read)), message };
}

const propertyForm = /^(?:The types of|Types of property) '(.+?)' are incompatible/;
const maxWidth = 160;

/** Keeps the end too, because the compiler says there what is not allowed. */
function clipped(text: string): string {
  if (text.length <= maxWidth) return text;
  return `${text.slice(0, maxWidth / 2)} … ${text.slice(3 - maxWidth / 2)}`;
}

/** The compiler's sentences that a change of the spec causes most often, and shorter ones. */
const sentences: readonly (readonly [RegExp, (...groups: string[]) => readonly string[]])[] = [
  [
    /^Property '(.+?)' is missing in type '.*' but required in type '(.*)'\.$/,
    (name, type) => [`\`${name}\` is missing`, `required: ${type}`],
  ],
  [/^Type .* is not assignable to type '"(.*)"'\.$/, (sentence) => [sentence]],
  [
    /^Type '(.*)' is not assignable to type '(.*)' with 'exactOptionalPropertyTypes: true'\./,
    (given, type) => [
      "an optional property must not be undefined; leave it out: `...(note !== undefined && { note })`",
      `given: ${given}; required: ${type}`,
    ],
  ],
  [
    /^Object literal may only specify known properties, but '(.+?)' does not exist in type '.*'\. Did you mean to write '(.+)'\?$/,
    (name, nearest) => [`\`${name}\` is not allowed here; did you mean \`${nearest}\`?`],
  ],
  [
    /^Object literal may only specify known properties, (?:and|but) '(.+?)' does not exist in type '(.*)'\./,
    (name, type) => [`\`${name}\` is not allowed here`, `allowed: ${type}`],
  ],
];

function reworded(sentence: string): readonly string[] {
  for (const [pattern, words] of sentences) {
    const [whole, ...groups] = pattern.exec(sentence) ?? [];
    if (whole !== undefined) return words(...groups);
  }
  return [sentence];
}

/** Finds the only `return` of a response with the status that the error mentions. */
function returnOf(
  { file, line, column, lines }: CompileError,
  read: (file: string) => string,
): Pick<CompileError, "line" | "column"> | undefined {
  const status = lines
    .map((each) => /^Type '\{ (?:readonly )?status: (\d+);|"the spec has no status (\d+) /.exec(each))
    .flatMap((groups) => groups?.[1] ?? groups?.[2] ?? [])
    .at(-1);
  if (line === undefined || column === undefined || status === undefined) return undefined;
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);
  const start = source.getPositionOfLineAndCharacter(line - 1, column - 1);
  const found: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (node.end <= start) return;
    if (node.getStart() >= start && ts.isObjectLiteralExpression(node) && statusOf(node) === status)
      found.push(node);
    else ts.forEachChild(node, visit);
  };
  const handler = functionAt(source, start);
  if (handler) visit(handler);
  const [only, ...others] = found;
  if (only === undefined || others.length > 0) return undefined;
  const place = source.getLineAndCharacterOfPosition(only.getStart());
  return { line: place.line + 1, column: place.character + 1 };
}

function functionAt(node: ts.Node, start: number): ts.Node | undefined {
  if (ts.isFunctionLike(node) && node.getStart() === start) return node;
  return ts.forEachChild(node, (child) =>
    child.pos <= start && start < child.end ? functionAt(child, start) : undefined,
  );
}

function statusOf({ properties }: ts.ObjectLiteralExpression): string | undefined {
  const status = properties.find((each) => each.name?.getText() === "status");
  return status && ts.isPropertyAssignment(status) ? status.initializer.getText() : undefined;
}
