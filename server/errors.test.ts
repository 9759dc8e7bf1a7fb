import { describe, expect, it } from "vitest";
import document from "../generated/openapi.json" with { type: "json" };
import { type ErrorCode, errorResponse, invalidRequest } from "./errors.ts";
import { placeOf, specMessages } from "./testing/spec.ts";

interface ErrorBody {
  readonly error?: { readonly code: ErrorCode; readonly message: string };
}

/** All examples of errors in the spec, with the status of their responses. */
const errorExamples = specMessages.flatMap((message) =>
  [...message.examples].flatMap(([name, value]) => {
    const { error } = value as ErrorBody;
    return error ? [{ at: `${placeOf(message)} ${name}`, status: message.status, ...error }] : [];
  }),
);

/** Additional statuses of a code, for requests that reach no operation. */
const otherStatuses: { readonly [code: string]: readonly number[] } = {
  malformed_request: [408, 431],
  method_not_allowed: [501],
};

describe("error codes", () => {
  it("have the same status in the spec's examples as in responses", () => {
    expect(errorExamples.length).toBeGreaterThan(50);
    const isOther = ({ status = 0, code }: (typeof errorExamples)[number]) =>
      otherStatuses[code]?.includes(status) === true;
    expect(
      errorExamples.filter(
        (example) => errorResponse(example.code, "r").status !== example.status && !isOther(example),
      ),
    ).toEqual([]);
  });

  it("have the same message in the spec's examples as in responses, unless it varies", () => {
    const varying: ErrorCode[] = [
      "content_too_large",
      "malformed_content",
      "malformed_request",
      "method_not_allowed",
      "request_invalid",
      "unsupported_media_type",
    ];
    const wrong = errorExamples.filter(
      ({ code, message }) =>
        !varying.includes(code) && message !== errorResponse(code, "r").body.error.message,
    );
    expect(wrong).toEqual([]);
  });

  it("each have an example in the spec", () => {
    const shown = new Set<string>(errorExamples.map(({ code }) => code));
    expect(document.components.schemas.ErrorCode.enum.filter((code) => !shown.has(code))).toEqual([]);
  });
});

it("a long pointer in a problem is cut between two characters", () => {
  const problem = { in: "body", message: "is not a known property" } as const;
  const pointers = ["/short", `/${"~0".repeat(2000)}`, `/a${"~0".repeat(2000)}`, `/${"😀".repeat(2000)}`];
  const { error } = invalidRequest(
    "r",
    pointers.map((pointer) => ({ ...problem, pointer })),
  ).body;
  expect(error.problems).toEqual([
    { ...problem, pointer: "/short" },
    { ...problem, pointer: `/${"~0".repeat(499)}…` },
    { ...problem, pointer: `/a${"~0".repeat(499)}…` },
    { ...problem, pointer: `/${"😀".repeat(499)}…` },
  ]);
});
