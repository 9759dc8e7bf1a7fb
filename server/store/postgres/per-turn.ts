/**
 * Returns a function whose calls in one turn of the event loop share a query. At most `most` queries run at the same
 * time. While they do, calls wait for the next query. A query starts after all calls that share it, so each of them
 * sees everything that was committed before its call.
 *
 * @param onWaiting is called with the result for which calls begin to wait
 */
export function perTurn<Item, Result>(
  most: number,
  query: (items: readonly Item[]) => Promise<Result>,
  onWaiting: (result: Promise<Result>) => void,
): (item: Item) => Promise<Result> {
  let running = 0;
  let next: (PromiseWithResolvers<Result> & { readonly items: Item[] }) | undefined;

  function start(): void {
    if (next === undefined || running === most) return;
    const { items, resolve, reject } = next;
    next = undefined;
    running += 1;
    // Starts the next query after the callers of this one have continued, because they may join it.
    const end = (): void => {
      running -= 1;
      process.nextTick(start);
    };
    query(items).then(resolve, reject).then(end);
  }

  return (item) => {
    if (next === undefined) {
      next = { ...Promise.withResolvers<Result>(), items: [] };
      onWaiting(next.promise);
      process.nextTick(start);
    }
    next.items.push(item);
    return next.promise;
  };
}
