/** Code that must compile, and lines that must not. The type check tests it. */
import type { Client as OpenapiClient } from "openapi-fetch";
import type { components, operations, paths } from "../../generated/types.ts";
import { debugLog } from "../debug.ts";
import {
  ApiError,
  CallError,
  type Client,
  ConnectionError,
  createClient,
  InvalidCallError,
  TimeoutError,
  unwrap,
} from "../index.ts";
import { createMockFetch } from "../mock/index.ts";
import { validateResponse } from "../validate.ts";
import type { DocumentedResult, OperationResult } from "./result.ts";

type Schemas = components["schemas"];
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function same<A, B>(equal: Equal<A, B>): void;
declare const client: Client;

const commission = { title: "t", type: "supply", default_value: 1 };
const path = { webhook_id: 1 };

export async function resultsAreDiscriminatedByStatus() {
  const result = await client.getWebhook({ params: { path } });
  same<(typeof result)["status"], keyof operations["getWebhook"]["responses"] | "undocumented">(true);
  switch (result.status) {
    case 200:
      same<typeof result.data, Schemas["GetWebhookResponse"]>(true);
      same<typeof result.error, undefined>(true);
      break;
    case 404:
      same<typeof result.data, undefined>(true);
      same<typeof result.error, Schemas["Error"]>(true);
      break;
    case "undocumented":
      same<typeof result.data, undefined>(true);
      same<typeof result.error.httpStatus, number>(true);
      same<typeof result.error.contentType, string | undefined>(true);
      same<typeof result.error.text, string>(true);
      break;
    // @ts-expect-error 429 is not documented for this operation
    case 429:
  }
  // @ts-expect-error data may be undefined until the status is checked
  result.data.data;
  if (result.error === undefined) same<typeof result.data, Schemas["GetWebhookResponse"]>(true);
  if (result.data !== undefined) same<typeof result.status, 200>(true);
  same<typeof result.requestId, string>(true);
  same<typeof result.response, Response>(true);
}

export function optionsOfClientsAndCallsAreTyped() {
  const options = { baseUrl: "https://a.test", apiKey: "pk_1" };
  createClient({ ...options, timeoutMs: 1, maxRetries: 0, maxResponseBytes: 1, tls: { ca: ["pem"] } });
  createClient({ ...options, hooks: [debugLog(console.debug)], validate: validateResponse });
  createClient({ ...options, hooks: [{ onRequest: async ({ request }) => request.headers.set("A", "b") }] });
  // @ts-expect-error the key is missing
  createClient({ baseUrl: "https://a.test" });
  // @ts-expect-error retrys is not an option
  createClient({ ...options, retrys: 1 });
  // @ts-expect-error certificates are always verified
  createClient({ ...options, tls: { rejectUnauthorized: false } });
  client.getWebhook({ params: { path }, timeoutMs: 1, maxRetries: 0 });
  // @ts-expect-error the size of responses can be limited only for the client, not for a call
  client.getWebhook({ params: { path }, maxResponseBytes: 1 });
}

export function errorsNameTheirCall(error: unknown) {
  if (error instanceof ApiError) same<typeof error.requestId, string>(true);
  if (error instanceof CallError) same<typeof error.requestId, string | undefined>(true);
  if (error instanceof InvalidCallError)
    same<(typeof error.problems)[number]["in"], "path" | "query" | "header" | "cookie" | "body" | "options">(
      true,
    );
  if (error instanceof TimeoutError) return error.name;
  if (error instanceof ConnectionError) return error.cause;
  return undefined;
}

export async function bothStylesReturnTheSame() {
  same<
    ReturnType<Client["loginUser"]>,
    Promise<OperationResult<import("../../generated/types.ts").operations["loginUser"]>>
  >(true);
  const byPath = await client.POST("/v1/users/login", { body: { user: credentials } });
  same<typeof byPath, Awaited<ReturnType<Client["loginUser"]>>>(true);
}

export async function unwrapReturnsTheData() {
  const data = await unwrap(client.submitCommission({ body: { commission } }));
  same<typeof data, Schemas["SubmitCommissionResponse"]>(true);
  const settled = await unwrap(await client.GET("/", { body: { commission } }));
  same<typeof settled, Schemas["SubmitCommissionResponse"]>(true);
  // @ts-expect-error a value that is not a result cannot be unwrapped
  await unwrap({ data: 1 });
}

declare const credentials: Schemas["Credentials"];

export function invalidCallsDoNotCompile() {
  client.submitCommission({ body: { commission: { ...commission, active: false, commission_data: [] } } });
  // @ts-expect-error the body is missing
  client.submitCommission();
  // @ts-expect-error the body is missing
  client.submitCommission({});
  // @ts-expect-error the body is missing
  client.GET("/");
  client.getWebhook({ params: { path }, body: {}, headers: new Headers(), signal: AbortSignal.timeout(1) });
  // @ts-expect-error the parameter is missing
  client.getWebhook();
  // @ts-expect-error the operation has no query
  client.getWebhook({ params: { path, query: { page: 1 } } });
  // @ts-expect-error the body must be an empty object
  client.getWebhook({ params: { path }, body: { extra: 1 } });
  // @ts-expect-error a call cannot choose how responses are parsed
  client.getWebhook({ params: { path }, parseAs: "text" });
  // @ts-expect-error a call cannot choose the function that sends it
  client.getWebhook({ params: { path }, fetch });

  // @ts-expect-error the path is not in the spec
  client.GET("/v1/nowhere");
  // @ts-expect-error the path is in the spec, but not with this method
  client.POST("/v1/webhooks/{webhook_id}", { params: { path } });
  // @ts-expect-error no operation documents 418
  createMockFetch({ getWebhook: { code: 418 } });
  // @ts-expect-error this operation does not exist
  createMockFetch({ getWebhooks: {} });
}

interface Ranges {
  responses: {
    200: { content: { "application/json": { a: number }; "image/png": Blob; "text/csv": string } };
    204: { content?: never };
    302: { content?: never };
    404: { content: { "application/json": { gone: true } } };
    "4XX": { content: { "application/problem+json": { title: string } } };
    default: { content: { "*/*": unknown } };
  };
}
declare const ranges: DocumentedResult<Ranges>;

export function everyResponseHasItsBody() {
  if (ranges.status === 200) same<typeof ranges.data, { a: number } | Blob | string>(true);
  if (ranges.status === 204) same<[typeof ranges.data, typeof ranges.error], [null, undefined]>(true);
  if (ranges.status === 302) same<[typeof ranges.data, typeof ranges.error], [undefined, null]>(true);
  if (ranges.status === 404) same<typeof ranges.error, { gone: true }>(true);
  if (ranges.status === 409) same<typeof ranges.error, { title: string }>(true);
  if (ranges.status === 201) same<typeof ranges.data, unknown>(true);
  if (ranges.status === 503) same<typeof ranges.error, unknown>(true);
  // @ts-expect-error no response has a status above 599
  if (ranges.status === 600) return;
}

/** A call by method and path has the same types of parameters, data and errors as in openapi-fetch. */
export async function asWithOpenapiFetch(own: Client, original: OpenapiClient<paths>) {
  type PathOf<Methods, Method extends keyof Methods> = Methods[Method] extends (
    path: infer Path,
    ...rest: never
  ) => unknown
    ? Path
    : never;
  type MethodOf<Item> = Item extends unknown
    ? { [Key in keyof Item]-?: Item[Key] extends undefined ? never : Key }[keyof Item]
    : never;
  same<PathOf<Client, "GET">, PathOf<OpenapiClient<paths>, "GET">>(true);
  same<
    Exclude<keyof Client, keyof operations>,
    Uppercase<Exclude<MethodOf<paths[keyof paths]>, "parameters">> | "use" | "eject"
  >(true);
  const init = { params: { path: { webhook_id: 1 } }, headers: { "X-Shop": "north" } };
  const theirs = await original.GET("/v1/webhooks/{webhook_id}", init);
  const ours = await own.GET("/v1/webhooks/{webhook_id}", init);
  if (ours.status === 200) theirs.data = ours.data;
  else if (ours.status !== "undocumented") theirs.error = ours.error;
}
