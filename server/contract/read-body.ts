/** Reads the body of a request as the value that its media type stands for, and validates it. */
import type { ContentContract, MediaContract, Problem } from "../../generated/contract.ts";
import { type Awaitable, andThen } from "./awaitable.ts";
import { type Decoded, decodeContent } from "./decode-content.ts";
import { assertNoContentCoding, kindOf, type MatchedType, matchType, mediaTypeOf } from "./media-type.ts";
import type { RequestProblem } from "./refusal.ts";
import type { RequestView } from "./request-view.ts";

/**
 * @returns a function that adds every problem of a body to `problems`; what it returns is complete if there is none
 */
export function bodyReader(
  contract: ContentContract | undefined,
): (
  request: Pick<RequestView, "header">,
  content: Uint8Array,
  problems: RequestProblem[],
) => Awaitable<unknown> {
  if (contract === undefined) return () => undefined;
  const supported = Object.keys(contract.mediaTypes);
  const [first] = Object.values(contract.mediaTypes);
  /** Nearly every caller sends a media type letter for letter, and nothing is more specific than that. */
  const exact = new Map(
    supported.filter(isBare).map((key): [string, MatchedType] => [key, { key, essence: key }]),
  );

  return (request, content, problems) => {
    const contentType = request.header("content-type");
    const known = contentType === undefined ? undefined : exact.get(contentType);
    if (content.byteLength === 0 && !isForm(known, contentType, supported)) {
      if (contract.required) problems.push({ in: "body", pointer: "", message: "is required" });
      return first?.complete?.(undefined);
    }
    assertNoContentCoding(request.header("content-encoding"));
    const { key, essence } = known ?? mediaTypeOf(contentType, supported);
    const media = contract.mediaTypes[key] ?? {};
    return andThen(decodeContent(content, essence, contentType, media), (decoded) =>
      validated(decoded, media, problems),
    );
  };
}

function validated(
  { judged, received, faults }: Decoded,
  media: MediaContract,
  problems: RequestProblem[],
): unknown {
  const found: Problem[] = faults.map(({ field, message }) => ({
    pointer: `/${field.replaceAll("~", "~0").replaceAll("/", "~1")}`,
    message,
  }));
  if (found.length === 0) media.validate?.(judged, found);
  if (found.length === 0) return received(media.complete ? media.complete(judged) : judged);
  for (const problem of found) problems.push({ in: "body", ...problem });
  return judged;
}

/** A form in which nothing is filled in is written as nothing (URL standard, section 5.2). */
function isForm(
  known: MatchedType | undefined,
  contentType: string | undefined,
  supported: readonly string[],
): boolean {
  const found = known ?? (contentType === undefined ? undefined : matchType(contentType, supported));
  return found !== undefined && kindOf(found.essence) === "form";
}

/** Whether a media type has neither parameters nor capital letters. */
function isBare(mediaType: string): boolean {
  return /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+$/.test(mediaType);
}
