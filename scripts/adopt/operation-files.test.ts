import ts from "typescript";
import { describe, expect, it } from "vitest";
import { operationFiles } from "./operation-files.ts";

const get = { method: "GET", path: "/" };

describe("an operation", () => {
  it("has a file with its name, which contains a typed function to complete", () => {
    const files = operationFiles({ listMuseumHours: { method: "GET", path: "/hours/*/now" } });
    expect(Object.fromEntries(files)).toEqual({
      "server/operations/list-museum-hours.ts": `/** GET /hours/*\\/now */
import { NotImplemented } from "../contract/request.ts";
import { handler } from "../principal.ts";

export const listMuseumHours = handler("listMuseumHours", async () => {
  throw new NotImplemented();
});
`,
      "server/handlers.ts": `/** The handler of every operation in the spec. */
import type { Handlers } from "./contract/handlers.ts";
import { listMuseumHours } from "./operations/list-museum-hours.ts";
import type { CallContext } from "./principal.ts";

export const handlers = {
  listMuseumHours,
} satisfies Handlers<CallContext>;
`,
    });
  });

  it("has its own file, even if names are similar", () => {
    const names = [...operationFiles({ getURL: get, getUrl: get, get_url: get, $: get, _: get }).keys()];
    expect(names).toEqual([
      "server/operations/get-url.ts",
      "server/operations/get-url-2.ts",
      "server/operations/get-url-3.ts",
      "server/operations/operation.ts",
      "server/operations/operation-2.ts",
      "server/handlers.ts",
    ]);
  });

  it.each(["delete", "await", "package", "handler", "handlers", "CallContext"])(
    "can have the name %s, which a variable cannot have",
    (id) => {
      const table = operationFiles({ [id]: get }).get("server/handlers.ts") ?? "";
      expect(table).toContain(`  ${id}: ${id}_,\n`);
    },
  );

  it("has files with valid code", () => {
    const files = operationFiles({ delete: get, getURL: get, [`x${"y".repeat(300)}`]: get });
    for (const [path, text] of files) {
      const { diagnostics } = ts.transpileModule(text, { reportDiagnostics: true, fileName: path });
      expect({ path, diagnostics }).toEqual({ path, diagnostics: [] });
      expect(path.length).toBeLessThan(150);
    }
  });
});
