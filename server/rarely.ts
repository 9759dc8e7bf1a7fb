/** Keeps a fault that repeats itself from filling the log. */

const everyMs = 60_000;

/**
 * Passes on the first report, and from then on one a minute at most.
 * @param tell is told how many reports it stands for
 * @param now in milliseconds, of a clock that is never set
 */
export function rarely<Report>(
  tell: (report: Report, count: number) => void,
  now: () => number = () => performance.now(),
): (report: Report) => void {
  let toldAt = Number.NEGATIVE_INFINITY;
  let count = 0;
  return (report) => {
    count += 1;
    if (now() - toldAt < everyMs) return;
    const told = count;
    toldAt = now();
    count = 0;
    tell(report, told);
  };
}
