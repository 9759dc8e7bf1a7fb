/** The operations of a contract, with their schemas and examples from the document. */
import type { Contract, OperationContract, ParameterContract } from "../../generated/contract.ts";
import { kindOf, matchType } from "../../server/contract/media-type.ts";
import {
  entriesOf,
  follow,
  isObject,
  itemPointers,
  type Json,
  listOf,
  pointerTo,
  schemaKeyword,
  valueAt,
} from "../openapi/document.ts";
import { type Constraint, constraintsOf, type Omission } from "./constraints.ts";
import { type NodeOf, nodesOf, type SchemaNode } from "./schema-node.ts";

export interface ParameterModel {
  readonly contract: ParameterContract;
  readonly node: SchemaNode;
  readonly examples: readonly Json[];
  readonly constraints: readonly Constraint[];
}

export interface ContentModel {
  readonly mediaType: string;
  readonly node: SchemaNode;
  /** By name. */
  readonly examples: ReadonlyMap<string, Json>;
  readonly constraints: readonly Constraint[];
}

export interface ResponseModel {
  /** Such as `200`, `4XX` or `default`. */
  readonly status: string;
  readonly pointer: string;
  /** By media type and name. */
  readonly examples: ReadonlyMap<string, ReadonlyMap<string, Json>>;
}

export interface OperationModel {
  readonly id: string;
  readonly contract: OperationContract;
  readonly parameters: readonly ParameterModel[];
  /** Only JSON. */
  readonly contents: readonly ContentModel[];
  readonly responses: readonly ResponseModel[];
  /** `place` begins with the part of the request. */
  readonly omissions: readonly Omission[];
}

export interface ServiceModel {
  /** The nodes of response schemas. */
  readonly answerNodeOf: NodeOf;
  readonly operations: readonly OperationModel[];
  /** For requests that match no operation. */
  readonly unmatched: readonly ResponseModel[];
}

/** @param document OpenAPI 3.1 with local references only; the contract was generated from it */
export function modelOf(document: unknown, contract: Contract): ServiceModel {
  const nodeOf = nodesOf(document);
  const operations = Object.entries(contract.operations).map(([id, operation]) =>
    operationModel(document, nodeOf, id, operation),
  );
  return {
    answerNodeOf: nodesOf(document, "response"),
    operations,
    unmatched: responsesAt(document, "/x-unmatched-responses"),
  };
}

function operationModel(
  document: unknown,
  nodeOf: NodeOf,
  id: string,
  contract: OperationContract,
): OperationModel {
  const item = follow(document, pointerTo("/paths", contract.path)).pointer;
  const at = pointerTo(item, contract.method.toLowerCase());
  const omissions: Omission[] = [];
  const parameters = contract.parameters.map((parameter) => {
    const place = parameterPlace([pointerTo(item, "parameters"), pointerTo(at, "parameters")], parameter);
    return parameterModel(document, nodeOf, place, parameter, omissions);
  });
  const body = follow(document, pointerTo(at, "requestBody")).pointer;
  const contents = Object.keys(contract.content?.mediaTypes ?? {}).flatMap((mediaType) =>
    contentModel(document, nodeOf, pointerTo(body, "content", mediaType), mediaType, omissions),
  );
  return {
    id,
    contract,
    parameters,
    contents,
    responses: responsesAt(document, pointerTo(at, "responses")),
    omissions,
  };

  function parameterPlace(lists: readonly string[], { in: part, name }: ParameterContract): string {
    for (const list of lists.toReversed())
      for (const item of itemPointers(document, list)) {
        const { pointer, value } = follow(document, item);
        if (isObject(value) && value.in === part && String(value.name) === name) return pointer;
      }
    throw new Error(`${id} has no ${part} parameter ${name} in the document`);
  }
}

function parameterModel(
  document: unknown,
  nodeOf: NodeOf,
  pointer: string,
  contract: ParameterContract,
  omissions: Omission[],
): ParameterModel {
  const [[mediaType] = []] = entriesOf(valueAt(document, pointerTo(pointer, "content")));
  const at = mediaType === undefined ? pointer : pointerTo(pointer, "content", mediaType);
  const node = nodeOf(valueAt(document, pointerTo(at, "schema")) ?? true);
  const listed = constraintsOf(node);
  const place = `${contract.in} /${contract.name}`;
  omissions.push(...listed.omissions.map((each) => ({ ...each, place: place + each.place })));
  return {
    contract,
    node,
    examples: [...examplesAt(document, at).values()],
    constraints: ofText(contract, node, listed.constraints),
  };
}

/** Constraints that text can violate, and the presence of the parameter. */
function ofText(
  { in: part, required, type }: ParameterContract,
  node: SchemaNode,
  constraints: readonly Constraint[],
): Constraint[] {
  const isAnyText = type === "string" || typeof type === "object";
  const presence: Constraint = { place: "", steps: [], node, verdict: required ? "required" : "absent" };
  return [
    // Without it, the path is another one.
    ...(part === "path" ? [] : [presence]),
    ...constraints.filter(({ verdict }) => verdict !== "type" || !isAnyText),
  ];
}

function contentModel(
  document: unknown,
  nodeOf: NodeOf,
  pointer: string,
  mediaType: string,
  omissions: Omission[],
): ContentModel[] {
  if (kindOf(matchType(mediaType, ["*/*"])?.essence ?? "") !== "json") {
    omissions.push({ place: `body (${mediaType})`, why: "is not JSON: no content is generated" });
    return [];
  }
  const node = nodeOf(valueAt(document, pointerTo(pointer, "schema")) ?? true);
  const listed = constraintsOf(node);
  const examples = examplesAt(document, pointer);
  omissions.push(...listed.omissions.map((each) => ({ ...each, place: `body ${each.place}` })));
  if (examples.size === 0) omissions.push({ place: `body (${mediaType})`, why: "has no example to send" });
  return [{ mediaType, node, examples, constraints: listed.constraints }];
}

function responsesAt(document: unknown, pointer: string): ResponseModel[] {
  return entriesOf(valueAt(document, pointer))
    .filter(([status]) => /^(?:\d{3}|\dXX|default)$/.test(status))
    .map(([status]) => {
      const { pointer: at } = follow(document, pointerTo(pointer, status));
      const content = pointerTo(at, "content");
      const mediaTypes = entriesOf(valueAt(document, content)).map(([mediaType]) => mediaType);
      return {
        status,
        pointer: at,
        examples: new Map(
          mediaTypes.map((each) => [each, examplesAt(document, pointerTo(content, each))] as const),
        ),
      };
    });
}

/** By name, else those of the schema. */
function examplesAt(document: unknown, pointer: string): ReadonlyMap<string, Json> {
  const named = entriesOf(valueAt(document, pointerTo(pointer, "examples"))).flatMap(([name]) => {
    const value = valueAt(follow(document, pointerTo(pointer, "examples", name)).value, "/value");
    return value === undefined ? [] : [[name, value] as const];
  });
  if (named.length > 0) return new Map(named);
  const schema = valueAt(document, pointerTo(pointer, "schema")) ?? {};
  const listed = schemaKeyword(document, schema, "examples");
  const only = valueAt(document, pointerTo(pointer, "example")) ?? schemaKeyword(document, schema, "example");
  const found = only !== undefined ? [only] : listOf(listed);
  return new Map(found.map((value, index) => [`example ${index + 1}`, value] as const));
}
