/** The parts of a request that have a schema: its parameters, and its body in each media type. */
import { isDeepStrictEqual } from "node:util";
import type { Json } from "../openapi/document.ts";
import { isValid } from "../openapi/schema/evaluate.ts";
import type { SchemaNode } from "../openapi/schema/schema-node.ts";
import { fieldStyle, type MediaTypeSchema, readBody, writeBody } from "./bodies.ts";
import { readParameter } from "./exchange-check.ts";
import { bodyKindOf } from "./media-types.ts";
import {
  type MediaTypeModel,
  type OperationModel,
  type ParameterModel,
  placeOfParameter,
  type ResponseModel,
} from "./operation-model.ts";
import { canBeSent, type Draft, writeRequest } from "./requests.ts";
import type { NamedPlace } from "./service-under-test.ts";
import { isUnwritable } from "./styles.ts";
import { type Constraint, constraintsOf, type Omission, propertiesOf } from "./values/constraints.ts";

/** A parameter, or the body in one media type. */
export interface RequestPart {
  readonly place: NamedPlace;
  readonly label: string;
  readonly node: SchemaNode;
  /** The JSON pointer of the object that has the schema. */
  readonly at: string;
  readonly constraints: readonly Constraint[];
  readonly omissions: readonly Omission[];
  /** The document's examples that are valid. */
  readonly examples: readonly Json[];
  settle(value: Json): Json;
  /** The value that a server reads if `value` is sent. Undefined if the value cannot be sent. */
  readBack(value: Json): Json | undefined;
  /** Returns the draft with another value, or without the value if it is undefined. */
  replace(draft: Draft, value: Json | undefined): Draft;
}

export function placeOf(
  { label, place: { in: part } }: Pick<RequestPart, "label" | "place">,
  { place }: Pick<Constraint, "place">,
): string {
  return `${label}${part === "body" && place !== "" ? " " : ""}${place}`;
}

export function parameterPart(operation: OperationModel, parameter: ParameterModel): RequestPart {
  const { in: place, name, node, at, required, mediaType = "" } = parameter;
  const inPath = operation.parameters.filter((each) => each.in === "path");
  const path = Object.fromEntries(inPath.map((each) => [each.name, "1"]));
  const isWhole = place === "querystring";
  const presence: Constraint = { place: "", steps: [], node, verdict: required ? "required" : "absent" };
  // A path without its parameter is another path. An empty form is written as nothing.
  const isAlwaysPresent = place === "path" || (isWhole && bodyKindOf(mediaType) === "form");
  const { constraints, omissions } = constraintsOf(node);
  const part = { place: placeOfParameter(parameter), label: `${place} /${name}` };
  return {
    ...part,
    node,
    at,
    constraints: [
      ...(isAlwaysPresent ? [] : [presence]),
      ...constraints.filter((each) =>
        isWhole ? isWritable({ mediaType, node, encoding: {} }, each) : !isUnwritable(parameter, each),
      ),
    ],
    omissions: omissions.map((each) => ({ ...each, place: placeOf(part, each) })),
    examples: parameter.examples.filter((value) => isValid(node, value)),
    settle: (value) => value,
    readBack: (value) => {
      if (hasSeparator(parameter, value)) return undefined;
      const parameters = { path, [place]: { ...(place === "path" && path), [name]: value } };
      const request = writeRequest(operation, { parameters, body: undefined, credentials: [] });
      const read = canBeSent(request) ? readParameter(operation, request, parameter) : undefined;
      const found = read !== undefined && "value" in read ? read.value : undefined;
      // A valid value must arrive unchanged, so a value whose text is ambiguous is not sent.
      return isValid(node, value) && !isDeepStrictEqual(found, value) ? undefined : found;
    },
    replace: (draft, value) => {
      const { [place]: { [name]: _, ...others } = {}, ...parameters } = draft.parameters;
      const values = value === undefined ? others : { ...others, [name]: value };
      const isEmpty = Object.keys(values).length === 0;
      return { ...draft, parameters: isEmpty ? parameters : { ...parameters, [place]: values } };
    },
  };
}

/** True if an item of a list contains the separator. Services differ in whether they decode an item or split the list first. */
function hasSeparator({ style, explode, mediaType }: ParameterModel, value: Json): boolean {
  const separator = { spaceDelimited: " ", pipeDelimited: "|" }[style] ?? ",";
  const isSplit = Array.isArray(value) && mediaType === undefined && (!explode || style === "simple");
  return isSplit && value.some((item) => String(item).includes(separator));
}

/** @param responses the responses of the operation. A service may accept their properties in requests by mistake */
export function bodyPart(
  media: MediaTypeModel,
  responses: readonly ResponseModel[],
  settle = (value: Json) => value,
): RequestPart {
  const { node, at, mediaType, examples } = media;
  const kind = bodyKindOf(mediaType);
  const { constraints, omissions } = constraintsOf(node);
  const returned = responses.flatMap(({ status, mediaTypes }) =>
    /^2/.test(status) ? mediaTypes.map((each) => each.node) : [],
  );
  // A response body may have an envelope.
  const inside = returned.flatMap(({ nodeOf, properties }) =>
    [...properties.values()].map(({ schema }) => nodeOf(schema)),
  );
  const ofResponses = propertiesOf([...inside, ...returned]);
  const place = { in: "body", pointer: "" };
  const part = { place, label: kind === "json" ? "body" : `body (${mediaType})` };
  const isWithoutExample = kind === "json" && examples.size === 0;
  return {
    ...part,
    node,
    at,
    constraints: constraints
      .filter((each) => isWritable(media, each))
      .map((each) =>
        each.steps.filter(({ kind }) => kind !== "branch").length > 1
          ? each
          : { ...each, foreign: new Map([...(each.foreign ?? []), ...ofResponses]) },
      ),
    omissions: [
      ...omissions.map((each) => ({ ...each, place: placeOf(part, each) })),
      ...(isWithoutExample ? [{ place: `body (${mediaType})`, why: "has no example to send" }] : []),
    ],
    examples: [...examples.values()].filter((value) => isValid(node, value)),
    settle,
    readBack: (value) => {
      if (kind === "json") return value;
      const written = writeBody(media, value);
      const isEmpty = written.bytes.byteLength === 0 && kind !== "form";
      const read = isEmpty ? undefined : readBody(media, written.mediaType, written.bytes);
      return read !== undefined && "value" in read ? read.value : undefined;
    },
    replace: (draft, value) => ({
      ...draft,
      body: value === undefined ? undefined : writeBody(media, value),
      value,
    }),
  };
}

/** Whether a body can violate the constraint. */
function isWritable(body: MediaTypeSchema, constraint: Constraint): boolean {
  if (bodyKindOf(body.mediaType) === "json") return true;
  const [field] = constraint.steps.filter(({ kind }) => kind !== "branch");
  return field?.kind === "property"
    ? !isUnwritable(fieldStyle(body, field.name), constraint)
    : constraint.verdict !== "type";
}
