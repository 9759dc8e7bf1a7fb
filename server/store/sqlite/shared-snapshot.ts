/**
 * Lets all reads of one turn of the event loop share one transaction: to begin and to end one is two system calls each,
 * which cost more than a look-up does. A request that begins after a commit is read in a later turn than that, and sees it.
 */
import type { DatabaseSync } from "node:sqlite";

export type SharedSnapshot = {
  /** Before a read: what it sees is what was committed when the first read of this turn began. */
  enter(): void;
  /** Before a write, and before the database is let go. */
  leave(): void;
};

export function shareSnapshots(db: DatabaseSync): SharedSnapshot {
  const begin = db.prepare("BEGIN");
  const rollback = db.prepare("ROLLBACK");
  let isOpen = false;

  function leave(): void {
    if (!isOpen) return;
    isOpen = false;
    // A fault of the disk ends a transaction by itself.
    if (db.isTransaction) rollback.run();
  }

  return {
    enter() {
      if (isOpen) return;
      begin.run();
      isOpen = true;
      setImmediate(leave);
    },
    leave,
  };
}
