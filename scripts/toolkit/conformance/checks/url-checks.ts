/** Checks requests whose URL or method differs from that of a valid request, although the document means the same. */
import { isValid } from "../../openapi/schema/evaluate.ts";
import { type HttpRequest, type HttpResponse, headerOf, type Problem } from "../exchange.ts";
import { type OperationModel, type ParameterModel, placeOfParameter } from "../operation-model.ts";
import { noBody } from "../requests.ts";
import { matchPath, pathOf } from "../routes.ts";
import { readText } from "../styles.ts";
import { exchanged, isSuccess, ready, type Subject, send, trial, type Violation } from "./trials.ts";

interface UrlVariant {
  readonly what: string;
  /** If `alike`, the URL means the same. If `harmless`, it may be rejected. If `encoded`, its value is another one. */
  readonly kind: "alike" | "harmless" | "encoded";
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
    what: "with its query twice",
    kind: "harmless",
    change: (target) => (target.includes("?") ? target.replace(/\?(.*)/s, "?$1&$1") : undefined),
  },
];

/** The variants, the request itself, and the requests with HEAD, GET and OPTIONS. */
export const mostUrlRequests = variants.length + 6;

function encoded(text: string): string {
  const [first = "", ...rest] = text;
  return `%${first.charCodeAt(0).toString(16).toUpperCase()}${rest.join("")}`;
}

function withQuery(target: string, query: string): string {
  return `${target}${target.includes("?") ? "&" : "?"}${query}`;
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

export async function checkUrls(on: Subject): Promise<Violation[]> {
  const { drafts, operation } = on;
  const base = drafts.base();
  if (base === undefined) return [];
  const found: Violation[] = [];
  const { violations, response } = await trial(on, await ready(on, base), "valid");
  found.push(...violations);
  for (const { what, kind, change } of variants) {
    const request = await ready(on, base);
    const target = change(request.target, operation);
    if (target === undefined) continue;
    const problem = kind === "encoded" ? problemOf(target, operation) : undefined;
    const about = `URL (${what}): `;
    const changed = { ...request, target };
    if (problem !== undefined) found.push(...(await trial(on, changed, problem, problem, about)).violations);
    else if (kind === "alike" && isSuccess(response.status))
      found.push(...(await trial(on, changed, "alike", undefined, about)).violations);
    else found.push(...failures(changed, await send(on, changed), about));
  }
  const request = await ready(on, base);
  if (operation.method === "GET") found.push(...(await headViolations(on, request)));
  const options = { ...request, method: "OPTIONS", body: noBody };
  found.push(...failures(options, await send(on, options), "OPTIONS: "));
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
  return [
    ...failures(head, response, "HEAD: "),
    ...messages.map((message) => ({ request: head, response, message })),
  ];
}

/** A service need not know HEAD and OPTIONS (501). The document says nothing about the other statuses. */
function failures(request: HttpRequest, response: HttpResponse, about: string): Violation[] {
  const { status } = response;
  return status < 500 || status === 501
    ? []
    : [{ request, response, message: `${about}the response is ${status}` }];
}
