/** Shows on a terminal what a long run is at, on one line that is gone when the run ends. */
export interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

interface Choices {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** In milliseconds. */
  readonly clock?: () => number;
}

/** Goes to the line's start and clears it. */
const clearLine = "\r\u001B[2K";
/** A run that ends within this time shows nothing. */
const silentMs = 1000;

export class Progress {
  readonly #terminal: Terminal | undefined;
  readonly #clock: () => number;
  readonly #start: number;
  #isLong = false;
  #isShown = false;

  /** Where there is no terminal that can rewrite a line, nothing is ever shown. */
  constructor(terminal: Terminal, { env = process.env, clock = () => performance.now() }: Choices = {}) {
    const canRewrite = terminal.isTTY === true && !env.CI && env.TERM !== "dumb";
    this.#terminal = canRewrite ? terminal : undefined;
    this.#clock = clock;
    this.#start = clock();
  }

  /** The run is known to be long: stages are shown from now on, for nothing can be shown while one is at work. */
  expectLong(): void {
    this.#isLong = true;
  }

  stage(name: string): void {
    if (!this.#isLong && this.#clock() - this.#start < silentMs) return;
    this.#isShown = true;
    this.#terminal?.write(`${clearLine}${name} …`);
  }

  /** Leaves no trace. */
  end(): void {
    if (this.#isShown) this.#terminal?.write(clearLine);
    this.#isShown = false;
  }
}
