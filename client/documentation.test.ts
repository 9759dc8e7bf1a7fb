import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { snippetsOf } from "../scripts/testing/snippets.ts";
import { startService, type TestService } from "../server/testing/service.ts";
import * as index from "./index.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = readFileSync(join(root, "docs/client.md"), "utf8");
const snippets = snippetsOf(page).map(({ text }) => text);

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

/** Returns the members of an interface, inherited ones first. */
function membersOf(name: string): string[] {
  const file = join(root, "client/options.ts");
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest);
  const found = source.statements
    .filter((each) => ts.isInterfaceDeclaration(each) || ts.isTypeAliasDeclaration(each))
    .find((each) => each.name.text === name);
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isPropertySignature(node)) names.add(node.name.getText(source));
    else if (ts.isExpressionWithTypeArguments(node))
      for (const each of membersOf(node.expression.getText(source))) names.add(each);
    else ts.forEachChild(node, visit);
  };
  if (found !== undefined) visit(found);
  return [...names];
}

describe("docs/client.md", () => {
  it("lists exactly the options that exist", () => {
    expect(namesBelow("Options").toSorted()).toEqual(membersOf("ClientOptions").toSorted());
  });

  it("lists exactly the errors that a call can throw", () => {
    const errors = Object.entries(index)
      .filter(([, value]) => Object.getPrototypeOf(value) === index.CallError)
      .map(([name]) => name);
    expect(namesBelow("Errors").toSorted()).toEqual(errors.toSorted());
  });
});

describe("the code blocks", () => {
  it.each(snippets.map((code, index) => [index + 1, code] as const))(
    "of docs/client.md run: number %i",
    async (_, code) => {
      const { stdout, stderr } = await promisify(execFile)(
        process.execPath,
        ["--input-type=module-typescript", "--eval", code.replaceAll("http://127.0.0.1:3000", service.url)],
        { cwd: root, env: { PATH: process.env.PATH, API_KEY: service.acme.secretKey } },
      );
      expect(stderr).toBe("");
      expect(stdout === "" && !code.includes("validate:")).toBe(false);
    },
  );
});
