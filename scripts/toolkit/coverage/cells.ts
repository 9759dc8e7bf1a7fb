/** A matrix of the parts of a document that tests must cover, and the cells that an exchange covers. */
import { isJson, matchType } from "#specbind/media-type";
import { type HttpResponse, headerOf, jsonIn } from "../conformance/exchange.ts";
import { responseFor, responseProblems } from "../conformance/exchange-check.ts";
import { modelOf, type ResponseModel, type ServiceModel } from "../conformance/operation-model.ts";
import { webhookDocumentOf } from "../generate/webhooks/webhook-spec.ts";
import { type JsonObject, pointerTo, valueAt } from "../openapi/document.ts";
import { headersAt, propertiesAt, propertiesIn, type ResponsePlace } from "./response-places.ts";

/** Sorted as in the report. */
export const cellKinds = ["response", "method", "code", "parameter", "property", "header"] as const;
export type CellKind = (typeof cellKinds)[number];

export interface Cell {
  /** An `operationId`, `unmatched`, or `responses` if several responses share the declaration. */
  readonly operation: string;
  readonly kind: CellKind;
  /** A status, a parameter such as `query /limit`, or the place where the document declares a property or header. */
  readonly row: string;
  /** A media type, a method, a code, or the name of a property or header. */
  readonly column: string;
}

export const unmatchedOperation = "unmatched";
const noBody = "no content";
/** A JSON pointer (RFC 6901) to the code in an error response. */
const codeAt = "/error/code";

export function keyOf({ operation, kind, row, column }: Cell): string {
  return [operation, kind, row, column].join("\t");
}

/** A parameter that a handler reads. Requests and responses do not show this. */
export function usedCell(operation: string, row: string): Cell {
  return { operation, kind: "parameter", row, column: "used" };
}

export interface ObservedExchange {
  /** Undefined for requests that match no operation. */
  readonly operationId: string | undefined;
  /** Undefined if the request was not valid HTTP. */
  readonly method: string | undefined;
  readonly response: HttpResponse;
}

export class Coverage {
  readonly model: ServiceModel;
  readonly #document: object;
  /** The cells of twins. Everything else of a twin counts for its GET. */
  readonly #twins: readonly Cell[];
  /** The webhooks and callbacks, which receivers in the tests must respond to. */
  readonly #webhooks: Coverage | undefined;

  constructor(document: object) {
    this.#document = document;
    const model = modelOf(document);
    this.model = { ...model, operations: model.operations.filter(({ twinOf }) => twinOf === undefined) };
    this.#twins = model.operations.flatMap(({ twinOf, method }) =>
      twinOf === undefined ? [] : methodCell(twinOf, method),
    );
    const separate = webhookDocumentOf(document as JsonObject)?.document;
    this.#webhooks = separate && new Coverage(separate);
  }

  /** True for an operation, a webhook and a callback. */
  has(operationId: string): boolean {
    return (
      this.model.operations.some(({ id }) => id === operationId) || this.#webhooks?.has(operationId) === true
    );
  }

  cells(): Cell[] {
    const { operations, unmatched } = this.model;
    const cells = [
      ...operations.flatMap(({ id, parameters, responses }) => [
        ...responseCells(id, responses),
        ...parameters.map(({ in: place, name }) => usedCell(id, `${place} /${name}`)),
      ]),
      ...responseCells(unmatchedOperation, unmatched),
      ...this.#twins,
      ...this.#declared(),
      ...(this.#webhooks?.cells() ?? []),
    ];
    return [...new Map(cells.map((cell) => [keyOf(cell), cell])).values()];
  }

  #declared(): Cell[] {
    const { operations, unmatched, responseNodeOf } = this.model;
    return [...operations.flatMap(({ responses }) => responses), ...unmatched].flatMap(
      ({ pointer, mediaTypes }) => [
        ...mediaTypes
          .filter(({ mediaType }) => isJson(mediaType))
          .flatMap(({ mediaType }) =>
            propertiesAt(this.#document, responseNodeOf, schemaIn(pointer, mediaType)),
          )
          .map((place) => declaredCell("property", place)),
        ...headersAt(this.#document, pointer).map((place) => declaredCell("header", place)),
      ],
    );
  }

  /** Returns every cell that the exchange covers. Returns no cell if its response violates the document. */
  shownBy(exchange: ObservedExchange): Cell[] {
    const { operationId, method = "GET", response } = exchange;
    if (operationId !== undefined && this.#webhooks?.has(operationId))
      return this.#webhooks.shownBy(exchange);
    const operation = this.model.operations.find(({ id }) => id === operationId);
    const responses = operation?.responses ?? this.model.unmatched;
    const documented = responseFor(responses, response.status);
    if (documented === undefined || responseProblems(responses, method, response).length > 0) return [];
    const shown = this.#shownByResponse(operation?.id ?? unmatchedOperation, documented, response);
    if (operation === undefined || response.status >= 300) return shown;
    const twin = keyOf(methodCell(operation.id, method));
    return [...shown, ...this.#twins.filter((each) => keyOf(each) === twin)];
  }

  #shownByResponse(
    operation: string,
    { status: row, pointer, mediaTypes }: ResponseModel,
    { headers, body }: HttpResponse,
  ): Cell[] {
    const names = mediaTypes.map(({ mediaType }) => mediaType);
    const key = matchType(headerOf(headers, "content-type") ?? "", names)?.key;
    const value = jsonIn(body);
    const code = valueAt(value, codeAt);
    const at = schemaIn(pointer, key ?? "");
    // The response to HEAD has a content type but no body.
    const isRead = key !== undefined && isJson(key) && value !== undefined;
    return [
      { operation, kind: "response", row, column: key ?? noBody },
      ...(typeof code === "string" ? [{ operation, kind: "code", row, column: code } as const] : []),
      ...(isRead ? propertiesIn(this.#document, this.model.responseNodeOf, at, value) : []).map((place) =>
        declaredCell("property", place),
      ),
      ...headersAt(this.#document, pointer)
        .filter(({ name }) => headerOf(headers, name) !== undefined)
        .map((place) => declaredCell("header", place)),
    ];
  }
}

function responseCells(operation: string, responses: readonly ResponseModel[]): Cell[] {
  const documented = responses.flatMap(({ status: row, mediaTypes }) => {
    const names = mediaTypes.map(({ mediaType }) => mediaType);
    return (names.length === 0 ? [noBody] : names).map(
      (column): Cell => ({ operation, kind: "response", row, column }),
    );
  });
  const codes = responses.flatMap(({ status: row, mediaTypes }) => {
    const values = mediaTypes.flatMap(({ examples }) => [...examples.values()]);
    const found = values.map((value) => valueAt(value, codeAt)).filter((code) => typeof code === "string");
    return [...new Set(found)].map((column): Cell => ({ operation, kind: "code", row, column }));
  });
  return [...documented, ...codes];
}

/** A success with the method. */
function methodCell(operation: string, column: string): Cell {
  return { operation, kind: "method", row: "success", column };
}

function schemaIn(response: string, mediaType: string): string {
  return pointerTo(response, "content", mediaType, "schema");
}

function declaredCell(kind: "property" | "header", { at, name }: ResponsePlace): Cell {
  return { operation: "responses", kind, row: at, column: name };
}
