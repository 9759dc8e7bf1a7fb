/** Limits the time in which the requests of all operations are made. */
export class MakingTime {
  #leftMs: number;
  #operations: number;

  constructor(totalMs: number, operations: number) {
    this.#leftMs = totalMs;
    this.#operations = operations;
  }

  /** Called once for each operation. An operation may use its share of the time that the earlier ones left. */
  share(): OperationTime {
    const limitMs = Math.max(0, this.#leftMs) / Math.max(1, this.#operations);
    this.#operations -= 1;
    return new OperationTime(
      limitMs,
      (ms) => {
        this.#leftMs -= ms;
      },
      () => this.#leftMs <= 0,
    );
  }
}

export class OperationTime {
  readonly limitMs: number;
  readonly #spend: (ms: number) => void;
  readonly #isAllUsed: () => boolean;
  #usedMs = 0;

  constructor(limitMs: number, spend: (ms: number) => void, isAllUsed: () => boolean) {
    this.limitMs = limitMs;
    this.#spend = spend;
    this.#isAllUsed = isAllUsed;
  }

  /** True if no time is left for any operation. */
  get isAllUsed(): boolean {
    return this.#isAllUsed();
  }

  get isOver(): boolean {
    return this.#usedMs >= this.limitMs;
  }

  measure<Result>(make: () => Result): Result {
    const start = performance.now();
    try {
      return make();
    } finally {
      const ms = performance.now() - start;
      this.#usedMs += ms;
      this.#spend(ms);
    }
  }
}
