/** A contract that is written by hand, so that tests need no document. */
import type { Contract, Problem, ResponseContract } from "#specbind/contract";
import type { HandlerContext } from "../../contract/pipeline.ts";

export const json: ResponseContract = {
  headers: [],
  mediaTypes: { "application/json": { validate: () => true, project: (value) => value } },
};
const title = (value: unknown, problems: Problem[]): boolean =>
  typeof value === "string" || problems.push({ pointer: "/title", message: "must be a string" }) === 0;
const requestBody = { required: true, mediaTypes: { "application/json": { validate: title } } };

export const contract: Contract = {
  format: 1,
  validators: 1,
  operations: {
    welcome: { method: "GET", path: "/", security: [], parameters: [], responses: { 200: json } },
    listBooks: { method: "GET", path: "/books", security: [], parameters: [], responses: { 200: json } },
    addBook: {
      method: "POST",
      path: "/books",
      security: [
        [{ scheme: "token", roles: ["writer"] }],
        [{ scheme: "login", roles: [], credential: "basic" }],
        [{ scheme: "key", roles: [], credential: { in: "header", name: "X-Key" } }],
      ],
      parameters: [],
      requestBody,
      responses: { 201: json },
    },
    renameBook: {
      method: "PUT",
      path: "/books/{isbn}",
      security: [],
      parameters: [{ in: "path", name: "isbn", required: true, type: "string", validate: () => true }],
      requestBody,
      responses: {
        200: json,
        404: { headers: [], mediaTypes: { "application/problem+json": {} } },
        422: json,
      },
    },
  },
  unmatched: {},
  sensitive: ["pin"],
};

export const options = {
  contract,
  handlers: {
    welcome: () => ({ status: 200, body: "welcome" }),
    listBooks: () => ({ status: 200, body: [] }),
    addBook: ({ body }: { body: string }, { principal, requestId }: HandlerContext<string>) => ({
      status: 201,
      body: { title: body, addedBy: principal, requestId },
    }),
    renameBook: ({ path, body }: { path: object; body: string }) => ({
      status: 200,
      body: { ...path, title: body },
    }),
  },
  authenticate: {
    token: (principal: string) => (principal === "stranger" ? undefined : { principal, roles: [principal] }),
    login: () => undefined,
    key: () => undefined,
  },
};
