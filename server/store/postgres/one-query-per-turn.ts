/**
 * A look-up that is called while a query runs waits for the end of its turn of the event loop. All look-ups that wait
 * share one query. It starts after they were called, so each of them sees everything that was committed before its call.
 *
 * @param rowsOf reads one key. PostgreSQL reuses its plan, but plans `rowsOfAll` again for each query
 */
export function oneQueryPerTurn<Row>(
  rowsOf: (key: string) => Promise<Row[]>,
  rowsOfAll: (keys: string[]) => Promise<Row[]>,
  keyOf: (row: Row) => string,
): (key: string) => Promise<Row | undefined> {
  let running = 0;
  let next: { readonly keys: Set<string>; readonly rows: Promise<Row[]> } | undefined;

  async function read(keys: ReadonlySet<string>): Promise<Row[]> {
    running += 1;
    try {
      const [first, ...others] = keys;
      return await (first !== undefined && others.length === 0 ? rowsOf(first) : rowsOfAll([...keys]));
    } finally {
      running -= 1;
    }
  }

  async function readAfterTurn(keys: ReadonlySet<string>): Promise<Row[]> {
    await new Promise((resolve) => setImmediate(resolve));
    next = undefined;
    return read(keys);
  }

  return async (key) => {
    let rows: Promise<Row[]>;
    if (running === 0) rows = read(new Set([key]));
    else {
      if (next === undefined) {
        const keys = new Set<string>();
        next = { keys, rows: readAfterTurn(keys) };
      }
      next.keys.add(key);
      rows = next.rows;
    }
    return (await rows).find((row) => keyOf(row) === key);
  };
}
