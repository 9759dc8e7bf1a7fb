/** The snippets of pages for people: what the compiler says of one, and what it prints. */
import { execFile } from "node:child_process";
import { basename, join, resolve } from "node:path";
import { promisify } from "node:util";
import ts from "typescript";

const root = resolve(import.meta.dirname, "../..");

export interface Snippet {
  readonly text: string;
  /** What the page says that it prints: the block that follows. */
  readonly prints: string | undefined;
}

/** The TypeScript of a page, in its order. */
export function snippetsOf(page: string): Snippet[] {
  const found = page.matchAll(/^```ts\n(.*?)^```\n(?:\n^```(?:json|text)\n(.*?)^```\n)?/gms);
  return [...found].map(([, text = "", prints]) => ({ text, prints }));
}

/** What the compiler has against them, each as a module of this project. */
export function faultsOf(...texts: string[]): string[] {
  const modules = new Map(texts.map((text, index) => [join(root, `snippet-${index + 1}.ts`), text]));
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (name) => modules.has(name) || fileExists.call(host, name);
  host.readFile = (name) => modules.get(name) ?? readFile.call(host, name);
  host.getSourceFile = (name, ...rest) => {
    const text = modules.get(name);
    return text === undefined
      ? getSourceFile.call(host, name, ...rest)
      : ts.createSourceFile(name, text, rest[0], true);
  };
  const program = ts.createProgram([...modules.keys()], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    return `${file && basename(file.fileName)}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
  });
}

/** What it prints when it runs as a module of this project. */
export async function printedBy(text: string): Promise<string> {
  const args = ["--input-type=module-typescript", "--eval", text];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
  return stdout;
}
