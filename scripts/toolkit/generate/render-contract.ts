/** Renders `contract.ts`: everything that a server needs to enforce the spec, in one table. */
import type { SchemaUse } from "../json-schema/compile.ts";
import { Code, generated, literal } from "./literal.ts";
import type { Field, Header, Model, Operation, Response } from "./model.ts";
import { banner, format } from "./source-text.ts";

/**
 * @param completes names of the schemas that have a function that fills in defaults
 * @param runtime what the names of the runtime's modules begin with
 */
export function renderContract(model: Model, completes: ReadonlySet<string>, runtime: string): string {
  const operations = model.operations.filter(({ isRouted }) => isRouted);
  const responses = [...operations.flatMap((operation) => operation.responses), ...model.unmatched];
  const contract = {
    format,
    validators: new Code("validators.format"),
    operations: Object.fromEntries(operations.map((each) => [each.id, operationOf(each, completes)])),
    unmatched: statusesOf(model.unmatched),
    sensitive: model.sensitive,
  };
  return `${banner}
import type { Contract, ResponseContract } from "${runtime}/contract";
import { operations } from "./operations.ts";
import * as validators from "./validators.js";

const responses = ${literal(Object.fromEntries(responses.map((each) => [each.name, responseOf(each)])), generated)} as const satisfies { readonly [name: string]: ResponseContract };

export const contract = ${literal(contract, generated)} as const satisfies Contract;
`;
}

function responseOf({ headers, mediaTypes }: Response): object {
  return {
    headers: headers.map((header) => ({ ...named(header), validate: validator("validate", header.schema) })),
    mediaTypes: Object.fromEntries(
      mediaTypes.map(({ mediaType, schema }) => [
        mediaType,
        schema ? { validate: validator("validate", schema), project: validator("project", schema) } : {},
      ]),
    ),
  };
}

function operationOf(operation: Operation, completes: ReadonlySet<string>): object {
  const { id, twin, security, parameters, requestBody, responses } = operation;
  const checked = (schema: SchemaUse) => ({
    validate: validator("validate", schema),
    complete: completes.has(schema.name) ? validator("complete", schema) : undefined,
  });
  const ofOperation = (name: string) => new Code(`operations.${id}.${name}`);
  return {
    method: ofOperation("method"),
    path: ofOperation("path"),
    twin: twin && ofOperation("twin"),
    security: security.map((alternative) =>
      alternative.map(({ scheme, roles, credential }) => ({
        scheme,
        roles,
        credential: credential === "bearer" ? undefined : credential,
      })),
    ),
    parameters: parameters.map((parameter) => ({
      in: parameter.in,
      ...named(parameter),
      ...checked(parameter.schema),
      fields: fieldsOf(parameter.fields),
    })),
    requestBody: requestBody && {
      required: requestBody.required,
      mediaTypes: Object.fromEntries(
        requestBody.mediaTypes.map(({ mediaType, schema, fields }) => [
          mediaType,
          { ...(schema && checked(schema)), fields: fieldsOf(fields) },
        ]),
      ),
    },
    responses: statusesOf(responses),
  };
}

function validator(kind: "validate" | "complete" | "project", { name }: SchemaUse): Code {
  return new Code(`validators.${kind}${name}`);
}

function statusesOf(responses: readonly Response[]): object {
  return Object.fromEntries(responses.map(({ status, name }) => [status, new Code(`responses.${name}`)]));
}

function fieldsOf(fields: readonly Field[] = []): object | undefined {
  return fields.length === 0
    ? undefined
    : Object.fromEntries(fields.map((each) => [each.name, writing(each)]));
}

function named(header: Header): object {
  return { name: header.name, required: header.required, ...writing(header) };
}

function writing({ type, mediaType, style, explode }: Field): object {
  return { type, mediaType, style, explode };
}
