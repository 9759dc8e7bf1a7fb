/** The application as a function of its dependencies. Importing this file does no I/O. */
import { Hono } from "hono";
import type { BaseLogger } from "pino";
import type { Contract } from "#specbind/contract";
import {
  type Binding,
  basePathOf,
  bindContract,
  type ContractEnv,
  publishedDocuments,
  type Resources,
  type ResponsePolicy,
  requestIdOf,
  serveContract,
} from "#specbind/server";
import { type DocsPage, docsResources, loggable } from "#specbind/server/node";
import { contract } from "../generated/contract.ts";
import { documents as generatedDocuments } from "../generated/documents.ts";
import document from "../generated/openapi.json" with { type: "json" };
import { errorCodeOf, errorResponse } from "./errors.ts";
import { handlers } from "./handlers.ts";
import type { Authenticators, Principal } from "./principal.ts";
import { rejectionResponse } from "./rejections.ts";

export interface AppDependencies {
  readonly log: BaseLogger;
  readonly authenticate: Authenticators;
  readonly responsePolicy: ResponsePolicy;
  readonly maxContentBytes: number;
  readonly findScript: DocsPage["findScript"];
}

const changelog = new URL("../CHANGELOG.md", import.meta.url);

export const basePath = basePathOf(document);

/** Serves the operations at the root and below `basePath`. Adds `/healthz`, `/docs` and the published documents. */
export function createApp({
  log,
  authenticate,
  responsePolicy,
  maxContentBytes,
  findScript,
}: AppDependencies): Hono<ContractEnv> {
  const documents = publishedDocuments(generatedDocuments);
  const resources: Resources = {
    "/healthz": () => ({ status: 200, body: '{"status":true}' }),
    ...documents,
    ...docsResources({ title: document.info.title, findScript, documents, changelog }),
  };
  const { operations }: Contract = contract;
  const taken = new Set(Object.values(operations).map(({ path }) => path));
  const binding: Binding<Principal> = {
    contract,
    handlers,
    authenticate,
    reject: rejectionResponse,
    fail: (error, requestId, secrets) => {
      log.error({ request_id: requestId, error: loggable(error, secrets) }, "the request failed");
      return errorResponse("internal_error", requestId);
    },
    requestIdOf,
    addressOf: ({ peer }) => peer,
    onSettled({ requestId: request_id, request, operation, response, reply: { status }, seconds }) {
      const code = errorCodeOf(response.body);
      const ms = Math.round(seconds * 1_000_000) / 1000;
      log.info({ request_id, method: request?.method, operation, status, code, ms }, "request completed");
    },
    onViolation: (violation, requestId) =>
      log.error({ request_id: requestId, ...violation }, "a response violates the spec"),
    responsePolicy,
    maxContentBytes,
  };
  const own = bindContract(
    binding,
    Object.fromEntries(Object.entries(resources).filter(([path]) => !taken.has(path))),
  );
  const based = basePath === "" ? [] : bindContract({ ...binding, contract: contractBelow(basePath) }).paths;
  const app = new Hono<ContractEnv>();
  serveContract(app, { ...own, paths: [...based, ...own.paths] });
  return app;
}

function contractBelow(base: string): Contract {
  const { operations }: Contract = contract;
  const below = Object.entries(operations).map(([id, each]) => [id, { ...each, path: base + each.path }]);
  return { ...contract, operations: Object.fromEntries(below) };
}
