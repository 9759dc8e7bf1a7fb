/** Arbitraries of fast-check that always end. */
import fc from "fast-check";
import type { Json } from "../../openapi/document.ts";
import type { OperationTime } from "../time-budget.ts";

export type JsonArbitrary = fc.Arbitrary<Json>;

/** The maximum number of random choices for one value. A filter chooses again for each value that it rejects. */
const mostDraws = 200_000;

/** Thrown if no value was found within the limit, so a filter rejects all values or almost all. */
export class NoValueFoundError extends Error {}

/** Returns values, or none if they need too many random choices. */
export function sample<Value>(
  values: fc.Arbitrary<Value>,
  { seed, numRuns }: { readonly seed: number; readonly numRuns: number },
): Value[] {
  try {
    return fc.sample(values, { seed, numRuns });
  } catch (error) {
    if (error instanceof NoValueFoundError) return [];
    throw error;
  }
}

/** Makes the arbitrary when the first value is needed, because a recursive schema has arbitraries without end. */
export function later(make: () => JsonArbitrary): JsonArbitrary {
  return new Delegate(make, (random) => random);
}

/** Measures the time in which values are made. When it is over, values are not made smaller. */
export function measured<Value>(values: fc.Arbitrary<Value>, time: OperationTime): fc.Arbitrary<Value> {
  return new Delegate(
    () => values,
    (random) => random,
    (make) => time.measure(make),
    (smaller) => fc.stream(valuesWithin(time, smaller)),
  );
}

function* valuesWithin<Value>(time: OperationTime, values: fc.Stream<Value>): IterableIterator<Value> {
  while (!time.isOver) {
    const next = time.measure(() => values.next());
    if (next.done) return;
    yield next.value;
  }
}

/** @throws NoValueFoundError from `generate`, if a value needs too many random choices */
export function bounded(values: JsonArbitrary, most = mostDraws): JsonArbitrary {
  return new Delegate(
    () => values,
    (random) => counted(random, most),
  );
}

type Around<Value> = (make: () => fc.Value<Value>) => fc.Value<Value>;

type Limit<Value> = (smaller: fc.Stream<fc.Value<Value>>) => fc.Stream<fc.Value<Value>>;

class Delegate<Value> extends fc.Arbitrary<Value> {
  readonly #make: () => fc.Arbitrary<Value>;
  readonly #adapt: (random: fc.Random) => fc.Random;
  readonly #around: Around<Value>;
  readonly #limit: Limit<Value>;
  #made: fc.Arbitrary<Value> | undefined;

  constructor(
    make: () => fc.Arbitrary<Value>,
    adapt: (random: fc.Random) => fc.Random,
    around: Around<Value> = (generate) => generate(),
    limit: Limit<Value> = (smaller) => smaller,
  ) {
    super();
    this.#make = make;
    this.#adapt = adapt;
    this.#around = around;
    this.#limit = limit;
  }

  get #values(): fc.Arbitrary<Value> {
    this.#made ??= this.#make();
    return this.#made;
  }

  generate(random: fc.Random, biasFactor: number | undefined): fc.Value<Value> {
    return this.#around(() => this.#values.generate(this.#adapt(random), biasFactor));
  }

  canShrinkWithoutContext(value: unknown): value is Value {
    return this.#values.canShrinkWithoutContext(value);
  }

  shrink(value: Value, context: unknown): fc.Stream<fc.Value<Value>> {
    return this.#limit(this.#values.shrink(value, context));
  }
}

function counted(random: fc.Random, most: number): fc.Random {
  let draws = 0;
  return new Proxy(random, {
    get(target, name) {
      const member = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...choice: unknown[]) => {
        draws += 1;
        if (draws > most) throw new NoValueFoundError(`no value was found with ${most} random choices`);
        return Reflect.apply(member, target, choice);
      };
    },
  });
}
