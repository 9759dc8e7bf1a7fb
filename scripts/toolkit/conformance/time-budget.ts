/** Limits the time in which the requests of all operations are made, or in which their responses are checked. */
export class TimeBudget {
  #leftMs: number;
  #operations: number;

  constructor(totalMs: number, operations: number) {
    this.#leftMs = totalMs;
    this.#operations = operations;
  }

  get isAllUsed(): boolean {
    return this.#leftMs <= 0;
  }

  /** Called once for each operation, which may use its share of the time that the earlier ones left. */
  share(): number {
    const limitMs = Math.max(0, this.#leftMs) / Math.max(1, this.#operations);
    this.#operations -= 1;
    return limitMs;
  }

  spend(ms: number): void {
    this.#leftMs -= ms;
  }
}

/** The time of one operation. Its limit is known when it is used for the first time. */
export class OperationTime {
  readonly #budget: TimeBudget;
  #limitMs: number | undefined;
  #usedMs = 0;
  #hasSkipped = false;

  constructor(budget = new TimeBudget(Infinity, 1)) {
    this.#budget = budget;
  }

  get limitMs(): number {
    this.#limitMs ??= this.#budget.share();
    return this.#limitMs;
  }

  /** True if no time is left for any operation. */
  get isAllUsed(): boolean {
    return this.#budget.isAllUsed;
  }

  get isOver(): boolean {
    return this.#usedMs >= this.limitMs;
  }

  /** True if work was skipped because the time was over. */
  get hasSkipped(): boolean {
    return this.#hasSkipped;
  }

  /** Skips the work and returns undefined if the time is over. */
  measureOrSkip<Result>(work: () => Result): Result | undefined {
    this.#hasSkipped ||= this.isOver;
    return this.isOver ? undefined : this.measure(work);
  }

  measure<Result>(work: () => Result): Result {
    const start = performance.now();
    try {
      return work();
    } finally {
      const ms = performance.now() - start;
      this.#usedMs += ms;
      this.#budget.spend(ms);
    }
  }
}
