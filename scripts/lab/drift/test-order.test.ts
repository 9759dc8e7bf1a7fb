import { describe, expect, it } from "vitest";
import type { Mutant } from "./mutant.ts";
import { Reach } from "./reach.ts";
import { TestOrder } from "./test-order.ts";

const files: Readonly<Record<string, string>> = {
  "server/main.ts": 'import { app } from "./app.ts";',
  "server/app.ts": 'import type { A } from "./a.ts"; // see ./other.ts',
  "server/a.ts": "",
  "server/other.ts": 'const path = "server/a.ts";',
  "server/app.test.ts": 'import { app } from "./app.ts";',
  "server/a.test.ts": 'import "./a.ts";',
  "server/testing/program.ts": 'const main = new URL("../main.ts", import.meta.url);',
  "scripts/start.test.ts": 'import { start } from "../server/testing/program.ts";',
  "scripts/all.test.ts": 'globSync("server/**/*.ts");',
  "scripts/other.test.ts": 'import "../server/other.ts";',
  "scripts/lab/drift/own.test.ts": 'import "../../../server/a.ts";',
};
const reach = new Reach(Object.keys(files), (file) => files[file] ?? "");
const seconds = {
  "server/app.test.ts": 1,
  "server/a.test.ts": 1,
  "scripts/start.test.ts": 5,
  "scripts/all.test.ts": 9,
  "scripts/other.test.ts": 1,
  "scripts/lab/drift/own.test.ts": 1,
};
const mutant: Mutant = { id: "m", kind: "server", operator: "o", title: "", file: "server/a.ts", text: "" };

describe("what a test leads to", () => {
  it("is what it imports, the programs that it starts, and all that it names a folder of", () => {
    const leading = Object.keys(seconds).filter((test) => reach.from(test).has("server/a.ts"));
    expect(leading).toEqual([
      "server/app.test.ts",
      "server/a.test.ts",
      "scripts/start.test.ts",
      "scripts/all.test.ts",
      "scripts/lab/drift/own.test.ts",
    ]);
  });
});

describe("the order of the tests", () => {
  it("has first what stands beside the change, then what is near and quick, and last what is not known to lead to it", () => {
    const order = new TestOrder(seconds, reach);
    expect(order.for(mutant, ["server/a.ts"])).toEqual([
      "server/a.test.ts",
      "server/app.test.ts",
      "scripts/start.test.ts",
      "scripts/all.test.ts",
      "scripts/other.test.ts",
    ]);
  });

  it("learns what has killed the like", () => {
    const order = new TestOrder(seconds, reach);
    for (let count = 0; count < 20; count += 1)
      order.killed({ ...mutant, operator: "other" }, "scripts/all.test.ts");
    expect(order.for(mutant, ["server/a.ts"])[0]).toBe("scripts/all.test.ts");
  });

  it("has every test but those of the changes themselves where none is known to lead to the change", () => {
    const order = new TestOrder(seconds, reach);
    expect(order.for({ ...mutant, file: "docs/a.md" }, ["docs/a.md"]).toSorted()).toEqual(
      Object.keys(seconds)
        .filter((test) => !test.startsWith("scripts/lab/drift/"))
        .toSorted(),
    );
  });
});
