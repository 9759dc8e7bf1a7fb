/** The calls that are measured, as bytes, and what every server must answer before it is. */
import { connect } from "node:net";
import { RunError } from "../measure.ts";
import type { Program } from "./programs.ts";
import type { Shop } from "./shop.ts";

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Where the load writes a number. */
export const counterDigits = "0000000000";

/** A definition with a fixed rule and three slabs, as in the spec's example. */
export function definition(title: string) {
  return {
    title,
    type: "supply",
    default_value: 12.5,
    active: true,
    commission_data: [
      { category: [101, 102], type: 1, fixed_value: 8 },
      {
        category: [205],
        type: 2,
        slab_value: [
          { from: 0, to: 1000, value: 10 },
          { from: 1000, to: 5000, value: 7.5 },
          { from: 6000, to: -1, value: 5 },
        ],
      },
    ],
  };
}

/** A whole request. */
export function requestText(method: string, path: string, content: string, key: string): string {
  return [
    `${method} ${path} HTTP/1.1`,
    "Host: 127.0.0.1",
    "Content-Type: application/json",
    `Authorization: Bearer ${key}`,
    `Content-Length: ${Buffer.byteLength(content)}`,
    "",
    content,
  ].join("\r\n");
}

export function callsOf(shop: Shop) {
  const request = (method: string, path: string, body: unknown, key = shop.secretKey): string =>
    requestText(method, path, JSON.stringify(body), key);
  const webhookPath = `/v1/webhooks/${shop.webhook.id}`;
  const submit = (commission: unknown): string => request("GET", "/", { commission });
  const logIn = (password: string): string =>
    request("POST", "/v1/users/login", { user: { uuid: "bench", ...shop.user, password, auth_type: 3 } });
  const fresh = submit(definition(counterDigits));
  return {
    webhook: request("GET", webhookPath, {}),
    repeated: submit(definition("Marketplace supply 2026")),
    fresh,
    counterAt: fresh.indexOf(counterDigits),
    login: logIn(shop.password),
    wrongPassword: logIn("wrong"),
    wrongKey: request("GET", webhookPath, {}, `${shop.secretKey.slice(0, -1)}~`),
    invalidId: request("GET", "/v1/webhooks/abc", {}),
    unknownId: request("GET", "/v1/webhooks/999999", {}),
    untitled: submit({ ...definition(""), title: undefined }),
    negative: submit({ ...definition("Negative"), default_value: -1 }),
  };
}

export type Calls = ReturnType<typeof callsOf>;

/** @throws RunError where an answer is not what the call asks for */
export async function assertCorrect(program: Program, port: number, calls: Calls, shop: Shop): Promise<void> {
  const ask = (call: keyof Omit<Calls, "counterAt">): Promise<Answer> => exchange(port, calls[call]);
  const expect = (holds: boolean, what: string, answer: Answer): void => {
    if (!holds)
      throw new RunError(`${program.name} ${what}: ${answer.status} ${JSON.stringify(answer.body)}`);
  };
  const webhook = await ask("webhook");
  const { id, url, events } = shop.webhook;
  const wanted = JSON.stringify({ status: true, data: { webhook: { id, url, events } } });
  expect(webhook.status === 200 && JSON.stringify(webhook.body) === wanted, "answers no webhook", webhook);
  const first = await ask("repeated");
  const again = await ask("repeated");
  expect(first.status === 200 && idIn(first) !== undefined, "stores no definition", first);
  expect(idIn(again) === idIn(first), "stores a definition twice", again);
  const login = await ask("login");
  expect(login.status === 200, "lets a user not in", login);
  if (program.isLimit) return;

  const refusals = {
    wrongKey: [401],
    unknownId: [404],
    wrongPassword: [401],
    ...(!program.checksNothing && { invalidId: [400, 422], untitled: [400, 422], negative: [400, 422] }),
  } as const satisfies { readonly [Call in keyof Calls]?: readonly number[] };
  for (const [call, statuses] of Object.entries(refusals)) {
    const answer = await ask(call as keyof typeof refusals);
    expect((statuses as readonly number[]).includes(answer.status), `does not refuse ${call}`, answer);
  }
}

function idIn({ body }: Answer): number | undefined {
  const { data } = body as { data?: { commission?: { id?: number } } };
  return data?.commission?.id;
}

/** Sends one request on a connection of its own. */
export function exchange(port: number, request: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port });
    let received = "";
    socket.setEncoding("utf8");
    socket.on("error", reject);
    socket.on("connect", () => socket.write(request.replace("\r\n", "\r\nConnection: close\r\n")));
    socket.on("data", (text) => {
      received += text;
    });
    socket.on("end", () => {
      try {
        const [head = "", ...rest] = received.split("\r\n\r\n");
        const content = rest.join("\r\n\r\n");
        const isChunked = /transfer-encoding: chunked/i.test(head);
        const json = isChunked ? content.slice(content.indexOf("{"), content.lastIndexOf("}") + 1) : content;
        resolve({ status: Number(head.slice(9, 12)), body: JSON.parse(json) });
      } catch (error) {
        reject(error);
      }
    });
  });
}
