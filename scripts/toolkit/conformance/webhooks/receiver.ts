/** Checks a receiver of webhooks: one webhook at one URL, with signatures of Standard Webhooks. */
import { webhookHeaders, webhookSignature } from "#specbind/standard-webhooks";
import { webhookDocumentOf } from "../../generate/webhooks/webhook-spec.ts";
import { entriesOf, isObject, type JsonObject, mapEntries } from "../../openapi/document.ts";
import { isMethod, operationsIn } from "../../openapi/grammar.ts";
import { isSuccess, type Violation } from "../checks/trials.ts";
import type { HttpRequest, HttpResponse } from "../exchange.ts";
import { noBody } from "../requests.ts";

export class NoWebhookError extends Error {}

/**
 * Returns a document whose only operation is the webhook, and the operation's path. It allows any rejection, because
 * documents rarely describe those of receivers.
 * @throws NoWebhookError
 */
export function documentOfWebhook(
  document: JsonObject,
  name: string,
): { document: JsonObject; path: string } {
  const all = webhookDocumentOf(document)?.document ?? {};
  const known = entriesOf(all.paths).flatMap(([path, item]) =>
    operationsIn(item).map(({ pointer, operation }) => ({ path, item, pointer, id: operation.operationId })),
  );
  const found = known.find(({ id }) => id === name);
  if (found === undefined)
    throw new NoWebhookError(
      known.length === 0
        ? "the document has no webhooks and no callbacks; remove --webhook"
        : `the document has no webhook ${name}; --webhook takes one of ${known.map(({ id }) => id).join(", ")}`,
    );
  const { path, item, pointer } = found;
  const own = mapEntries(item as JsonObject, (key, value) => {
    if (!isMethod(key) || !isObject(value)) return key === "parameters" ? value : undefined;
    if (pointer !== `/${key}`) return undefined;
    const responses = entriesOf(value.responses).filter(([status]) => !/^4(?:\d\d|XX)$/.test(status));
    return { ...value, responses: { ...Object.fromEntries(responses), "4XX": { description: "Rejected." } } };
  });
  return { document: { ...all, paths: { [path]: own } }, path };
}

/** The response without the parts of a rejection that are not compared. */
export function withoutRejection(response: HttpResponse): HttpResponse {
  return response.status >= 400 && response.status < 500
    ? { ...response, headers: [], body: noBody }
    : response;
}

interface Signing {
  readonly id?: string;
  readonly ageSeconds?: number;
  /** The body that is sent, if it is not the signed one. */
  readonly body?: Uint8Array;
}

/** @param secret without it, the request has no signature */
export async function signed(
  request: HttpRequest,
  secret: string | undefined,
  { id = `msg_${crypto.randomUUID()}`, ageSeconds = 0, body = request.body }: Signing = {},
): Promise<HttpRequest> {
  const timestamp = String(Math.floor(Date.now() / 1000) - ageSeconds);
  const headers: Record<string, string> = { [webhookHeaders.id]: id, [webhookHeaders.timestamp]: timestamp };
  if (secret !== undefined)
    headers[webhookHeaders.signature] = await webhookSignature(secret, id, timestamp, request.body);
  return { ...request, body, headers: [...request.headers, ...Object.entries(headers)] };
}

export const signatureCheck = {
  name: "rejects a wrong signature, an old time stamp and a changed body, and accepts a repetition",
  label: "signatures",
} as const;

/** @param accepted a request without a signature that the receiver has accepted with one */
export async function signatureViolations(
  accepted: HttpRequest,
  secret: string,
  send: (request: HttpRequest) => Promise<HttpResponse>,
): Promise<Violation[]> {
  const other = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  const longer = Buffer.concat([accepted.body, Buffer.from(" ")]);
  const variants: [what: string, request: HttpRequest][] = [
    ["without a signature", await signed(accepted, undefined)],
    ["signed with another secret", await signed(accepted, other)],
    ["with a time stamp that is an hour old", await signed(accepted, secret, { ageSeconds: 3600 })],
    ["with a time stamp that is an hour ahead", await signed(accepted, secret, { ageSeconds: -3600 })],
    ["with another body than the signed one", await signed(accepted, secret, { body: longer })],
  ];
  const found: Violation[] = [];
  for (const [what, request] of variants) {
    const response = await send(request);
    if (response.status < 400 || response.status >= 500)
      found.push({
        request,
        response,
        message: `a webhook ${what}: the response is ${response.status}, not 4xx`,
      });
  }
  const again = await signed(accepted, secret);
  for (const what of ["", "repeated "]) {
    const response = await send(again);
    if (!isSuccess(response.status))
      found.push({
        request: again,
        response,
        message: `a ${what}webhook: the response is ${response.status}`,
      });
  }
  return found;
}
