/** The result of a call: a union, discriminated by `status`, of all documented responses and one for all others. */
import { type OperationDescription, responseFor, type StatusOf } from "#specbind/contract";
import { essence } from "../../server/runtime/shared/media-type.ts";
import type { ResponseProblem, ResponseValidator } from "./options.ts";

/** @internal A response. Its body was read completely, unless it is a stream of items. */
export type ReadResponse = readonly [
  response: Response,
  bytes: Uint8Array<ArrayBuffer>,
  stream?: ReadableStream | null | undefined,
];

interface WithResponse {
  readonly operationId: string;
  /** Its body has already been read. */
  readonly response: Response;
  /** The `X-Request-Id` of the response, or that of the request if the response has none. */
  readonly requestId: string;
}

interface Success<Status, Data> extends WithResponse {
  readonly status: Status;
  readonly data: Data;
  readonly error?: undefined;
}

interface Failure<Status, Body> extends WithResponse {
  readonly status: Status;
  readonly data?: undefined;
  readonly error: Body;
}

type Read<MediaType, Body> = Body extends ReadableStream ? Body : ReadWhole<MediaType, Body>;
type ReadWhole<MediaType, Body> = MediaType extends
  | `${string}/json`
  | `${string}+json`
  | `${string}json;${string}`
  ? Body
  : MediaType extends `text/${string}`
    ? string
    : MediaType extends `${string}*${string}`
      ? unknown
      : Blob;

/** The type of the documented body, or null if no body is documented. A body that is not JSON or text is a Blob. */
type BodyOf<Message> = Message extends { content: infer MediaTypes }
  ? { [MediaType in keyof MediaTypes]: Read<MediaType, MediaTypes[MediaType]> }[keyof MediaTypes]
  : null;

type Successful<Status> = Status extends number ? (`${Status}` extends `2${string}` ? Status : never) : never;

/** One union member for each key of the spec, not for each status, because `4XX` includes a hundred statuses. */
type ResultFor<Status, Body> =
  | ([Successful<Status>] extends [never] ? never : Success<Successful<Status>, Body>)
  | ([Exclude<Status, Successful<Status>>] extends [never]
      ? never
      : Failure<Exclude<Status, Successful<Status>>, Body>);

/** A documented response: it has `data` if the call succeeded, and `error` if it failed. */
export type DocumentedResult<Operation extends { responses: unknown }> = {
  [Key in keyof Operation["responses"]]: ResultFor<
    StatusOf<Operation["responses"], Key>,
    BodyOf<Operation["responses"][Key]>
  >;
}[keyof Operation["responses"]];

/** A response that the spec does not describe, such as a proxy's HTML page, an empty 500 or a redirect. */
export type UndocumentedResult = Failure<
  "undocumented",
  {
    /** 0 for a redirect in a browser, because browsers hide its status. */
    readonly httpStatus: number;
    readonly contentType: string | undefined;
    /** The raw body. */
    readonly text: string;
    /** The violations of the schema, if responses are validated. */
    readonly problems?: readonly ResponseProblem[];
  }
>;

export type OperationResult<Operation extends { responses: unknown }> =
  | DocumentedResult<Operation>
  | UndocumentedResult;

export type AnyFailure = Failure<number, unknown> | UndocumentedResult;

export type AnyResult = Success<number, unknown> | AnyFailure;

/**
 * A response is documented if the spec has its status and media type, its syntax is correct, and `validate` finds no
 * problem.
 *
 * @internal
 */
export function resultOf(
  operationId: string,
  operation: OperationDescription,
  readResponse: ReadResponse,
  requestId: string,
  read: ReadBody,
  validate?: ResponseValidator,
): AnyResult {
  const [response, bytes] = readResponse;
  const { status, headers } = response;
  const common = { operationId, response, requestId: headers.get("x-request-id") ?? requestId };
  const contentType = headers.get("content-type") ?? undefined;
  // A browser shows a redirect as status 0.
  const mediaTypes = status === 0 ? undefined : responseFor(operation.responses, status);
  const body = mediaTypes && read(readResponse, mediaTypes, contentType);
  const isEmpty = body === undefined || contentType === undefined;
  const problems = (!isEmpty && validate?.(operationId, status, contentType, body)) || [];
  if (body === undefined || problems.length > 0) {
    const text = new TextDecoder().decode(bytes);
    const error = { httpStatus: status, contentType, text, ...(problems.length > 0 && { problems }) };
    return { ...common, status: "undocumented", error };
  }
  return response.ok ? { ...common, status, data: body } : { ...common, status, error: body };
}

/** @internal Returns the parsed body, null if there is none and none is documented, or undefined if it is undocumented. */
export type ReadBody = (
  readResponse: ReadResponse,
  mediaTypes: readonly string[],
  contentType: string | undefined,
) => unknown;

/** @internal */
export const readJson: ReadBody = ([, bytes], mediaTypes, contentType = "") => {
  if (mediaTypes.length === 0) return bytes.byteLength === 0 ? null : undefined;
  const isDocumented = mediaTypes.some((each) => essence(each) === essence(contentType));
  return isDocumented ? parsedJson(bytes) : undefined;
};

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** @internal Returns undefined if the bytes are not JSON in UTF-8. JSON itself has no value that is parsed as undefined. */
export function parsedJson(bytes: Uint8Array<ArrayBuffer>): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    return undefined;
  }
}
