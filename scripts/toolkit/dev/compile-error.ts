/** An error of the TypeScript compiler in at most three lines: where it is, what is wrong, and what is required there. */
import { readFileSync } from "node:fs";
import { HandlerSource, type Place } from "./handler-source.ts";
import { reworded, withoutStatus } from "./sentences.ts";

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

export function isTest(file: string): boolean {
  return /\.(test|type-test|suite)\.ts$|\/testing\//.test(file);
}

/** The service is first and tests are last, because their errors often follow from the others. */
function rank({ file }: CompileError): number {
  return isTest(file) ? 2 : file.startsWith("server/") ? 0 : 1;
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
 * a handler, it is located at the wrong response instead of the handler.
 * @param read returns the text of a file
 * @param generated the folder of the generated files
 */
export function shortErrors(
  errors: readonly CompileError[],
  read: (file: string) => string,
  generated: string,
): ShortError[] {
  const ordered = errors.toSorted((a, b) => rank(a) - rank(b));
  return ordered.flatMap((error) => {
    const { lines, ...rest } = error;
    if (errors.length > 1 && followsFromName.test(lines[0] ?? "")) return [];
    const message = messageOf(lines);
    const hasNone = message[0] === withoutStatus;
    const status = hasNone ? undefined : statusIn(lines);
    const place = placeOf(error);
    const handler = (hasNone || status) && place ? HandlerSource.at(read(error.file), place) : undefined;
    if (handler === undefined) return { ...rest, message };
    const [only, ...others] = handler.responses(status);
    const causes = errors.filter((each) => each !== error && each.file === error.file);
    // The status follows from a wrong value, such as the code of an error.
    if (only === undefined && status && causes.some((each) => handler.contains(placeOf(each)))) return [];
    const documented = isOfStatus(message[0]) ? statusesOf(handler.operation, read, generated) : [];
    return {
      ...rest,
      ...(others.length === 0 && only),
      message:
        documented.length === 0
          ? message
          : [`the spec has no status ${status} for this operation; it has ${documented.join(", ")}`],
    };
  });
}

/** Returns the compiler's output with short errors. */
export function shortText(output: string, generated: string): string {
  const errors = shortErrors(parseErrors(output), (file) => readFileSync(file, "utf8"), generated);
  const blocks = errors.map(({ file, line, column, code, message }) => {
    const place = line === undefined ? file : `${file}(${line},${column})`;
    return `${place}: error ${code}: ${message.join("\n  ")}\n`;
  });
  return blocks.length === 0 ? output : blocks.join("");
}

/** A handler that is made with the name of no operation fits none. The name itself is another error. */
const followsFromName = /^Type 'Handler<"[^"]*" \| /;

const propertyForm = /^(?:The types of|Types of property) '(.+?)' are incompatible/;

/** A property of a map. */
const keyForm = /^Property '(.+?)' is incompatible with index signature/;

function messageOf(lines: readonly string[]): readonly string[] {
  const last = (form: RegExp) => lines.flatMap((line) => form.exec(line)?.[1] ?? []).slice(-1);
  const property = [...last(propertyForm), ...last(keyForm)].join(".");
  const [first = "", ...others] = reworded(lines.at(-1) ?? "");
  const isNamed = property === "" || first.startsWith(`\`${property}\``);
  return [isNamed ? first : `\`${property}\`: ${first}`, ...others];
}

/** Returns the status of the response that the error is about. */
function statusIn(lines: readonly string[]): string | undefined {
  return lines
    .map((each) => /^Type '\{ (?:readonly )?status: (\d+);|"the spec has no status (\d+) /.exec(each))
    .flatMap((groups) => groups?.[1] ?? groups?.[2] ?? [])
    .at(-1);
}

/** The second form is about a number that is no status of HTTP. */
function isOfStatus(message = ""): boolean {
  return /^(?:the spec has no status |`status`: Type '\d+' is not assignable)/.test(message);
}

function placeOf({ line, column }: CompileError): Place | undefined {
  return line === undefined || column === undefined ? undefined : { line, column };
}

/** Empty if the document has no such operation. */
function statusesOf(operation: string, read: (file: string) => string, generated: string): string[] {
  const { paths }: Paths = JSON.parse(read(`${generated}/openapi.json`));
  const items = Object.values(paths).flatMap((item) => Object.values(item));
  return Object.keys(items.find(({ operationId }) => operationId === operation)?.responses ?? {});
}

interface Paths {
  readonly paths: Record<string, Record<string, { operationId?: string; responses?: object }>>;
}
