/** Makes the handlers of a new project: a file to complete for each operation, and the table of handlers. */
import ts from "typescript";

export type Operations = {
  readonly [operationId: string]: { readonly method: string; readonly path: string };
};

export function operationFiles(operations: Operations): Map<string, string> {
  const taken = new Set<string>();
  const files = new Map<string, string>();
  const imports: string[] = [];
  const rows: string[] = [];
  for (const [id, operation] of Object.entries(operations)) {
    const name = variableName(id);
    const file = fileName(id, taken);
    files.set(`server/operations/${file}`, operationFile(id, name, operation));
    imports.push(`import { ${name} } from "./operations/${file}";`);
    rows.push(`  ${name === id ? id : `${id}: ${name}`},`);
  }
  files.set("server/handlers.ts", tableFile(imports, rows));
  return files;
}

function operationFile(id: string, name: string, { method, path }: Operations[string]): string {
  return `/** ${method} ${path.replaceAll("*/", "*\\/")} */
import { NotImplemented } from "#specbind/server";
import { handler } from "../principal.ts";

export const ${name} = handler(${JSON.stringify(id)}, async () => {
  throw new NotImplemented();
});
`;
}

function tableFile(imports: readonly string[], rows: readonly string[]): string {
  return `/** The handler of every operation in the spec. */
import type { Handlers } from "../generated/server.ts";
${imports.join("\n")}
import type { CallContext } from "./principal.ts";

export const handlers = {
${rows.join("\n")}
} satisfies Handlers<CallContext>;
`;
}

/** Names that the files already use, and names that a module cannot declare. */
const takenNames = ["handler", "Handlers", "NotImplemented", "CallContext", "handlers"].concat(
  "arguments",
  "await",
  "eval",
);

/** An operation id such as `delete` cannot name a variable. One such as `constructor` would hide a global. */
function variableName(id: string): string {
  const token = ts.createScanner(ts.ScriptTarget.Latest, true, ts.LanguageVariant.Standard, id).scan();
  const isReserved =
    token >= ts.SyntaxKind.FirstReservedWord && token <= ts.SyntaxKind.LastFutureReservedWord;
  return isReserved || takenNames.includes(id) || id in globalThis ? `${id}_` : id;
}

/** Some file systems ignore case, so names that differ only in case get a number. */
function fileName(id: string, taken: Set<string>): string {
  const kebab = id
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, "$1-$2")
    .replaceAll(/[^A-Za-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .toLowerCase()
    .slice(0, 100);
  let name = kebab || "operation";
  for (let count = 2; taken.has(name); count += 1) name = `${kebab || "operation"}-${count}`;
  taken.add(name);
  return `${name}.ts`;
}
