/** What your handlers need to succeed in server/behaviour/conformance.test.ts, by operation. */
import type { ServiceUnderTest } from "../../scripts/toolkit/conformance/service-under-test.ts";

export const records: Pick<ServiceUnderTest, "setUp" | "known" | "settle"> = {
  // A function that makes a record and returns the parameters that find it, such as
  // `getBook: async () => ({ "path /id": (await addBook()).id })`.
  setUp: {},
  // Parameters that find a record that always exists, such as `getBook: { "path /id": 1 }`.
  known: {},
  // Functions that change a valid body so that it follows rules that the document does not state.
  settle: {},
};
