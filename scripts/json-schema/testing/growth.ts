/**
 * How many times longer a run takes if its size is eight times as large: about 8 if the time is linear, and 64 if it is
 * quadratic. Each time is the least of several, because other processes may interrupt a run.
 */
export function growth(run: (size: number) => void, size: number): number {
  const least = (of: number) =>
    Math.min(
      ...Array.from({ length: 5 }, () => {
        const start = performance.now();
        run(of);
        return performance.now() - start;
      }),
    );
  // The first runs are slower, because the code is compiled.
  least(size);
  return least(8 * size) / least(size);
}
