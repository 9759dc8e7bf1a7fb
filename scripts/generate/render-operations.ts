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
  /** The documented statuses and the media types of each. */
  readonly responses: { readonly [status: number]: readonly string[] };
}
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
    lines.push(`      ${status}: ${quoted(mediaTypes.map(({ mediaType }) => mediaType))},`);
  }
  lines.push("    },", "  },", "");
  return lines.join("\n");
}
