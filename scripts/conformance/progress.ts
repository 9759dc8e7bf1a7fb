/** Shows on a terminal what a long run is doing, on one line that is gone when the run ends. */
export interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Moves to the start of the line and clears it. */
const clearLine = "\r\u001B[2K";

export class Progress {
  readonly #terminal: Terminal | undefined;

  /** Shows nothing if the terminal cannot rewrite a line. */
  constructor(terminal: Terminal) {
    const canRewrite = terminal.isTTY === true && !process.env.CI && process.env.TERM !== "dumb";
    this.#terminal = canRewrite ? terminal : undefined;
  }

  stage(name: string): void {
    this.#terminal?.write(`${clearLine}${name} …`);
  }

  end(): void {
    this.#terminal?.write(clearLine);
  }
}
