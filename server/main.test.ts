import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTenant, registerUser } from "./domain/registration.ts";
import { createTotpKeys, type TotpKeys } from "./domain/totp-keys.ts";
import { openStore } from "./store/open.ts";

const main = fileURLToPath(new URL("./main.ts", import.meta.url));
let folder: string;
const running = new Set<ChildProcess>();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "commerce-"));
});
afterEach(async () => {
  for (const child of running) child.kill("SIGKILL");
  running.clear();
  await rm(folder, { recursive: true, force: true });
});

interface Program {
  readonly child: ChildProcess;
  /** Everything printed so far. */
  output(): string;
  /** Settles once the text has been printed. */
  printed(text: string): Promise<void>;
  ended: Promise<{ status: number | null; signal: string | null }>;
}

function start(settings: Record<string, string> = {}, command = [process.execPath, main]): Program {
  const environment = {
    PATH: process.env.PATH,
    PORT: "0",
    DATABASE_URL: `file:${folder}/commerce.db`,
    ...settings,
  };
  const [program = "", ...rest] = command;
  const child = spawn(program, rest, {
    env: environment,
    cwd: fileURLToPath(new URL("..", import.meta.url)),
  });
  running.add(child);
  let text = "";
  const waiting = new Set<() => void>();
  const onData = (data: Buffer) => {
    text += data.toString("utf8");
    for (const check of waiting) check();
  };
  child.stdout.on("data", onData);
  child.stderr.on("data", onData);
  return {
    child,
    output: () => text,
    printed: (wanted) =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (!text.includes(wanted)) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        child.once("close", () =>
          reject(new Error(`ended without printing ${JSON.stringify(wanted)}:\n${text}`)),
        );
        check();
      }),
    ended: new Promise((resolve) => {
      child.once("close", (status, signal) => resolve({ status, signal }));
    }),
  };
}

/** The demo's commands, as a shell would run them. */
function runPasted(command: string): Promise<{ status: string; body: string }> {
  return new Promise((resolve, reject) => {
    const shell = spawn("sh", ["-c", `${command} -w ' %{http_code}'`]);
    let text = "";
    shell.stdout.on("data", (data: Buffer) => {
      text += data.toString("utf8");
    });
    shell.once("error", reject);
    shell.once("close", () => resolve({ status: text.slice(-3), body: text.slice(0, -4) }));
  });
}

const commandsIn = (output: string) => output.match(/^curl .*\\\n(?:.*\\\n)*.*$/gm) ?? [];

describe("a start on a new database", () => {
  it("prints a demo tenant's keys and a command for each operation, each answering 200 as pasted", async () => {
    const server = start();
    await server.printed("/v1/webhooks/");
    await server.printed("-d '{}'");
    expect(server.output()).toMatch(/secret key {8}sk_\w{49}\n {2}publishable key {3}pk_\w{49}/);
    const commands = commandsIn(server.output());
    expect(commands).toHaveLength(3);
    for (const command of commands) {
      const { status, body } = await runPasted(command);
      expect({ status, body: JSON.parse(body) }).toMatchObject({ status: "200", body: { status: true } });
    }
  });

  it("makes no demo tenant in production", async () => {
    const server = start({ NODE_ENV: "production" });
    await server.printed("listening");
    server.child.kill("SIGTERM");
    await server.ended;
    expect(server.output()).not.toMatch(/sk_|pk_|demo/i);
  });
});

describe("a start after one that failed to listen", () => {
  it("still makes the demo tenant", async () => {
    await start({ HOST: "192.0.2.1" }).ended;
    const server = start();
    await server.printed("-d '{}'");
    expect(commandsIn(server.output())).toHaveLength(3);
  });
});

describe("a second start", () => {
  it("keeps the database and prints no secret", async () => {
    const first = start();
    await first.printed("-d '{}'");
    const [submit = ""] = commandsIn(first.output());
    const { body } = await runPasted(submit);
    first.child.kill("SIGTERM");
    await first.ended;

    const second = start();
    await second.printed("listening");
    expect(second.output()).not.toMatch(/sk_|pk_|demo/i);
    const url = /"url":"([^"]+)"/.exec(second.output())?.[1];
    expect((await runPasted(submit.replace(/http:\/\/[^/]+/, url ?? ""))).body).toBe(body);
  });
});

describe("stopping", () => {
  it.each(["SIGTERM", "SIGINT"] as const)("ends cleanly on %s", async (signal) => {
    const server = start();
    await server.printed("listening");
    server.child.kill(signal);
    expect(await server.ended).toEqual({ status: 0, signal: null });
    expect(server.output()).toContain('"msg":"stopped"');
  });
});

describe("a start where TOTP secrets are not encrypted", () => {
  it("says how many in its log", async () => {
    await registerMfaUser(createTotpKeys([]));
    const server = start();
    await server.printed("listening");
    expect(server.output()).toContain(
      '"users":1,"msg":"TOTP secrets are not encrypted; set TOTP_SECRET_KEYS and run `totp rotate`"',
    );
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

describe("a server whose reader has gone", () => {
  it("ends on SIGTERM all the same", async () => {
    const server = start();
    await server.printed("-d '{}'");
    server.child.stdout?.destroy();
    server.child.kill("SIGTERM");
    expect(await server.ended).toEqual({ status: 0, signal: null });
  });
});

describe("npm start", () => {
  it("hands SIGTERM on to the server, and ends as it ends", { timeout: 30_000 }, async () => {
    const server = start({}, ["npm", "start"]);
    await server.printed("listening");
    server.child.kill("SIGTERM");
    expect(await server.ended).toEqual({ status: 0, signal: null });
    expect(server.output()).toContain('"msg":"stopped"');
  });
});

describe("a start that cannot succeed", () => {
  it("says a line for each bad setting and exits with 2", async () => {
    const server = start({ PORT: "http", LOG_LEVEL: "loud" });
    expect(await server.ended).toEqual({ status: 2, signal: null });
    expect(server.output()).toBe(
      [
        'PORT must be a whole number from 0 to 65535, not "http"',
        'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, not "loud"',
        "Try: npm start -- --help",
        "",
      ].join("\n"),
    );
  });

  it("names the key that TOTP secrets are encrypted with, where it is missing", async () => {
    const totpKeys = createTotpKeys([randomBytes(32)]);
    await registerMfaUser(totpKeys);
    for (const settings of [{}, { TOTP_SECRET_KEYS: randomBytes(32).toString("base64") }]) {
      const server = start(settings);
      expect(await server.ended).toEqual({ status: 1, signal: null });
      expect(server.output()).toBe(
        `could not start: TOTP secrets are encrypted with the key ${totpKeys.current}, which TOTP_SECRET_KEYS does not hold; add what was taken out of it.\n`,
      );
    }
  });

  it("names the address that is taken", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const address = taken.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const server = start({ PORT: String(port) });
    expect(await server.ended).toEqual({ status: 1, signal: null });
    expect(server.output()).toBe(
      `could not start: 127.0.0.1:${port} is in use; stop what listens there, or set PORT to another port\n`,
    );
    taken.close();
  });

  it.each([
    [{ DATABASE_URL: "file:/dev/null/commerce.db" }, "Cannot open the database /dev/null/commerce.db"],
    [{ HOST: "no.such.host.invalid" }, "HOST is no address of this machine"],
    [{ HOST: "192.0.2.1" }, "HOST is no address of this machine"],
  ])("says what is wrong with %j", async (settings, message) => {
    const server = start(settings);
    expect(await server.ended).toEqual({ status: 1, signal: null });
    expect(server.output()).toContain(`could not start: ${message}`);
    expect(server.output().trim().split("\n")).toHaveLength(1);
  });
});
