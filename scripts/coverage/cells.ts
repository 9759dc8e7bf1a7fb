/** A matrix of the parts of a document that tests must cover, and the cells that an exchange covers. */
import type { Omission } from "../conformance/constraints.ts";
import { headerOf, jsonIn, type ReceivedResponse, type SentRequest } from "../conformance/exchange.ts";
import {
  readParameter,
  readRequestBody,
  responseFor,
  responseProblems,
} from "../conformance/exchange-check.ts";
import {
  modelOf,
  type OperationModel,
  type ResponseModel,
  type ServiceModel,
} from "../conformance/operation-model.ts";
import { pointerTo, valueAt } from "../openapi/document.ts";
import { evaluate } from "../openapi/evaluate.ts";
import { bodyKindOf, contentFor } from "../openapi/media-types.ts";
import { headersAt, propertiesAt, propertiesIn, type ResponsePlace } from "./response-places.ts";

/** Sorted as in the report. */
export const cellKinds = [
  "response",
  "method",
  "code",
  "credential",
  "content",
  "value",
  "property",
  "header",
] as const;
export type CellKind = (typeof cellKinds)[number];

export interface Cell {
  /** An `operationId`, `unmatched`, or `responses` if several responses share the declaration. */
  readonly operation: string;
  readonly kind: CellKind;
  /** A status, a place in the request, or where the document declares a property or header. */
  readonly row: string;
  /** A media type, a method, a code, a verdict about the place, or the name of a property or header. */
  readonly column: string;
}

export const unmatchedOperation = "unmatched";
/** The `operation` of properties and headers, because responses share their declarations. */
const everyResponse = "responses";

export function keyOf({ operation, kind, row, column }: Cell): string {
  return [operation, kind, row, column].join("\t");
}

/** The column of a parameter that a handler reads. Requests and responses do not show this. */
export const usedColumn = "used";

export function usedCell(operationId: string, parameter: string): Cell {
  return { operation: operationId, kind: "value", row: parameter, column: usedColumn };
}

export function isValid(column: string): boolean {
  return column === "valid" || column === "absent" || column === usedColumn;
}

export interface Matrix {
  readonly cells: readonly Cell[];
  /** The places that have no cell, with the reason. */
  readonly omissions: readonly (Omission & { readonly operation: string })[];
}

export interface ObservedExchange {
  /** Undefined for requests that match no operation. */
  readonly operationId: string | undefined;
  /** Undefined if the request was not valid HTTP. */
  readonly request: SentRequest | undefined;
  /** The reason why the request was rejected before the handler. Undefined if it was not. */
  readonly rejection: string | undefined;
  readonly response: ReceivedResponse;
}

export class Coverage {
  readonly model: ServiceModel;
  readonly #document: object;
  readonly #codeAt: string;
  /** The cells of twins. Everything else of a twin counts for its GET. */
  readonly #twins: readonly Cell[];

  /** @param document a bundled document. @param codeAt a JSON pointer (RFC 6901) to the code in an error response */
  constructor(document: object, codeAt = "/error/code") {
    this.#document = document;
    const model = modelOf(document);
    this.model = { ...model, operations: model.operations.filter(({ twinOf }) => twinOf === undefined) };
    this.#twins = model.operations.flatMap(({ twinOf, method }) =>
      twinOf === undefined ? [] : methodCell(twinOf, method),
    );
    this.#codeAt = codeAt;
  }

  matrix(): Matrix {
    const { operations, unmatched } = this.model;
    return {
      cells: [
        ...operations.flatMap((operation) => [
          ...this.#responses(operation.id, operation.responses),
          ...credentialCells(operation, operations),
          ...contentCells(operation),
          ...valueCells(operation),
        ]),
        ...this.#responses(unmatchedOperation, unmatched),
        ...this.#twins,
        ...this.#declared(),
      ],
      omissions: operations.flatMap(({ id, omissions }) =>
        omissions.map((each) => ({ ...each, operation: id })),
      ),
    };
  }

  #responses(operation: string, responses: readonly ResponseModel[]): Cell[] {
    const documented = responses.flatMap(({ status: row, contents }) => {
      const mediaTypes = contents.map(({ mediaType }) => mediaType);
      return (mediaTypes.length === 0 ? [noContent] : mediaTypes).map(
        (column): Cell => ({ operation, kind: "response", row, column }),
      );
    });
    const codes = responses.flatMap(({ status: row, contents }) => {
      const values = contents.flatMap(({ examples }) => [...examples.values()]);
      const found = values
        .map((value) => valueAt(value, this.#codeAt))
        .filter((code) => typeof code === "string");
      return [...new Set(found)].map((column): Cell => ({ operation, kind: "code", row, column }));
    });
    return [...documented, ...codes];
  }

  #declared(): Cell[] {
    const { operations, unmatched, responseNodeOf } = this.model;
    const cells = [...operations.flatMap(({ responses }) => responses), ...unmatched].flatMap(
      ({ pointer, contents }) => [
        ...contents
          .filter(({ mediaType }) => bodyKindOf(mediaType) === "json")
          .flatMap(({ mediaType }) =>
            propertiesAt(this.#document, responseNodeOf, schemaIn(pointer, mediaType)).map(propertyCell),
          ),
        ...headersAt(this.#document, pointer).map(headerCell),
      ],
    );
    const distinct = [...new Map(cells.map((cell) => [keyOf(cell), cell])).values()];
    return cellKinds.flatMap((kind) => distinct.filter((cell) => cell.kind === kind));
  }

  /** Returns every cell that the exchange covers. Returns no cell if its response violates the document. */
  shownBy({ operationId, request, rejection, response }: ObservedExchange): Cell[] {
    const operation = this.model.operations.find(({ id }) => id === operationId);
    const responses = operation?.responses ?? this.model.unmatched;
    if (responseProblems(responses, request?.method ?? "GET", response).length > 0) return [];
    const shown = this.#shownByResponse(operation?.id ?? unmatchedOperation, responses, response);
    // If the service fails, it may not have read the request.
    if (operation === undefined || request === undefined || response.status >= 500) return shown;
    const twin = keyOf(methodCell(operation.id, request.method));
    if (response.status < 300) shown.push(...this.#twins.filter((each) => keyOf(each) === twin));
    const add = (kind: CellKind, row: string, column: string): void =>
      void shown.push({ operation: operation.id, kind, row, column });
    if (operation.security.length > 0)
      add("credential", credentialRow, credentialColumns[rejection ?? ""] ?? "valid");
    const wrongContent = contentColumns[rejection ?? ""];
    if (wrongContent !== undefined) add("content", contentRow, wrongContent);
    const isValidated = rejection === undefined || rejection === "request_invalid";
    if (isValidated) shown.push(...shownByRequest(operation, request, rejection !== undefined));
    return shown;
  }

  #shownByResponse(
    operation: string,
    responses: readonly ResponseModel[],
    { status, headers, content }: ReceivedResponse,
  ): Cell[] {
    const documented = responseFor(responses, status);
    if (documented === undefined) return [];
    const { pointer, contents } = documented;
    const key = contentFor(headerOf(headers, "content-type") ?? "", contents)?.mediaType;
    const body = jsonIn(content);
    const code = valueAt(body, this.#codeAt);
    const row = documented.status;
    const at = schemaIn(pointer, key ?? "");
    // The response to HEAD has a content type but no body.
    const isRead = key !== undefined && bodyKindOf(key) === "json" && body !== undefined;
    return [
      { operation, kind: "response", row, column: key ?? noContent },
      ...(typeof code === "string" ? [{ operation, kind: "code", row, column: code } as const] : []),
      ...(isRead ? propertiesIn(this.#document, this.model.responseNodeOf, at, body) : []).map(propertyCell),
      ...headersAt(this.#document, pointer)
        .filter(({ name }) => headerOf(headers, name) !== undefined)
        .map(headerCell),
    ];
  }
}

function shownByRequest(operation: OperationModel, request: SentRequest, isRejected: boolean): Cell[] {
  const cells: Cell[] = [];
  const add = (kind: CellKind, row: string, column: string): void => {
    // An accepted request covers only valid places. A rejected one covers only invalid places.
    if (isRejected !== isValid(column)) cells.push({ operation: operation.id, kind, row, column });
  };
  for (const parameter of operation.parameters) {
    const row = `${parameter.in} /${parameter.name}`;
    const read = readParameter(operation, request, parameter);
    if (read === undefined) add("value", row, parameter.required ? "required" : "absent");
    else if ("value" in read)
      for (const visit of evaluate(parameter.node, read.value))
        add("value", row + visit.place, visit.verdict);
  }
  const read = readRequestBody(operation.body, request);
  if (operation.body !== undefined && read === undefined)
    add("content", contentRow, operation.body.required ? "required" : "absent");
  if (read?.documented === undefined) return cells;
  const { documented, reading } = read;
  if (!isRejected)
    cells.push({ operation: operation.id, kind: "content", row: contentRow, column: documented.mediaType });
  if ("value" in reading)
    for (const visit of evaluate(documented.node, reading.value))
      add("value", bodyPlace(visit.place), visit.verdict);
  return cells;
}

/** A success with the method. */
function methodCell(operation: string, column: string): Cell {
  return { operation, kind: "method", row: "success", column };
}

function schemaIn(response: string, mediaType: string): string {
  return pointerTo(response, "content", mediaType, "schema");
}

function propertyCell({ at, name }: ResponsePlace): Cell {
  return { operation: everyResponse, kind: "property", row: at, column: name };
}

function headerCell({ at, name }: ResponsePlace): Cell {
  return { operation: everyResponse, kind: "header", row: at, column: name };
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

function credentialCells({ id, security }: OperationModel, operations: readonly OperationModel[]): Cell[] {
  if (security.length === 0) return [];
  const schemes = new Set(security.flat().map(({ scheme }) => scheme));
  const everyRole = operations
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

function contentCells({ id, body }: OperationModel): Cell[] {
  if (body === undefined) return [];
  const columns = [
    ...body.contents.map(({ mediaType }) => mediaType),
    body.required ? "required" : "absent",
    ...Object.values(contentColumns),
  ];
  return columns.map((column) => ({ operation: id, kind: "content", row: contentRow, column }));
}

function valueCells({ id, parameters, body }: OperationModel): Cell[] {
  const rows = [
    ...parameters.flatMap(({ in: place, name, constraints }) => {
      const row = `${place} /${name}`;
      const checked = constraints.map((each) => ({ row: row + each.place, column: each.verdict }));
      return [...checked, { row, column: usedColumn }];
    }),
    ...(body?.contents ?? []).flatMap(({ constraints }) =>
      constraints.map(({ place, verdict }) => ({ row: bodyPlace(place), column: verdict })),
    ),
  ];
  const cells = rows.map((each): Cell => ({ operation: id, kind: "value", ...each }));
  return [...new Map(cells.map((cell) => [keyOf(cell), cell])).values()];
}
