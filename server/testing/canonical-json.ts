/** Compares the canonical JSON of random definitions with the output of a library. */
import canonicalize from "canonicalize";
import { type Definition, definitionHash } from "../domain/commissions.ts";
import { randomFrom } from "./random.ts";

/** Makes `count` random definitions. Returns those whose canonical JSON differs from the library's. */
export function differingFromLibrary(count: number): Definition[] {
  const random = randomFrom(8785);
  const differing: Definition[] = [];
  for (let index = 0; index < count; index += 1) {
    const given = randomDefinition(random);
    if (definitionHash(given).canonical !== canonicalize(given)) differing.push(given);
  }
  return differing;
}

/** Returns a valid definition with difficult values, such as control characters, surrogate pairs, -0 and 1e-7. */
function randomDefinition(random: () => number): Definition {
  const upTo = (count: number) => Math.floor(random() * count);
  const numbers = [0, -0, 1e21, 1e-7, 5e-324, Number.MAX_VALUE, 0.1 + 0.2];
  const number = () =>
    random() < 0.3 ? (numbers[upTo(numbers.length)] ?? 0) : (random() - 0.3) * 10 ** (upTo(40) - 20);
  const points = [() => upTo(0x20), () => upTo(0x80), () => upTo(0xd800), () => 0x1_0000 + upTo(0x10_0000)];
  const text = () =>
    Array.from({ length: upTo(8) }, () => String.fromCodePoint(points[upTo(4)]?.() ?? 0)).join("");
  const some = <Item>(make: () => Item) => Array.from({ length: upTo(4) }, make);
  const rule = (): Definition["commission_data"][number] =>
    random() < 0.5
      ? { type: 1, fixed_value: number(), category: some(number) }
      : {
          slab_value: some(() => ({ value: number(), to: number(), from: number() })),
          category: [],
          type: 2,
        };
  return {
    type: text(),
    title: text(),
    commission_data: some(rule),
    active: random() < 0.5,
    default_value: number(),
  };
}
