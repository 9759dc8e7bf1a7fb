/** Compiles a package's entries and all modules that they import to JavaScript, source maps and declarations. */
import { readFileSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import ts from "typescript";
import { BuildError, declarationOf } from "./manifest.ts";
import type { PackageFiles } from "./package-files.ts";

/** The edition of ECMAScript that Node 20 and browsers of that time support. */
const oldest = "es2023";
/** The types of browsers. The client uses only types that also exist on other platforms. */
const dom = ["lib.dom.d.ts", "lib.dom.iterable.d.ts", "lib.dom.asynciterable.d.ts"];

interface CompileOptions {
  /** The edition of ECMAScript that the modules may use. */
  readonly edition?: string;
  /** Parts of later editions that Node 20.3 has too. */
  readonly features?: readonly string[];
  /** False if the declarations contain what is marked `@internal`. */
  readonly hidesInternal?: boolean;
  /** Maps names in imports to paths in the project, which begin with `./`, or to other names. */
  readonly aliases: ReadonlyMap<string, string>;
}

/**
 * Compiles the entries and their imports.
 * @param root the folder of tsconfig.json. The entries are paths in this folder
 * @throws BuildError if a module does not compile
 */
export function compile(
  root: string,
  entries: readonly string[],
  { edition = oldest, features = [], hidesInternal = true, aliases }: CompileOptions,
): PackageFiles {
  const file = join(root, "tsconfig.json");
  const { config = {} } = ts.readConfigFile(file, ts.sys.readFile);
  // The names of type packages are resolved from the folder of this file.
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root, undefined, file);
  const program = ts.createProgram(
    entries.map((entry) => join(root, entry)),
    {
      ...options,
      composite: false,
      incremental: false,
      declarationMap: false,
      emitDeclarationOnly: false,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      rewriteRelativeImportExtensions: true,
      target: ts.ScriptTarget.ES2022,
      lib: [...[edition, ...features].map((each) => `lib.${each}.d.ts`), ...dom],
      rootDir: root,
      outDir: root,
      noEmit: false,
      declaration: true,
      stripInternal: hidesInternal,
      sourceMap: true,
      inlineSources: true,
    },
  );
  const errors = ts.getPreEmitDiagnostics(program);
  if (errors.length > 0) {
    const host = { getCurrentDirectory: () => root, getCanonicalFileName: String, getNewLine: () => "\n" };
    throw new BuildError(ts.formatDiagnostics(errors, host).trimEnd());
  }
  const files: PackageFiles = new Map();
  program.emit(
    undefined,
    (path, text) => files.set(relative(root, path).replaceAll("\\", "/"), text),
    undefined,
    false,
    {
      before: [nameModules(root, aliases)],
      afterDeclarations: [nameModules(root, aliases)],
    },
  );
  for (const path of uncompiled(program, root)) files.set(path, readFileSync(join(root, path), "utf8"));
  return files;
}

/** JSON, and modules of JavaScript with their declarations. */
function uncompiled(program: ts.Program, root: string): string[] {
  return program
    .getSourceFiles()
    .map(({ fileName }) => relative(root, fileName))
    .filter(
      (path) => /\.(?:d\.ts|json)$/.test(path) && !path.startsWith("..") && !path.includes("node_modules"),
    )
    .flatMap((path) => (path.endsWith(".json") ? [path] : [path, path.replace(/\.d\.ts$/, ".js")]));
}

/** The entries with all their direct and indirect imports, and the packages that they import. */
interface Reachable {
  readonly paths: ReadonlySet<string>;
  readonly packages: ReadonlySet<string>;
}

/** Follows relative imports. In a `.d.ts` file, an import of `./x.js` means `./x.d.ts`. */
export function reachOf(files: PackageFiles, entries: readonly string[]): Reachable {
  const paths = new Set<string>();
  const packages = new Set<string>();
  const visit = (path: string): void => {
    const text = files.get(path);
    if (text === undefined) throw new BuildError(`${path} is imported, but it was not compiled`);
    if (paths.has(path)) return;
    paths.add(path);
    if (path.endsWith(".json")) return;
    for (const { fileName: specifier } of ts.preProcessFile(text, true, true).importedFiles) {
      if (specifier.startsWith(".")) visit(importedPath(path, specifier));
      else if (!/^(#|node:)/.test(specifier)) packages.add(packageOf(specifier));
    }
  };
  for (const entry of entries) visit(entry);
  return { paths, packages };
}

function importedPath(from: string, specifier: string): string {
  const path = posix.join(dirname(from), specifier);
  return from.endsWith(".d.ts") ? declarationOf(path) : path;
}

function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

/** Replaces aliases by relative paths, and `.ts` by `.js`. The compiler keeps both, at least in declarations. */
function nameModules(
  root: string,
  aliases: ReadonlyMap<string, string>,
): ts.TransformerFactory<ts.SourceFile | ts.Bundle> & ts.TransformerFactory<ts.SourceFile> {
  return ((context: ts.TransformationContext) => (file: ts.SourceFile) => {
    const folder = dirname(relative(root, file.fileName).replaceAll("\\", "/"));
    const named = (name: ts.StringLiteral): ts.StringLiteral => {
      const target = aliases.get(name.text);
      if (target !== undefined && !target.startsWith(".")) return ts.factory.createStringLiteral(target);
      const path = target === undefined ? name.text : `./${posix.relative(folder, target)}`;
      return target !== undefined || /^\..*\.ts$/.test(path)
        ? ts.factory.createStringLiteral(path.replace(/^\.\/\.\./, "..").replace(/\.ts$/, ".js"))
        : name;
    };
    const visit = (node: ts.Node, isName = false): ts.Node => {
      if (isName && ts.isStringLiteral(node)) return named(node);
      const hasName =
        ts.isImportDeclaration(node) ||
        ts.isExportDeclaration(node) ||
        (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) ||
        // A type import in an expression: `import("./x.ts").X`.
        ts.isImportTypeNode(node) ||
        (isName && ts.isLiteralTypeNode(node));
      return ts.visitEachChild(node, (child) => visit(child, hasName), context);
    };
    return ts.visitEachChild(file, (child) => visit(child), context);
  }) as never;
}
