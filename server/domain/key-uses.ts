/**
 * Collects the last use of each API key, so that a request causes no write. The first use is written at once,
 * and after that all uses of a minute together.
 */
import type { ApiKeyStore } from "../store/store.ts";

export interface KeyUses {
  note(id: string, at: number): void;
  /** Writes what is left. */
  stop(): Promise<void>;
}

const everyMs = 60_000;

/** @param onError gets the error of a failed write, which is repeated with the next one */
export function createKeyUses(
  { apiKeys }: { apiKeys: Pick<ApiKeyStore, "noteUses"> },
  { onError }: { onError: (error: unknown) => void },
): KeyUses {
  let uses = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let writtenAt = Number.NEGATIVE_INFINITY;

  function writeLater(): NodeJS.Timeout {
    return setTimeout(write, Math.max(0, writtenAt + everyMs - performance.now())).unref();
  }

  async function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (uses.size === 0) return;
    const written = uses;
    uses = new Map();
    writtenAt = performance.now();
    try {
      await apiKeys.noteUses(written);
    } catch (error) {
      uses = new Map([...written, ...uses]);
      onError(error);
    }
  }

  return {
    note(id, at) {
      uses.set(id, at);
      timer ??= writeLater();
    },
    stop: write,
  };
}
