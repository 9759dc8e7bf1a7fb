/** Tests that callers that reset their connections at any point do not stop the server. */
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { createDatabase } from "../store/sqlite/testing/database.ts";
import { RawConnection } from "../testing/http.ts";
import { startProgram, startServer } from "../testing/program.ts";
import { randomFrom } from "../testing/random.ts";

const connections = 5000;
const atOnce = 40;

const key = "Authorization: Bearer sk_wrong\r\n";
const chunks = "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n";
/** Each is one kind of request, so that each way in which Node hands over a connection occurs. */
const requests = [
  "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n",
  "GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n".repeat(3),
  "GET /docs HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
  `GET / HTTP/1.1\r\nHost: a\r\n${key}Content-Length: 2\r\n\r\n{}`,
  `POST /v1/users/login HTTP/1.1\r\nHost: a\r\n${key}Content-Type: application/json\r\n${chunks}`,
  `POST /v1/users/login HTTP/1.1\r\nHost: a\r\n${key}Content-Length: 100000000\r\n\r\n${"x".repeat(5000)}`,
  `POST /v1/users/login HTTP/1.1\r\nHost: a\r\n${key}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`,
  `GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: h2c\r\nContent-Length: 9\r\n\r\n{"a":"b"}`,
  "GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n\x81\x05hello",
  "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\nhello",
  "CONNECT a:1 HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhello",
  `CONNECT a:1 HTTP/1.1\r\nHost: a\r\n${chunks}`,
  "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\nCONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "GET / HTTP/1.0\r\n\r\n",
  `POST / HTTP/1.0\r\n${chunks}`,
  `GET / HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(20_000)}\r\n\r\n`,
  "garbage\r\n\r\n",
  "BREW / HTTP/1.1\r\nHost: a\r\n\r\n",
];

const service = { name: "the service", start: startService };
const mock = { name: "the mock", start: startMock };

async function startService(stack: AsyncDisposableStack): Promise<{ url: string; output(): string }> {
  const { url, remove } = await createDatabase();
  stack.defer(remove);
  return stack.use(await startServer(url, { LOG_LEVEL: "info", KEEP_ALIVE_SECONDS: "1" }));
}

async function startMock(stack: AsyncDisposableStack): Promise<{ url: string; output(): string }> {
  const [script, spec] = ["../../scripts/mock.ts", "../../spec/openapi.yaml"].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  ) as [string, string];
  const program = stack.use(startProgram({}, [process.execPath, script, "--spec", spec, "--port", "0"]));
  await program.printed("listening on ");
  const [, url = ""] = /listening on (http:\S+\d)/.exec(program.output()) ?? [];
  return { url, output: () => program.output() };
}

it.each([service, mock])("$name survives callers that reset connections at any point", async ({ start }) => {
  await using stack = new AsyncDisposableStack();
  const server = await start(stack);
  const random = randomFrom(20261125);
  const below = (bound: number) => Math.floor(random() * bound);
  const disturb = async () => {
    const text = requests[below(requests.length)] ?? "";
    const connection = await RawConnection.open(server.url, { allowHalfOpen: below(2) === 0 });
    connection.write(text.slice(0, below(text.length + 1)));
    // Some callers first read a response, and some end their side before they disappear.
    if (below(3) === 0) await Promise.race([connection.response(), isServing(server.url)]);
    if (below(3) === 0) connection.end();
    if (below(4) === 0) connection[Symbol.dispose]();
    else connection.reset();
  };
  const workers = Array.from({ length: atOnce }, async () => {
    for (let count = 0; count < connections / atOnce; count += 1) await disturb();
  });
  await Promise.all(workers);
  expect(await isServing(server.url)).toBe(true);
  expect(server.output()).not.toContain("crashed");
});

/** Sends a request, and returns whether there was a response. */
async function isServing(url: string): Promise<boolean> {
  using connection = await RawConnection.open(url);
  connection.write("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
  return (await connection.response()) !== undefined;
}
