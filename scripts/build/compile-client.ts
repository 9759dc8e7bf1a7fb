/** Compiles a package's entries and all modules that they import to JavaScript, source maps and declarations. */
import { readFileSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import ts from "typescript";
import { BuildError, declarationOf, type ProjectManifest } from "./manifest.ts";
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
  /** The package that the runtime is imported from. By default, it is part of the same package. */
  readonly runtime?: string;
}

/**
 * Compiles the entries and their imports.
 * @param root the folder of tsconfig.json. The entries are paths in this folder
 * @throws BuildError if a module does not compile
 */
export function compile(
  root: string,
  entries: readonly string[],
  { edition = oldest, features = [], hidesInternal = true, runtime }: CompileOptions = {},
): PackageFiles {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const program = ts.createProgram(
    entries.map((entry) => join(root, entry)),
    {
      ...options,
      target: ts.ScriptTarget.ES2022,
      lib: [...[edition, ...features].map((each) => `lib.${each}.d.ts`), ...dom],
      // The default depends on the current folder.
      typeRoots: [join(root, "node_modules/@types")],
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
      before: [nameModules(root, aliasesOf(root, runtime))],
      afterDeclarations: [nameModules(root, aliasesOf(root, runtime))],
    },
  );
  for (const path of plainModules(program, root)) {
    files.set(path, readFileSync(join(root, path), "utf8"));
    files.set(declarationOf(path), readFileSync(join(root, declarationOf(path)), "utf8"));
  }
  return files;
}

function plainModules(program: ts.Program, root: string): string[] {
  return program
    .getSourceFiles()
    .map(({ fileName }) => relative(root, fileName))
    .filter((path) => path.endsWith(".d.ts") && !path.startsWith("..") && !path.includes("node_modules"))
    .map((path) => path.replace(/\.d\.ts$/, ".js"));
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

/** The aliases of package.json that have one target, with the path of the target or its name in the runtime's package. */
function aliasesOf(root: string, runtime: string | undefined): ReadonlyMap<string, string> {
  const { imports }: Pick<ProjectManifest, "imports"> = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  return new Map(
    Object.entries(imports).flatMap(([name, target]) =>
      typeof target === "string" ? [[name, runtime ? name.replace("#specbind", runtime) : target]] : [],
    ),
  );
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
      return /^\..*\.ts$/.test(path)
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
