/** Renders `contract.ts`: all that a server needs to hold each operation to the spec, in one table. */
import type { Model, Operation, Response, SchemaUse } from "./model.ts";
import { banner, quoted } from "./source-text.ts";

const types = `
/** Adds every fault of the value to \`problems\`; true where there is none. */
export type Validate = (value: unknown, problems: Problem[]) => boolean;

export interface ParameterContract {
  readonly in: "path" | "query" | "header" | "cookie";
  readonly name: string;
  readonly required: boolean;
  /** What the parameter's text is read as before it is validated. */
  readonly type: "string" | "number" | "integer" | "boolean";
  readonly validate: Validate;
  /** Fills defaults in. */
  readonly complete?: (value: unknown) => unknown;
}

export interface ContentContract {
  readonly required: boolean;
  readonly mediaTypes: {
    readonly [mediaType: string]: {
      readonly validate: Validate;
      /** Fills defaults in, in place; undefined takes the default at the root. */
      readonly complete?: (value: unknown) => unknown;
    };
  };
}

export interface ResponseContract {
  readonly headers: readonly Omit<ParameterContract, "in">[];
  readonly mediaTypes: {
    readonly [mediaType: string]: {
      readonly validate: Validate;
      /** A copy that holds only what the schema declares. */
      readonly project: (value: unknown) => unknown;
    };
  };
}

export interface OperationContract {
  readonly method: string;
  /** The path template, with parameters in braces. */
  readonly path: string;
  /** Alternatives; every role of one of them is needed. Empty where no credential is asked for. */
  readonly security: readonly { readonly scheme: string; readonly roles: readonly string[] }[];
  readonly parameters: readonly ParameterContract[];
  readonly content?: ContentContract;
  readonly responses: { readonly [status: number]: ResponseContract };
}

export interface Contract {
  readonly operations: { readonly [operationId: string]: OperationContract };
  /** Answers to requests that match no operation. */
  readonly unmatched: { readonly [status: number]: ResponseContract };
}
`;

/** @param completes names of the schemas for which a function was made that fills their defaults in */
export function renderContract(model: Model, completes: ReadonlySet<string>): string {
  const { operations, unmatched } = model;
  const responses = new Map(
    [...operations.flatMap((operation) => operation.responses), ...unmatched].map((response) => [
      response.name,
      response,
    ]),
  );
  return `${banner}
import { operations } from "./operations.ts";
import type { Problem } from "./validators.js";
import * as validators from "./validators.js";

export type { Problem };
${types}
const responses = {
${[...responses.values()].map(renderResponse).join("")}} as const satisfies { readonly [name: string]: ResponseContract };

export const contract = {
  operations: {
${operations.map((operation) => renderOperation(operation, completes)).join("")}  },
  unmatched: {
${renderStatuses(unmatched, "    ")}  },
} as const satisfies Contract;
`;
}

function renderResponse({ name, headers, mediaTypes }: Response): string {
  const lines = [
    `  ${name}: {`,
    "    headers: [",
    ...headers.map(
      (header) => `      { ${named(header)}, validate: validators.validate${header.schema.name} },`,
    ),
    "    ],",
    "    mediaTypes: {",
    ...mediaTypes.map(
      ({ mediaType, schema }) =>
        `      ${quoted(mediaType)}: { validate: validators.validate${schema.name}, project: validators.project${schema.name} },`,
    ),
    "    },",
    "  },",
  ];
  return joined(lines);
}

function renderOperation(operation: Operation, completes: ReadonlySet<string>): string {
  const { id, security, parameters, content, responses } = operation;
  const checked = ({ name }: SchemaUse): string =>
    `validate: validators.validate${name}${completes.has(name) ? `, complete: validators.complete${name}` : ""}`;
  const head = [
    `    ${id}: {`,
    `      method: operations.${id}.method,`,
    `      path: operations.${id}.path,`,
    "      security: [",
    ...security.map(
      ({ scheme, roles }) =>
        `        { scheme: ${quoted(scheme)}, roles: [${roles.map(quoted).join(", ")}] },`,
    ),
    "      ],",
    "      parameters: [",
    ...parameters.map(
      (parameter) =>
        `        { in: ${quoted(parameter.in)}, ${named(parameter)}, ${checked(parameter.schema)} },`,
    ),
    "      ],",
  ];
  const body = content && [
    "      content: {",
    `        required: ${content.required},`,
    "        mediaTypes: {",
    ...content.mediaTypes.map(
      ({ mediaType, schema }) => `          ${quoted(mediaType)}: { ${checked(schema)} },`,
    ),
    "        },",
    "      },",
  ];
  return `${joined([...head, ...(body ?? []), "      responses: {"])}${renderStatuses(responses, "        ")}${joined(["      },", "    },"])}`;
}

function renderStatuses(responses: readonly Response[], indent: string): string {
  return joined(responses.map(({ status, name }) => `${indent}${status}: responses.${name},`));
}

function named({ name, required, type }: { name: string; required: boolean; type: string }): string {
  return `name: ${quoted(name)}, required: ${required}, type: ${quoted(type)}`;
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
