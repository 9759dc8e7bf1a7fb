/** One request and its response: what handlers know of it while it lasts, and what is reported when it has settled. */
import type { Answer, PlainResponse } from "./check-response.ts";
import type { RefusalName } from "./refusal.ts";
import type { RequestView } from "./request-view.ts";

/** What every handler gets next to its request. */
export interface HandlerContext<Principal> {
  /** Who calls; the credential and its roles have been checked. Absent if the operation needs none. */
  readonly principal: Principal;
  readonly requestId: string;
  /** The caller's address, if the server knows it. */
  readonly address: string | undefined;
  /** Aborted when the caller goes away before the response. */
  readonly signal: AbortSignal;
}

/** A finished exchange. It holds secrets: what is made of it may not. */
export interface SettledExchange {
  readonly requestId: string;
  readonly address: string | undefined;
  /** The `operationId`, the path of a resource, `preflight`, or `unmatched`: a bounded set. */
  readonly operation: string;
  /** Undefined if it was not HTTP. */
  readonly request: RequestView | undefined;
  /** The request body; undefined if it was not read. */
  readonly content: Uint8Array | undefined;
  /** Why no handler was called. */
  readonly refusal: RefusalName | undefined;
  /** The response before it was written. */
  readonly response: PlainResponse;
  readonly answer: Answer;
  readonly seconds: number;
}

export class Exchange<Principal> implements HandlerContext<Principal>, SettledExchange {
  readonly request: RequestView;
  readonly requestId: string;
  readonly address: string | undefined;
  readonly operation: string;
  readonly #startedAt = performance.now();
  /** Found by `authorise`; undefined only if the type of the handler says so. */
  principal = undefined as Principal;
  content: Uint8Array | undefined = undefined;
  body: unknown = undefined;
  refusal: RefusalName | undefined = undefined;
  response: PlainResponse = nothing;
  answer: Answer = nothing;
  seconds = 0;

  constructor(request: RequestView, requestId: string, address: string | undefined, operation: string) {
    this.request = request;
    this.requestId = requestId;
    this.address = address;
    this.operation = operation;
  }

  get signal(): AbortSignal {
    return this.request.signal;
  }

  settle(answer: Answer): this {
    this.answer = answer;
    this.seconds = (performance.now() - this.#startedAt) / 1000;
    return this;
  }
}

const nothing = { status: 0, headers: {}, body: undefined };
