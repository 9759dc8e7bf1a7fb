/** The compiler must reject each of these lines. This file is checked, never run. */
import type { Handler, Handlers, OperationRequest, OperationResponse, WithPrincipal } from "./handlers.ts";

type Context = { readonly requestId: string };
declare const complete: Handlers<Context>;

const { getWebhook: _, ...withoutOne } = complete;
// @ts-expect-error an operation without a handler
withoutOne satisfies Handlers<Context>;

({
  ...complete,
  // @ts-expect-error a handler without an operation
  deleteWebhook: complete.getWebhook,
}) satisfies Handlers<Context>;

const webhook = { id: 1, url: "https://shop.test/", events: ["order.created"] };

(async () => ({ status: 200, body: { status: true, data: { webhook } } })) satisfies Handler<
  "getWebhook",
  Context
>;

// @ts-expect-error a status that is not documented
(async () => ({ status: 201, body: { status: true, data: { webhook } } })) satisfies Handler<
  "getWebhook",
  Context
>;

// @ts-expect-error a body that is incomplete
(async () => ({ status: 200, body: { status: true, data: {} } })) satisfies Handler<"getWebhook", Context>;

// @ts-expect-error a field of the wrong type
(async () => ({
  status: 200,
  body: { status: true, data: { webhook: { ...webhook, id: "1" } } },
})) satisfies Handler<"getWebhook", Context>;

// @ts-expect-error the body of another status
(async () => ({ status: 404, body: { status: true, data: { webhook } } })) satisfies Handler<
  "getWebhook",
  Context
>;

// @ts-expect-error a code that the spec does not have
(async () => ({
  status: 404,
  body: { status: false, error: { code: "lost", message: "", request_id: "" } },
})) satisfies Handler<"getWebhook", Context>;

// @ts-expect-error no body
(async () => ({ status: 404 })) satisfies Handler<"getWebhook", Context>;

const failure = { status: false, error: { code: "unavailable", message: "m", request_id: "r" } } as const;

(async ({ body }) => {
  // Both have defaults, so they are present although callers may leave them out.
  body.commission.active satisfies boolean;
  body.commission.commission_data satisfies readonly unknown[];
  // @ts-expect-error a field that the spec does not have
  body.commission.titel;
  return { status: 503, body: failure, headers: { "Retry-After": 1 } };
}) satisfies Handler<"submitCommission", Context>;

(async ({ path, body }) => {
  path.webhook_id satisfies number;
  // @ts-expect-error a parameter that the operation does not have
  path.commission_id;
  // @ts-expect-error the empty object has no fields
  body.commission satisfies string;
  return { status: 503, body: failure, headers: { "Retry-After": 1 } };
}) satisfies Handler<"getWebhook", Context>;

// @ts-expect-error a header that the spec requires is missing
(async () => ({ status: 503, body: failure })) satisfies Handler<"getWebhook", Context>;

// @ts-expect-error a header of the wrong type
(async () => ({ status: 503, body: failure, headers: { "Retry-After": "soon" } })) satisfies Handler<
  "getWebhook",
  Context
>;
interface Ranges {
  responses: {
    200: { content: { "application/json": { a: number }; "image/png": string; "text/csv": string } };
    204: { content?: never };
    "4XX": { content: { "application/problem+json": { title: string } } };
    default: { content: { "text/plain": string } };
  };
}
type RangeResponse = OperationResponse<Ranges>;

({ status: 200, body: { a: 1 } }) satisfies RangeResponse;
({ status: 200, body: new Uint8Array(), headers: { "Content-Type": "image/png" } }) satisfies RangeResponse;
({ status: 204 }) satisfies RangeResponse;
({ status: 409, body: { title: "t" } }) satisfies RangeResponse;
({ status: 503, body: "later" }) satisfies RangeResponse;
// @ts-expect-error a body where none is documented
({ status: 204, body: 1 }) satisfies RangeResponse;
// @ts-expect-error the content of another status
({ status: 409, body: "later" }) satisfies RangeResponse;
// @ts-expect-error a status that the class takes from the rest
({ status: 404, body: "later" }) satisfies RangeResponse;

type Upload = OperationRequest<{
  parameters: { query?: { size?: number } };
  requestBody?: { content: { "multipart/form-data": { file: Blob }; "image/png": string } };
}>;
((request: Upload): Blob | Uint8Array | undefined => {
  request.query.size satisfies number | undefined;
  return request.body instanceof Uint8Array ? request.body : request.body?.file;
}) satisfies (request: Upload) => unknown;

interface Caller {
  readonly principal: { readonly id: string };
  readonly requestId: string;
}
type Keyed = readonly [readonly [{ readonly scheme: "key" }]];
type Optional = readonly [readonly [{ readonly scheme: "key" }], readonly []];

((context: WithPrincipal<Keyed, Caller>): string => context.principal.id) satisfies unknown;
((context: WithPrincipal<Optional, Caller>): string | undefined => context.principal?.id) satisfies unknown;
// @ts-expect-error the principal may be missing if a call needs no credential
((context: WithPrincipal<Optional, Caller>): string => context.principal.id) satisfies unknown;
// @ts-expect-error there is no principal if the operation takes no credential
((context: WithPrincipal<readonly [], Caller>): unknown => context.principal) satisfies unknown;
