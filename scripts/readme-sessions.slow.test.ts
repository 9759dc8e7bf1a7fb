/** Checks that the commands in the README print what the README shows. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { asShown, Console, exchangesOf } from "./testing/console.ts";
import { snippetsOf } from "./testing/snippets.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const [start, ...exchanges] = exchangesOf(readme);
const [program] = snippetsOf(readme);
const [, edit = ""] = /^```diff\n(.*?)^```$/ms.exec(readme) ?? [];

let console: Console;
beforeAll(async () => {
  console = new Console({ PORT: "0", DATABASE_URL: "file:commerce.db" });
  await console.run("git init -q && git add spec && git -c user.name=A -c user.email=a@b.test commit -qm A");
  // The packages are already installed.
  const command = start?.command.replace("npm ci && ", "") ?? "";
  await console.serve(command, start?.shown ?? "");
});
afterAll(() => console[Symbol.asyncDispose]());

it("shows a shell session for each way to use the project, and an edit of the spec", () => {
  expect(start?.command).toBe("npm ci && npm start");
  expect(exchanges.length).toBeGreaterThan(6);
  expect(edit).toContain("spec/openapi.yaml");
});

it("shows the real output of the program that uses the client", async () => {
  writeFileSync(join(console.folder, "program.ts"), console.asPasted(program?.text ?? ""));
  expect(await console.run("API_KEY=sk_… node program.ts")).toBe(program?.prints);
});

it.each(exchanges.map(({ command, shown }, index) => [index + 1, command, shown] as const))(
  "shows the real output of command %i: %s",
  async (_, command, shown) => {
    if (command === "npm run -s generate") await console.run(`git apply - <<'END'\n${edit}END`);
    const printed = await console.run(command);
    const [, tenant] = /^Created tenant .*: (.*)$/m.exec(printed) ?? [];
    if (tenant !== undefined) console.pasted.set("--tenant ID", `--tenant ${tenant}`);
    expect(asShown(printed, shown)).toBe(shown);
  },
);
