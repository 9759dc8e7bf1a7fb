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
    const limitMs = this.#leftMs / Math.max(1, this.#operations);
    this.#operations -= 1;
    return new OperationTime(limitMs, (ms) => {
      this.#leftMs -= ms;
    });
  }
}

export class OperationTime {
  readonly limitMs: number;
  readonly #spend: (ms: number) => void;
  #usedMs = 0;

  constructor(limitMs: number, spend: (ms: number) => void) {
    this.limitMs = limitMs;
    this.#spend = spend;
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
