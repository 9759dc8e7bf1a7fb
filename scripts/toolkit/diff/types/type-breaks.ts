/**
 * The TypeScript verdict. It compiles a program that uses each name of the older types with the newer types: the program
 * reads responses and writes requests. Each name that no longer compiles is reported.
 */
import ts from "typescript";
import { type DirectedSpec, inDirections } from "../../generate/directions.ts";
import { renderTypes } from "../../generate/render-types.ts";
import {
  entriesOf,
  type Json,
  pointerTo,
  referenceTarget,
  tokensOf,
  valueAt,
} from "../../openapi/document.ts";
import { operationsIn } from "../../openapi/grammar.ts";
import { typeRules } from "../rules/other-rules.ts";
import type { Spec } from "../spec.ts";
import { referredFrom } from "../unchanged.ts";
import { lostPropertiesOf } from "./lost-properties.ts";
import { changedParts, type RenamedPath, renamedPaths, typeView } from "./type-view.ts";

export interface TypeBreak {
  /** The id of the rule that reports the break. */
  readonly rule: string;
  readonly name: string;
  readonly use: "name" | "read" | "write";
  readonly message: string;
  /** Points into the older document. */
  readonly pointer: string;
  readonly location: string;
  readonly near: string;
  /** Other names that break for the same reason. */
  readonly also: readonly string[];
  /** The reason of the waiver that allows the break and makes its impact minor. */
  readonly waived?: string;
}

interface Name {
  /** The name without its namespace, such as `components["schemas"]["User"]`. */
  readonly text: string;
  /** The part of the operation with this name, such as `parameters`. */
  readonly part?: string;
  /** The name in the newer types, if it differs. */
  readonly now?: string | undefined;
  readonly pointer: string;
  readonly uses: readonly ("read" | "write")[];
  /** True for request bodies. Their type has one property for each media type. */
  readonly isBody?: boolean;
}

interface NameBreak {
  readonly name: Name;
  readonly use: TypeBreak["use"];
  readonly message: string;
  /** The message without the path to the property, which differs between the names that break. */
  readonly cause: string;
}

/** Sections of `components` without types. */
const untyped = new Set(["securitySchemes", "examples", "links", "callbacks"]);
const preamble = [
  'import type * as Old from "./old.ts";',
  'import type * as New from "./new.ts";',
  "type Fits<From extends To, To> = [From, To];",
  // Callers that write an older media type are not affected by new media types.
  "type MediaTypes<Body> = Body extends { content: infer Content } ? keyof Content : never;",
  'type Known<Now, Was> = Now extends { content: infer Content } ? { [P in keyof Now]: P extends "content" ? { [T in keyof Content as T extends MediaTypes<Was> ? T : never]: Content[T] } : Now[P] } : Now;',
  "type IsThere<T> = [T] extends [undefined] ? false : true;",
];
/** Lines in the program for each name: a check that it exists, its older type, its newer type, and the two uses. */
const linesForName = 5;

/** @throws SpecProblemsError if no types can be generated from a document */
export async function typeBreaks(older: Spec, newer: Spec): Promise<TypeBreak[]> {
  const renamed = renamedPaths(older, newer);
  const [oldParts, newParts, unchanged] = changedParts(older, newer);
  const before = typeView(oldParts, older.document, renamed);
  const after = typeView(newParts, older.document);
  const [directed, newlyDirected] = [directedOf(before), directedOf(after)];
  const [old, now] = [renderTypes(directed), renderTypes(newlyDirected)];
  const renamings = renamed.map((each) => renaming(each, newer));
  if (old === now) return renamings;
  const names = namesOf(before, directed, newlyDirected, old).filter(
    ({ pointer }) => !unchanged.isEqual(pointer, pointer),
  );
  const { program, checker } = compiled(old, now, names);
  const source = program.getSourceFile("uses.ts");
  if (source === undefined) return [];
  const findings = [...compilerFindings(program, source, names), ...lostProperties(checker, source, names)];
  return [...renamings, ...joined(findings, older, newer)];
}

function directedOf(spec: Spec): DirectedSpec {
  return inDirections({ ...spec, report: () => {}, note: () => {} });
}

function renaming({ old, now, names }: RenamedPath, after: Spec): TypeBreak {
  const changed = [...names].filter(([was, is]) => was !== is).map(([was, is]) => `\`${was}\` is \`${is}\``);
  return {
    rule: typeRules.renamed.id,
    name: `paths[${JSON.stringify(old)}]`,
    use: "name",
    message: `path parameter ${changed.join(", ")} now; callers' code uses the name`,
    pointer: pointerTo("/paths", old),
    location: after.locate(pointerTo("/paths", now)),
    near: after.locate(pointerTo("/paths", now)),
    also: [],
  };
}

function namesOf(
  { document }: Spec,
  directed: DirectedSpec,
  newlyDirected: DirectedSpec,
  types: string,
): Name[] {
  const exported = [...types.matchAll(/^export (?:interface|type) ([\w$]+)\b(?!<)/gm)].map(
    ([, name]) => name ?? "",
  );
  const names: Name[] = exported
    .filter((text) => text !== "sent" && text !== "received")
    .map((text) => ({ text, pointer: `/${text}`, uses: [] }));
  for (const [path, item] of entriesOf(document.paths)) {
    const used = operationsIn(item);
    if (!path.startsWith("/") || (used.length === 0 && referenceTarget(item) === undefined)) continue;
    const pointer = pointerTo("/paths", path);
    names.push({ text: `paths[${JSON.stringify(path)}]`, pointer, uses: [] });
    for (const { pointer: at, method, operation } of used) {
      const key = tokensOf(at).length === 1 ? method.toLowerCase() : method;
      names.push(...operationNames(`paths[${JSON.stringify(path)}]["${key}"]`, pointer + at));
      const { operationId: id } = operation;
      if (typeof id === "string" && exported.includes("operations"))
        names.push(...operationNames(`operations[${JSON.stringify(id)}]`, pointer + at));
    }
  }
  for (const [name, item] of entriesOf(document.webhooks))
    for (const { pointer: at, method } of operationsIn(item)) {
      const text = `webhooks[${JSON.stringify(name)}]["${method.toLowerCase()}"]`;
      names.push(...operationNames(text, pointerTo("/webhooks", name) + at, "received"));
    }
  const other = [document["x-unmatched-responses"], document.webhooks];
  const used = referredFrom(document, [document.paths, ...other]);
  const inRequests = referredFrom(document, valuesOf(document, "parameters", "requestBody"));
  const inResponses = referredFrom(document, [...valuesOf(document, "responses"), ...other]);
  for (const [section, group] of entriesOf(document.components)) {
    if (untyped.has(section) || section.startsWith("x-")) continue;
    for (const [name] of entriesOf(group)) {
      const pointer = pointerTo("/components", section, name);
      if (!used.has(pointer)) continue;
      const isBody = section === "requestBodies";
      const isEither = !inRequests.has(pointer) && !inResponses.has(pointer);
      const text = `components[${JSON.stringify(section)}][${JSON.stringify(name)}]`;
      // A component may have a separate type for requests.
      const [was = text, is = text] = [directed, newlyDirected].map(({ document }) =>
        section === "schemas" && valueAt(document, pointerTo("/sent/schemas", name)) !== undefined
          ? `sent["schemas"][${JSON.stringify(name)}]`
          : text,
      );
      const isOneType = was === text && is === text;
      const [reads, writes] = [isEither || inResponses.has(pointer), isEither || inRequests.has(pointer)];
      if (reads || isOneType)
        names.push({
          text,
          pointer,
          uses: [...(writes && isOneType ? ["write" as const] : []), ...(reads ? ["read" as const] : [])],
          isBody,
        });
      if (writes && !isOneType) names.push({ text: was, now: is, pointer, uses: ["write"] });
    }
  }
  return names;
}

/** @param request whether callers send the request, or receive it as that of a webhook */
function operationNames(text: string, pointer: string, request: "sent" | "received" = "sent"): Name[] {
  const [given, returned] = request === "sent" ? (["write", "read"] as const) : (["read", "write"] as const);
  return [
    { text, pointer, uses: [] },
    { text, part: "parameters", pointer: `${pointer}/parameters`, uses: [given] },
    { text, part: "requestBody", pointer: `${pointer}/requestBody`, uses: [given], isBody: true },
    { text, part: "responses", pointer: `${pointer}/responses`, uses: [returned] },
  ];
}

/** The values that all path items and operations have for the keywords. */
function valuesOf(document: Json, ...keywords: string[]): (Json | undefined)[] {
  const items = entriesOf(valueAt(document, "/paths")).map(([, item]) => item);
  const operations = items.flatMap((item) => operationsIn(item).map(({ operation }) => operation));
  return [...items, ...operations].flatMap((holder) =>
    keywords.map((keyword) => valueAt(holder, pointerTo("", keyword))),
  );
}

function compiled(
  old: string,
  now: string,
  names: readonly Name[],
): { program: ts.Program; checker: ts.TypeChecker } {
  const uses = names.flatMap(({ text, now = text, part, uses, isBody }, index) => {
    const [was, is] = [`Old.${text}`, `New.${now}`].map((whole) =>
      part === undefined ? whole : `NonNullable<${whole}>["${part}"]`,
    );
    return [
      `export type There${index} = Fits<IsThere<${was}>, IsThere<${is}> | false>;`,
      `export type Old${index} = ${was};`,
      `export type New${index} = ${is};`,
      uses.includes("read") ? `export type Read${index} = Fits<New${index}, Old${index}>;` : "",
      uses.includes("write")
        ? `export type Write${index} = Fits<Old${index}, ${isBody ? `Known<New${index}, Old${index}>` : `New${index}`}>;`
        : "",
    ];
  });
  const files = new Map([
    ["old.ts", old],
    ["new.ts", now],
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
    lib: ["lib.es2022.d.ts"],
    types: [],
  };
  const host = ts.createCompilerHost(options);
  host.getCurrentDirectory = () => "/";
  host.fileExists = (path) => textOfFile(path) !== undefined || ts.sys.fileExists(path);
  // The compiler host reads source files with this function.
  host.readFile = (path) => textOfFile(path) ?? ts.sys.readFile(path);
  const program = ts.createProgram(["uses.ts"], options, host);
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

function shownName({ text, part }: Name): string {
  return part === undefined ? text : `${text}["${part}"]`;
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

/** Joins findings with the same cause into one break that lists all their names. The name of a component comes first. */
function joined(findings: readonly NameBreak[], before: Spec, after: Spec): TypeBreak[] {
  const groups = Map.groupBy(findings, ({ use, cause }) => `${use} ${cause}`);
  return [...groups.values()].flatMap((group) => {
    const ordered = group.toSorted((a, b) => rank(a) - rank(b));
    const [first] = ordered;
    if (first === undefined) return [];
    const [name = "", ...also] = new Set(ordered.map((each) => shownName(each.name)));
    return [
      {
        rule: typeRules[first.use === "name" ? "removed" : "changed"].id,
        name,
        use: first.use,
        message: first.message,
        pointer: first.name.pointer,
        location: (first.use === "name" ? before : after).locate(first.name.pointer),
        near: after.locate(first.name.pointer),
        also,
      },
    ];
  });
}

function rank({ name, message }: NameBreak): number {
  const place = ["components[", "operations["].findIndex((each) => name.text.startsWith(each));
  // Among components, the one with the shortest message comes first, because its own property breaks.
  return (place === -1 ? 2 : place) * 1000 + message.length;
}
