import { startRecord } from "../record.ts";

export default startRecord;
