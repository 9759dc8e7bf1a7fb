/**
 * Checks the types of changed files and of files that import them. Tests and scripts come second, because they take
 * longer.
 */
import { statSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import ts from "typescript";
import { type CompileError, isTest } from "./compile-error.ts";

interface Cached {
  readonly version: string;
  readonly sourceFile: ts.SourceFile | undefined;
}

export class TypeChecker {
  readonly #configPath: string;
  readonly #scripts: string;
  readonly #sources = new Map<string, Cached>();
  #builder: ts.SemanticDiagnosticsBuilderProgram | undefined;
  #rootNames = "";

  constructor(configPath: string) {
    this.#configPath = configPath;
    this.#scripts = `${resolve(dirname(configPath), "scripts")}/`;
  }

  /** Returns every error except those in tests and scripts, sorted by file and line. */
  check(): CompileError[] {
    const errors: ts.Diagnostic[] = [];
    const config = ts.getParsedCommandLineOfConfigFile(this.#configPath, undefined, {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: (error) => errors.push(error),
    });
    if (config === undefined) return errors.map(toCompileError);
    // Imports in unchanged files are not resolved again, so a new program is needed if a file is added or removed.
    // Errors are shortened by their meaning.
    config.options.noErrorTruncation = true;
    const rootNames = config.fileNames.join("\n");
    const previous = rootNames === this.#rootNames ? this.#builder?.getProgram() : undefined;
    this.#rootNames = rootNames;
    const host = this.#host(config.options);
    const program = ts.createProgram({
      rootNames: config.fileNames,
      options: config.options,
      host,
      ...(previous && { oldProgram: previous }),
    });
    // The builder keeps the errors of every file, and checks only files that are affected by changes.
    const builder = ts.createSemanticDiagnosticsBuilderProgram(program, host, this.#builder);
    this.#builder = builder;
    while (builder.getSemanticDiagnosticsOfNextAffectedFile(undefined, this.#isLater) !== undefined);
    const files = program.getSourceFiles().filter((file) => !this.#isLater(file));
    errors.push(
      ...config.errors,
      ...builder.getOptionsDiagnostics(),
      ...builder.getGlobalDiagnostics(),
      ...files.flatMap((file) => errorsIn(file, builder)),
    );
    return ts.sortAndDeduplicateDiagnostics(errors).map(toCompileError);
  }

  /** Returns the errors in tests and scripts. Calls `goesOn` between files, and stops if it returns false. */
  async checkLater(goesOn: () => boolean): Promise<CompileError[] | undefined> {
    const builder = this.#builder;
    const errors: ts.Diagnostic[] = [];
    for (const file of builder?.getProgram().getSourceFiles().filter(this.#isLater) ?? []) {
      await setImmediate();
      if (!goesOn() || builder === undefined) return undefined;
      errors.push(...errorsIn(file, builder));
    }
    return ts.sortAndDeduplicateDiagnostics(errors).map(toCompileError);
  }

  readonly #isLater = ({ fileName }: ts.SourceFile): boolean =>
    !fileName.includes("/node_modules/") && (isTest(fileName) || fileName.startsWith(this.#scripts));

  #host(options: ts.CompilerOptions): ts.CompilerHost {
    const host = ts.createIncrementalCompilerHost(options);
    const read = host.getSourceFile.bind(host);
    host.getSourceFile = (name, languageVersion) => {
      // Packages do not change while this program runs.
      const version = name.includes("/node_modules/") ? "" : versionOf(name);
      const cached = this.#sources.get(name);
      if (cached?.version === version) return cached.sourceFile;
      const sourceFile = read(name, languageVersion);
      this.#sources.set(name, { version, sourceFile });
      return sourceFile;
    };
    return host;
  }
}

function errorsIn(file: ts.SourceFile, builder: ts.SemanticDiagnosticsBuilderProgram): ts.Diagnostic[] {
  return [...builder.getSyntacticDiagnostics(file), ...builder.getSemanticDiagnostics(file)];
}

/** Returns a string that changes with every write, even if a file is replaced by one of the same size. */
function versionOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? "absent" : `${found.mtimeMs} ${found.size} ${found.ino}`;
}

function toCompileError({ file, start, code: number, messageText }: ts.Diagnostic): CompileError {
  const lines = ts
    .flattenDiagnosticMessageText(messageText, "\n")
    .split("\n")
    .map((line) => line.trim());
  const code = `TS${number}`;
  if (file === undefined || start === undefined)
    return { file: "tsconfig.json", line: undefined, column: undefined, code, lines };
  const { line, character } = file.getLineAndCharacterOfPosition(start);
  const path = relative(process.cwd(), file.fileName);
  return { file: path, line: line + 1, column: character + 1, code, lines };
}
