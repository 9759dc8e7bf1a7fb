/** Sends examples of webhooks, and the callbacks of requests. */
import type { Contract } from "#specbind/contract";
import { callbackUrl } from "#specbind/sender";
import type { SettledExchange } from "#specbind/server";
import { inWords } from "../conformance/exchange.ts";
import { responseProblems } from "../conformance/exchange-check.ts";
import { sendRequest } from "../conformance/send.ts";
import { signed } from "../conformance/webhooks/receiver.ts";
import type { Callback } from "../generate/webhooks/webhook-spec.ts";
import { codeOf, messageOf } from "../openapi/spec-problems.ts";
import { generatedValues } from "./generated-values.ts";

export interface MockedWebhooks {
  readonly contract: Contract;
  /** The document in which each webhook is an operation. */
  readonly document: object;
  readonly callbacks: readonly Callback[];
}

export interface OutgoingWebhooks {
  /** Returns true if the receiver has accepted an example of the webhook with a documented response. */
  send(name: string, url: string, secret?: string): Promise<boolean>;
  /** Sends the callbacks of an exchange to this machine. The mock is open to all pages, so it sends nowhere else. */
  follow(exchange: SettledExchange): void;
}

/** @param log is called with a line for each response */
export function outgoingWebhooks(
  { contract, document, callbacks }: MockedWebhooks,
  seed: number,
  log: (line: string) => void,
): OutgoingWebhooks {
  const values = generatedValues(document, contract, seed, log);
  let made: ReturnType<typeof values.requests> | undefined;
  const send: OutgoingWebhooks["send"] = async (name, url, secret) => {
    made ??= values.requests((security) => (security.length > 0 ? "mock" : undefined));
    const found = [...made].find(([{ id }]) => id === name);
    const [operation, request] = found ?? [];
    if (operation === undefined || request === undefined) {
      const names = [...made.keys()].map(({ id }) => id).join(", ");
      log(
        found ? `${name}: no valid request was found` : `there is no webhook ${name}; choose one of ${names}`,
      );
      return false;
    }
    const target = request.target.slice(operation.path.length);
    try {
      const response = await sendRequest(url, { ...(await signed(request, secret)), target });
      const problems = responseProblems(operation.responses, request.method, response).map(inWords);
      if (response.status === 401 && secret === undefined) problems.push("sign it with --secret");
      log(`${[`${name}: ${request.method} ${url} ${response.status}`, ...problems].join("; ")}`);
      return problems.length === 0 && response.status < 300;
    } catch (error) {
      log(`${name}: ${request.method} ${url}: no response (${codeOf(error) ?? messageOf(error)})`);
      return false;
    }
  };
  return {
    send,
    follow({ operation, request, body, reply }) {
      if (request === undefined || reply.status >= 300) return;
      for (const callback of callbacks.filter(({ operationId }) => operationId === operation))
        try {
          const url = callbackUrl(callback.id, callback, { request, body });
          if (!URL.canParse(url) || !/^(?:localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url).hostname))
            log(`${callback.id}: not sent to ${url}, because the mock sends callbacks only to this machine`);
          else void send(callback.id, url);
        } catch (error) {
          log(messageOf(error));
        }
    },
  };
}
