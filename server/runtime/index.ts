/** What a server needs to enforce the contract of a document. Nothing here needs Node. */

export { type Awaitable, andThen } from "./contract/awaitable.ts";
export { bindContract, type Contracted, type Resource, type Resources } from "./contract/bind.ts";
export {
  type HandlerMaker,
  type Handlers,
  handlerMaker,
  type OperationRequest,
  type OperationResponse,
} from "./contract/handlers.ts";
export {
  type AnyHandlers,
  type Binding,
  type HandlerContext,
  requestIdOf,
  type SettledExchange,
} from "./contract/pipeline.ts";
export { NotImplemented, notImplemented, Rejection, type RequestView } from "./contract/request.ts";
export type { BodyCheck } from "./contract/request-body.ts";
export type { PlainResponse, ResponsePolicy } from "./contract/response.ts";
export type { Authenticate, Authenticators } from "./contract/security.ts";
export { type AppContext, type ContractAppOptions, contractApp } from "./http/contract-app.ts";
export {
  type ErrorEnvelope,
  errorResponses,
  type PublicError,
  problemDetails,
} from "./http/error-responses.ts";
export { type ContractEnv, serveContract } from "./http/hono.ts";
export { basePathOf, publishedDocuments } from "./http/published-document.ts";
export { validatedRoutes } from "./http/validated-routes.ts";
