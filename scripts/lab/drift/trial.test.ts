import { expect, it } from "vitest";
import { reasonIn } from "./trial.ts";

it.each([
  ["[1] spec/openapi.yaml:3:4 at #/a\n", "[1] spec/openapi.yaml:3:4 at #/a"],
  [
    "> gate\n\u001B[31m/copy/server/a.ts(1,2): error TS2322: No.\u001B[0m\n",
    "server/a.ts(1,2): error TS2322: No.",
  ],
  [" FAIL  unit  server/a.test.ts > it works ━━━\n", "FAIL unit server/a.test.ts > it works"],
  ["\n", "no output"],
])("the reason is the line of %j that has the error", (output, reason) => {
  expect(reasonIn(output, "/copy")).toBe(reason);
});
