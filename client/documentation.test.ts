import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { snippetsOf } from "../scripts/testing/snippets.ts";
import { startService, type TestService } from "../server/testing/service.ts";
import * as index from "./index.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = readFileSync(join(root, "docs/client.md"), "utf8");
const readme = readFileSync(join(root, "client/README.md"), "utf8");
const snippets = [...snippetsOf(page), ...snippetsOf(readme)];

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

/** Returns the first column of the table below a heading. */
function namesBelow(heading: string): string[] {
  const [, section = ""] = page.split(`\n## ${heading}\n`);
  return [...(section.split("\n## ")[0] ?? "").matchAll(/^\| `(\w+)`/gm)].map(([, name = ""]) => name);
}

describe("docs/client.md", () => {
  it("lists exactly the options that exist", () => {
    // The service's spec has a single API key, so its client does not have this option.
    const names = namesBelow("Options").filter((name) => name !== "credentials");
    const options = { baseUrl: service.url, apiKey: "pk_1", unknown: true };
    expect(() => index.createClient(options)).toThrow(new RegExp(`Use one of ${names.join(", ")}$`));
  });

  it("lists exactly the errors that a call can throw", () => {
    const errors = Object.entries(index)
      .filter(([, value]) => Object.getPrototypeOf(value) === index.CallError)
      .map(([name]) => name);
    expect(namesBelow("Errors").toSorted()).toEqual(errors.toSorted());
  });
});

describe("the code blocks", () => {
  it.each(snippets.map((snippet, index) => [index + 1, snippet] as const))(
    "of docs/client.md and the README run: number %i",
    async (_, { text: code, prints }) => {
      const { PATH, NODE_COMPILE_CACHE } = process.env;
      const { stdout, stderr } = await promisify(execFile)(
        process.execPath,
        ["--input-type=module-typescript", "--eval", code.replaceAll("http://127.0.0.1:3000", service.url)],
        { cwd: root, env: { PATH, NODE_COMPILE_CACHE, API_KEY: service.acme.secretKey } },
      );
      expect(stderr).toBe("");
      // The pages show the webhook of the demo tenant.
      const shown = stdout.replace("https://acme.test/hooks\n", "https://shop.test/hooks/orders\n");
      if (prints !== undefined) expect(shown).toBe(prints);
      expect(stdout === "" && !code.includes("validate:")).toBe(false);
    },
  );
});
