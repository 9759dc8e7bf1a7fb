/** Begins the record of a run of the tests, unless the run goes on with what an earlier one has shown. */
import { goesOn, startRecord } from "../record.ts";

export default function setup(): void {
  if (process.env[goesOn] !== "true") startRecord();
}
