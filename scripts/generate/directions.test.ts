/** Tests `readOnly` and `writeOnly` in types, validators and responses. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Contract, Problem } from "../../generated/contract.ts";
import { SpecProblemsError } from "../openapi/spec-problems.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { typeErrors } from "../testing/type-errors.ts";
import { generate } from "./pipeline.ts";

const fixture = "scripts/generate/fixtures/accept/directions.yaml";

const folder = temporaryFolder();

async function put(name: string, content: string): Promise<string> {
  await writeFile(join(folder, name), content);
  return join(folder, name);
}

describe.each(["3.1.1", "3.0.3"])("in OpenAPI %s", (version) => {
  let contract: Contract;
  beforeAll(async () => {
    const spec = (await readFile(fixture, "utf8")).replace("3.1.1", version);
    await mkdir(join(folder, version));
    const files = await generate(await put(`${version}.yaml`, spec));
    for (const [name, content] of files) await put(join(version, name), content);
    ({ contract } = await import(/* @vite-ignore */ join(folder, version, "contract.ts")));
  });

  const media = (status?: number) => {
    const { content, responses } = contract.operations.addMember ?? {};
    const found = status === undefined ? content?.mediaTypes : responses?.[status]?.mediaTypes;
    return found?.["application/json"] as {
      validate(value: unknown, problems: Problem[]): boolean;
      project(value: unknown): unknown;
    };
  };
  const problemsOf = (value: unknown, status?: number): Problem[] => {
    const problems: Problem[] = [];
    media(status).validate(value, problems);
    return problems;
  };

  test("a request without read-only properties is valid, even if they are required", () => {
    const member = {
      name: "Ada",
      password: "p",
      friends: [{ name: "Bob", password: "q" }],
      card: { number: "1" },
    };
    expect(problemsOf(member)).toEqual([]);
    expect(problemsOf({ card: {} })).toEqual([
      { pointer: "/name", message: "is required" },
      { pointer: "/password", message: "is required" },
      { pointer: "/card/number", message: "is required" },
    ]);
  });

  test("a read-only property is rejected everywhere, and the error names it", () => {
    const friend = { name: "Bob", password: "q", made: "2026-01-01T00:00:00Z" };
    const member = {
      id: 1,
      name: "Ada",
      password: "p",
      friends: [friend],
      card: { number: "1", last4: "1" },
    };
    const message = "is read-only; leave it out";
    expect(problemsOf(member).toSorted((left, right) => left.pointer.localeCompare(right.pointer))).toEqual([
      { pointer: "/card/last4", message },
      { pointer: "/friends/0/made", message },
      { pointer: "/id", message },
    ]);
  });

  const made = { id: 1, made: "2026-01-01T00:00:00Z" };
  const member = { ...made, name: "Ada", friends: [{ ...made, name: "Bob" }], card: { last4: "1" } };
  const stored = {
    ...member,
    password: "secret",
    friends: [{ ...made, name: "Bob", password: "secret" }],
    card: { last4: "1", number: "secret" },
  };

  test("a write-only property is never sent, and the handler's own value does not change", () => {
    const before = structuredClone(stored);
    expect(media(200).project(stored)).toEqual(member);
    expect(stored).toEqual(before);
    expect(problemsOf(member, 200)).toEqual([]);
    expect(problemsOf({ ...made }, 200)).toEqual([{ pointer: "/name", message: "is required" }]);
  });

  test("a write-only property does not select a branch and is not undeclared", () => {
    const response = [stored, { since: 1, token: "secret", note: "kept" }];
    expect(media(201).project(response)).toEqual([member, { since: 1, note: "kept" }]);
    expect(problemsOf([member, { since: 1 }], 201)).toEqual([]);
  });

  test("callers and handlers have the types of their own direction", async () => {
    expect(typeErrors([await put(join(version, "check.ts"), check)])).toEqual([]);
  });
});

test("a problem in a schema of both directions is reported once, at its own place", async () => {
  const spec = await put(
    "faulty.yaml",
    (await readFile(fixture, "utf8")).replace(
      "{ type: string, writeOnly: true }\n            friends",
      "{ type: string, pattern: '[' }\n            friends",
    ),
  );
  const problems = await generate(spec).catch((error) => {
    if (!(error instanceof SpecProblemsError)) throw error;
    return error.problems.map(({ location, message }) => `${location.replace(/^.*\//, "")}  ${message}`);
  });
  expect(problems).toEqual([
    "faulty.yaml:47:39  pattern must be a regular expression that is valid with the u flag (ECMA-262); correct it; often an unnecessary backslash is the cause",
  ]);
});

const check = `
import type { DocumentedResult } from "${resolve("client/result.ts")}";
import type { OperationInit } from "${resolve("client/operation-init.ts")}";
import type { OperationRequest, OperationResponse } from "${resolve("server/contract/handlers.ts")}";
import type { components, operations, received } from "./types.ts";

type Call = OperationInit<operations["addMember"]>;
type Request = OperationRequest<received["operations"]["addMember"]>;
type Response = OperationResponse<operations["addMember"]>;
type Result = DocumentedResult<operations["addMember"]>;
declare const result: Result;
const made = { id: 1, made: "2026-01-01T00:00:00Z" };

({ body: { name: "Ada", password: "p", card: { number: "1" } } }) satisfies Call;
// @ts-expect-error a caller must give the password
({ body: { name: "Ada" } }) satisfies Call;
// @ts-expect-error only the server sets the id
({ body: { id: 1, name: "Ada", password: "p" } }) satisfies Call;
// @ts-expect-error only the server sets the id of a friend
({ body: { name: "Ada", password: "p", friends: [{ id: 1, name: "Bob", password: "q" }] } }) satisfies Call;

export function handle({ body, query }: Request): Response {
  const role: "reader" | "editor" = body.role;
  const asked: "reader" | "editor" = query.role;
  // @ts-expect-error no caller sends it
  body.id;
  // @ts-expect-error no caller sends the end of a card number
  body.card?.last4;
  // @ts-expect-error a handler must return the id
  ({ status: 200, body: { name: "Ada", made: "" } }) satisfies Response;
  // @ts-expect-error the password must not be in a response
  ({ status: 200, body: { ...made, name: body.password, password: "p" } }) satisfies Response;
  return { status: 200, body: { ...made, name: role + asked } };
}

if (result.status === 200) {
  result.data satisfies components["schemas"]["Member"];
  result.data.id satisfies number;
  result.data.card?.last4 satisfies string | undefined;
  // @ts-expect-error no response has it
  result.data.password;
  // @ts-expect-error no response has the card number
  result.data.card?.number;
}
`;
