/** Begins the record of a run of the tests. */
import { startRecord } from "../record.ts";

export default startRecord;
