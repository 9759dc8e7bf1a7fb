/** Compiles JSON Schemas of an OpenAPI 3.1 document to a module without imports and without `eval`. */
import { Script } from "node:vm";
import { tokensOf } from "../openapi/document.ts";
import { analyse } from "./analysis.ts";
import { Completion } from "./completion.ts";
import { emitInline, emitSchema } from "./emit/check.ts";
import { coversIndex, coversKey } from "./emit/unevaluated.ts";
import { reportImpossible } from "./impossible.ts";
import { Module, type Scope } from "./module.ts";
import { Projection } from "./projection.ts";
import { markRemembered } from "./remembered.ts";
import { reachable, type Schema, type Unenforceable } from "./schema.ts";
import { SchemaReader } from "./schema-reader.ts";
import { share } from "./sharing.ts";
import { Withholding } from "./withholding.ts";

export type { Unenforceable } from "./schema.ts";

/** A schema with its own validator. */
export interface SchemaUse {
  /** A unique identifier in PascalCase. */
  readonly name: string;
  readonly pointer: string;
  /** Defaults are filled in for requests and parameters. Responses are reduced to declared properties. */
  readonly use: "request" | "response" | "parameter";
  /** The TypeScript type of valid values, if it has a name. */
  readonly type?: string | undefined;
}

interface CompiledValidators {
  code: string;
  declarations: string;
  unenforceable: Unenforceable[];
  /** Names of the entries for which a function fills in defaults. */
  completes: Set<string>;
  /** Pointers of the entries and of all schemas to which they refer. */
  reached: Set<string>;
}

/**
 * All references must be local. A change of one schema changes only the code of its own functions, and of schemas that
 * equal a part of it.
 * @throws Error if two entries have the same name, or a name is not an identifier
 */
export function compileValidators(document: unknown, entries: readonly SchemaUse[]): CompiledValidators {
  const names = new Set<string>();
  for (const { name } of entries) {
    if (!/^[A-Z][A-Za-z0-9_]*$/.test(name))
      throw new Error(`${JSON.stringify(name)} is not a PascalCase identifier`);
    if (names.has(name)) throw new Error(`two entries are named ${name}`);
    names.add(name);
  }
  const reader = new SchemaReader(document);
  const roots = entries.map(({ pointer }) => reader.read(pointer));
  analyse(roots, reader);
  for (const schema of reachable(roots)) reportImpossible(schema, reader);
  markRemembered(roots);
  const targets = inDocumentOrder(document, reader.targets);
  const contradicting = contradictingDefaults(roots, targets);
  const unenforceable = inDocumentOrder(document, [...reader.unenforceable, ...contradicting]);
  const reached = new Set([...roots, ...targets].map(({ pointer }) => pointer));
  const { functions, declarations, completes } = render(entries, roots, targets, "export function");
  return {
    code: `${functions.join("\n\n")}\n`,
    declarations: `${declarations.join("\n\n")}\n`,
    unenforceable,
    completes,
    reached,
  };
}

/** Sorts by the order of the places in the document. */
function inDocumentOrder<Item extends { pointer: string }>(document: unknown, items: Iterable<Item>): Item[] {
  const ranked = Array.from(items, (item) => {
    let holder = Object(document);
    const positions = tokensOf(item.pointer).map((token) => {
      const position = Object.keys(holder).indexOf(token);
      holder = Object(holder[token]);
      return String(position).padStart(9, "0");
    });
    return { item, rank: positions.join("/") };
  });
  ranked.sort((left, right) => (left.rank < right.rank ? -1 : Number(left.rank > right.rank)));
  return ranked.map(({ item }) => item);
}

/** Returns the places of these schemas that a validator could not enforce. */
export function unenforceableIn(document: unknown, pointers: readonly string[]): Unenforceable[] {
  const reader = new SchemaReader(document);
  const roots = pointers.map((pointer) => reader.read(pointer));
  analyse(roots, reader);
  for (const schema of reachable(roots)) reportImpossible(schema, reader);
  return [...reader.unenforceable, ...contradictingDefaults(roots, [...reader.targets])];
}

function render(
  entries: readonly SchemaUse[],
  read: readonly Schema[],
  targets: readonly Schema[],
  keyword: string,
) {
  const { roots, names } = share(read, targets);
  const completion = new Completion(roots);
  const projection = new Projection(roots);
  const withholding = new Withholding(roots);
  const writers = {
    check: (scope: Scope, schema: Schema) => emitSchema(scope, schema, "value", []),
    matches: (scope: Scope, schema: Schema) => {
      emitSchema(scope, schema, "value", []);
      scope.lines.line("return true;");
    },
    coversKey: (scope: Scope, schema: Schema) =>
      scope.lines.line(`return ${coversKey(scope, schema, "value", "key")};`),
    coversIndex: (scope: Scope, schema: Schema) =>
      scope.lines.line(`return ${coversIndex(scope, schema, "value", "index")};`),
    fill: (scope: Scope, schema: Schema) => completion.write(scope, schema, "value"),
    withhold: (scope: Scope, schema: Schema) => withholding.shared(scope, schema),
    pick: (scope: Scope, schema: Schema) => projection.shared(scope, schema),
    keep: (scope: Scope, schema: Schema) => projection.keeping.shared(scope, schema, "rest"),
    keepAll: (scope: Scope, schema: Schema) => projection.keeping.shared(scope, schema, "all"),
  };
  const reserved = entries.map(({ name }) => name);
  const module = new Module(writers, emitInline, targets, names, reserved);
  const declarations = ["export interface Problem {\n  pointer: string;\n  message: string;\n}"];
  const completes = new Set<string>();
  const write = (scope: Scope, head: string, declaration: string, body: () => void): string => {
    scope.lines.block(`${keyword} ${head}`, body);
    declarations.push(`export function ${declaration};`);
    return scope.lines.toString();
  };
  const written = entries.map(({ name, use, type }, index) => {
    const schema = roots[index] as Schema;
    const scope = module.entryScope(name, schema);
    const second = scope.sibling();
    const texts = [
      write(
        scope,
        `validate${name}(value, problems)`,
        `validate${name}(value: unknown, problems: Problem[]): ${type ? `value is ${type}` : "boolean"}`,
        () => validateBody(scope, schema),
      ),
    ];
    if (use === "response") {
      const project = () =>
        second.remembering(schema, () => {
          withholding.apply(second, schema, "value");
          projection.entry(second, schema);
        });
      const declaration = `project${name}(value: unknown): unknown`;
      texts.push(write(second, `project${name}(value)`, declaration, project));
    } else if (completion.applies(schema)) {
      completes.add(name);
      const complete = () => second.remembering(schema, () => completion.entry(second, schema));
      const declaration = `complete${name}(value: unknown): unknown`;
      texts.push(write(second, `complete${name}(value)`, declaration, complete));
    }
    return { scope, texts };
  });
  const { constants, shared, helpers } = module.finish();
  const own = written.flatMap(({ scope, texts }) => [...module.ownedBy(scope), ...texts]);
  const constantText = constants.length > 0 ? [constants.join("\n")] : [];
  return { functions: [...constantText, ...own, ...shared, ...helpers], declarations, completes };
}

function validateBody(scope: Scope, schema: Schema): void {
  scope.lines.prelude("const before = problems.length;", () =>
    scope.remembering(schema, () => scope.schema(schema, "value", [])),
  );
  if (scope.lines.isEmpty()) {
    scope.lines.line("return true;");
    return;
  }
  if (schema.remembered) scope.lines.line(`${scope.module.helper("ungroup")}(problems, before, memory);`);
  scope.lines.line(
    `return problems.length === before || ${scope.module.helper("settle")}(problems, before);`,
  );
}

interface DefaultCheck {
  validate(value: unknown, problems: { pointer: string; message: string }[]): boolean;
  complete?(value: unknown): unknown;
}

function contradictingDefaults(roots: readonly Schema[], targets: readonly Schema[]): Unenforceable[] {
  const schemas = [...reachable(roots)].filter((schema) => schema.default !== undefined);
  if (schemas.length === 0) return [];
  const entries = schemas.map(
    ({ pointer }, index): SchemaUse => ({ name: `Default${index}`, pointer, use: "request" }),
  );
  const { functions, completes } = render(entries, schemas, targets, "function");
  const checks = entries.map(({ name }) =>
    completes.has(name)
      ? `{ validate: validate${name}, complete: complete${name} }`
      : `{ validate: validate${name} }`,
  );
  // The outer function prevents names of the generated code in the global scope.
  const script = `(() => {\n${functions.join("\n\n")}\nreturn [${checks.join(", ")}];\n})()`;
  const found: readonly DefaultCheck[] = new Script(script).runInThisContext();
  return schemas.flatMap((schema, index): Unenforceable[] => {
    const problem = problemOfDefault(found[index], schema.default?.value);
    const pointer = `${schema.pointer}/default`;
    return problem === undefined
      ? []
      : [{ rule: "default-contradicts", pointer, message: `\`default\` ${problem}` }];
  });
}

function problemOfDefault(check: DefaultCheck | undefined, value: unknown): string | undefined {
  const problems: { pointer: string; message: string }[] = [];
  if (check?.validate(value, problems) === false) {
    const texts = problems.map(({ pointer, message }) => `${pointer === "" ? "it" : pointer} ${message}`);
    return `contradicts its own schema: ${texts.join(", ")}; correct one of the two`;
  }
  try {
    check?.complete?.(structuredClone(value));
    return undefined;
  } catch (error) {
    if (error instanceof RangeError)
      return "has no end, because the defaults inside it contain it again; remove one of these defaults";
    throw error;
  }
}
