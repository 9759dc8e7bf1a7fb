/** Self-clocked fair queueing (Golestani, INFOCOM 1994) with a clock for each level. No caller waits forever. */

export type FairQueue<Item> = {
  /** @param costs the cost of a turn at each level, 1 by default. With cost 4, turns come a quarter as often as with cost 1 */
  add(item: Item, path: readonly string[], costs: readonly number[]): Entry<Item>;
  take(): Item | undefined;
  /** Takes the newest item of the caller with the most entries. Each level multiplies entries by their cost. */
  takeFromFullest(): Item | undefined;
  remove(entry: Entry<Item>): void;
  readonly size: number;
};

export type Entry<Item> = { readonly item: Item; readonly flows: readonly Flow[] };

type Flow = {
  readonly key: string;
  readonly parent: Pick<Flow, "clock">;
  readonly cost: number;
  waiting: number;
  /** The time of the flow's next turn, on the clock of its parent. */
  due: number;
  clock: number;
};

export function fairQueue<Item>(): FairQueue<Item> {
  const root = { clock: 0 };
  const flows = new Map<string, Flow>();
  const entries = new Set<Entry<Item>>();

  function flowsAlong(path: readonly string[], costs: readonly number[]): Flow[] {
    const along: Flow[] = [];
    for (const level of path.keys()) {
      const key = JSON.stringify(path.slice(0, level + 1));
      const parent = along.at(-1) ?? root;
      const cost = costs[level] ?? 1;
      // The first turn costs half, so a new flow comes before flows that have just had a turn.
      const due = parent.clock + cost / 2;
      const flow = flows.get(key) ?? { key, parent, cost, waiting: 0, due, clock: 0 };
      flows.set(key, flow);
      along.push(flow);
    }
    return along;
  }

  function remove(entry: Entry<Item>): void {
    if (!entries.delete(entry)) return;
    for (const flow of entry.flows) {
      flow.waiting -= 1;
      if (flow.waiting === 0) flows.delete(flow.key);
    }
  }

  function entriesUnder(isBetter: (flow: Flow, best: Flow) => boolean): Entry<Item>[] {
    let candidates = [...entries];
    for (let level = 0; candidates[0]?.flows[level] !== undefined; level += 1) {
      const best = candidates
        .flatMap(({ flows }) => flows[level] ?? [])
        .reduce((best, flow) => (isBetter(flow, best) ? flow : best));
      candidates = candidates.filter(({ flows }) => flows[level] === best);
    }
    return candidates;
  }

  return {
    add(item, path, costs) {
      const entry = { item, flows: flowsAlong(path, costs) };
      for (const flow of entry.flows) flow.waiting += 1;
      entries.add(entry);
      return entry;
    },
    take() {
      const [first] = entriesUnder((flow, best) => flow.due < best.due);
      if (first === undefined) return undefined;
      for (const flow of first.flows) {
        flow.parent.clock = flow.due;
        flow.due += flow.cost;
      }
      remove(first);
      return first.item;
    },
    takeFromFullest() {
      const newest = entriesUnder((flow, best) => flow.waiting * flow.cost >= best.waiting * best.cost).at(
        -1,
      );
      if (newest !== undefined) remove(newest);
      return newest?.item;
    },
    remove,
    get size() {
      return entries.size;
    },
  };
}
