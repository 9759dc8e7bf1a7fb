/** Follows docs/webhooks.md in a copy of the tree: its files compile, and its commands print what it shows. */
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { delimiter, dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { asShown, Console, exchangesOf } from "./testing/console.ts";
import { typeErrors } from "./testing/type-errors.ts";

const root = resolve(import.meta.dirname, "..");
const page = readFileSync(join(root, "docs/webhooks.md"), "utf8");
const files = [...page.matchAll(/^`([\w./-]+)`:\n\n```\w+\n(.*?)^```$/gms)].map(
  ([, path = "", text = ""]) => ({ path, text }),
);
const exchanges = exchangesOf(page);

let console: Console;
beforeAll(async () => {
  console = new Console({
    PATH: [join(root, "node_modules/.bin"), process.env.PATH].join(delimiter),
    NO_COLOR: "1",
    PORT: "0",
  });
  for (const { path, text } of files) {
    await mkdir(dirname(join(console.folder, path)), { recursive: true });
    await writeFile(join(console.folder, path), text);
  }
});
afterAll(() => console[Symbol.asyncDispose]());

it("both sides have at most 40 lines", () => {
  expect(files.map(({ path }) => path)).toEqual([
    "shop/openapi.yaml",
    "shop/receive.ts",
    "shop/send.ts",
    "shop/serve.ts",
  ]);
  for (const { path, text } of files) expect([path, text.split("\n").length <= 41]).toEqual([path, true]);
});

it.each(exchanges.map((each) => [each.command, each] as const))(
  "`%s` prints what the page shows",
  async (_, each) => {
    const { command, shown } = each;
    const printed = command.startsWith("env ")
      ? await console.serve(command, shown)
      : await console.run(command);
    expect(asShown(printed, shown)).toBe(shown);
  },
);

it("a webhook or callback that does not match the document does not compile", async () => {
  const path = join(console.folder, "shop/wrong.ts");
  const lines = [
    'import { receiver } from "./generated/receiver.ts";',
    'import { sender } from "./generated/sender.ts";',
    "const send = sender({ allowUrl: () => true });",
    'send.newOrder({ url: "", body: { copies: 1 } });',
    'send.newOrder({ body: { title: "a" } });',
    'send.oldOrder({ url: "", body: { title: "a" } });',
    'receiver({ newOrder: () => ({ status: 200 }) }, { secret: "" });',
    'receiver({ oldOrder: () => ({ status: 204 }) }, { secret: "" });',
    'receiver({ newOrder: ({ body }) => ({ status: 204, headers: { a: body.pages } }) }, { secret: "" });',
    'receiver({ newOrder: ({ body }) => ({ status: 204, headers: { a: body.copies } }) }, { secret: "" });',
  ];
  await writeFile(path, lines.join("\n"));
  const sources = files.flatMap((each) =>
    each.path.endsWith(".ts") ? [join(console.folder, each.path)] : [],
  );
  const errors = typeErrors([path, ...sources], { types: ["node"] });
  expect(errors.map(({ file, line }) => `${file.replace(console.folder, "")}:${line}`)).toEqual(
    [4, 5, 6, 7, 8, 9].map((line) => `/shop/wrong.ts:${line}`),
  );
});
