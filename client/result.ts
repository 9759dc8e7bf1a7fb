/** What a call answers: a union told apart by `status`, of every documented response and one variant for all else. */
import type { OperationDescription, StatusOf } from "../generated/operations.ts";

interface Answered {
  /** The response itself. Its body has been read already. */
  readonly response: Response;
  /** The server's `X-Request-Id`. */
  readonly requestId: string | undefined;
}

interface Success<Status, Data> extends Answered {
  readonly status: Status;
  readonly data: Data;
  readonly error?: undefined;
}

interface Failure<Status, Body> extends Answered {
  readonly status: Status;
  readonly data?: undefined;
  readonly error: Body;
}

type Read<MediaType, Body> = MediaType extends `${string}/json` | `${string}+json` | `${string}json;${string}`
  ? Body
  : MediaType extends `text/${string}`
    ? string
    : MediaType extends `${string}*${string}`
      ? unknown
      : Blob;

/** The content that a response is documented with, null where it has none. What is neither JSON nor text is a Blob. */
type ContentOf<Message> = Message extends { content: infer Content }
  ? { [MediaType in keyof Content]: Read<MediaType, Content[MediaType]> }[keyof Content]
  : null;

type Successful<Status> = Status extends number ? (`${Status}` extends `2${string}` ? Status : never) : never;

/** One variant for all statuses of a key, for a class has a hundred. */
type ResultFor<Status, Content> =
  | ([Successful<Status>] extends [never] ? never : Success<Successful<Status>, Content>)
  | ([Exclude<Status, Successful<Status>>] extends [never]
      ? never
      : Failure<Exclude<Status, Successful<Status>>, Content>);

/** A documented response: `data` where the call succeeded, `error` where it failed. */
export type DocumentedResult<Operation extends { responses: unknown }> = {
  [Key in keyof Operation["responses"]]: ResultFor<
    StatusOf<Operation["responses"], Key>,
    ContentOf<Operation["responses"][Key]>
  >;
}[keyof Operation["responses"]];

/** Anything that the spec does not describe, such as a proxy's HTML page, an empty 500 or a redirect. */
export type UndocumentedResult = Failure<
  "undocumented",
  {
    /** 0 for a redirect in a browser, which hides it. */
    readonly httpStatus: number;
    readonly contentType: string | undefined;
    /** The body as it came. */
    readonly text: string;
  }
>;

export type OperationResult<Operation extends { responses: unknown }> =
  | DocumentedResult<Operation>
  | UndocumentedResult;

/** Any failed result, of whichever operation. */
export type AnyFailure = Failure<number, unknown> | UndocumentedResult;

/** Any result, of whichever operation. */
export type AnyResult = Success<number, unknown> | AnyFailure;

/** A response counts as documented where its status, its media type and its syntax are. Its schema is the server's duty. */
export function resultOf(
  operation: OperationDescription,
  response: Response,
  text: string,
  bytes = new Blob([text]),
): AnyResult {
  const { status, headers } = response;
  const answered = { response, requestId: headers.get("x-request-id") ?? undefined };
  const contentType = headers.get("content-type") ?? undefined;
  const { responses } = operation;
  const mediaTypes = responses[status] ?? responses[`${Math.floor(status / 100)}XX`] ?? responses.default;
  const content = documentedContent(mediaTypes, contentType, text, bytes);
  if (content === undefined) {
    return { ...answered, status: "undocumented", error: { httpStatus: status, contentType, text } };
  }
  return response.ok ? { ...answered, status, data: content } : { ...answered, status, error: content };
}

/** The content, null where there is none and none is documented, undefined where it is not what is documented. */
function documentedContent(
  mediaTypes: readonly string[] | undefined,
  contentType: string | undefined,
  text: string,
  bytes: Blob,
): unknown {
  if (mediaTypes?.length === 0) return text === "" ? null : undefined;
  const mediaType = essence(contentType ?? "");
  if (!mediaTypes?.some((documented) => includes(essence(documented), mediaType))) return undefined;
  if (/[/+]json$/.test(mediaType)) return parsedJson(text);
  return mediaType.startsWith("text/") ? text : bytes;
}

/** Whether a media type is the documented one, or of the documented range. */
function includes(documented: string, mediaType: string): boolean {
  if (documented === mediaType || documented === "*/*") return true;
  return documented.endsWith("/*") && mediaType.startsWith(documented.slice(0, -1));
}

/** A media type without its parameters. */
function essence(mediaType: string): string {
  return mediaType.replace(/;.*/s, "").trim().toLowerCase();
}

/** Undefined where the text is not JSON, for no JSON text means undefined. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
