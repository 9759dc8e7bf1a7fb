/** What the parts of the wire verdict share: two places held against each other, and a way to say what is different. */
import type { Change, Impact } from "./changes.ts";
import type { Place } from "./facts.ts";

/** Where a value stands in the two documents; a place without a value is absent. */
export interface Pair {
  readonly old: Place;
  readonly now: Place;
}

/** Says what is different at a place. `subject` is what stands there, in the newer document unless it is gone. */
export type Report = (
  impact: Impact,
  subject: Place,
  message: string,
  meaning: string,
  side: Change["side"],
) => void;
