/** Compiles a program that uses each name of the older types with the newer types. */
import ts from "typescript";
import { lostPropertiesOf } from "./lost-properties.ts";
import { type Name, shownName } from "./type-names.ts";

export interface NameBreak {
  readonly name: Name;
  readonly use: "name" | "read" | "write";
  readonly message: string;
  /** The message without the path to the property, which differs between the names that break. */
  readonly cause: string;
}

const preamble = [
  'import type * as Old from "./old.ts";',
  'import type * as New from "./new.ts";',
  "type Fits<From extends To, To> = [From, To];",
  // Callers that write an older media type are not affected by new media types.
  "type MediaTypes<Body> = Body extends { content: infer Content } ? keyof Content : never;",
  'type Known<Now, Was> = Now extends { content: infer Content } ? { [P in keyof Now]: P extends "content" ? { [T in keyof Content as T extends MediaTypes<Was> ? T : never]: Content[T] } : Now[P] } : Now;',
  // Callers that expect no body ignore a new one.
  'type Body<Was> = Was extends { content?: never } ? Omit<Was, "content"> : Was;',
  "type Bodies<Was> = { [Status in keyof Was]: Body<Was[Status]> };",
  "type IsThere<T> = [T] extends [undefined] ? false : true;",
];
/** The part of the standard library that types of documents use. The whole library takes longer than a small document. */
const globals = `
interface Array<T> { length: number; push(...items: T[]): number; [index: number]: T }
interface ReadonlyArray<T> { readonly length: number; readonly [index: number]: T }
interface Boolean { valueOf(): boolean }
interface Number { toFixed(digits?: number): string }
interface String { readonly length: number; charAt(index: number): string }
interface Function { apply(target: any): any }
interface CallableFunction extends Function {}
interface NewableFunction extends Function {}
interface IArguments {}
interface Object {}
interface RegExp {}
type Exclude<T, U> = T extends U ? never : T;
type Extract<T, U> = T extends U ? T : never;
type NonNullable<T> = T & {};
type Partial<T> = { [P in keyof T]?: T[P] };
type Pick<T, K extends keyof T> = { [P in K]: T[P] };
type Omit<T, K extends keyof any> = Pick<T, Exclude<keyof T, K>>;
type Record<K extends keyof any, T> = { [P in K]: T };
`;
/** Lines in the program for each name: a check that it exists, its older type, its newer type, and the two uses. */
const linesForName = 5;

/** The types of the older and the newer document, and those that both import from `./shared.ts`. */
export interface Types {
  readonly old: string | undefined;
  readonly now: string | undefined;
  readonly shared: string;
}

/** @returns the names that no longer compile, or whose properties are missing */
export function brokenUses(types: Types, names: readonly Name[]): NameBreak[] {
  const { program, checker } = compiled(types, names);
  const source = program.getSourceFile("uses.ts");
  if (source === undefined) return [];
  return [...compilerFindings(program, source, names), ...lostProperties(checker, source, names)];
}

function compiled(
  { old = "", now = "", shared }: Types,
  names: readonly Name[],
): { program: ts.Program; checker: ts.TypeChecker } {
  const uses = names.flatMap(({ text, now = text, part, uses, isBody }, index) => {
    const [was, is] = [`Old.${text}`, `New.${now}`].map((whole) =>
      part === undefined ? whole : `NonNullable<${whole}>["${part}"]`,
    );
    const read = part === "responses" ? `Bodies<Old${index}>` : `Old${index}`;
    return [
      `export type There${index} = Fits<IsThere<${was}>, IsThere<${is}> | false>;`,
      `export type Old${index} = ${was};`,
      `export type New${index} = ${is};`,
      uses.includes("read") ? `export type Read${index} = Fits<New${index}, ${read}>;` : "",
      uses.includes("write")
        ? `export type Write${index} = Fits<Old${index}, ${isBody ? `Known<New${index}, Old${index}>` : `New${index}`}>;`
        : "",
    ];
  });
  const files = new Map([
    ["old.ts", old],
    ["new.ts", now],
    ["shared.ts", shared],
    ["globals.d.ts", globals],
    ["uses.ts", [...preamble, ...uses].join("\n")],
  ]);
  const textOfFile = (path: string): string | undefined => files.get(path.replace(/^\.?\//, ""));
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    noLib: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  host.getCurrentDirectory = () => "/";
  host.fileExists = (path) => textOfFile(path) !== undefined || ts.sys.fileExists(path);
  // The compiler host reads source files with this function.
  host.readFile = (path) => textOfFile(path) ?? ts.sys.readFile(path);
  const program = ts.createProgram(["globals.d.ts", "uses.ts"], options, host);
  return { program, checker: program.getTypeChecker() };
}

function compilerFindings(program: ts.Program, source: ts.SourceFile, names: readonly Name[]): NameBreak[] {
  const findings = new Map<string, NameBreak>();
  const gone: string[] = [];
  for (const diagnostic of program.getSemanticDiagnostics(source)) {
    const { line } = source.getLineAndCharacterOfPosition(diagnostic.start ?? 0);
    const at = line - preamble.length;
    const index = Math.floor(at / linesForName);
    const name = names[index];
    if (name === undefined) continue;
    const place = at % linesForName;
    const use = place < 3 ? "name" : place === 3 ? "read" : "write";
    // If a name was removed, its uses are not reported.
    const shown = shownName(name);
    if (gone.some((outer) => shown === outer || shown.startsWith(`${outer}[`))) continue;
    if (use === "name") gone.push(shown);
    const found =
      use === "name" ? { message: "was removed", cause: shown } : incompatibility(diagnostic.messageText);
    findings.set(`${index} ${use}`, { name, use, ...found });
  }
  return [...findings.values()];
}

/** Returns the innermost message, with the path of properties that leads to it. */
function incompatibility(message: string | ts.DiagnosticMessageChain): Pick<NameBreak, "message" | "cause"> {
  const path: string[] = [];
  let last = "";
  let at: string | ts.DiagnosticMessageChain | undefined = message;
  while (at !== undefined) {
    const text: string = typeof at === "string" ? at : at.messageText;
    const [, single, several] = /^(?:Types of property '(.+)' are|The types of '(.+)' are)/.exec(text) ?? [];
    if (single !== undefined || several !== undefined) path.push(single ?? several ?? "");
    last = text;
    at = typeof at === "string" ? undefined : at.next?.[0];
  }
  const cause = shortened(last.replaceAll(/\s+/g, " "));
  return { message: path.length > 0 ? `at ${path.join(".")}: ${cause}` : cause, cause };
}

const maxTypeText = 60;

function shortened(reason: string): string {
  const [, missing] = /^Property '(.+?)' is missing in type/.exec(reason) ?? [];
  if (missing !== undefined) return `property ${missing} is missing`;
  return reason
    .replaceAll(/'([^']+)'/g, (quoted, type: string) =>
      type.length > maxTypeText ? `'${type.slice(0, maxTypeText)}…'` : quoted,
    )
    .replace(/\.$/, "");
}

function lostProperties(checker: ts.TypeChecker, source: ts.SourceFile, names: readonly Name[]): NameBreak[] {
  const types = new Map<string, ts.Type>();
  for (const statement of source.statements) {
    if (ts.isTypeAliasDeclaration(statement))
      types.set(statement.name.text, checker.getTypeAtLocation(statement.name));
  }
  return names.flatMap((name, index): NameBreak[] => {
    const [use] = name.uses;
    const [old, now] = [types.get(`Old${index}`), types.get(`New${index}`)];
    if (use === undefined || old === undefined || now === undefined) return [];
    return lostPropertiesOf(checker, old, now).map((path) => ({
      name,
      use,
      message: `property ${path.join(".")} is missing`,
      cause: `property ${path.at(-1)} is missing`,
    }));
  });
}
