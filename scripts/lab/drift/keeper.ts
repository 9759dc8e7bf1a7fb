/**
 * Owns what a run has outside the checkout: the folder of the copies and the processes that work in them. However the run
 * ends, even by SIGKILL, a process of its own that waits for that end kills the others and removes the folder.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What a process came to: its exit status, undefined where it took too long, and what it printed, errors first. */
export interface Ended {
  readonly status: number | undefined;
  readonly output: string;
}

export interface Command {
  /** For `sh`. */
  readonly line: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly limitMs: number;
}

export class Keeper {
  readonly folder: string;
  readonly #keeper: ChildProcess;
  readonly #groups = new Set<number>();
  #isOver = false;

  private constructor(folder: string, keeper: ChildProcess) {
    this.folder = folder;
    this.#keeper = keeper;
  }

  static async start(): Promise<Keeper> {
    const folder = await mkdtemp(join(tmpdir(), "drift-"));
    // A database of the tests may run as another user, who has to get through.
    await chmod(folder, 0o755);
    // It leads its own session: an interrupt from the terminal does not reach it. What has been killed may have keepers
    // of its own, which still clean up in the folder: hence the moment before it is removed.
    const script = `groups=" "
      while read -r sign group; do
        case $sign in
          +) groups="$groups$group " ;;
          -) groups=$(printf %s "$groups" | sed "s/ $group / /") ;;
        esac
      done
      for group in $groups; do kill -s KILL -- "-$group"; done
      [ "$groups" = " " ] || sleep 2
      for attempt in 1 2 3; do rm -rf "$1" && break; sleep 1; done`;
    const keeper = spawn("sh", ["-c", script, "sh", folder], {
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    });
    keeper.unref();
    return new Keeper(folder, keeper);
  }

  /**
   * Runs a command in a group of processes of its own, of which none outlives it. Never settles once the keeper's end
   * has begun: what a command says that was killed half-way is no verdict.
   */
  async run(command: Command): Promise<Ended> {
    const ended = this.#isOver ? never : await this.#run(command);
    return this.#isOver ? never : ended;
  }

  async #run({ line, cwd, env, limitMs }: Command): Promise<Ended> {
    const child = spawn("sh", ["-c", line], { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
    const { pid } = child;
    if (pid === undefined) {
      const [error] = await once(child, "error");
      throw error;
    }
    this.#groups.add(pid);
    this.#keeper.stdin?.write(`+ ${pid}\n`);
    const printed = { stderr: "", stdout: "" };
    for (const name of ["stderr", "stdout"] as const)
      child[name].setEncoding("utf8").on("data", (text: string) => {
        printed[name] += text;
      });
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      killGroup(pid);
    }, limitMs);
    // Not "close": what the command has left behind may hold its output open.
    const [status]: (number | null)[] = await once(child, "exit");
    clearTimeout(timer);
    killGroup(pid);
    await drained(child);
    this.#groups.delete(pid);
    this.#keeper.stdin?.write(`- ${pid}\n`);
    const output = `${printed.stderr}\n${printed.stdout}`;
    return { status: isLate ? undefined : (status ?? 1), output };
  }

  /** Kills what still runs and removes the folder. */
  async end(): Promise<void> {
    this.#isOver = true;
    for (const group of this.#groups) killGroup(group);
    this.#keeper.ref();
    const exited = once(this.#keeper, "exit");
    this.#keeper.stdin?.end();
    await exited;
  }
}

const never = new Promise<never>(() => {});

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // None of the group is left.
  }
}

/** Settles once everything that was printed has been read. */
async function drained(child: ChildProcess): Promise<void> {
  if (child.stdout?.closed !== true || child.stderr?.closed !== true) await once(child, "close");
}
