/** Receives webhooks: a Hono app that checks the signature of each request before its handler is called. */
import type { Context, Hono } from "hono";
import type { Contract } from "#specbind/contract";
import type { Awaitable } from "../contract/awaitable.ts";
import { bindContract, type Contracted } from "../contract/bind.ts";
import type { OperationTable, RequestOf, ResponseOf, WithPrincipal } from "../contract/handlers.ts";
import { parameterReader } from "../contract/parameters.ts";
import type { Respond } from "../contract/pipeline.ts";
import { Rejection, type RequestView } from "../contract/request.ts";
import { bodyReader } from "../contract/request-body.ts";
import type { RequestProblem } from "../shared/rejection-reasons.ts";
import { isSignedWebhook, problemOfWebhookSecret, webhookHeaders } from "../shared/standard-webhooks.ts";
import { type AppContext, appOf, bindingOf, type ContractAppOptions } from "./contract-app.ts";
import type { ContractEnv } from "./hono.ts";

export interface Webhook {
  /** The same for each attempt to send the webhook. */
  readonly id: string;
  /** When the sender has sent this attempt. */
  readonly sentAt: Date;
  /** True if the id was received before, and its handler has not failed. Its effect must not happen twice. */
  readonly isRepeated: boolean;
}

/** The context of Hono, in which `c.var.webhook` describes the request. */
export interface ReceiverEnv {
  readonly Variables: { readonly webhook: Webhook };
}

/** A receiver need not handle all webhooks of the document. */
export type ReceiverHandlers<Webhooks extends OperationTable, Principal> = {
  readonly [Name in keyof Webhooks]?: (
    request: RequestOf<Name, Webhooks>,
    context: WithPrincipal<Webhooks[Name]["security"], AppContext<Principal, ReceiverEnv>>,
  ) => Awaitable<ResponseOf<Name, Webhooks>>;
};

/** Receivers on several machines need a common memory of ids, such as a table with a unique column. */
export interface SeenWebhooks {
  /**
   * Returns false if the id is known already. If another process is handling the id, this must wait until that process
   * has called `keep` or `delete`.
   */
  add(id: string): Awaitable<boolean>;
  /** Called if the handler of the webhook has succeeded. */
  keep?(id: string): Awaitable<unknown>;
  /** Called if the handler of the webhook has failed, so that another attempt is not a repetition. */
  delete(id: string): Awaitable<unknown>;
}

/** Returns the id and the time of a webhook whose signature is valid, or the reason why it is rejected. */
export type VerifyWebhook = (
  request: Pick<RequestView, "header">,
  body: Uint8Array,
) => Awaitable<Pick<Webhook, "id" | "sentAt"> | string>;

export interface ReceiverOptions<Principal>
  extends Omit<
    ContractAppOptions<Principal>,
    "contract" | "handlers" | "basePath" | "resources" | "crossOrigin" | "callbacks"
  > {
  /** The secret of Standard Webhooks, `whsec_…`, or several secrets while it is being changed. */
  readonly secret?: string | readonly string[];
  /** Replaces the check of Standard Webhooks, for senders with another signature. */
  readonly verify?: VerifyWebhook;
  /** Default: the last 10,000 ids of this process. */
  readonly seen?: SeenWebhooks;
}

/** @throws Error if there is no valid secret, or a security scheme has no authenticator */
export function receiverOf<Webhooks extends OperationTable, Principal>(
  contract: Contract,
  handlers: ReceiverHandlers<Webhooks, Principal>,
  {
    secret = [],
    verify = standardVerifier([secret].flat()),
    seen = recentIds(),
    ...options
  }: ReceiverOptions<Principal>,
): Hono<ContractEnv> {
  const known = Object.keys(contract.operations);
  const unknown = Object.keys(handlers).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new Error(`receiver: there is no webhook \`${unknown}\`; use ${known.join(", ")}`);
  const handled = Object.entries(contract.operations).filter(
    ([name]) => Object.hasOwn(handlers, name) && handlers[name] !== undefined,
  );
  if (handled.length === 0) throw new Error(`receiver: write a handler for ${known.join(" or ")}`);
  const own: Contract = { ...contract, operations: Object.fromEntries(handled) };
  // The generated types have compared the handlers with the contract.
  const binding = bindingOf({ ...options, contract: own, handlers: handlers as never });
  const { paths, unmatched } = bindContract({
    ...binding,
    reject: (detail, ...others) =>
      binding.reject(
        detail.reason === "route_not_found" ? { message: notReceived, ...detail } : detail,
        ...others,
      ),
    // Documents rarely describe how receivers reject webhooks.
    onViolation: (violation, requestId) =>
      violation.isRejection ? undefined : binding.onViolation(violation, requestId),
  });
  const methods = [...new Set(handled.map(([, { method }]) => method))];
  const chosen = methods.map((method) => {
    const among = Object.values(contract.operations).filter((operation) => operation.method === method);
    return [method, chooser(paths, among, binding.maxContentBytes, unmatched)] as const;
  });
  const all: Contracted["paths"] = [
    ...paths,
    { template: "/", byMethod: Object.fromEntries(chosen), otherMethod: paths[0]?.otherMethod ?? unmatched },
  ];
  const running = new Map<string, Promise<void>>();
  const checked = (respond: Respond) => checkedResponder(respond, verify, seen, running);
  const contracted: Contracted = {
    unmatched,
    paths: all.map(({ byMethod, ...path }) => ({
      ...path,
      byMethod: Object.fromEntries(
        Object.entries(byMethod).map(([method, respond]) => [method, checked(respond)]),
      ),
    })),
  };
  return appOf(contracted, contracted, options.around);
}

const notReceived =
  "No webhook is received here. Send it to its own URL, or to / if its body matches no other webhook.";

/**
 * A webhook that fails is forgotten, because its sender sends it again. A repetition waits until the first attempt has
 * succeeded or failed.
 *
 * @param running the webhooks that are being handled, by id
 */
function checkedResponder(
  respond: Respond,
  verify: VerifyWebhook,
  seen: SeenWebhooks,
  running: Map<string, Promise<void>>,
): Respond {
  return async (request) => {
    let added: string | undefined;
    let finish = (): void => {};
    let body: Promise<Uint8Array> | undefined;
    const checkedBody = async (maxBytes: number): Promise<Uint8Array> => {
      const body = await request.body(maxBytes);
      const verified = await verify(request, body);
      if (typeof verified === "string")
        throw new Rejection({ reason: "credential_invalid", message: verified });
      const { id } = verified;
      while (running.has(id)) await running.get(id);
      running.set(
        id,
        new Promise((resolve) => {
          finish = () => {
            running.delete(id);
            resolve();
          };
        }),
      );
      const isNew = await seen.add(id);
      if (isNew) added = id;
      (request.c as Context<ReceiverEnv & { Variables: { webhook: Webhook } }>).set("webhook", {
        ...verified,
        isRepeated: !isNew,
      });
      return body;
    };
    const { method, path, query, c, peer, signal } = request;
    try {
      const reply = await respond({
        ...{ method, path, query, c, peer, signal },
        header: (name) => request.header(name),
        certificate: () => request.certificate?.(),
        body: (maxBytes) => {
          body ??= checkedBody(maxBytes);
          return body;
        },
        cutOff: () => request.cutOff?.() === true,
      });
      const isSuccess = reply.status >= 200 && reply.status < 300;
      if (added !== undefined) await (isSuccess ? seen.keep?.(added) : seen.delete(added));
      return reply;
    } finally {
      finish();
    }
  };
}

/**
 * Responds as the only webhook whose schemas match the request, or else as the one with the fewest problems. If several
 * match, or the one that matches has no handler, no handler is called, because it could be the wrong one.
 */
function chooser(
  paths: Contracted["paths"],
  among: readonly Contract["operations"][string][],
  maxBytes: number,
  unmatched: Respond,
): Respond {
  const candidates = among.map((operation) => {
    const respond = paths.find(({ template }) => template === operation.path)?.byMethod[operation.method];
    const readParameters = parameterReader(operation);
    const readBody = bodyReader(operation.requestBody);
    const problemsIn = async (request: RequestView): Promise<number> => {
      const problems: RequestProblem[] = [];
      readParameters(request, problems);
      const body = await request.body(maxBytes);
      if (operation.requestBody === undefined) return problems.length + body.byteLength;
      await readBody(request, body, problems);
      return problems.length;
    };
    return { respond, problemsIn };
  });
  return async (request) => {
    const matching: (Respond | undefined)[] = [];
    let best: Respond | undefined;
    let least = Infinity;
    for (const { respond, problemsIn } of candidates) {
      // The responder reports why a request cannot be read.
      const count = await problemsIn(request).catch(() => Infinity);
      if (count === 0) matching.push(respond);
      if (respond !== undefined && (best === undefined || count < least)) [best, least] = [respond, count];
    }
    const chosen = matching.length === 0 ? best : matching.length === 1 ? matching[0] : undefined;
    return (chosen ?? unmatched)(request);
  };
}

/** A signature is valid for this time before and after its time stamp, because clocks differ. */
const toleranceSeconds = 300;

function standardVerifier(secrets: readonly string[]): VerifyWebhook {
  const problem = secrets.length === 0 ? "is missing" : secrets.map(problemOfWebhookSecret).find(Boolean);
  if (problem !== undefined) throw new Error(`receiver: the option \`secret\` ${problem}`);
  return async (request, body) => {
    const [id, timestamp, signatures] = Object.values(webhookHeaders).map((name) => request.header(name));
    if (!id || !timestamp || !signatures)
      return `Send the headers ${Object.values(webhookHeaders).join(", ")}.`;
    const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
    if (!(await isSignedWebhook(secrets, id, timestamp, signatures, body)))
      return "The signature of the webhook is not valid.";
    if (!(Math.abs(Date.now() / 1000 - seconds) <= toleranceSeconds))
      return `The time stamp of the webhook differs by more than ${toleranceSeconds} seconds from this clock.`;
    return { id, sentAt: new Date(seconds * 1000) };
  };
}

const mostIds = 10_000;

function recentIds(): SeenWebhooks {
  const ids = new Set<string>();
  return {
    add(id) {
      if (ids.has(id)) return false;
      ids.add(id);
      for (const oldest of ids) {
        if (ids.size <= mostIds) break;
        ids.delete(oldest);
      }
      return true;
    },
    delete: (id) => ids.delete(id),
  };
}
