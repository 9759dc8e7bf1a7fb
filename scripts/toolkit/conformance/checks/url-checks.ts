/** Checks requests whose URL or method differs from that of a valid request, although the document means the same. */
import { isValid } from "../../openapi/schema/evaluate.ts";
import {
  type Headers,
  type HttpRequest,
  type HttpResponse,
  headerOf,
  inWords,
  type Problem,
} from "../exchange.ts";
import { bodyKindOf, parseMediaType } from "../media-types.ts";
import { type OperationModel, type ParameterModel, placeOfParameter } from "../operation-model.ts";
import { type Draft, noBody } from "../requests.ts";
import { matchPath, pathOf, queryOf } from "../routes.ts";
import { joined, pairsIn, readText } from "../styles.ts";
import { isList } from "./body-variants.ts";
import { preconditionViolations } from "./preconditions.ts";
import { queryViolations } from "./query-checks.ts";
import {
  exchanged,
  invalidDrafts,
  isSuccess,
  ready,
  type Subject,
  send,
  trial,
  type Violation,
} from "./trials.ts";

interface UrlVariant {
  readonly what: string;
  /** If `alike`, the URL means the same. If `harmless`, it may be rejected. If `encoded`, its value is another one. */
  readonly kind: "alike" | "harmless" | "encoded";
  /** True if OpenAPI permits to accept it. Otherwise the result of a `harmless` URL is open. */
  readonly isOpen?: true;
  /** Returns undefined if the request has no place for it. */
  readonly change: (target: string, operation: OperationModel) => string | undefined;
}

const variants: readonly UrlVariant[] = [
  { what: "with an encoded letter or digit in the path", kind: "alike", change: inPath(/^\w/, encoded) },
  {
    what: "with a value in the path that is encoded twice",
    kind: "encoded",
    change: inPath(/^\w/, (first) => encoded(encoded(first))),
  },
  { what: "with a broken escape in the path", kind: "harmless", change: inPath(/$/, () => "%zz") },
  {
    what: "with an escape that is not UTF-8 in the path",
    kind: "harmless",
    change: inPath(/$/, () => "%ff"),
  },
  { what: "with NUL in the path", kind: "harmless", change: inPath(/$/, () => "%00") },
  {
    what: "with an unknown query parameter",
    kind: "harmless",
    change: (target) => withQuery(target, "undocumented=1"),
  },
  {
    what: "with a broken escape in the query",
    kind: "harmless",
    change: (target) => withQuery(target, "undocumented=%zz"),
  },
  {
    what: "with a long query",
    kind: "harmless",
    change: (target) => withQuery(target, `undocumented=${"a".repeat(4000)}`),
  },
  { what: "with a query parameter twice", kind: "harmless", isOpen: true, change: withParameterTwice },
];

interface HeaderVariant {
  readonly name: string;
  /** Undefined if the header is not sent. */
  readonly value: string | undefined;
  /** True if HTTP permits to reject the request, or to respond in another way. */
  readonly isOpen?: true;
  readonly method?: "GET";
}

/** Headers that browsers, proxies and other clients send. */
const usualHeaders: readonly HeaderVariant[] = [
  { name: "Accept", value: "text/x-undocumented", isOpen: true },
  { name: "Accept", value: undefined },
  { name: "Accept-Encoding", value: "gzip, deflate, br" },
  { name: "Accept-Language", value: "hi-IN, en;q=0.5" },
  { name: "Cookie", value: "undocumented=1; other=a=b" },
  { name: "User-Agent", value: "Mozilla/5.0 (X11; Linux x86_64)" },
  { name: "Origin", value: "https://undocumented.test", isOpen: true },
  { name: "Referer", value: "https://undocumented.test/a?b=c", isOpen: true },
  { name: "X-Forwarded-For", value: "203.0.113.7, 127.0.0.1", isOpen: true },
  { name: "X-HTTP-Method-Override", value: "DELETE" },
  { name: "Expect", value: "100-continue", isOpen: true },
  // No record has this tag, and every one is newer (RFC 9110, section 13.1).
  { name: "If-None-Match", value: '"undocumented"', method: "GET" },
  { name: "If-Modified-Since", value: "Mon, 01 Jan 1900 00:00:00 GMT", method: "GET" },
  { name: "Range", value: "bytes=0-0", method: "GET", isOpen: true },
];

/** Statuses that these headers must not cause. */
const causedByHeaders = [206, 304, 400, 401, 403, 406, 412, 416, 422];

/** The variants, the usual headers, the request itself, and the requests with HEAD, GET and OPTIONS, and with a body. */
export const mostUrlRequests = variants.length + usualHeaders.length + 8;

function encoded(text: string): string {
  const [first = "", ...rest] = text;
  return `%${first.charCodeAt(0).toString(16).toUpperCase()}${rest.join("")}`;
}

function withQuery(target: string, query: string): string {
  return `${target}${target.includes("?") ? "&" : "?"}${query}`;
}

/** Repeats a parameter that is not a list. */
function withParameterTwice(target: string, { parameters }: OperationModel): string | undefined {
  const single = parameters.filter(
    (each) => each.in === "query" && each.mediaType === undefined && !isList(each.node),
  );
  const pair = pairsIn(queryOf(target), "&").find(([name]) => single.some((each) => each.name === name));
  return pair && `${target}&${joined(pair)}`;
}

/** Changes the last parameter of the path. */
function inPath(form: RegExp, change: (found: string) => string): UrlVariant["change"] {
  return (target, operation) => {
    const text = lastParameter(target, operation)?.text;
    const path = pathOf(target);
    if (text === undefined || !path.endsWith(text) || !form.test(text)) return undefined;
    return path.slice(0, -text.length) + text.replace(form, change) + target.slice(path.length);
  };
}

function lastParameter(
  target: string,
  { path, parameters }: OperationModel,
): { readonly parameter: ParameterModel; readonly text: string } | undefined {
  const [name, text] = [...(matchPath(path, pathOf(target)) ?? [])].at(-1) ?? [];
  const parameter = parameters.find((each) => each.in === "path" && each.name === name);
  return parameter && text ? { parameter, text } : undefined;
}

const twice: Problem = { in: "query", pointer: "", message: "has a parameter twice" };

export async function checkUrls(on: Subject): Promise<Violation[]> {
  const { drafts, operation } = on;
  const base = drafts.base();
  if (base === undefined) return [];
  const found: Violation[] = [];
  const { violations, response } = await trial(on, await ready(on, base), "valid");
  found.push(...violations);
  for (const { what, kind, change, isOpen } of variants) {
    const request = await ready(on, base);
    const target = change(request.target, operation);
    if (target === undefined) continue;
    const problem = kind === "encoded" ? problemOf(target, operation) : undefined;
    const about = `URL (${what})`;
    const changed = { ...request, target };
    if (problem !== undefined) found.push(...(await trial(on, changed, problem, problem, about)).violations);
    else if (kind === "alike" && isSuccess(response.status))
      found.push(...(await trial(on, changed, "alike", undefined, about)).violations);
    else if (isOpen && on.options.strict && isSuccess(response.status))
      found.push(...(await trial(on, changed, twice, twice, about)).violations);
    else found.push(...failures(changed, await send(on, changed), about));
  }
  for (const each of headersFor(operation))
    found.push(...(await headerViolations(on, await ready(on, base), each, response)));
  found.push(...(await rewrittenViolations(on)), ...(await queryViolations(on, base)));
  found.push(...(await malformedViolations(on, base)), ...(await preconditionViolations(on, base)));
  const request = await ready(on, base);
  const type = ["Content-Type", "application/json"] as const;
  const withBody = { ...request, headers: [...request.headers, type], body: Buffer.from("{}") };
  if (operation.body === undefined)
    found.push(...failures(withBody, await send(on, withBody), "body of a request that has none"));
  if (operation.method === "GET") found.push(...(await headViolations(on, request)));
  const options = { ...request, method: "OPTIONS", body: noBody };
  found.push(...failures(options, await send(on, options), "OPTIONS"));
  return found;
}

function headersFor({ method, responses }: OperationModel): HeaderVariant[] {
  const types = responses.filter(({ status }) => /^2/.test(status)).flatMap((each) => each.mediaTypes);
  const documented = types.map((each): HeaderVariant => ({ name: "Accept", value: each.mediaType }));
  return [...documented, ...usualHeaders].filter(
    (each) => each.method === undefined || each.method === method,
  );
}

/** @param usual the response without the header */
async function headerViolations(
  on: Subject,
  { headers, ...request }: HttpRequest,
  { name, value, isOpen }: HeaderVariant,
  usual: HttpResponse,
): Promise<Violation[]> {
  const others = headers.filter(([each]) => each !== name);
  const added = value === undefined ? others : [...others, [name, value] as const];
  const changed = { ...request, headers: name === "Cookie" ? withCookie(headers, value ?? "") : added };
  const about = `header ${name} (${value ?? "absent"})`;
  if (isOpen) {
    const response = await send(on, changed);
    const isPart = response.status === 206 && headerOf(response.headers, "content-range") === undefined;
    // RFC 9110, section 15.3.7.
    const message = `${about}: the response is 206 without Content-Range`;
    return [
      ...failures(changed, response, about),
      ...(isPart ? [{ request: changed, response, message }] : []),
    ];
  }
  const { violations, response } = await trial(on, changed, "harmless", undefined, about);
  const { status } = response;
  // The service chooses the media type by this header (RFC 9110, section 12.5.5).
  const isChosen = name === "Accept" && /accept\b(?!-)/i.test(headerOf(response.headers, "vary") ?? "");
  const type = parseMediaType(headerOf(response.headers, "content-type") ?? "").essence;
  const isOther =
    isChosen && isSuccess(status) && value !== undefined && type !== parseMediaType(value).essence;
  if (isOther && !value.includes("*"))
    violations.push({ request: changed, response, message: `${about}: the media type is ${type}` });
  const message = `${about}: the response is ${status}, but without it ${usual.status}`;
  const isCaused = isSuccess(usual.status) && status !== usual.status && causedByHeaders.includes(status);
  return [...violations, ...(isCaused ? [{ request: changed, response, message }] : [])];
}

/** Adds a cookie before the others, because a service may read only the first one. */
function withCookie(headers: Headers, added: string): Headers {
  const cookies = headerOf(headers, "Cookie");
  const others = headers.filter(([name]) => name !== "Cookie");
  return [...others, ["Cookie", cookies === undefined ? added : `${added}; ${cookies}`]];
}

type Rewriting = (request: HttpRequest) => Partial<HttpRequest>;

const withNewQuery =
  (change: (query: string) => string): Rewriting =>
  ({ target }) => ({ target: `${pathOf(target)}?${change(queryOf(target))}` });

const rewritings: { readonly [place: string]: { readonly [how: string]: Rewriting } } = {
  query: {
    "after an unknown parameter": withNewQuery((query) => `undocumented=1&${query}`),
    "with an encoded name": withNewQuery((query) => query.replaceAll(/(?<=^|&)[a-z]/gi, encoded)),
  },
  cookie: {
    "after an unknown cookie": ({ headers }) => ({ headers: withCookie(headers, "undocumented=1") }),
  },
};

/** Sends an invalid parameter in other forms, because a service may then skip it. */
async function rewrittenViolations(on: Subject): Promise<Violation[]> {
  const found: Violation[] = [];
  for (const [place, forms] of Object.entries(rewritings))
    for (const { problem, ...draft } of invalidDrafts(on, place)) {
      const request = await ready(on, draft);
      // If the service accepts the usual form, that is reported elsewhere.
      if ((await trial(on, request, problem, problem)).violations.length > 0) continue;
      for (const [how, rewrite] of Object.entries(forms)) {
        const about = `${inWords(problem)} (${how})`;
        const changed = { ...request, ...rewrite(request) };
        found.push(...(await trial(on, changed, problem, problem, about)).violations);
      }
    }
  return found;
}

/** Sends a query parameter that is not JSON, and a value in the path without the prefix of its style. */
async function malformedViolations(on: Subject, base: Draft): Promise<Violation[]> {
  const found: Violation[] = [];
  for (const [index, part] of on.drafts.parts.slice(0, on.operation.parameters.length).entries()) {
    const { in: place, name, style, mediaType = "" } = on.operation.parameters[index] as ParameterModel;
    const isJson = place === "query" && bodyKindOf(mediaType) === "json";
    const last = lastParameter((await ready(on, base)).target, on.operation)?.parameter;
    const isPrefixed = last?.name === name && place === "path" && ["matrix", "label"].includes(style);
    if (!isJson && !isPrefixed) continue;
    const request = await ready(on, isJson ? part.replace(base, undefined) : base);
    const target = isJson
      ? withQuery(request.target, `${encodeURIComponent(name)}=%7B`)
      : inPath(/^(?:\.|;[^=]*=)/, () => "")(request.target, on.operation);
    const problem = {
      ...part.place,
      message: isJson ? "is not JSON" : `has no prefix of the style ${style}`,
    };
    if (target !== undefined)
      found.push(...(await trial(on, { ...request, target }, problem, problem)).violations);
  }
  return found;
}

/** What is wrong with the last parameter of the path. */
function problemOf(target: string, operation: OperationModel): Problem | undefined {
  const last = lastParameter(target, operation);
  if (last === undefined) return undefined;
  const read = readText(last.parameter, last.text);
  if ("value" in read && isValid(last.parameter.node, read.value)) return undefined;
  return { ...placeOfParameter(last.parameter), message: "is encoded twice" };
}

/** HEAD has the status and the headers of GET, and no body (RFC 9110, section 9.3.2). */
async function headViolations(on: Subject, request: HttpRequest): Promise<Violation[]> {
  const [first, second] = [await send(on, request), await send(on, request)];
  const head = { ...request, method: "HEAD" };
  const response = await send(on, head);
  const messages: string[] = [];
  if (isSuccess(first.status) && isSuccess(response.status)) {
    const { problems } = await exchanged(on, head);
    messages.push(...problems);
    const length = headerOf(response.headers, "content-length");
    const isStable = first.body.byteLength === second.body.byteLength;
    if (length !== undefined && isStable && Number(length) !== first.body.byteLength)
      messages.push(
        `HEAD: Content-Length is ${length}, but the response to GET has ${first.body.byteLength} bytes`,
      );
    const types = [response, first].map(({ headers }) => headerOf(headers, "content-type"));
    if (types[0] !== undefined && types[0] !== types[1])
      messages.push(`HEAD: Content-Type is ${types[0]}, but that of GET is ${types[1]}`);
  }
  if (isSuccess(first.status)) {
    const isDocumented = on.all.some(
      (each) => each.operation.method === "HEAD" && each.operation.path === on.operation.path,
    );
    if (isDocumented && response.status === 404)
      messages.push("HEAD: the response is 404, but GET finds the record");
    const after = await send(on, request);
    if (after.status === 404) messages.push("HEAD: afterwards, the response to GET is 404");
  }
  return [
    ...failures(head, response, "HEAD"),
    ...messages.map((message) => ({ request: head, response, message })),
  ];
}

/** A service need not know HEAD and OPTIONS (501). The document says nothing about the other statuses. */
function failures(request: HttpRequest, response: HttpResponse, about: string): Violation[] {
  const { status } = response;
  return status < 500 || status === 501
    ? []
    : [{ request, response, message: `${about}: the response is ${status}` }];
}
