/**
 * Binds a contract to Hono: one route for each operation, and for every request the same way through the house:
 * route, credential, content, media type, syntax, validity, handler, response.
 */
import { type Context, Hono } from "hono";
import { getCookie } from "hono/cookie";
import type {
  ContentContract,
  Contract,
  OperationContract,
  Problem,
  ResponseContracts,
} from "../../generated/contract.ts";
import { type BodyCheck, soundnessOf } from "./body-check.ts";
import {
  contentOf,
  contractOf,
  jsonMediaType,
  type PlainResponse,
  type ResponsePolicy,
  type ResponseViolation,
  responseProblems,
} from "./check-response.ts";
import { ContentAbortedError, type ContentBindings, readContent } from "./content.ts";
import {
  type AdmitPage,
  admitPages,
  type CrossOrigin,
  isOpenToPages,
  preflightHeaders,
} from "./cross-origin.ts";
import { decodeContent } from "./decode-content.ts";
import { isListenedTo, tellExchange } from "./exchanges.ts";
import { assertNoContentCoding, kindOf, matchType, mediaTypeOf } from "./media-type.ts";
import { notedParameters } from "./noted-parameters.ts";
import { type ParameterValues, readParameters } from "./parameters.ts";
import { byConcreteness, pathReader, routePath } from "./paths.ts";
import { Refusal, type RefusalReason, type RequestProblem } from "./refusal.ts";
import { secretsIn } from "./secrets.ts";
import { type Authenticate, authorise, type CredentialSource } from "./security.ts";
import { isJson } from "./styles.ts";

export interface ContractEnv {
  Bindings: ContentBindings;
}

/** One request, from what the application says of it to what the contract has made of it. */
export class Call {
  readonly requestId: string;
  /** Whom it comes from, where the application knows. */
  readonly address: string | undefined;
  /** What it is for: the `operationId`, the path of a resource, or `preflight`; undefined where nothing has its address. */
  operation: string | undefined = undefined;
  /** What is answered, before it becomes bytes. */
  answer: PlainResponse | undefined = undefined;

  constructor(requestId: string, address?: string) {
    this.requestId = requestId;
    this.address = address;
  }
}

/** Called with each request; it answers with what `answer` makes of the call that it begins. */
export type Receive = (
  c: Context<ContractEnv>,
  answer: (call: Call) => Promise<Response>,
) => Promise<Response>;

/** What every handler gets beside its request. */
export interface HandlerContext<Principal> {
  /** Who calls; the credential and its roles have been checked. Absent where the operation asks for none. */
  readonly principal: Principal;
  readonly requestId: string;
  /** The peer's address, where the server knows it. */
  readonly address: string | undefined;
  /** Aborted when the caller goes away before the answer. */
  readonly signal: AbortSignal;
}

/** The handlers as the binding calls them. Each gets exactly what its operation's contract has validated. */
type AnyHandlers<Principal> = {
  readonly [operationId: string]: (
    request: never,
    context: HandlerContext<Principal>,
  ) => Promise<PlainResponse>;
};

export interface Binding<Principal> {
  readonly contract: Contract;
  readonly handlers: AnyHandlers<Principal>;
  /** What an operation asks of its content beyond the schema, by operation. */
  readonly checks?: { readonly [operationId: string]: BodyCheck };
  /** By the names of the security schemes. */
  readonly authenticate: { readonly [scheme: string]: Authenticate<Principal> };
  /**
   * How a refusal looks to the caller.
   * @param documented the responses of the operation, or those to requests that match none
   */
  readonly refuse: (detail: RefusalReason, requestId: string, documented: ResponseContracts) => PlainResponse;
  /**
   * Whether refusals and failures leave as they are, for a document that does not describe them all. Where this is left
   * out, they are held to the contract like any other response.
   */
  readonly refusesBeyondContract?: boolean;
  /**
   * The response for a fault that a handler did not expect; logs it.
   * @param secrets those of the request, of which the log may show none
   */
  readonly fail: (error: unknown, requestId: string, secrets: readonly string[]) => PlainResponse;
  /** Addresses beside the operations, by path, that anyone may GET; before operations with a parameter in its place. */
  readonly resources?: Resources;
  /** The pages of which origins may call what; none may where this is left out. */
  readonly crossOrigin?: CrossOrigin | undefined;
  readonly receive: Receive;
  readonly onViolation: (violation: ResponseViolation, requestId: string) => void;
  readonly responsePolicy: ResponsePolicy;
  readonly maxContentBytes: number;
}

/** Returns the value of a request header. */
type RequestHeader = (name: string) => string | undefined;

export interface Resources {
  readonly [path: string]: (requestId: string, header: RequestHeader) => Resource | Promise<Resource>;
}

/** The response of a path next to the operations. */
export interface Resource extends Pick<PlainResponse, "status" | "headers"> {
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** JSON, unless given. */
  readonly mediaType?: string;
}

/**
 * Adds a route for every operation of the contract, and the answers to requests that match none.
 *
 * @throws Error where an operation has no handler, or a security scheme nobody who looks its credentials up
 */
export function bindContract<Principal>(app: Hono<ContractEnv>, binding: Binding<Principal>): void {
  const { contract, receive } = binding;
  const operations = Object.entries(contract.operations);
  operations.sort(([, left], [, right]) => byConcreteness(left.path, right.path));
  const routesByPath = new Map<string, Route<Principal>[]>();
  for (const [operationId, operation] of operations) {
    const path = routePath(operation.path);
    routesByPath.set(path, [...(routesByPath.get(path) ?? []), routeOf(binding, operationId, operation)]);
  }
  const methods = [...new Set(operations.map(([, operation]) => operation.method))];
  // Routes of their own: a second one that matches would lead every request through Hono's chain of handlers.
  const unmatched = new Hono<ContractEnv>();
  for (const [path, resource] of Object.entries(binding.resources ?? {})) {
    const answerResource = async (c: Context<ContractEnv>, call: Call) => {
      call.operation = path;
      const header: RequestHeader = (name) => c.req.header(name);
      const { body, mediaType = jsonMediaType, ...head } = await resource(call.requestId, header);
      return toResponse(withCommonHeaders(head, call.requestId), mediaType, body);
    };
    app.get(path, (c) => receive(c, (call) => answerResource(c, call)));
    refuseOtherMethods([app, unmatched], binding, path, { methods, taken: ["GET"], open: [] });
  }
  for (const [path, routes] of routesByPath) {
    for (const route of routes)
      app.on(route.operation.method, path, (c) => receive(c, (call) => answer(c, call, binding, route)));
    const taken = routes.map(({ operation }) => operation.method);
    const open = routes.filter(({ admitPage }) => admitPage !== undefined);
    refuseOtherMethods([app, unmatched], binding, path, {
      methods,
      taken,
      open: open.map(({ operation }) => operation),
    });
  }
  unmatched.notFound((c) =>
    receive(c, async (call) => refuseUnmatched(c, call, binding, { reason: "route_not_found" })),
  );
  app.notFound((c) => unmatched.fetch(c.req.raw, c.env));
}

interface PathMethods {
  /** Those of any operation. */
  readonly methods: readonly string[];
  /** Those that the path takes. */
  readonly taken: readonly string[];
  /** The operations of the path that pages of other origins may call. */
  readonly open: readonly OperationContract[];
}

/**
 * Of several templates that fit a path the most concrete one takes it, whatever its methods: those of the others are refused
 * beside its own routes, and all else among what is unmatched.
 */
function refuseOtherMethods<Principal>(
  [app, unmatched]: readonly [Hono<ContractEnv>, Hono<ContractEnv>],
  binding: Binding<Principal>,
  path: string,
  { methods, taken, open }: PathMethods,
): void {
  const { crossOrigin, receive } = binding;
  // Hono answers HEAD by the route of GET (RFC 9110, section 9.3.2).
  const allowed = taken.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  const answerOther = async (c: Context<ContractEnv>, call: Call) => {
    const preflight =
      open.length > 0 && crossOrigin ? preflightHeaders(asked(c), open, crossOrigin) : undefined;
    if (preflight === undefined)
      return refuseUnmatched(c, call, binding, { reason: "method_not_allowed", allowed });
    call.operation = "preflight";
    const response = withCommonHeaders({ status: 204, headers: preflight }, call.requestId);
    return toResponse(response, jsonMediaType, undefined);
  };
  const refuse = (c: Context<ContractEnv>) => receive(c, (call) => answerOther(c, call));
  const others = methods.filter((method) => !taken.includes(method));
  if (others.length > 0) app.on(others, path, refuse);
  unmatched.all(path, refuse);
}

interface Route<Principal> {
  readonly operationId: string;
  readonly operation: OperationContract;
  readonly pathTexts: ReturnType<typeof pathReader>;
  readonly handler: AnyHandlers<Principal>[string];
  readonly check: BodyCheck | undefined;
  /** Undefined where no page of another origin may call the operation. */
  readonly admitPage: AdmitPage | undefined;
}

function routeOf<Principal>(
  { handlers, checks, authenticate, crossOrigin }: Binding<Principal>,
  operationId: string,
  operation: OperationContract,
): Route<Principal> {
  const handler = handlers[operationId];
  if (handler === undefined) throw new Error(`operation ${operationId} has no handler`);
  const unknown = operation.security.flat().find(({ scheme }) => authenticate[scheme] === undefined);
  if (unknown) throw new Error(`security scheme ${unknown.scheme} of ${operationId} has no authenticator`);
  const pathTexts = pathReader(operation.path);
  const isOpen = crossOrigin !== undefined && isOpenToPages(operation, crossOrigin.roles);
  const admitPage = isOpen ? admitPages(operation, crossOrigin) : undefined;
  return { operationId, operation, pathTexts, handler, check: checks?.[operationId], admitPage };
}

async function answer<Principal>(
  c: Context<ContractEnv>,
  call: Call,
  binding: Binding<Principal>,
  route: Route<Principal>,
): Promise<Response> {
  const { operationId, operation } = route;
  const { requestId } = call;
  call.operation = operationId;
  let plain: PlainResponse;
  const received: Received = { content: undefined, body: undefined, usedParameters: none };
  let refusal: RefusalReason["reason"] | undefined;
  let isOfHandler = false;
  try {
    plain = await handle(c, call, binding, route, received);
    isOfHandler = true;
  } catch (error) {
    if (error instanceof ContentAbortedError) return new Response(null, { status: 400 });
    if (error instanceof Refusal) refusal = error.detail.reason;
    plain =
      error instanceof Refusal
        ? binding.refuse(error.detail, requestId, operation.responses)
        : binding.fail(error, requestId, secretsOf(c, binding, route, received));
  }
  const response =
    isOfHandler || !binding.refusesBeyondContract
      ? send(call, binding, operation.responses, plain)
      : sendAsItIs(call, plain);
  route.admitPage?.(response, c.req.header("origin"));
  tellExchange(() => ({
    contract: binding.contract,
    operationId,
    request: c.req.raw,
    content: received.content,
    refusal,
    usedParameters: received.usedParameters,
    response: response.clone(),
  }));
  return response;
}

/** What is known of a request when its handling ends, whether well or not. */
interface Received {
  content: Uint8Array | undefined;
  body: unknown;
  usedParameters: ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();

function secretsOf<Principal>(
  c: Context<ContractEnv>,
  { contract }: Binding<Principal>,
  { pathTexts }: Route<Principal>,
  { body }: Received,
): string[] {
  return secretsIn(
    {
      header: (name) => c.req.header(name),
      query: (name) => c.req.queries(name),
      path: pathTexts(c.req.path),
      body,
    },
    contract.sensitive,
  );
}

async function handle<Principal>(
  c: Context<ContractEnv>,
  call: Call,
  binding: Binding<Principal>,
  { operation, pathTexts, handler, check }: Route<Principal>,
  received: Received,
): Promise<PlainResponse> {
  const principal = await authorise(credentialSource(c), operation.security, binding.authenticate);
  const content = await readContent(c.req, c.env, binding.maxContentBytes);
  received.content = content;
  const problems: RequestProblem[] = [];
  const source = {
    path: pathTexts(c.req.path),
    query: () => new URL(c.req.url).search.slice(1),
    header: (name: string) => c.req.header(name),
  };
  const parameters = readParameters(source, operation.parameters, problems);
  const body = operation.content && (await readBody(c, operation.content, content, problems));
  received.body = body;
  for (const fault of check?.(body, soundnessOf(problems)) ?? []) problems.push({ in: "body", ...fault });
  if (problems.length > 0) throw new Refusal({ reason: "request_invalid", problems });

  // What the validators and authorise() have just proven: the request is of this operation's types, and its principal is
  // there unless the operation asks for no credential, in which case its handler's type has none either.
  const request = { ...forHandler(parameters, received), body } as never;
  return handler(request, new CallContext(c, call, principal as Principal));
}

function forHandler(parameters: ParameterValues, received: Received): ParameterValues {
  if (!isListenedTo()) return parameters;
  const used = new Set<string>();
  received.usedParameters = used;
  return notedParameters(parameters, used);
}

/** A class, because an object literal with a getter would have a hidden class of its own in each request. */
class CallContext<Principal> implements HandlerContext<Principal> {
  readonly principal: Principal;
  readonly requestId: string;
  readonly address: string | undefined;
  readonly #request: Request;

  constructor(c: Context<ContractEnv>, { requestId, address }: Call, principal: Principal) {
    this.principal = principal;
    this.requestId = requestId;
    this.address = address;
    this.#request = c.req.raw;
  }

  /** Only whoever asks for the signal pays for it. */
  get signal(): AbortSignal {
    return this.#request.signal;
  }
}

function asked(c: Context<ContractEnv>) {
  return { method: c.req.method, header: (name: string) => c.req.header(name) };
}

function credentialSource(c: Context<ContractEnv>): CredentialSource {
  return {
    header: (name) => c.req.header(name),
    query: (name) => c.req.query(name),
    cookie: (name) => getCookie(c, name),
  };
}

/** The content as a value, complete where it has no faults. */
async function readBody(
  c: Context<ContractEnv>,
  contract: ContentContract,
  content: Uint8Array,
  problems: RequestProblem[],
): Promise<unknown> {
  const contentType = c.req.header("content-type");
  if (content.byteLength === 0 && !isEmptyForm(contentType, contract)) {
    const [media] = Object.values(contract.mediaTypes);
    if (contract.required) problems.push({ in: "body", pointer: "", message: "is required" });
    return media?.complete?.(undefined);
  }
  assertNoContentCoding(c.req.header("content-encoding"));
  const { key, essence } = mediaTypeOf(contentType, Object.keys(contract.mediaTypes));
  const media = contract.mediaTypes[key] ?? {};
  const { judged, received, faults: ofWriting } = await decodeContent(content, essence, contentType, media);
  const faults: Problem[] = ofWriting.map(({ field, message }) => ({
    pointer: `/${field.replaceAll("~", "~0").replaceAll("/", "~1")}`,
    message,
  }));
  if (faults.length === 0) media.validate?.(judged, faults);
  if (faults.length === 0) return received(media.complete ? media.complete(judged) : judged);
  for (const fault of faults) problems.push({ in: "body", ...fault });
  return judged;
}

/** A form in which nothing is filled in is written as nothing (URL standard, section 5.2). */
function isEmptyForm(contentType: string | undefined, { mediaTypes }: ContentContract): boolean {
  const found = contentType === undefined ? undefined : matchType(contentType, Object.keys(mediaTypes));
  return found !== undefined && kindOf(found.essence) === "form";
}

function refuseUnmatched<Principal>(
  c: Context<ContractEnv>,
  call: Call,
  binding: Binding<Principal>,
  detail: RefusalReason,
): Response {
  const { unmatched } = binding.contract;
  const plain = binding.refuse(detail, call.requestId, unmatched);
  const response = binding.refusesBeyondContract
    ? sendAsItIs(call, plain)
    : send(call, binding, unmatched, plain);
  tellExchange(() => ({
    contract: binding.contract,
    operationId: undefined,
    request: c.req.raw,
    content: undefined,
    refusal: detail.reason,
    usedParameters: none,
    response: response.clone(),
  }));
  return response;
}

function send<Principal>(
  call: Call,
  binding: Binding<Principal>,
  contracts: ResponseContracts,
  response: PlainResponse,
): Response {
  const { requestId, operation: operationId } = call;
  call.answer = response;
  const contract = contractOf(contracts, response.status);
  const complete = withCommonHeaders(response, requestId);
  const content = contentOf(contract, response);
  if (binding.responsePolicy !== "off") {
    const problems = responseProblems(contract, complete, content);
    if (problems.length > 0) {
      binding.onViolation({ operationId, status: response.status, problems }, requestId);
      if (binding.responsePolicy === "enforce") {
        return sendAsItIs(call, binding.refuse({ reason: "failed" }, requestId, contracts));
      }
    }
  }
  const { body, mediaType = jsonMediaType } =
    contract === undefined ? { ...content, body: response.body } : content;
  return toResponse(complete, mediaType, contentBytes(body, mediaType));
}

/** As JSON, unless its headers say otherwise. */
function sendAsItIs(call: Call, response: PlainResponse): Response {
  const complete = withCommonHeaders(response, call.requestId);
  call.answer = complete;
  return toResponse(complete, jsonMediaType, contentBytes(complete.body, jsonMediaType));
}

function withCommonHeaders(response: PlainResponse, requestId: string): PlainResponse {
  return {
    ...response,
    headers: { "X-Request-Id": requestId, "Cache-Control": "no-store", ...response.headers },
  };
}

/** @param content undefined for a response without any */
function toResponse(
  { status, headers }: PlainResponse,
  mediaType: string,
  content: BodyInit | undefined,
): Response {
  const texts: Record<string, string> = content === undefined ? {} : { "Content-Type": mediaType };
  for (const [name, value] of Object.entries(headers ?? {})) texts[name] = String(value);
  return new Response(content ?? null, { status, headers: texts });
}

function contentBytes(body: unknown, mediaType: string): BodyInit | undefined {
  if (body === undefined) return undefined;
  if (isJson(mediaType)) return JSON.stringify(body);
  if (body instanceof Uint8Array) return new Uint8Array(body);
  return body instanceof Blob ? body : String(body);
}
