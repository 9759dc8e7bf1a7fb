/** Ends the process when a signal arrives. npm sends each signal from the terminal twice. */
export function onSignal(stop: () => Promise<void>): void {
  let isEnding = false;
  const end = async (): Promise<void> => {
    if (isEnding) return;
    isEnding = true;
    await stop();
    process.exit(0);
  };
  process.on("SIGINT", end).on("SIGTERM", end);
}
