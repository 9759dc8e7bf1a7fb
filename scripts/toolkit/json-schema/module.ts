/** Writes the generated module. `$ref` targets and schemas in expressions become functions. Other schemas are inline. */
import { createHash } from "node:crypto";
import { tokensOf } from "../openapi/document.ts";
import { identifierPart, Lines, member, placeExpression, quote, unique, type ValuePath } from "./code.ts";
import { runtimeSource } from "./runtime.ts";
import type { Schema } from "./schema.ts";

/** `coversKey` and `coversIndex` return whether a property or item is evaluated (JSON Schema core, 11). */
const parameters = {
  check: "value, problems",
  matches: "value",
  coversKey: "value, key",
  coversIndex: "value, index",
  fill: "value, later",
  withhold: "value",
  pick: "value, out",
  keep: "value, out, later",
  keepAll: "value, out, later",
};
type FunctionKind = keyof typeof parameters;

/** The helpers that call a function only once for each value. Other functions are not recursive. */
const rememberingCall: Partial<Record<FunctionKind, string>> = {
  check: "checkOnce",
  matches: "matchOnce",
  fill: "fillOnce",
  withhold: "withholdOnce",
  pick: "copyOnce",
};

function isCounted(kind: FunctionKind, schema: Schema): boolean {
  return schema.recursive === true && (kind === "check" || kind === "matches");
}

interface Owner {
  name: string;
  pointer: string;
  functions: Map<string, string>;
}

type Writer = (scope: Scope, schema: Schema) => void;

/** True if every object has a property with the name, such as `constructor`. */
export function isInherited(name: string): boolean {
  return name in Object.prototype;
}

/** Recursive schemas reject values with more levels, so that no value causes a stack overflow. */
const maxDepth = 256;

export class Module {
  readonly #writers: Record<FunctionKind, Writer>;
  readonly emitSchema: SchemaWriter;
  readonly #owners = new Map<Schema, Owner>();
  readonly #shared: Owner[] = [];
  readonly #names = new Set<string>();
  readonly #functions = new Map<Schema, Map<FunctionKind, string>>();
  readonly #constants = new Map<string, string>();
  readonly #helpers = new Set<string>();
  readonly #queue: (() => void)[] = [];

  constructor(
    writers: Record<FunctionKind, Writer>,
    emitSchema: SchemaWriter,
    targets: readonly Schema[],
    names: ReadonlyMap<Schema, string>,
    reserved: Iterable<string>,
  ) {
    this.#writers = writers;
    this.emitSchema = emitSchema;
    for (const name of reserved) this.#names.add(name);
    for (const target of [...targets, ...names.keys()]) {
      const owner = {
        name: unique(names.get(target) ?? targetName(target.pointer), this.#names, "$"),
        pointer: target.pointer,
        functions: new Map(),
      };
      this.#owners.set(target, owner);
      this.#shared.push(owner);
    }
  }

  isShared(schema: Schema): boolean {
    return this.#owners.has(schema);
  }

  entryScope(name: string, { pointer }: Schema): Scope {
    return new Scope(this, { name, pointer, functions: new Map() }, "collect", "0");
  }

  ownedBy(scope: Scope): string[] {
    return sortedFunctions(scope.owner);
  }

  /** Returns the name of a function. The function is written when the queue is processed. */
  require(kind: FunctionKind, schema: Schema, from: Owner): string {
    const functions = this.#functions.get(schema) ?? new Map<FunctionKind, string>();
    this.#functions.set(schema, functions);
    const known = functions.get(kind);
    if (known !== undefined) return known;
    const owner = this.#owners.get(schema) ?? from;
    const isInside = schema.pointer.startsWith(owner.pointer);
    const inside = identifierPart(schema.pointer.slice(owner.pointer.length));
    // An equal schema of another place may have been read first.
    const base = isInside ? `${owner.name}${inside}` : targetName(schema.pointer);
    const name = unique(`${kind}${base}`, this.#names, "$");
    functions.set(kind, name);
    this.#queue.push(() => owner.functions.set(name, this.#write(kind, name, schema, owner)));
    return name;
  }

  #write(kind: FunctionKind, name: string, schema: Schema, owner: Owner): string {
    const counted = isCounted(kind, schema);
    const more = `${counted ? ", depth" : ""}${schema.remembered ? ", memory" : ""}`;
    const mode = kind === "check" ? "collect" : "test";
    const scope = new Scope(this, owner, mode, counted ? "depth + 1" : "0");
    scope.lines.block(`function ${name}(${parameters[kind]}${more})`, () => {
      if (counted)
        scope.when(`depth > ${maxDepth}`, () => {
          scope.problem([], `must not be nested more than ${maxDepth} levels deep`);
          if (kind === "check") scope.lines.line("return;");
        });
      this.#writers[kind](scope, schema);
    });
    const text = scope.lines.toString();
    return text === "" ? `function ${name}() {}` : text;
  }

  /** Returns the name of a constant. It contains a digest of the content, so that other constants do not change it. */
  constant(prefix: string, expression: string): string {
    const known = this.#constants.get(expression);
    if (known !== undefined) return known;
    const digest = createHash("sha256").update(expression).digest("hex").slice(0, 8);
    const name = unique(`${prefix}_${digest}`, this.#names, "$");
    this.#constants.set(expression, name);
    return name;
  }

  helper(name: string): string {
    this.#helpers.add(name);
    return name;
  }

  finish(): { constants: string[]; shared: string[]; helpers: string[] } {
    for (let job = this.#queue.shift(); job; job = this.#queue.shift()) job();
    const constants = [...this.#constants].map(([expression, name]) => `const ${name} = ${expression};`);
    return {
      constants: constants.sort(),
      shared: this.#shared.flatMap(sortedFunctions),
      helpers: runtimeSource(this.#helpers),
    };
  }
}

function sortedFunctions(owner: Owner): string[] {
  return [...owner.functions.keys()].sort().map((name) => owner.functions.get(name) ?? "");
}

function targetName(pointer: string): string {
  const tokens = tokensOf(pointer);
  const said = tokens.length === 3 && tokens[0] === "components" ? tokens.slice(2) : tokens;
  const name = identifierPart(said.join("_"));
  return name.charAt(0).toUpperCase() + name.slice(1);
}

type Mode = "collect" | "test";
interface Loop {
  over: string;
  /** The variables with the results of tests. */
  results: Map<string, string>;
}

type SchemaWriter = (scope: Scope, schema: Schema, value: string, place: ValuePath) => void;

/**
 * The code of a function. In mode `collect`, it reports all errors. In mode `test`, it returns false at the first
 * error.
 */
export class Scope {
  readonly module: Module;
  readonly owner: Owner;
  readonly mode: Mode;
  readonly lines = new Lines();
  readonly depth: string;
  readonly #loops: Loop[] = [];
  #variables = 0;

  constructor(module: Module, owner: Owner, mode: Mode, depth: string) {
    this.module = module;
    this.owner = owner;
    this.mode = mode;
    this.depth = depth;
  }

  sibling(): Scope {
    return new Scope(this.module, this.owner, this.mode, this.depth);
  }

  schema(schema: Schema, value: string, place: ValuePath): void {
    this.module.emitSchema(this, schema, value, place);
  }

  call(kind: FunctionKind, schema: Schema, ...values: string[]): string {
    const name = this.module.require(kind, schema, this.owner);
    const given = [...values];
    if (isCounted(kind, schema)) given.push(this.depth);
    if (schema.remembered) given.push("memory");
    const once = schema.remembered ? rememberingCall[kind] : undefined;
    if (once === undefined) return `${name}(${given.join(", ")})`;
    return `${this.module.helper(once)}(${[name, ...given].join(", ")})`;
  }

  /** Writes the body of an exported function. The memory exists only during its call. */
  remembering(schema: Schema, body: () => void): void {
    if (schema.remembered) this.lines.prelude("const memory = new Map();", body);
    else body();
  }

  problem(place: ValuePath, message: string): void {
    this.problemExpression(place, quote(message));
  }

  problemExpression(place: ValuePath, message: string): void {
    if (this.mode === "test") this.lines.line("return false;");
    else this.lines.line(`${this.module.helper("report")}(problems, ${this.placeOf(place)}, ${message});`);
  }

  placeOf(place: ValuePath): string {
    if (place.some((part) => typeof part !== "string" && "key" in part)) this.module.helper("escapeToken");
    return placeExpression(place);
  }

  problemWhen(condition: string, place: ValuePath, message: string): void {
    this.when(condition, () => this.problem(place, message));
  }

  when(condition: string, body: () => void, otherwise: () => void = () => {}): void {
    this.lines.chain([
      [`if (${condition})`, body],
      ["else", otherwise],
    ]);
  }

  /** Writes a constant before the body that uses it. Writes nothing if the body is empty. */
  hold(hint: string, expression: string, body: (name: string) => void): void {
    const name = this.variable(hint);
    this.lines.prelude(`const ${name} = ${expression};`, () => body(name));
  }

  eachIndex(list: string, from: number, body: (index: string) => void): void {
    const index = this.variable("i");
    this.#loop(list, `for (let ${index} = ${from}; ${index} < ${list}.length; ${index} += 1)`, () =>
      body(index),
    );
  }

  variable(hint: string): string {
    this.#variables += 1;
    // A variable with the name of a generated function would hide the function.
    const plain = /^[a-z]\w*$/i.test(hint) && !/^(?:check|matches|covers|fill|pick|keep)/.test(hint);
    return `${plain ? hint : "part"}_${this.#variables}`;
  }

  property(object: string, name: string): string {
    if (!isInherited(name)) return member(object, name);
    return `${this.module.helper("own")}(${object}, ${quote(name)})`;
  }

  /** Stops a loop when enough errors are reported. `mostProblems` is emitted together with the helper `settle`. */
  untilEnough(body: () => void): void {
    if (this.mode === "test") body();
    else this.lines.prelude("if (problems.length >= mostProblems) break;", body);
  }

  /** Writes a loop. Its body must skip inherited properties and undefined values. */
  eachProperty(object: string, body: (key: string) => void): void {
    const key = this.variable("key");
    this.#loop(object, `for (const ${key} in ${object})`, () => body(key));
  }

  #loop(over: string, head: string, body: () => void): void {
    const loop: Loop = { over, results: new Map() };
    const declaration = () => (loop.results.size > 0 ? `let ${[...loop.results.values()].join(", ")};` : "");
    this.lines.prelude(declaration, () => {
      this.#loops.push(loop);
      this.lines.block(head, body);
      this.#loops.pop();
    });
  }

  /** In a loop over the parts of the value, a test of the whole value runs only once. */
  once(value: string, test: string): string {
    const loop = this.#loops.at(-1);
    if (loop?.over !== value || !/^\w+\(/.test(test)) return test;
    const result = loop.results.get(test) ?? this.variable("held");
    loop.results.set(test, result);
    return `(${result} ??= ${test})`;
  }
}
