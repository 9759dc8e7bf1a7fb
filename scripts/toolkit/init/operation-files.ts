/** Makes the handlers of a new project: a file for each tag, and the table of all handlers. */
import ts from "typescript";
import type { Contract } from "#specbind/contract";
import { unique } from "../json-schema/code.ts";
import { follow, type JsonObject, listOf, pointerTo } from "../openapi/document.ts";
import { operationsIn } from "../openapi/grammar.ts";

type Operation = readonly [id: string, { readonly method: string; readonly path: string }];

/** @param document as it is generated. An operation belongs to its first tag */
export function operationFiles({ operations }: Pick<Contract, "operations">, document: JsonObject) {
  const byTag = Map.groupBy<string | undefined, Operation>(Object.entries(operations), ([, operation]) =>
    tagOf(document, operation),
  );
  const taken = new Set<string>();
  const files = new Map<string, string>();
  const modules: string[] = [];
  for (const [tag = "operations", members] of byTag) {
    const file = fileName(tag, taken);
    files.set(`server/operations/${file}.ts`, operationsFile(members));
    modules.push(file);
  }
  return files.set("server/handlers.ts", tableFile(modules));
}

function tagOf(document: JsonObject, { method, path }: Operation[1]): string | undefined {
  const { value } = follow(document, pointerTo("/paths", path));
  const [tag] = listOf(operationsIn(value).find((each) => each.method === method)?.operation.tags);
  return typeof tag === "string" ? tag : undefined;
}

function operationsFile(operations: readonly Operation[]): string {
  const renamed: string[] = [];
  const handlers = operations.map(([id, { method, path }]) => {
    const name = variableName(id);
    if (name !== id) renamed.push(`${name} as ${id}`);
    const declaration = `const ${name} = handler(${JSON.stringify(id)}, notImplemented);`;
    return `${name === id ? "export " : ""}${declaration} // ${method} ${path.replaceAll(/\s/g, " ")}\n`;
  });
  return `import { notImplemented } from "specbind-runtime/server";
import { handler } from "../principal.ts";

${handlers.join("")}${renamed.length === 0 ? "" : `\nexport { ${renamed.join(", ")} };\n`}`;
}

function tableFile(files: readonly string[]): string {
  const taken = new Set<string>();
  const names = files.map((file) => unique(variableName(camelCase(file)), taken));
  const imports = files.map((file, index) => `import * as ${names[index]} from "./operations/${file}.ts";`);
  return `/** The handler of every operation in the document. The files in \`operations\` must not export anything else. */
import type { Handlers } from "../generated/server.ts";
${imports.join("\n")}
import type { CallContext } from "./principal.ts";

export const handlers = { ${names.map((name) => `...${name}`).join(", ")} } satisfies Handlers<CallContext>;
`;
}

/** Names that the files already use, and names that a module cannot declare. */
const takenNames = ["handler", "notImplemented", "handlers", "arguments", "await", "eval"];

/** An operation id such as `delete` cannot name a variable. One such as `constructor` would hide a global. */
export function variableName(name: string): string {
  const token = ts.createScanner(ts.ScriptTarget.Latest, true, ts.LanguageVariant.Standard, name).scan();
  const isReserved =
    token >= ts.SyntaxKind.FirstReservedWord && token <= ts.SyntaxKind.LastFutureReservedWord;
  return isReserved || takenNames.includes(name) || name in globalThis ? `${name}_` : name;
}

function camelCase(file: string): string {
  const name = file.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return /^\d/.test(name) ? `_${name}` : name;
}

/** Some file systems ignore case, so names that differ only in case get a number. */
function fileName(tag: string, taken: Set<string>): string {
  const kebab = tag
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, "$1-$2")
    .replaceAll(/[^A-Za-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .toLowerCase()
    .slice(0, 100);
  let name = kebab || "operations";
  for (let count = 2; taken.has(name); count += 1) name = `${kebab || "operations"}-${count}`;
  taken.add(name);
  return name;
}
