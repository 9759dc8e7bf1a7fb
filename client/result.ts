/** What a call answers: a union told apart by `status`, of every documented response and one variant for all else. */
import type { OperationDescription } from "../generated/operations.ts";

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

/** The content that a response is documented with, null where it has none. What is not JSON is text. */
type ContentOf<Message> = Message extends { content: infer Content } ? Content[keyof Content] : null;

/** A documented response: `data` where the call succeeded, `error` where it failed. */
export type DocumentedResult<Operation extends { responses: unknown }> = {
  [Status in keyof Operation["responses"] & number]: `${Status}` extends `2${string}`
    ? Success<Status, ContentOf<Operation["responses"][Status]>>
    : Failure<Status, ContentOf<Operation["responses"][Status]>>;
}[keyof Operation["responses"] & number];

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
export function resultOf(operation: OperationDescription, response: Response, text: string): AnyResult {
  const { status, headers } = response;
  const answered = { response, requestId: headers.get("x-request-id") ?? undefined };
  const contentType = headers.get("content-type") ?? undefined;
  const content = documentedContent(operation.responses[status], contentType, text);
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
): unknown {
  if (mediaTypes?.length === 0) return text === "" ? null : undefined;
  const mediaType = essence(contentType ?? "");
  if (!mediaTypes?.some((documented) => essence(documented) === mediaType)) return undefined;
  return /[/+]json$/.test(mediaType) ? parsedJson(text) : text;
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
