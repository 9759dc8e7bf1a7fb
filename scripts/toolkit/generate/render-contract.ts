/** Renders `contract.ts`: everything that a server needs to enforce the spec, in one table. */
import type {
  Field,
  Media,
  Model,
  Operation,
  Parameter,
  Response,
  SchemaUse,
  SecurityRequirement,
} from "./model.ts";
import { banner, quoted } from "./source-text.ts";

const types = `
/** Adds every problem of the value to \`problems\`. Returns true if there is none. */
export type Validate = (value: unknown, problems: Problem[]) => boolean;

export type Scalar = "string" | "number" | "integer" | "boolean" | "null";

/** The type that a text is converted to before it is validated. A list contains alternatives. */
export type Shape =
  | Scalar
  | { readonly items: Shape }
  | { readonly properties: { readonly [name: string]: Shape }; readonly others?: Shape }
  | readonly Shape[];

/** How a value is written as text. An absent field has OpenAPI's default. */
export interface Writing {
  readonly type: Shape;
  readonly style?: "simple" | "label" | "matrix" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject";
  readonly explode?: boolean;
  /** The media type of the text. If it is set, style and explode are not used. */
  readonly mediaType?: string;
}

export interface HeaderContract extends Writing {
  readonly name: string;
  readonly required: boolean;
  readonly validate: Validate;
}

export interface ParameterContract extends HeaderContract {
  /** \`querystring\` is the whole query, as an object. */
  readonly in: "path" | "query" | "querystring" | "header" | "cookie";
  /** Fills in defaults. */
  readonly complete?: (value: unknown) => unknown;
  /** The known fields of a \`querystring\` that is a form. */
  readonly fields?: { readonly [name: string]: Writing };
}

export interface MediaContract {
  /** Absent if any body is allowed. */
  readonly validate?: Validate;
  /** Fills in defaults, in place. Returns the default of the root for undefined. */
  readonly complete?: (value: unknown) => unknown;
  /** The known fields of a form. */
  readonly fields?: { readonly [name: string]: Writing };
}

export interface ContentContract {
  readonly required: boolean;
  /** Keyed by media type. Its type and its subtype may be \`*\`. */
  readonly mediaTypes: { readonly [mediaType: string]: MediaContract };
}

export interface ResponseContract {
  readonly headers: readonly HeaderContract[];
  readonly mediaTypes: {
    readonly [mediaType: string]: {
      readonly validate?: Validate;
      /** Returns a copy with only the declared properties. */
      readonly project?: (value: unknown) => unknown;
    };
  };
}

/** Keyed by status, by status class, or by \`default\`. */
export interface ResponseContracts {
  readonly [status: number | \`\${number}XX\`]: ResponseContract;
  readonly default?: ResponseContract;
}

/** A required credential, with all its required roles. */
export interface SecurityRequirement {
  readonly scheme: string;
  readonly roles: readonly string[];
  /** How the credential is sent. Default: as a bearer token. No caller can send \`unknown\`. */
  readonly sent?: "basic" | "unknown" | { readonly in: "header" | "query" | "cookie"; readonly name: string };
}

export interface OperationContract {
  readonly method: string;
  /** The path template, with parameters in braces. */
  readonly path: string;
  /** Another method for the same request. */
  readonly twin?: string;
  /** Alternatives. A caller must satisfy all requirements of one alternative. Empty if no credential is needed. */
  readonly security: readonly (readonly SecurityRequirement[])[];
  readonly parameters: readonly ParameterContract[];
  readonly content?: ContentContract;
  readonly responses: ResponseContracts;
}

export interface Contract {
  readonly operations: { readonly [operationId: string]: OperationContract };
  /** Responses to requests that match no operation. */
  readonly unmatched: ResponseContracts;
  /** Names of properties, parameters and headers with secret values. The name of a whole body is "". */
  readonly sensitive: readonly string[];
}
`;

/** @param completes names of the schemas that have a function that fills in defaults */
export function renderContract(model: Model, completes: ReadonlySet<string>): string {
  const { unmatched, sensitive } = model;
  const operations = model.operations.filter(({ isRouted }) => isRouted);
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
  sensitive: [${sensitive.map(quoted).join(", ")}],
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
        `      ${quoted(mediaType)}: {${schema ? ` validate: validators.validate${schema.name}, project: validators.project${schema.name} ` : ""}},`,
    ),
    "    },",
    "  },",
  ];
  return joined(lines);
}

function renderOperation(operation: Operation, completes: ReadonlySet<string>): string {
  const { id, twin, security, parameters, content, responses } = operation;
  const checked = ({ name }: SchemaUse): string =>
    `validate: validators.validate${name}${completes.has(name) ? `, complete: validators.complete${name}` : ""}`;
  const withFields = (fields: readonly Field[] = []): string[] => {
    const written = fields.map((field) => `${quoted(field.name)}: { ${writing(field)} }`);
    return written.length === 0 ? [] : [`fields: { ${written.join(", ")} }`];
  };
  const mediaParts = ({ schema, fields }: Media): string => {
    const parts = [...(schema === undefined ? [] : [checked(schema)]), ...withFields(fields)];
    return parts.length === 0 ? "" : ` ${parts.join(", ")} `;
  };
  const head = [
    `    ${id}: {`,
    `      method: operations.${id}.method,`,
    `      path: operations.${id}.path,`,
    ...(twin ? [`      twin: operations.${id}.twin,`] : []),
    "      security: [",
    ...security.map((alternative) => `        [${alternative.map(renderRequirement).join(", ")}],`),
    "      ],",
    "      parameters: [",
    ...parameters.map(
      (parameter) =>
        `        { ${[`in: ${quoted(parameter.in)}`, named(parameter), checked(parameter.schema), ...withFields(parameter.fields)].join(", ")} },`,
    ),
    "      ],",
  ];
  const body = content && [
    "      content: {",
    `        required: ${content.required},`,
    "        mediaTypes: {",
    ...content.mediaTypes.map((media) => `          ${quoted(media.mediaType)}: {${mediaParts(media)}},`),
    "        },",
    "      },",
  ];
  return `${joined([...head, ...(body ?? []), "      responses: {"])}${renderStatuses(responses, "        ")}${joined(["      },", "    },"])}`;
}

function renderRequirement({ scheme, roles, sent }: SecurityRequirement): string {
  const how = sent === "bearer" ? "" : `, sent: ${quoted(sent)}`;
  return `{ scheme: ${quoted(scheme)}, roles: [${roles.map(quoted).join(", ")}]${how} }`;
}

function renderStatuses(responses: readonly Response[], indent: string): string {
  return joined(
    responses.map(
      ({ status, name }) => `${indent}${/^\d+$/.test(status) ? status : quoted(status)}: responses.${name},`,
    ),
  );
}

function named({ name, required, ...rest }: Omit<Parameter, "in">): string {
  return `name: ${quoted(name)}, required: ${required}, ${writing(rest)}`;
}

function writing({ type, style, explode, mediaType }: Omit<Field, "name">): string {
  const parts = [`type: ${quoted(type)}`];
  if (mediaType !== undefined) parts.push(`mediaType: ${quoted(mediaType)}`);
  if (style !== undefined) parts.push(`style: ${quoted(style)}`);
  if (explode !== undefined) parts.push(`explode: ${explode}`);
  return parts.join(", ");
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
