import { describe, expect, it } from "vitest";
import document from "../generated/openapi.json" with { type: "json" };
import { type ErrorCode, errorStatuses } from "./errors.ts";

interface ErrorExample {
  readonly at: string;
  readonly status: number;
  readonly code: ErrorCode;
}

/** Every example of an error in the spec, with the status of the response that it stands in. */
function errorExamples(): ErrorExample[] {
  const places = [
    ...Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).flatMap((operation) => responsesOf(path, operation.responses)),
    ),
    ...responsesOf("unmatched", document["x-unmatched-responses"]),
  ];
  return places.flatMap(({ at, status, response }) =>
    Object.entries(response.content["application/json"].examples).flatMap(([name, { value }]) =>
      value.status ? [] : [{ at: `${at} ${status} ${name}`, status, code: value.error?.code as ErrorCode }],
    ),
  );
}

interface ResponseDocument {
  content: {
    "application/json": {
      examples: Record<string, { value: { status: boolean; error?: { code: string } } }>;
    };
  };
}

function responsesOf(at: string, responses: object) {
  return Object.entries(responses).map(([status, response]: [string, { $ref?: string }]) => ({
    at,
    status: Number(status),
    response: (response.$ref === undefined ? response : componentOf(response.$ref)) as ResponseDocument,
  }));
}

function componentOf(reference: string): object {
  const responses: Record<string, object> = document.components.responses;
  return responses[reference.split("/").at(-1) ?? ""] ?? {};
}

describe("error codes", () => {
  it("stand in the spec's examples under the status that they are answered with", () => {
    const examples = errorExamples();
    expect(examples.length).toBeGreaterThan(50);
    expect(examples.filter(({ status, code }) => errorStatuses[code] !== status)).toEqual([]);
  });

  it("each have an example in the spec", () => {
    const shown = new Set(errorExamples().map(({ code }) => code));
    expect(
      document.components.schemas.ErrorCode.enum.filter((code) => !shown.has(code as ErrorCode)),
    ).toEqual([]);
  });

  it("of the table are those of the spec", () => {
    expect(Object.keys(errorStatuses).sort()).toEqual(document.components.schemas.ErrorCode.enum);
  });
});
