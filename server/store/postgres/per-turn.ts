/** The longest time for which a query waits for other calls. */
const gatherMs = 1;

/**
 * Returns a function whose calls share queries. A query starts after the first turn of the event loop that brings no
 * other call. At most `most` queries run at the same time. While they do, calls wait for the next query. A query starts
 * after all calls that share it, so each of them sees everything that was committed before its call.
 *
 * @param onWaiting is called with the result for which calls begin to wait
 * @param now a monotonic clock in milliseconds
 */
export function perTurn<Item, Result>(
  most: number,
  query: (items: readonly Item[]) => Promise<Result>,
  onWaiting: (result: Promise<Result>) => void,
  now: () => number = () => performance.now(),
): (item: Item) => Promise<Result> {
  let running = 0;
  let next: (PromiseWithResolvers<Result> & { readonly items: Item[] }) | undefined;

  function start(): void {
    if (next === undefined || running === most) return;
    const { items, resolve, reject } = next;
    next = undefined;
    running += 1;
    const end = (): void => {
      running -= 1;
      gather();
    };
    query(items).then(resolve, reject).then(end);
  }

  /** An additional turn takes much less time than an additional query. */
  function gather(until = now() + gatherMs): void {
    const before = next?.items.length;
    setImmediate(() => {
      if (next?.items.length === before || now() > until) start();
      else gather(until);
    });
  }

  return (item) => {
    if (next === undefined) {
      next = { ...Promise.withResolvers<Result>(), items: [] };
      onWaiting(next.promise);
      next.items.push(item);
      gather();
    } else next.items.push(item);
    return next.promise;
  };
}
