/**
 * The debugger stops where a line of the sources says: each launch configuration, by the protocol that editors speak
 * (https://chromedevtools.github.io/devtools-protocol/v8/Debugger/).
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { SourceMap } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { goesOn } from "../coverage/record.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "debugger-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Configuration {
  readonly name: string;
  readonly runtimeExecutable?: string;
  readonly program?: string;
  readonly args?: readonly string[];
}
const { configurations }: { configurations: readonly Configuration[] } = JSON.parse(
  readFileSync(join(root, ".vscode/launch.json"), "utf8"),
);

interface Script {
  readonly scriptId: string;
  readonly url: string;
  readonly sourceMapURL?: string;
}

interface Paused {
  readonly hitBreakpoints?: readonly string[];
  readonly callFrames: readonly {
    readonly location: { readonly scriptId: string; readonly lineNumber: number };
  }[];
}

class Session implements Disposable {
  readonly scripts = new Map<string, Script>();
  readonly #socket: WebSocket;
  readonly #answers: ((result: { breakpointId?: string }) => void)[] = [];
  readonly #stops: Paused[] = [];
  #stopped: () => void = () => {};

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => this.#hear(JSON.parse(String(data))));
  }

  send(method: string, params: object = {}): Promise<{ breakpointId?: string }> {
    const id = this.#answers.length;
    this.#socket.send(JSON.stringify({ id, method, params }));
    return new Promise((done) => this.#answers.push(done));
  }

  async stop(): Promise<Paused> {
    for (;;) {
      const stop = this.#stops.shift();
      if (stop !== undefined) return stop;
      await new Promise<void>((done) => {
        this.#stopped = done;
      });
    }
  }

  [Symbol.dispose](): void {
    this.#socket.close();
  }

  #hear(message: {
    id?: number;
    result?: { breakpointId?: string };
    method?: string;
    params?: unknown;
  }): void {
    if (message.id !== undefined) this.#answers[message.id]?.(message.result ?? {});
    if (message.method === "Debugger.scriptParsed") {
      const script = message.params as Script;
      this.scripts.set(script.scriptId, script);
    }
    if (message.method !== "Debugger.paused") return;
    this.#stops.push(message.params as Paused);
    this.#stopped();
  }
}

/** Undefined where a script runs as it is written. */
function mapOf({ sourceMapURL = "" }: Script): SourceMap | undefined {
  const [, map] = /^data:application\/json;.*?base64,(.*)$/.exec(sourceMapURL) ?? [];
  return map === undefined
    ? undefined
    : new SourceMap(JSON.parse(Buffer.from(map, "base64").toString("utf8")));
}

/** The line of a source that a line of a script is of, both counted from 0. */
function sourceLine(script: Script, line: number): number | undefined {
  const map = mapOf(script);
  if (map === undefined) return line;
  // The last that the line holds.
  const entry = map.findEntry(line, 10_000);
  return "originalLine" in entry ? entry.originalLine : undefined;
}

let child: ChildProcess | undefined;
afterEach(async () => {
  if (child === undefined || child.exitCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "close");
});

/** Where a program stops whose debugger was told of one line of a source, as `url:line`. */
async function stopIn(command: readonly string[], url: string, line: number): Promise<string> {
  const [program = "", ...args] = command;
  const env = {
    PATH: process.env.PATH,
    PORT: "0",
    DATABASE_URL: `file:${folder}/commerce.db`,
    // A run of tests in the checkout, during this one.
    [goesOn]: "true",
  };
  const started = spawn(program, args, { cwd: root, env });
  child = started;
  const address = await new Promise<string>((done, fail) => {
    let said = "";
    for (const stream of [started.stdout, started.stderr])
      stream.on("data", (data: Buffer) => {
        said += data.toString("utf8");
        const [found] = /ws:\/\/\S+(?=\s)/.exec(said) ?? [];
        if (found !== undefined) done(found);
      });
    started.once("close", () => fail(new Error(said)));
  });
  const socket = new WebSocket(address);
  await once(socket, "open");
  using session = new Session(socket);
  await session.send("Debugger.enable");
  // Before any of it runs, a script that was changed on its way is known by its map.
  const instrumentation = "beforeScriptWithSourceMapExecution";
  await session.send("Debugger.setInstrumentationBreakpoint", { instrumentation });
  let { breakpointId } = await session.send("Debugger.setBreakpointByUrl", { url, lineNumber: line - 1 });
  await session.send("Runtime.runIfWaitingForDebugger");
  for (;;) {
    const { hitBreakpoints = [], callFrames } = await session.stop();
    const location = callFrames[0]?.location;
    const script = session.scripts.get(location?.scriptId ?? "");
    if (
      script !== undefined &&
      location !== undefined &&
      breakpointId !== undefined &&
      hitBreakpoints.includes(breakpointId)
    )
      return `${script.url}:${(sourceLine(script, location.lineNumber) ?? Number.NaN) + 1}`;
    if (script?.url === url && mapOf(script) !== undefined) {
      await session.send("Debugger.removeBreakpoint", { breakpointId });
      const lines = Array.from({ length: 2000 }, (_, lineNumber) => lineNumber);
      const lineNumber = lines.find((each) => sourceLine(script, each) === line - 1);
      ({ breakpointId } = await session.send("Debugger.setBreakpointByUrl", { url, lineNumber }));
    }
    await session.send("Debugger.resume");
  }
}

/** As Visual Studio Code fills the variables in. */
function commandOf(name: string, file: string): { readonly runtime: string; readonly rest: string[] } {
  const {
    runtimeExecutable = "",
    program = "",
    args = [],
  } = configurations.find((each) => each.name === name) ?? {};
  const known: Readonly<Record<string, string>> = {
    workspaceFolder: root.replace(/\/$/, ""),
    file: join(root, file),
    relativeFile: file,
  };
  const [runtime = "", ...rest] = [runtimeExecutable, program, ...args].map((part) =>
    part.replaceAll(/\$\{(\w+)\}/g, (variable, each: string) => known[each] ?? variable),
  );
  return { runtime, rest };
}

/** The place of a source's line that holds a text. */
function placeOf(file: string, text: string): { readonly url: string; readonly line: number } {
  const lines = readFileSync(join(root, file), "utf8").split("\n");
  return {
    url: pathToFileURL(join(root, file)).href,
    line: lines.findIndex((each) => each.includes(text)) + 1,
  };
}

describe("a breakpoint is hit at its line", () => {
  it.each([
    ["server", "server/serve.ts", "const config = readConfig(process.env)", []],
    ["server", "server/config.ts", "const config = Object.freeze(values)", []],
    ["this script", "scripts/command.ts", "process.stdout.write(help)", ["--help"]],
  ])("of %s, in %s, which runs as it is", async (name, file, text, args) => {
    const { url, line } = placeOf(file, text);
    const { runtime, rest } = commandOf(name, "scripts/diff.ts");
    expect(await stopIn([runtime, "--inspect-brk=127.0.0.1:0", ...rest, ...args], url, line)).toBe(
      `${url}:${line}`,
    );
  });

  it.each([
    ["server/domain/totp.test.ts", "expect(matchTotp(secret, code, seconds"],
    ["server/domain/totp.ts", "if (!/^[0-9]{6}$/.test(code)) return undefined;"],
  ])("of this test file, in %s, which the tests' runner changes", async (file, text) => {
    const { url, line } = placeOf(file, text);
    const { runtime, rest } = commandOf("this test file", "server/domain/totp.test.ts");
    // An editor attaches itself to the process that runs the test; here the runner opens it.
    expect(await stopIn([runtime, ...rest, "--inspect-brk=127.0.0.1:0"], url, line)).toBe(`${url}:${line}`);
  });
});
