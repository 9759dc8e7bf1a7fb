/** A matrix of what tests should cover of a contract, and the cells that an exchange covers. */
import type { Contract, OperationContract } from "../../generated/contract.ts";
import { isJson, kindOf, matchType } from "../../server/contract/media-type.ts";
import type { RefusalName } from "../../server/contract/request.ts";
import { contractOf } from "../../server/contract/response.ts";
import type { Omission } from "../conformance/constraints.ts";
import {
  answerFaults,
  documentedStatus,
  headerOf,
  type ReceivedAnswer,
  readContent,
  type SentRequest,
} from "../conformance/contract-check.ts";
import { evaluate } from "../conformance/evaluate.ts";
import {
  modelOf,
  type OperationModel,
  type ResponseModel,
  type ServiceModel,
} from "../conformance/operation-model.ts";
import { readBack } from "../conformance/requests.ts";
import { type Json, pointerTo, valueAt } from "../openapi/document.ts";
import { type AnswerPlace, headersAt, propertiesAt, propertiesIn } from "./answer-places.ts";

/** In the order of the report. */
export const cellKinds = ["answer", "code", "credential", "content", "value", "property", "header"] as const;
export type CellKind = (typeof cellKinds)[number];

export interface Cell {
  /** An `operationId`, `unmatched`, or `answers` if several responses share the declaration. */
  readonly operation: string;
  readonly kind: CellKind;
  /** A status, a place in the request, or where the document declares a property or header. */
  readonly row: string;
  /** A media type, a code, a verdict about the place, or the name of a property or header. */
  readonly column: string;
}

export const unmatchedOperation = "unmatched";
/** Stands for all responses, because they share schemas. */
const everyAnswer = "answers";

export function keyOf({ operation, kind, row, column }: Cell): string {
  return [operation, kind, row, column].join("\t");
}

/** Means that a handler reads the parameter, which traffic cannot show. */
export const usedColumn = "used";

export function usedCell(operationId: string, parameter: string): Cell {
  return { operation: operationId, kind: "value", row: parameter, column: usedColumn };
}

export function isRight(column: string): boolean {
  return column === "valid" || column === "absent" || column === usedColumn;
}

export interface Matrix {
  readonly cells: readonly Cell[];
  /** What has no cell, and why. */
  readonly omissions: readonly (Omission & { readonly operation: string })[];
}

export interface ObservedExchange {
  /** Undefined for requests that match no operation. */
  readonly operationId: string | undefined;
  /** Undefined if the request was not valid HTTP. */
  readonly request: SentRequest | undefined;
  /** Why the request was rejected before the handler, if it was. */
  readonly refusal: RefusalName | undefined;
  readonly answer: ReceivedAnswer;
}

export class Coverage {
  readonly #document: unknown;
  readonly #contract: Contract;
  readonly #model: ServiceModel;
  readonly #codeAt: string;

  /** @param document bundled. @param codeAt where an error has its code, as a JSON pointer (RFC 6901) */
  constructor(document: unknown, contract: Contract, codeAt: string) {
    this.#document = document;
    this.#contract = contract;
    this.#model = modelOf(document, contract);
    this.#codeAt = codeAt;
  }

  matrix(): Matrix {
    const { operations, unmatched } = this.#model;
    return {
      cells: [
        ...operations.flatMap((operation) => [
          ...this.#answers(operation.id, operation.contract.responses, operation.responses),
          ...credentialCells(operation, this.#contract),
          ...contentCells(operation),
          ...valueCells(operation),
        ]),
        ...this.#answers(unmatchedOperation, this.#contract.unmatched, unmatched),
        ...this.#declared(),
      ],
      omissions: operations.flatMap(({ id, omissions }) =>
        omissions.map((each) => ({ ...each, operation: id })),
      ),
    };
  }

  #answers(
    operation: string,
    contracts: OperationContract["responses"],
    responses: readonly ResponseModel[],
  ): Cell[] {
    const answers = Object.entries(contracts).flatMap(([row, response]) => {
      const mediaTypes = Object.keys(response?.mediaTypes ?? {});
      return (mediaTypes.length === 0 ? [noContent] : mediaTypes).map(
        (column): Cell => ({ operation, kind: "answer", row, column }),
      );
    });
    const codes = responses.flatMap(({ status, examples }) => {
      const values = [...examples.values()].flatMap((byName) => [...byName.values()]);
      const found = values
        .map((value) => valueAt(value, this.#codeAt))
        .filter((code) => typeof code === "string");
      return [...new Set(found)].map((column): Cell => ({ operation, kind: "code", row: status, column }));
    });
    return [...answers, ...codes];
  }

  #declared(): Cell[] {
    const { operations, unmatched, answerNodeOf } = this.#model;
    const cells = [...operations.flatMap(({ responses }) => responses), ...unmatched].flatMap(
      ({ pointer, examples }) => [
        ...[...examples.keys()]
          .filter(isJson)
          .flatMap((mediaType) =>
            propertiesAt(this.#document, answerNodeOf, schemaIn(pointer, mediaType)).map(propertyCell),
          ),
        ...headersAt(this.#document, pointer).map(headerCell),
      ],
    );
    const distinct = [...new Map(cells.map((cell) => [keyOf(cell), cell])).values()];
    return cellKinds.flatMap((kind) => distinct.filter((cell) => cell.kind === kind));
  }

  /** Every cell that the exchange covers; none if its response breaks the contract. */
  shownBy({ operationId, request, refusal, answer }: ObservedExchange): Cell[] {
    const operation = this.#model.operations.find(({ id }) => id === operationId);
    const contracts = operation?.contract.responses ?? this.#contract.unmatched;
    if (answerFaults(contracts, request?.method ?? "GET", answer).length > 0) return [];
    const shown = [
      ...this.#shownByAnswer(operation?.id ?? unmatchedOperation, contracts, answer),
      ...this.#declaredIn(operation?.responses ?? this.#model.unmatched, answer),
    ];
    // A service that fails may not have read the request.
    if (operation === undefined || request === undefined || answer.status >= 500) return shown;
    const add = (kind: CellKind, row: string, column: string): void =>
      void shown.push({ operation: operation.id, kind, row, column });
    if (operation.contract.security.length > 0)
      add("credential", credentialRow, credentialColumns[refusal ?? ""] ?? "valid");
    const wrongContent = contentColumns[refusal ?? ""];
    if (wrongContent !== undefined) add("content", contentRow, wrongContent);
    const isValidated = refusal === undefined || refusal === "request_invalid";
    if (isValidated) shown.push(...this.#shownByRequest(operation, request, refusal !== undefined));
    return shown;
  }

  #shownByAnswer(
    operation: string,
    contracts: OperationContract["responses"],
    answer: ReceivedAnswer,
  ): Cell[] {
    const { status, headers, content } = answer;
    const own = contractOf(contracts, status);
    const row = documentedStatus(Object.keys(contracts), status) ?? "";
    const mediaTypes = Object.keys(own?.mediaTypes ?? {});
    const mediaType = headerOf(headers, "content-type");
    const key = mediaType === undefined ? undefined : matchType(mediaType, mediaTypes)?.key;
    const cells: Cell[] = [{ operation, kind: "answer", row, column: key ?? noContent }];
    const code = valueAt(readContent("application/json", content)?.value, this.#codeAt);
    if (typeof code === "string") cells.push({ operation, kind: "code", row, column: code });
    return cells;
  }

  #declaredIn(responses: readonly ResponseModel[], { status, headers, content }: ReceivedAnswer): Cell[] {
    const keys = responses.map((each) => each.status);
    const response = responses.find((each) => each.status === documentedStatus(keys, status));
    if (response === undefined) return [];
    const found = headersAt(this.#document, response.pointer)
      .filter(({ name }) => headerOf(headers, name) !== undefined)
      .map(headerCell);
    const mediaType = headerOf(headers, "content-type");
    const known = mediaType === undefined ? undefined : matchType(mediaType, [...response.examples.keys()]);
    // The response to a HEAD has a content type and no body.
    if (known === undefined || !isJson(known.key) || content.byteLength === 0) return found;
    const at = schemaIn(response.pointer, known.key);
    const { value } = readContent(known.essence, content) ?? {};
    return [
      ...propertiesIn(this.#document, this.#model.answerNodeOf, at, value as Json).map(propertyCell),
      ...found,
    ];
  }

  #shownByRequest(operation: OperationModel, request: SentRequest, isRejected: boolean): Cell[] {
    const cells: Cell[] = [];
    const add = (kind: CellKind, row: string, column: string): void => {
      // An accepted request proves nothing about invalid places, a rejected one nothing about valid places.
      if (isRejected !== isRight(column)) cells.push({ operation: operation.id, kind, row, column });
    };
    for (const { contract, node } of operation.parameters) {
      const place = `${contract.in} /${contract.name}`;
      const value = readBack(operation.contract, request, contract);
      if (value === undefined) add("value", place, contract.required ? "required" : "absent");
      else for (const visit of evaluate(node, value)) add("value", place + visit.place, visit.verdict);
    }
    const { content } = operation.contract;
    if (content === undefined) return cells;
    if (request.content.byteLength === 0) {
      add("content", contentRow, content.required ? "required" : "absent");
      return cells;
    }
    const mediaType = matchType(
      headerOf(request.headers, "content-type") ?? "",
      Object.keys(content.mediaTypes),
    );
    if (mediaType === undefined) return cells;
    if (!isRejected)
      cells.push({ operation: operation.id, kind: "content", row: contentRow, column: mediaType.key });
    const model = operation.contents.find((each) => each.mediaType === mediaType.key);
    const read = readContent(mediaType.essence, request.content);
    if (model === undefined || read === undefined || kindOf(mediaType.essence) !== "json") return cells;
    for (const visit of evaluate(model.node, read.value as Json))
      add("value", bodyPlace(visit.place), visit.verdict);
    return cells;
  }
}

function schemaIn(response: string, mediaType: string): string {
  return pointerTo(response, "content", mediaType, "schema");
}

function propertyCell({ at, name }: AnswerPlace): Cell {
  return { operation: everyAnswer, kind: "property", row: at, column: name };
}

function headerCell({ at, name }: AnswerPlace): Cell {
  return { operation: everyAnswer, kind: "header", row: at, column: name };
}

const noContent = "no content";
const credentialRow = "credential";
const contentRow = "content";

const credentialColumns: { readonly [reason: string]: string } = {
  credential_missing: "missing",
  credential_invalid: "wrong",
  role_missing: "too weak",
};
const contentColumns: { readonly [reason: string]: string } = {
  content_too_large: "too large",
  media_type_unsupported: "other media type",
  content_coding_unsupported: "compressed",
  content_malformed: "malformed",
};

function bodyPlace(place: string): string {
  return `body ${place === "" ? "/" : place}`;
}

function credentialCells({ id, contract: { security } }: OperationModel, contract: Contract): Cell[] {
  if (security.length === 0) return [];
  const schemes = new Set(security.flat().map(({ scheme }) => scheme));
  const everyRole = Object.values(contract.operations)
    .flatMap((operation) => operation.security.flat())
    .filter(({ scheme }) => schemes.has(scheme))
    .flatMap(({ roles }) => roles);
  const isEnough = (role: string) =>
    security.some((alternative) =>
      alternative.every(({ roles }) => roles.every((needed) => needed === role)),
    );
  const columns = [
    "valid",
    "missing",
    "wrong",
    ...(everyRole.some((role) => !isEnough(role)) ? ["too weak"] : []),
  ].filter((column) => column !== "missing" || security.every((alternative) => alternative.length > 0));
  return columns.map((column) => ({ operation: id, kind: "credential", row: credentialRow, column }));
}

function contentCells({ id, contract: { content } }: OperationModel): Cell[] {
  if (content === undefined) return [];
  const columns = [
    ...Object.keys(content.mediaTypes),
    content.required ? "required" : "absent",
    ...Object.values(contentColumns),
  ];
  return columns.map((column) => ({ operation: id, kind: "content", row: contentRow, column }));
}

function valueCells({ id, parameters, contents }: OperationModel): Cell[] {
  const rows = [
    ...parameters.flatMap(({ contract, constraints }) => {
      const row = `${contract.in} /${contract.name}`;
      const listed = constraints.map(({ place, verdict }) => ({ row: row + place, column: verdict }));
      return [...listed, { row, column: usedColumn }];
    }),
    ...contents.flatMap(({ constraints }) =>
      constraints.map(({ place, verdict }) => ({ row: bodyPlace(place), column: verdict })),
    ),
  ];
  const cells = rows.map((each): Cell => ({ operation: id, kind: "value", ...each }));
  return [...new Map(cells.map((cell) => [keyOf(cell), cell])).values()];
}
