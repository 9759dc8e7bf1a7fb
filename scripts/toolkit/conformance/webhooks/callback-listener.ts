/** Listens for the callbacks of a service, and checks them as requests. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Callback, webhookDocumentOf } from "../../generate/webhooks/webhook-spec.ts";
import { isObject, type JsonObject, tokensOf, valueAt } from "../../openapi/document.ts";
import { isValid } from "../../openapi/schema/evaluate.ts";
import { type HttpRequest, inWords, jsonIn, type Problem } from "../exchange.ts";
import { readParameter, responseProblems } from "../exchange-check.ts";
import type { CheckResult } from "../live-checks.ts";
import { bodyKindOf } from "../media-types.ts";
import { modelOf, type OperationModel } from "../operation-model.ts";
import { operationFor } from "../routes.ts";
import { percentDecoded, percentEncoded } from "../styles.ts";
import { shown } from "../suite.ts";

export interface CallbackListener extends AsyncDisposable {
  readonly url: string;
  /** Puts the URL of the listener into the request, at the places from which the service takes it. */
  redirect(request: HttpRequest): HttpRequest;
  /** Waits for callbacks that have not arrived yet. Returns one result for each callback of the document. */
  results(): Promise<CheckResult[]>;
}

/** A service may send a callback after its response. */
const quietMs = 300;

/** @returns undefined if the document has no callbacks */
export async function listenForCallbacks(document: JsonObject): Promise<CallbackListener | undefined> {
  const separate = webhookDocumentOf(document);
  if (separate === undefined || separate.callbacks.length === 0) return undefined;
  const { callbacks } = separate;
  const model = modelOf(document);
  const operations = new Map(modelOf(separate.document).operations.map((each) => [each.id, each]));
  const arrived: {
    readonly id: string;
    readonly status: number;
    readonly findings: CheckResult["findings"];
  }[] = [];
  const sharing = (id: string) => {
    const first = callbacks.find((each) => each.id === id);
    return callbacks.filter(
      (each) =>
        each.operationId === first?.operationId &&
        partsOf(each.expression).place === partsOf(first.expression).place,
    );
  };
  let isAwaited = false;
  const server = createServer(async (incoming, outgoing) => {
    const body = Buffer.concat(await incoming.toArray());
    const [, id = "", rest = ""] = /^\/([^/?]*)([\s\S]*)$/.exec(incoming.url ?? "") ?? [];
    const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as const);
    const request = { method: incoming.method ?? "", target: rest || "/", headers, body };
    // Callbacks may take their URL from the same place. Then they differ in the end of the URL, or in what they send.
    const candidates = sharing(id).flatMap((each) => {
      const { end } = partsOf(each.expression);
      if (!end.includes("{") && end !== rest) return [];
      const operation = operations.get(each.id);
      if (operation === undefined) return [];
      return [{ id: each.id, status: successOf(operation), findings: findingsOf(operation, request) }];
    });
    const [best] = candidates.toSorted((one, other) => one.findings.length - other.findings.length);
    if (best !== undefined) arrived.push(best);
    outgoing.writeHead(best?.status ?? 404).end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    redirect(request) {
      const operation = operationFor(model, request);
      const own = callbacks.filter((each) => each.operationId === operation?.id);
      isAwaited ||= own.length > 0;
      return own.reduce(
        (changed, each) => withUrl(changed, operation, each, `${url}/${sharing(each.id)[0]?.id}`),
        request,
      );
    },
    async results() {
      let count = -1;
      while (isAwaited && count < arrived.length) {
        count = arrived.length;
        await new Promise((resolve) => setTimeout(resolve, quietMs));
      }
      return callbacks.map(({ id }) => {
        const own = arrived.filter((each) => each.id === id);
        const statuses = new Map(
          [...Map.groupBy(own, ({ status }) => status)].map(([key, all]) => [key, all.length]),
        );
        const found = Map.groupBy(
          own.flatMap(({ findings }) => findings),
          ({ message }) => message,
        );
        const findings = [...found.values()].flatMap((all) =>
          all.slice(0, 1).map((first) => ({ ...first, count: all.length })),
        );
        return { operationId: id, check: "is sent as documented", label: "callbacks", statuses, findings };
      });
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The runtime expression at the begin of a URL, and the rest of the URL. */
function partsOf(expression: string): { place: string; end: string } {
  const [, place = "", end = ""] = /^\{?(\$[^{}]*)\}?(.*)$/s.exec(expression) ?? [];
  return { place, end };
}

/** An invalid URL does not change, because the request must be rejected for it. */
function withUrl(
  request: HttpRequest,
  operation: OperationModel | undefined,
  { expression }: Callback,
  url: string,
): HttpRequest {
  const [, place, name = ""] =
    /^\$request\.(body|query|header)[.#](.*)$/s.exec(partsOf(expression).place) ?? [];
  if (place === "header") {
    const isNamed = (header: string) => header.toLowerCase() === name.toLowerCase();
    const headers = request.headers.map(([header, value]) =>
      isNamed(header) && URL.canParse(value) ? ([header, url] as const) : ([header, value] as const),
    );
    return { ...request, headers };
  }
  if (place === "query") {
    const written = (all: string, begin: string, value: string) =>
      URL.canParse(percentDecoded(value)) ? begin + percentEncoded(url) : all;
    const pair = new RegExp(`([?&]${percentEncoded(name).replaceAll(".", "\\.")}=)([^&#]*)`);
    return { ...request, target: request.target.replace(pair, written) };
  }
  const value = place === "body" ? jsonIn(request.body) : undefined;
  const tokens = tokensOf(name);
  const last = tokens.pop();
  const holder = valueAt(value, name.replace(/\/[^/]*$/, ""));
  // A body in an unusual form does not change.
  const isUsual = Buffer.from(request.body).toString() === JSON.stringify(value);
  if (!isUsual || last === undefined || !isObject(holder) || typeof holder[last] !== "string") return request;
  const media = operation?.body?.mediaTypes.find(({ mediaType }) => bodyKindOf(mediaType) === "json");
  if (media === undefined || !isValid(media.node, value ?? null)) return request;
  holder[last] = url;
  // The schema may require another form of URL, such as one that begins with https.
  if (!isValid(media.node, value ?? null)) return request;
  return { ...request, body: Buffer.from(JSON.stringify(value)) };
}

function successOf({ responses }: OperationModel): number {
  return Number(responses.find(({ status }) => /^2\d\d$/.test(status))?.status ?? 204);
}

function findingsOf(operation: OperationModel, request: HttpRequest): CheckResult["findings"] {
  const problems =
    request.method === operation.method ? requestProblems(operation, request) : [methodProblem];
  return problems.map((problem) => ({
    message: inWords(problem),
    count: 1,
    request: shown(request),
    response: undefined,
    curl: shown(request),
  }));
}

const methodProblem: Problem = { in: "method", pointer: "", message: "is not documented" };

/** A request is checked like a response, because both have headers and a body. */
function requestProblems(operation: OperationModel, request: HttpRequest): Problem[] {
  const { parameters, body } = operation;
  const mediaTypes = body?.mediaTypes ?? [];
  const isEmpty = request.body.byteLength === 0 && body?.required !== true;
  const asResponse = {
    status: "200",
    pointer: "",
    headers: parameters.filter((each) => each.in === "header"),
    mediaTypes: isEmpty ? [] : mediaTypes,
  };
  const missing = parameters.filter(
    (each) => each.in === "query" && each.required && readParameter(operation, request, each) === undefined,
  );
  return [
    ...missing.map(({ name }) => ({ in: "query", pointer: `/${name}`, message: "is required" })),
    ...responseProblems([asResponse], "POST", { ...request, status: 200 }),
  ];
}
