/** Compiles files with the native compiler, for tests that code compiles or does not compile. */
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

export interface TypeError {
  readonly file: string;
  /** The first line is 1. */
  readonly line: number;
  readonly message: string;
}

const root = join(import.meta.dirname, "../..");
/** The modules of the runtime, by the names that generated code has in other projects. */
const { imports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const paths = Object.fromEntries(
  Object.entries<string>(imports)
    .filter(([name]) => name.startsWith("#specbind/"))
    .map(([name, target]) => [name.replace("#specbind", "specbind-runtime"), [join(root, target)]]),
);
/** Projects that use generated code may set neither of these options, and may have no types of packages. */
const options = { types: [], verbatimModuleSyntax: false, rewriteRelativeImportExtensions: false };

/**
 * Compiles all files as one program, with the strict options of this project.
 * @param files absolute paths. During the call, the first file's folder contains a configuration file
 */
export function typeErrors(files: readonly string[], others: object = options): TypeError[] {
  const config = join(dirname(files[0] ?? root), "tsconfig.test.json");
  writeFileSync(
    config,
    JSON.stringify({
      extends: join(root, "tsconfig.json"),
      compilerOptions: { ...others, paths },
      include: [],
      files,
    }),
  );
  try {
    const args = [join(root, "node_modules/typescript-7/bin/tsc"), "--project", config, "--pretty", "false"];
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
    if (stderr !== "") throw new Error(stderr);
    return errorsIn(stdout);
  } finally {
    rmSync(config);
  }
}

/** Reads the compiler's output: `file(line,column): error TS1: message`, followed by reasons as indented lines. */
function errorsIn(output: string): TypeError[] {
  return output.split(/\n(?! )/).flatMap((text) => {
    if (text.trim() === "") return [];
    const [, file = "", line = "1", message = text] =
      /^(.*)\((\d+),\d+\): error TS\d+: (.*)$/s.exec(text) ?? [];
    return [{ file: resolve(root, file), line: Number(line), message: message.replaceAll(/\n +/g, "\n") }];
  });
}
