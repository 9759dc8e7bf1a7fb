/** Renders `contract.ts`: everything that a server needs to enforce the spec, in one table. */
import type {
  Field,
  Header,
  Media,
  Model,
  Operation,
  Response,
  SchemaUse,
  SecurityRequirement,
} from "./model.ts";
import { banner, quoted } from "./source-text.ts";

/**
 * @param completes names of the schemas that have a function that fills in defaults
 * @param runtime what the names of the runtime's modules begin with
 */
export function renderContract(model: Model, completes: ReadonlySet<string>, runtime: string): string {
  const { unmatched, sensitive } = model;
  const operations = model.operations.filter(({ isRouted }) => isRouted);
  const responses = new Map(
    [...operations.flatMap((operation) => operation.responses), ...unmatched].map((response) => [
      response.name,
      response,
    ]),
  );
  return `${banner}
import type { Contract, ResponseContract } from "${runtime}/contract";
import { operations } from "./operations.ts";
import * as validators from "./validators.js";

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

function named({ name, required, ...rest }: Header): string {
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
