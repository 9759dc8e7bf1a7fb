/**
 * Renders `operations.ts`: what a caller must know of each operation. It holds no validators, so that a client that
 * imports it stays small.
 */
import type { Model, Operation } from "./model.ts";
import { banner, quoted } from "./source-text.ts";

const types = `
/** What a caller must know of an operation. */
export interface OperationDescription {
  readonly method: string;
  /** The path template, with parameters in braces. */
  readonly path: string;
  /** The content that a request takes. \`default\` stands for content that is left out. */
  readonly content?: { readonly required: boolean; readonly mediaTypes: readonly string[]; readonly default?: unknown };
  /** The media types of each documented status, class of statuses such as \`4XX\`, or of \`default\`. */
  readonly responses: { readonly [status: string]: readonly string[] };
}

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
type StatusOfClass<Class extends 2 | 3 | 4 | 5> = \`\${Class}\${Digit}\${Digit}\` extends infer Text
  ? Text extends \`\${infer Status extends number}\`
    ? Status
    : never
  : never;
type ClassNamed<Key> = Key extends \`\${infer Class extends 2 | 3 | 4 | 5}XX\` ? Class : never;

/** The statuses that a key of an operation's responses stands for: a number, a class such as \`4XX\`, or all others. */
export type StatusOf<Responses, Key> = Key extends number
  ? Key
  : Key extends "default"
    ? Exclude<StatusOfClass<2 | 3 | 4 | 5>, keyof Responses | StatusOfClass<ClassNamed<keyof Responses>>>
    : Exclude<StatusOfClass<ClassNamed<Key>>, keyof Responses>;
`;

export function renderOperations({ operations }: Model): string {
  return `${banner}${types}
export const operations = {
${operations.map(renderOperation).join("")}} as const satisfies { readonly [operationId: string]: OperationDescription };
`;
}

function renderOperation({ id, method, path, content, responses }: Operation): string {
  const lines = [`  ${id}: {`, `    method: ${quoted(method)},`, `    path: ${quoted(path)},`];
  if (content !== undefined) {
    const mediaTypes = quoted(content.mediaTypes.map(({ mediaType }) => mediaType));
    const fallback = content.default === undefined ? "" : `, default: ${quoted(content.default)}`;
    lines.push(`    content: { required: ${content.required}, mediaTypes: ${mediaTypes}${fallback} },`);
  }
  lines.push("    responses: {");
  for (const { status, mediaTypes } of responses) {
    lines.push(
      `      ${/^\d+$/.test(status) ? status : quoted(status)}: ${quoted(mediaTypes.map(({ mediaType }) => mediaType))},`,
    );
  }
  lines.push("    },", "  },", "");
  return lines.join("\n");
}
