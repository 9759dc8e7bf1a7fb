/** Tests a running server and its log if the reader of the log is slow, stopped or missing. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RawConnection } from "../../testing/http.ts";
import { type RunningServer, startProgram, startServer } from "../../testing/program.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "commerce-log-"));
});
afterEach(() => rm(folder, { recursive: true }));

const start = (settings: Record<string, string> = {}, command?: readonly string[]) =>
  startServer(`file:${folder}/commerce.db`, settings, command);

/** Sends logged requests, one after another on each connection, and returns their statuses. */
async function ask(url: string, count: number): Promise<Set<number | undefined>> {
  const statuses = new Set<number | undefined>();
  let left = count;
  const sender = async () => {
    using connection = await RawConnection.open(url);
    while (left > 0) {
      left -= 1;
      connection.write(`GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n`);
      statuses.add((await connection.response())?.status);
    }
  };
  await Promise.all(Array.from({ length: 20 }, sender));
  return statuses;
}

const entriesOf = (server: RunningServer): Record<string, unknown>[] =>
  server
    .output()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
const responsesIn = (server: RunningServer) =>
  entriesOf(server).filter(({ msg }) => msg === "request completed").length;

async function lostLines({ metricsUrl = "" }: RunningServer): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  return Number(/^log_lines_lost_total (\d+)$/m.exec(text)?.[1]);
}

describe("a log that is not read", () => {
  it("does not delay requests, and reports the number of lost lines when it is read again", async () => {
    await using server = await start({ METRICS_PORT: "0" });
    server.child.stdout?.pause();
    let asked = 0;
    while ((await lostLines(server)) === 0) {
      expect(await ask(server.url, 5000)).toEqual(new Set([404]));
      asked += 5000;
    }
    server.child.stdout?.resume();
    await server.printed("log lines were lost");
    const lost = await lostLines(server);
    server.child.kill("SIGTERM");
    expect(await server.ended).toEqual({ status: 0, signal: null });
    expect(entriesOf(server).filter(({ lines }) => lines !== undefined)).toEqual([
      {
        level: 40,
        time: expect.any(Number),
        lines: lost,
        msg: "log lines were lost because their reader was too slow",
      },
    ]);
    expect(responsesIn(server)).toBe(asked - lost);
  });

  it("does not delay the end of the server", async () => {
    await using server = await start();
    server.child.stdout?.pause();
    await ask(server.url, 2000);
    server.child.kill("SIGTERM");
    const status = await new Promise((resolve) => server.child.once("exit", resolve));
    expect(status).toBe(0);
    server.child.stdout?.resume();
  });
});

describe("a log that is read late", () => {
  /** Ends the server while a million characters wait to be read, and then continues to read. */
  async function endBehind(server: RunningServer, signal: NodeJS.Signals) {
    server.child.stdout?.pause();
    await ask(server.url, 5000);
    server.child.kill(signal);
    server.child.stdout?.resume();
    return server.ended;
  }

  it("contains every line after SIGTERM", async () => {
    await using server = await start();
    expect(await endBehind(server, "SIGTERM")).toEqual({ status: 0, signal: null });
    expect(responsesIn(server)).toBe(5000);
    expect(entriesOf(server).at(-1)).toMatchObject({ msg: "stopped" });
  });

  it("contains every line after a crash, with the crash's stack but not its message", async () => {
    const crashing = join(folder, "crashing.mjs");
    const crash = 'throw new TypeError("no row for\\n    at s3cr3t")';
    await writeFile(crashing, `process.on("SIGUSR2", function crash() { ${crash}; });`);
    const main = fileURLToPath(new URL("../../main.ts", import.meta.url));
    await using server = await start({}, [process.execPath, "--import", crashing, main]);
    expect(await endBehind(server, "SIGUSR2")).toEqual({ status: 1, signal: null });
    expect(responsesIn(server)).toBe(5000);
    expect(entriesOf(server).at(-1)).toMatchObject({
      level: 60,
      error: { type: "TypeError", stack: expect.stringMatching(/^at process\.crash/) },
      msg: "the server crashed",
    });
    expect(server.output().includes("s3cr3t")).toBe(false);
  });
});

describe("a log in a file", () => {
  const destination = JSON.stringify(new URL("./log.ts", import.meta.url).href);
  const script = (body: string) => `
    const { createLogDestination, standardOutput } = await import(${destination});
    let lost = 0;
    const output = createLogDestination({
      stream: standardOutput(), maxWaitingBytes: 1000, onLost: () => { lost += 1 }, onRoom: () => {},
    });
    ${body}`;
  const run = async (file: string, body: string) => {
    const shell = `exec "$0" --input-type=module --eval "$1" > "$2"`;
    await using program = startProgram({}, ["sh", "-c", shell, process.execPath, script(body), file]);
    return { ...(await program.ended), output: program.output() };
  };

  it("loses lines while the disk is full, and then continues", {
    skip: process.platform !== "linux",
  }, async () => {
    const body = `
      for (let line = 0; line < 30; line += 1) output.write("é".repeat(74) + "x\\n");
      const isWritten = await output.flush(10);
      console.error(JSON.stringify({ lost, isWritten }));
      process.exit(0);`;
    expect(await run("/dev/full", body)).toEqual({
      status: 0,
      signal: null,
      output: '{"lost":24,"isWritten":false}\n',
    });
  });

  it("that cannot be written when the server crashes is replaced by a line on standard error without the crash's message", {
    skip: process.platform !== "linux",
  }, async () => {
    const stopping = JSON.stringify(new URL("../process/stopping.ts", import.meta.url).href);
    const body = `
      const { endOnCrash } = await import(${stopping});
      const { pino } = await import("pino");
      endOnCrash(pino({ base: null }, output), output);
      setImmediate(function crash() { throw new TypeError("no row for s3cr3t"); });`;
    const { output, ...end } = await run("/dev/full", body);
    expect(end).toEqual({ status: 1, signal: null });
    const [, entry = ""] =
      /^the server crashed, and its log could not be written: (.*)\n$/.exec(output) ?? [];
    expect(JSON.parse(entry)).toEqual({
      error: { type: "TypeError", stack: expect.stringMatching(/^at Immediate\.crash/) },
    });
  });

  it("contains every line in order", async () => {
    const body = `
      for (let line = 0; line < 200; line += 1) {
        output.write(line + "\\n");
        if (line % 50 === 0) await output.flush(60_000);
      }
      console.error(await output.flush(60_000), lost);
      process.exit(0);`;
    const file = join(folder, "log");
    expect((await run(file, body)).output).toBe("true 0\n");
    expect(await readFile(file, "utf8")).toBe(Array.from({ length: 200 }, (_, line) => `${line}\n`).join(""));
  });
});
