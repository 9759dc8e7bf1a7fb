/** The compiler must reject each line below a `@ts-expect-error`. This file is type-checked, but never run. */

import type { Awaitable } from "./awaitable.ts";
import type {
  Declared,
  Handler,
  HandlerMaker,
  Handlers,
  OperationRequest,
  OperationResponse,
  ResponseOf,
  WithPrincipal,
} from "./handlers.ts";

type Context = { readonly requestId: string };
interface Failure {
  status: false;
  error: { code: "unavailable" | "webhook_not_found"; message: string; request_id: string };
}
interface Responses<Body> {
  200: { headers: { "X-Request-Id": string }; content: { "application/json": { status: true; data: Body } } };
  404: { headers: { "X-Request-Id": string }; content: { "application/json": Failure } };
  503: { headers: { "Retry-After": number }; content: { "application/json": Failure } };
}
interface Operation<Path, Body, Data> {
  documented: { responses: Responses<Data> };
  received: { parameters: { path: Path }; requestBody: { content: { "application/json": Body } } };
  security: readonly [readonly [{ readonly scheme: "key" }]];
}
/** The tests use this example, so that a change of the spec does not break them. */
type Example = {
  getWebhook: Operation<
    { webhook_id: number },
    Record<string, never>,
    { webhook: { id: number; url: string; events: string[] } }
  >;
  renameWebhook: Operation<{ webhook_id: number }, { name: string; active: boolean }, { name: string }>;
};

declare const complete: Handlers<Context, Example>;
declare const handler: HandlerMaker<Context, Example>;
declare function later<T>(step: () => Awaitable<T>): Awaitable<T>;

const { getWebhook: _, ...withoutOne } = complete;
// @ts-expect-error an operation without a handler
withoutOne satisfies Handlers<Context, Example>;

({
  ...complete,
  // @ts-expect-error a handler without an operation
  deleteWebhook: complete.getWebhook,
}) satisfies Handlers<Context, Example>;

const webhook = { id: 1, url: "https://shop.test/", events: ["order.created"] };
const found = { status: 200, body: { status: true, data: { webhook } } } as const;

handler("getWebhook", () => found);
handler("getWebhook", () => {
  return { status: 200, body: { status: true, data: { webhook: { id: 1, url: "a", events: ["b"] } } } };
});
handler("getWebhook", async () => {
  throw new Error("not written yet");
});
handler("getWebhook", async () => {
  const data = { webhook: { id: 1, url: "https://shop.test/", events: ["order.created"] } };
  return { status: 200, body: { status: true, data }, headers: { "X-Note": "any" } };
});

// @ts-expect-error a function whose response is not compared with the spec
(() => found) satisfies Handler<"getWebhook", Context, Example>;

// @ts-expect-error the handler of another operation
complete.getWebhook satisfies Handler<"renameWebhook", Context, Example>;

// @ts-expect-error a status that is not documented
handler("getWebhook", async () => ({ status: 201, body: { status: true, data: { webhook } } }));

// @ts-expect-error a body that is incomplete
handler("getWebhook", async () => ({ status: 200, body: { status: true, data: {} } }));

// @ts-expect-error the body of another status
handler("getWebhook", async () => ({ status: 404, body: { status: true, data: { webhook } } }));

// @ts-expect-error a property that the spec does not have
handler("getWebhook", () => ({ status: 200, body: { status: true, data: { webhook }, extra: 1 } }));

// @ts-expect-error an undeclared property next to the body
handler("getWebhook", () => ({ status: 200, body: { status: true, data: { webhook } }, extra: 1 }));

// @ts-expect-error an undeclared property in an asynchronous handler
handler("getWebhook", async () => ({ status: 200, body: { status: true, data: { webhook, extra: 1 } } }));

const respond = () => ({ ...found, body: { ...found.body, extra: 1 } });
// @ts-expect-error an undeclared property through another function
handler("getWebhook", () => respond());

// @ts-expect-error an undeclared property through a callback
handler("getWebhook", () => later(() => ({ ...found, body: { ...found.body, extra: 1 } })));

// @ts-expect-error an undeclared property in one of several responses
handler("getWebhook", ({ path }) => {
  if (path.webhook_id === 1) return { status: 200, body: { status: true, data: { webhook } } };
  return { status: 200, body: { status: true, data: { webhook }, extra: 1 } };
});

// If the first response is not a literal, TypeScript does not add the second one to the inferred union. An explicit
// type does.
handler("getWebhook", ({ path }) => {
  if (path.webhook_id === 1) return found;
  return { status: 200, body: { status: true, data: { webhook }, extra: 1 } };
});
handler("getWebhook", ({ path }): ResponseOf<"getWebhook", Example> => {
  if (path.webhook_id === 1) return found;
  // @ts-expect-error a property that the spec does not have
  return { status: 200, body: { status: true, data: { webhook }, extra: 1 } };
});

// @ts-expect-error an undeclared property that is only sometimes present
handler("getWebhook", ({ path }) => ({ ...found, ...(path.webhook_id === 1 && { extra: 1 }) }));

// @ts-expect-error a property of another status
handler("getWebhook", () => ({ status: 200, body: { status: true, data: { webhook }, error: 1 } }));

const failure = { status: false, error: { code: "unavailable", message: "m", request_id: "r" } } as const;

handler("renameWebhook", async ({ body }) => {
  body.active satisfies boolean;
  // @ts-expect-error a field that the spec does not have
  body.nmae;
  return { status: 503, body: failure, headers: { "Retry-After": 1 } };
});

handler("getWebhook", async ({ path, body }) => {
  path.webhook_id satisfies number;
  // @ts-expect-error a parameter that the operation does not have
  path.rename_id;
  // @ts-expect-error the empty object has no fields
  body.name satisfies string;
  return { status: 503, body: failure, headers: { "Retry-After": 1 } };
});

// @ts-expect-error a header that the spec requires is missing
handler("getWebhook", async () => ({ status: 503, body: failure }));

interface Tree {
  name: string;
  branches?: Tree[];
}
interface WiderTree extends Tree {
  size: number;
  branches?: WiderTree[];
}
declare const tree: WiderTree;
declare const file: Buffer;
type Shape = { kind: "circle"; radius: number } | { kind: "square"; side: number };

declare function send<Documented>(): <const Sent extends Documented>(
  sent: Sent & Declared<Sent, Documented>,
) => void;

send<{ [name: string]: unknown }>()({ a: 1, b: { c: 2 } });
send<{ a: number } & { [name: string]: number | string }>()({ a: 1, b: "c" });
send<{ a?: unknown }>()({ a: { b: [1] } });
send<{ list: { a: number }[]; pair: [string, { a: number }] }>()({ list: [{ a: 1 }], pair: ["b", { a: 1 }] });
send<Blob | Uint8Array>()(file);
send<Tree>()({ name: "a", branches: [{ name: "b" }] });
send<Tree>()(tree as Tree);
send<{ shape: Shape | null }>()({ shape: { kind: "circle", radius: 1 } });
send<{ a: number; b?: string }>()({ a: 1, ...(file.length > 0 && { b: "c" }) });
// @ts-expect-error an undeclared property in a list
send<{ list: { a: number }[] }>()({ list: [{ a: 1 }, { a: 2, b: 3 }] });
// @ts-expect-error an undeclared property in a schema that contains itself
send<Tree>()(tree);
// @ts-expect-error a property of another branch
send<{ shape: Shape | null }>()({ shape: { kind: "circle", radius: 1, side: 2 } });
// @ts-expect-error a property where an empty object is documented
send<{ a: Record<string, never> }>()({ a: { b: 1 } });

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
// @ts-expect-error the body of another status
({ status: 409, body: "later" }) satisfies RangeResponse;
// @ts-expect-error a status that `4XX` covers, so `default` does not
({ status: 404, body: "later" }) satisfies RangeResponse;

declare const ofRanges: HandlerMaker<
  object,
  { get: { documented: Ranges; received: { parameters: object }; security: [] } }
>;
type Required = Parameters<typeof ofRanges<"get", () => { status: 409; body: number }>>[1];
// @ts-expect-error the wrong body of a status in `4XX` is compared with the body of `4XX`, so that the error names it
((required: Required) => required) satisfies (required: Required) => (...call: never) => Awaitable<never>;

type Upload = OperationRequest<{
  parameters: { query?: { size?: number } };
  requestBody?: { content: { "multipart/form-data": { file: Blob }; "image/png": string } };
}>;
((request: Upload): Blob | Uint8Array | undefined => {
  request.query.size satisfies number | undefined;
  return request.body instanceof Uint8Array ? request.body : request.body?.file;
}) satisfies (request: Upload) => unknown;

type WithoutQuery = OperationRequest<{ parameters: { query?: never } }>;
// @ts-expect-error the operation has no query parameters
((request: WithoutQuery): unknown => request.query.page) satisfies unknown;

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
