import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { send } from "../../../server/testing/http.ts";
import { copyTree } from "../../testing/copied-tree.ts";
import { Program } from "../../testing/program.ts";

let copy: string;
let dev: Program;

beforeAll(() => {
  copy = copyTree();
  const env = { PATH: process.env.PATH, PORT: "0", DATABASE_URL: `file:${copy}/dev.db` };
  dev = new Program([process.execPath, "scripts/dev.ts"], { cwd: copy, env });
});
afterAll(async () => {
  await dev.stop("SIGKILL");
  await rm(copy, { recursive: true, force: true });
});

const verdict = /^(?:ok|\d+ errors?) in .*\nserver .*\n/m;
const testsVerdict = /^(?:no type errors in tests and scripts|\d+ errors? in tests and scripts) in \d+ ms\n/m;
const serves = /^server runs this version on (\S+)\n/m;
const urlIn = (text: string): string => serves.exec(text)?.[1] ?? "";

async function change(file: string, edit: (text: string) => string): Promise<void> {
  const text = await readFile(join(copy, file), "utf8");
  const edited = edit(text);
  if (edited === text) throw new Error(`nothing to change in ${file}`);
  await writeFile(join(copy, file), edited);
}

const healthOf = async (url: string) => (await send(url, { method: "GET", path: "/healthz" })).status;
const renamed = (from: string, to: string) => (text: string) => text.replaceAll(from, to);

describe("npm run dev", () => {
  let url: string;

  it("starts the server if there are no errors, and prints no colours without a terminal", async () => {
    expect(await dev.next(verdict)).toMatch(
      /^generating and checking; press Ctrl-C to stop\nchecking types\nok in \d+ ms \(waiting \d+, generate \d+, types \d+\)\nserver restarts\n$/,
    );
    url = urlIn(await dev.next(serves));
    expect(await healthOf(url)).toBe(200);
    expect(await dev.next(testsVerdict)).toMatch(/^no type errors in tests and scripts in /m);
    expect(dev.output()).toContain("A demo tenant was created.");
    expect(dev.output()).not.toContain("\u001B");
  });

  it("shows the handler that renamed properties break, while the last version keeps running", async () => {
    await change("spec/openapi.yaml", (spec) =>
      spec.replaceAll("auth_key", "access_key").replaceAll("dial_code", "calling_code"),
    );
    const report = await dev.next(verdict);
    expect(report).toContain(
      "saved spec/openapi.yaml\nwrote generated/openapi.json, generated/openapi-3.1.json, generated/types.ts,",
    );
    expect(report).toMatch(
      /^errors in handler loginUser\n {2}server\/operations\/login-user\.ts:\d+:\d+ {2}`body\.data\.user\.key`: `access_key` is missing\n {4}required: \{/m,
    );
    expect(report).toMatch(/^\d errors? in \d+ ms .*\nserver keeps the last version without errors\n$/m);
    expect(await healthOf(url)).toBe(200);
  });

  it("shows later the calls in tests that a renamed property breaks", async () => {
    expect(await dev.next(testsVerdict)).toMatch(
      /^errors in tests and scripts\n[\s\S]*^ {2}client\/[\w/.-]+\.test\.ts:\d+:\d+ {2}`calling_code` is missing\n {4}required: \{/m,
    );
  });

  it("shows that the errors are fixed, and restarts the server", async () => {
    await change("spec/openapi.yaml", (spec) =>
      spec.replaceAll("access_key", "auth_key").replaceAll("calling_code", "dial_code"),
    );
    expect(await dev.next(verdict)).toMatch(/^ok in .*\nserver restarts\n$/m);
    const before = url;
    url = urlIn(await dev.next(serves));
    expect(await healthOf(url)).toBe(200);
    await expect(healthOf(before)).rejects.toThrow("ECONNREFUSED");
    expect(await dev.next(testsVerdict)).toMatch(/^no type errors in tests and scripts in /m);
  });

  it("shows the place of an OpenAPI error, and leaves the generated files unchanged", async () => {
    await change("spec/openapi.yaml", renamed("operationId: loginUser", "operationID: loginUser"));
    const report = await dev.next(verdict);
    expect(report).toMatch(
      /^the spec has \d+ errors?\n {2}spec\/openapi\.yaml:\d+:\d+ {2}`operationID` has no meaning here/m,
    );
    expect(report).toContain("\n  Handlers and calls are checked when the spec has no errors.\n");
    expect(report).not.toContain("wrote");
    expect(report).toMatch(/^server keeps the last version without errors\n/m);
  });

  it("shows the place that violates a lint rule, even if the saved file was replaced instead of written", async () => {
    const path = join(copy, "spec/openapi.yaml");
    const text = await readFile(path, "utf8");
    const edited = text
      .replace("operationID: loginUser", "operationId: loginUser")
      .replace("          description: Given name. Empty if the account has none.\n", "");
    await writeFile(`${path}.tmp`, edited);
    await rename(`${path}.tmp`, path);
    const report = await dev.next(verdict);
    expect(report).not.toContain("wrote");
    expect(report).toMatch(
      /^the spec has 1 error\n {2}spec\/openapi\.yaml:\d+:\d+ {2}Add a `description` that explains the property\. \[rule\/properties-are-described\]\n/m,
    );
    await change("spec/openapi.yaml", (spec) =>
      spec.replace("        first_name:\n", "        first_name:\n          description: Given name.\n"),
    );
    expect(await dev.next(verdict)).toMatch(/^ok in .*\nserver restarts\n$/m);
    url = urlIn(await dev.next(serves));
  });

  it("reports a missing spec, and does not suggest --spec, which it does not have", async () => {
    const path = join(copy, "spec/openapi.yaml");
    await rename(path, `${path}.bak`);
    expect(await dev.next(verdict)).toMatch(
      /^the spec has 1 error\n {2}spec\/openapi\.yaml {2}no such file; put it back\n/m,
    );
    await rename(`${path}.bak`, path);
    expect(await dev.next(verdict)).toMatch(/^ok in .*\nserver unchanged\n$/m);
  });

  it("applies changed lint rules immediately, without restarting the server", async () => {
    await change("spec/redocly.yaml", renamed("|login|", "|"));
    expect(await dev.next(verdict)).toMatch(
      /^saved spec\/redocly\.yaml\n\nthe spec has 1 error\n {2}spec\/openapi\.yaml:\d+:\d+ {2}Write an `operationId`/m,
    );
    await change("spec/redocly.yaml", renamed("|logout|", "|login|logout|"));
    expect(await dev.next(verdict)).toMatch(/^ok in .*\nserver unchanged\n$/m);
  });

  it("shows an error in a call of the client, and does not restart the server if its files are unchanged", async () => {
    const call =
      'import { createClient } from "./index.ts";\nvoid createClient({ baseUrl: "", apiKey: "" }).getWebhook();\n';
    await writeFile(join(copy, "client/caller.ts"), call);
    expect(await dev.next(verdict)).toMatch(
      /^saved client\/caller\.ts\n\nerrors in calls\n {2}client\/caller\.ts:2:48 {2}Expected 1 arguments, but got 0\.\n\n1 error in \d+ ms/m,
    );
    await rm(join(copy, "client/caller.ts"));
    expect(await dev.next(verdict)).toMatch(/^ok in \d+ ms \(waiting \d+, types \d+\)\nserver unchanged\n$/m);
    expect(await healthOf(url)).toBe(200);
  });

  it("shows an error in the generator's code, and uses the changed generator when it is fixed", async () => {
    await change(
      "scripts/toolkit/generate/source-text.ts",
      (text) => `throw new Error("half-written");\n${text}`,
    );
    expect(await dev.next(verdict)).toContain("  spec/openapi.yaml  the generator failed: half-written\n");
    await change("scripts/toolkit/generate/source-text.ts", (text) =>
      text.replace(/^.*\n/, "").replace("Edit the document, not this file.", "Edit the document."),
    );
    const report = await dev.next(verdict);
    expect(report).toContain("saved scripts/toolkit/generate/source-text.ts\nwrote generated/types.ts,");
    url = urlIn(await dev.next(serves));
    expect(await readFile(join(copy, "generated/types.ts"), "utf8")).toContain(
      "by specbind. Edit the document.\n",
    );
  });

  it("shows that the server has ended, and starts it again after the next save", async () => {
    await change("server/serve.ts", (text) => `process.exit(3);\n${text}`);
    expect(await dev.next(/^server ended .*\n/m)).toContain(
      "server ended with status 3; the next save without errors starts it again\n",
    );
    await change("server/serve.ts", (text) => text.replace("process.exit(3);\n", ""));
    url = urlIn(await dev.next(serves));
    expect(await healthOf(url)).toBe(200);
  });

  it("does not miss a save during a check", async () => {
    await change("spec/openapi.yaml", renamed("getWebhook", "searchWebhook"));
    await change("client/runtime/options.ts", (text) => `${text}export const port: number = "none";\n`);
    let report = await dev.next(verdict);
    if (!report.includes("client/runtime/options.ts")) report += await dev.next(verdict);
    expect(report).toMatch(/^ {2}client\/runtime\/options\.ts:\d+:14 {2}Type 'string' is not assignable/m);
    expect(report).toMatch(/^errors in the table of handlers$/m);
    await change("client/runtime/options.ts", (text) => text.replace(/export const port.*\n$/, ""));
    await change("spec/openapi.yaml", renamed("searchWebhook", "getWebhook"));
    url = urlIn(await dev.next(serves));
  });

  it("stops itself and the server on Ctrl-C, even if npm forwards the signal again", async () => {
    dev.child.kill("SIGINT");
    expect(await dev.stop("SIGINT")).toBe(0);
    expect(dev.output()).not.toContain("To create an API key");
    await expect(healthOf(url)).rejects.toThrow("ECONNREFUSED");
  });
});
