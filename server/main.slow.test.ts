import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Setting } from "#specbind/server/settings";
import { contract } from "../generated/contract.ts";
import { ended, type Program } from "../scripts/testing/program.ts";
import { settings } from "./config.ts";
import { createTenant, registerUser } from "./domain/registration.ts";
import { createTotpKeys, type TotpKeys } from "./domain/totp-keys.ts";
import { authority, server } from "./runtime/http/testing/certificates.ts";
import { openStore } from "./store/open.ts";
import { RawConnection, send } from "./testing/http.ts";
import { startProgram, startServer } from "./testing/program.ts";

const main = fileURLToPath(new URL("./main.ts", import.meta.url));
let folder: string;
const running: Program[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "commerce-"));
});
afterEach(async () => {
  for (const program of running.splice(0)) await program[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

function start(settings: Record<string, string> = {}, command?: readonly string[]): Program {
  const program = startProgram({ DATABASE_URL: `file:${folder}/commerce.db`, ...settings }, command);
  running.push(program);
  return program;
}

/** Runs the demo's commands as a shell would. */
async function runPasted(command: string): Promise<{ status: string; body: string }> {
  const { stdout } = await ended(["sh", "-c", `${command} -w ' %{http_code}'`]);
  return { status: stdout.slice(-3), body: stdout.slice(0, -4) };
}

const operationCount = Object.keys(contract.operations).length;
const commandsIn = (output: string) => output.match(/^curl .*\\\n(?:.*\\\n)*.*$/gm) ?? [];

it("serves HTTPS with the files of its settings", async () => {
  const files = { TLS_CERT_FILE: server.cert, TLS_KEY_FILE: server.key, TLS_CLIENT_CA_FILE: authority };
  const settings: Record<string, string> = { NODE_ENV: "production" };
  for (const [name, text] of Object.entries(files)) {
    settings[name] = join(folder, name);
    await writeFile(join(folder, name), text);
  }
  const program = start(settings);
  await program.printed("listening");
  const [, url] = /"url":"(https:[^"]+)"/.exec(program.output()) ?? [];
  const outgoing = request(`${url}/healthz`, { ca: authority, agent: false }).end();
  const [incoming] = await once(outgoing, "response");
  expect(incoming.statusCode).toBe(200);
});

describe("a start on a new database", () => {
  it("prints a demo tenant's keys and a command for each operation that succeeds when it is pasted", async () => {
    const server = start();
    await server.printed("The documentation is at");
    expect(server.output()).toMatch(/secret key {8}sk_\w{49}\n {2}publishable key {3}pk_\w{49}/);
    const commands = commandsIn(server.output());
    expect(commands).toHaveLength(operationCount);
    // A record can be deleted only once.
    const repeatable = commands.filter((command) => !command.includes("-X DELETE"));
    for (const command of repeatable) {
      const { status, body } = await runPasted(command);
      expect(status).toMatch(/^2/);
      if (status !== "204") expect(JSON.parse(body)).toMatchObject({ status: true });
    }
    // If all commands are pasted at once, each response is on a separate line.
    const { stdout } = await ended(["sh", "-c", repeatable.join("\n")]);
    expect(stdout).toMatch(new RegExp(`^(?:(?:\\{"status":true,"data":.*\\})?\\n){${repeatable.length}}$`));
  });

  it("creates no demo tenant in production, and warns that the database is new", async () => {
    const server = start({ NODE_ENV: "production" });
    await server.printed("listening");
    server.child.kill("SIGTERM");
    await server.ended;
    expect(server.output()).not.toMatch(/sk_|pk_|demo/i);
    expect(server.output()).toContain(
      `"file":"${folder}/commerce.db","msg":"the database file was missing or empty; it is a new database now, so create a tenant: node server/admin tenant create --name NAME"`,
    );
  });
});

describe("a start outside production", () => {
  it("creates no demo tenant if others can reach the server", async () => {
    const server = start({ HOST: "0.0.0.0" });
    await server.printed("no demo tenant is created, because HOST is not a loopback address");
    expect(server.output()).not.toMatch(/sk_|pk_/);
  });

  it("logs readable lines if LOG_FORMAT is pretty", async () => {
    const server = start({ LOG_FORMAT: "pretty" });
    await server.printed("-d '{}'");
    expect(server.output()).toMatch(/^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: listening \{.*"url":"http:/);
  });
});

it("a start logs warnings about settings", async () => {
  await registerMfaUser(createTotpKeys([]));
  const server = start({ NODE_ENV: "prod", TRUSTED_PROXY: "10.0.0.0/8" });
  await server.printed("listening");
  for (const warning of [
    '"msg":"NODE_ENV is not production, development or test; it counts as production"',
    '"msg":"TRUSTED_PROXY is not a setting; did you mean TRUSTED_PROXIES?"',
    '"users":1,"msg":"TOTP secrets are not encrypted; set TOTP_SECRET_KEYS and run `totp rotate`"',
  ])
    expect(server.output()).toContain(warning);
  expect(server.output()).not.toMatch(/sk_|pk_/);
});

it("a start after one that failed to listen still creates the demo tenant", async () => {
  await start({ HOST: "192.0.2.1" }).ended;
  const server = start();
  await server.printed("The documentation is at");
  expect(commandsIn(server.output())).toHaveLength(operationCount);
});

it("a second start keeps the database and prints no secret", async () => {
  const first = start();
  await first.printed("-d '{}'");
  const [submit = ""] = commandsIn(first.output());
  const { body } = await runPasted(submit);
  first.child.kill("SIGTERM");
  await first.ended;

  const second = start();
  await second.printed("key create --tenant ");
  expect(second.output()).not.toMatch(/sk_|pk_|demo tenant was created/i);
  const url = /"url":"([^"]+)"/.exec(second.output())?.[1];
  expect((await runPasted(submit.replace(/http:\/\/[^/]+/, url ?? ""))).body).toBe(body);
});

describe("stopping", () => {
  it.each(["SIGTERM", "SIGINT"] as const)("exits with status 0 on %s", async (signal) => {
    const server = start();
    await server.printed("listening");
    server.child.kill(signal);
    expect(await server.ended).toEqual({ status: 0, signal: null });
    expect(server.output()).toContain('"msg":"stopped"');
  });

  /** Returns the key of the demo tenant and the server's URL. */
  async function ready(server: Program) {
    await server.printed("-d '{}'");
    const [key = ""] = /sk_\w+/.exec(server.output()) ?? [];
    const [, url = ""] = /'(http:[^']+)\/v1\/users\/login'/.exec(server.output()) ?? [];
    return { key, url };
  }
  const getWebhook = (key: string) =>
    `GET /v1/webhooks/1 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`;

  it("stores the first use of a key within a second, and later uses at the latest when the server stops", async () => {
    const server = start();
    const { key, url } = await ready(server);
    const [publishableKey = ""] = /pk_\w+/.exec(server.output()) ?? [];
    const store = await openStore(`file:${folder}/commerce.db`);
    const [tenant] = await store.tenants.list();
    const usedKinds = async () => {
      const keys = await store.apiKeys.list(tenant?.id ?? "");
      return keys.filter(({ last_used_at }) => last_used_at !== null).map(({ kind }) => kind);
    };
    const use = (key: string) => send(url, { method: "GET", path: "/v1/webhooks/1", key });
    await use(key);
    await expect.poll(usedKinds).toEqual(["secret"]);
    await use(publishableKey);
    expect(await usedKinds()).toEqual(["secret"]);
    server.child.kill("SIGTERM");
    await server.ended;
    expect((await usedKinds()).toSorted()).toEqual(["publishable", "secret"]);
    await store.close();
  });

  it.each([{}, { SHUTDOWN_DELAY_SECONDS: "1" }])("drops no request under load: %j", async (settings) => {
    const server = start({ LOG_LEVEL: "warn", ...settings });
    const { key, url } = await ready(server);
    let responses = 0;
    let onWarm: () => void = () => {};
    const warm = new Promise<void>((resolve) => {
      onWarm = resolve;
    });
    /** Sends requests one after another, until a response ends the connection. */
    const keepSending = async () => {
      using connection = await RawConnection.open(url);
      for (;;) {
        connection.write(getWebhook(key));
        const response = await connection.response();
        if (response === undefined) return `cut off with ${connection.unread.length} bytes of a response`;
        if (response.status !== 200) return `responded with ${response.status}`;
        responses += 1;
        if (responses === 1000) onWarm();
        if (/connection: close/i.test(response.head)) return "told";
      }
    };
    const senders = Array.from({ length: 50 }, keepSending);
    await warm;
    server.child.kill("SIGTERM");
    expect(new Set(await Promise.all(senders))).toEqual(new Set(["told"]));
    expect(await server.ended).toEqual({ status: 0, signal: null });
    await expect(RawConnection.open(url)).rejects.toThrow("ECONNREFUSED");
  });

  it("responds to requests on connections that it had not yet accepted", async () => {
    const server = start();
    const { key, url } = await ready(server);
    server.child.kill("SIGSTOP");
    const connections = await Promise.all(Array.from({ length: 40 }, () => RawConnection.open(url)));
    for (const connection of connections) connection.write(getWebhook(key));
    server.child.kill("SIGTERM");
    server.child.kill("SIGCONT");
    const responses = await Promise.all(connections.map((connection) => connection.response()));
    expect(responses.map((response) => response?.status)).toEqual(Array(40).fill(200));
    expect(await server.ended).toEqual({ status: 0, signal: null });
    await expect(RawConnection.open(url)).rejects.toThrow("ECONNREFUSED");
  });

  it.each(["SIGTERM", "SIGINT"] as const)(
    "exits with status 0 on %s while the server starts",
    async (signal) => {
      const silent = createServer();
      await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
      const address = silent.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      const server = start({ DATABASE_URL: `postgres://127.0.0.1:${port}/commerce` });
      const [connection] = await once(silent, "connection");
      server.child.kill(signal);
      expect(await server.ended).toEqual({ status: 0, signal: null });
      connection.destroy();
      silent.close();
    },
  );

  it("waits for requests only until the deadline, and logs that it cut off a request", async () => {
    const server = start({ SHUTDOWN_SECONDS: "1" });
    const { key, url } = await ready(server);
    using connection = await RawConnection.open(url);
    connection.write(
      `GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Length: 9\r\n\r\n{`,
    );
    // The response on another connection proves that the request before it has been read.
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    server.child.kill("SIGTERM");
    expect(await connection.response()).toBeUndefined();
    expect(await server.ended).toEqual({ status: 1, signal: null });
    expect(server.output()).toContain('"requests_cut_off":1');
  });

  it("exits immediately on a second signal", async () => {
    const server = start({ SHUTDOWN_SECONDS: "3600", SHUTDOWN_DELAY_SECONDS: "3600" });
    const { url } = await ready(server);
    server.child.kill("SIGTERM");
    await server.printed('"msg":"stopping"');
    // Repeats the signal, because one that comes too soon is ignored. In a terminal, npm sends such a signal.
    const again = setInterval(() => server.child.kill("SIGTERM"), 20);
    expect(await server.ended).toEqual({ status: 1, signal: null });
    clearInterval(again);
    await expect(RawConnection.open(url)).rejects.toThrow("ECONNREFUSED");
  });

  it("makes /readyz return 503 first, while requests are still accepted", async () => {
    const server = start({ SHUTDOWN_DELAY_SECONDS: "3600" });
    const { key, url } = await ready(server);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    server.child.kill("SIGTERM");
    await server.printed('"msg":"stopping"');
    expect((await fetch(`${url}/readyz`)).status).toBe(503);
    using connection = await RawConnection.open(url);
    connection.write(getWebhook(key));
    expect((await connection.response())?.status).toBe(200);
  });
});

async function registerMfaUser(totpKeys: TotpKeys): Promise<void> {
  const store = await openStore(`file:${folder}/commerce.db`);
  const tenant = await createTenant(store, { name: "Acme", auth_type: 3 });
  const names = { first_name: "", last_name: "", email: "" };
  const login = { type: "customer", dial_code: "91", mobile: "9876543210", password: "pw" };
  await registerUser({ store, totpKeys }, tenant, { ...login, ...names, mfa: true });
  await store.close();
}

it("a server whose output is no longer read still ends on SIGTERM", async () => {
  const server = start();
  await server.printed("-d '{}'");
  server.child.stdout?.destroy();
  server.child.kill("SIGTERM");
  expect(await server.ended).toEqual({ status: 0, signal: null });
});

it("--help lists every setting with its default, and does not start a server", async () => {
  const server = start({ PORT: "none" }, [process.execPath, main, "--help"]);
  expect(await server.ended).toEqual({ status: 0, signal: null });
  const lines = server
    .output()
    .split("\n")
    .map((line) => line.trim().replace(/ +/, " "));
  expect(lines).toEqual(
    expect.arrayContaining(
      Object.entries<Setting>(settings).map(([name, { meaning, fallback }]) =>
        fallback ? `${name} ${meaning} (${fallback})` : `${name} ${meaning}`,
      ),
    ),
  );
});

it("an unknown argument is reported, and no server starts", async () => {
  const server = start({}, [process.execPath, main, "--prot", "80"]);
  expect(await server.ended).toEqual({ status: 2, signal: null });
  expect(server.output()).toBe(
    'unexpected argument "--prot"; set the variable PORT\nTry: node server --help\n',
  );
});

it("the file .env is read from the working directory, but environment variables have priority", async () => {
  await writeFile(join(folder, ".env"), "PORT=none\nLOG_LEVEL=loud\n");
  const command = ["sh", "-c", 'cd "$0" && exec "$1" "$2"', folder, process.execPath, main];
  const server = start({ PORT: "0" }, command);
  expect(await server.ended).toEqual({ status: 2, signal: null });
  expect(server.output()).toMatch(/^LOG_LEVEL must be one of .*\nTry: node server --help\n$/);
});

it("npm start forwards SIGTERM to the server, and exits with the same status", async () => {
  const server = start({}, ["npm", "start"]);
  await server.printed("listening");
  server.child.kill("SIGTERM");
  expect(await server.ended).toEqual({ status: 0, signal: null });
  expect(server.output()).toContain('"msg":"stopped"');
});

describe("a start that cannot succeed", () => {
  it("prints the id of the missing key that encrypts TOTP secrets", async () => {
    const totpKeys = createTotpKeys([randomBytes(32)]);
    await registerMfaUser(totpKeys);
    for (const settings of [{}, { TOTP_SECRET_KEYS: randomBytes(32).toString("base64") }]) {
      const server = start(settings);
      expect(await server.ended).toEqual({ status: 1, signal: null });
      expect(server.output()).toBe(
        `could not start: TOTP secrets are encrypted with the key ${totpKeys.current}, which TOTP_SECRET_KEYS does not contain; add it again.\n`,
      );
    }
  });

  it("prints every address in use, and the setting to change", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const address = taken.address();
    const port = String(typeof address === "object" && address !== null ? address.port : 0);
    const another = await startServer(`file:${folder}/another.db`);
    running.push(another);
    const anothersPort = new URL(another.url).port;
    const error = (port: string, setting: string) =>
      `could not start: 127.0.0.1:${port} is in use; stop the program that listens there, or set ${setting} to another port\n`;
    for (const [settings, ...errors] of [
      [{ PORT: port }, error(port, "PORT")],
      [{ METRICS_PORT: port }, error(port, "METRICS_PORT")],
      [{ PORT: port, METRICS_PORT: anothersPort }, error(anothersPort, "METRICS_PORT"), error(port, "PORT")],
    ] as const) {
      const server = start(settings);
      expect(await server.ended).toEqual({ status: 1, signal: null });
      expect(server.output()).toBe(errors.join(""));
    }
    taken.close();
  });

  it.each([
    [{ DATABASE_CREATE: "never" }, "Cannot open the database "],
    [{ DATABASE_URL: "file:/dev/null/commerce.db" }, "Cannot open the database /dev/null/commerce.db"],
    [
      { DATABASE_URL: "postgres://127.0.0.1:1" },
      "Cannot open the database at 127.0.0.1:1 (ECONNREFUSED); check that it runs and that DATABASE_URL has the right host and port.\n",
    ],
    [{ HOST: "no.such.host.invalid" }, "HOST is not an address of this machine"],
    [{ HOST: "192.0.2.1" }, "HOST is not an address of this machine"],
    [{ HOST: "192.0.2.1", METRICS_PORT: "0" }, "HOST is not an address of this machine"],
    [{ METRICS_PORT: "0", METRICS_HOST: "192.0.2.1" }, "METRICS_HOST is not an address of this machine"],
  ])("prints the problem of %j", async (settings, message) => {
    const server = start(settings);
    expect(await server.ended).toEqual({ status: 1, signal: null });
    expect(server.output()).toContain(`could not start: ${message}`);
    expect(server.output().trim().split("\n")).toHaveLength(1);
  });
});
