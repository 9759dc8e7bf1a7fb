/**
 * Changes of the server's and the client's code, each of one kind at one place, found by walking over the syntax of
 * TypeScript: for any code that is written like this one.
 */
import ts from "typescript";
import type { Group, Kind, Mutant, Sources } from "./mutant.ts";
import { SourceText } from "./source-text.ts";

interface Change {
  readonly node: ts.Node;
  readonly title: string;
  readonly text: string;
}

interface Operator {
  readonly name: string;
  readonly kind: Kind;
  /** Globs of the files that are looked at; tests are not. */
  readonly files: readonly string[];
  /** See Group. */
  readonly most?: number;
  readonly changes: (source: SourceText) => Iterable<Change>;
}

const isTest = /\.(?:test|type-test|suite)\.ts$|\/testing\//;

export function sourceMutants(sources: Sources): Group[] {
  const parsed = new Map<string, SourceText>();
  const sourceOf = (file: string): SourceText => {
    const source = parsed.get(file) ?? new SourceText(file, sources.read(file));
    parsed.set(file, source);
    return source;
  };
  return operators.map(({ name, kind, files, most, changes }) => {
    const mutants = files
      .flatMap((pattern) => sources.list(pattern))
      .filter((file) => !isTest.test(file))
      .flatMap((file) => {
        const source = sourceOf(file);
        const counts = new Map<string, number>();
        return [...changes(source)].map(({ node, title, text }): Mutant => {
          const path = source.pathOf(node);
          const count = (counts.get(path) ?? 0) + 1;
          counts.set(path, count);
          const id = `${kind}:${name}:${file}#${path}${count === 1 ? "" : `/${count}`}`;
          return { id, kind, operator: name, title: `${title} (line ${source.lineOf(node)})`, file, text };
        });
      });
    return { most, mutants };
  });
}

/** A condition whose only effect is that the work ends here, or that a fault is told. */
function isGuard(node: ts.Node): node is ts.IfStatement {
  if (!ts.isIfStatement(node) || node.elseStatement !== undefined) return false;
  // An `else` would have nothing after it.
  if (ts.isIfStatement(node.parent)) return false;
  const then = node.thenStatement;
  const statements = ts.isBlock(then) ? then.statements : [then];
  const [last] = [...statements].slice(-1);
  if (last === undefined) return false;
  if (ts.isThrowStatement(last) || ts.isReturnStatement(last)) return true;
  return ts.isExpressionStatement(last) && /^(?:report|problems\.push|settle)\(/.test(last.getText());
}

function* withoutGuards(source: SourceText): Iterable<Change> {
  for (const node of source.nodes())
    if (isGuard(node)) {
      const condition = source.textOf(node.expression).replaceAll(/\s+/g, " ");
      yield {
        node,
        title: `\`if (${condition})\` and what follows from it are gone`,
        text: source.removed(node),
      };
    }
}

function isObjectProperty(node: ts.Node): node is ts.PropertyAssignment | ts.ShorthandPropertyAssignment {
  return ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node);
}

/** Properties of what is answered: of `body`, and of whatever stands in it. */
function* withoutFields(source: SourceText): Iterable<Change> {
  for (const node of source.nodes()) {
    if (!isObjectProperty(node) || !/(?:^|\.)(?:body|error|key|user)(?:\.|$)/.test(source.pathOf(node)))
      continue;
    yield { node, title: `${source.textOf(node.name)} is not answered`, text: source.removed(node) };
  }
}

const otherStatuses: { readonly [status: string]: string } = {
  200: "202",
  204: "200",
  400: "422",
  401: "403",
  403: "401",
  404: "400",
  405: "404",
  413: "400",
  415: "400",
  422: "400",
  429: "503",
  500: "503",
  503: "500",
};

function* otherStatusOf(source: SourceText): Iterable<Change> {
  for (const node of source.nodes()) {
    if (!ts.isPropertyAssignment(node) || source.textOf(node.name) !== "status") continue;
    const other = otherStatuses[source.textOf(node.initializer)];
    if (other === undefined) continue;
    yield {
      node,
      title: `status ${source.textOf(node.initializer)} becomes ${other}`,
      text: source.replaced(node.initializer, other),
    };
  }
}

/** The code of an answered error: that of another error, which exists. */
function* otherCodes(source: SourceText): Iterable<Change> {
  for (const node of source.nodes()) {
    if (!ts.isCallExpression(node) || source.textOf(node.expression) !== "errorResponse") continue;
    const [code] = node.arguments;
    if (code === undefined || !ts.isStringLiteral(code)) continue;
    const other = code.text === "internal_error" ? "unavailable" : "internal_error";
    yield {
      node: code,
      title: `code ${code.text} becomes ${other}`,
      text: source.replaced(code, `"${other}"`),
    };
  }
}

/** A key that is the name of a header: of several words, or of one that stands where headers are given. */
function* headerNames(source: SourceText) {
  for (const node of source.nodes()) {
    if (!ts.isPropertyAssignment(node)) continue;
    const isHeader =
      (ts.isStringLiteral(node.name) && /^[A-Z][\w]*(?:-[A-Z][\w]*)+$/.test(node.name.text)) ||
      /^(?:Allow|Authorization|RateLimit|Vary)$/.test(source.textOf(node.name));
    if (isHeader) yield node;
  }
}

function* otherHeaders(source: SourceText): Iterable<Change> {
  for (const node of headerNames(source)) {
    const name = source.textOf(node.name).replaceAll('"', "");
    yield { node, title: `header ${name} is called X-Other`, text: source.replaced(node.name, '"X-Other"') };
  }
}

function* withoutHeaders(source: SourceText): Iterable<Change> {
  for (const node of headerNames(source)) {
    const name = source.textOf(node.name).replaceAll('"', "");
    yield { node, title: `header ${name} is not sent`, text: source.removed(node) };
  }
}

/** What was done where two things are the same is done where they differ. */
function* flippedEqualities(source: SourceText): Iterable<Change> {
  for (const node of source.nodes()) {
    if (!ts.isBinaryExpression(node)) continue;
    const token = node.operatorToken;
    const other = { "===": "!==", "!==": "===" }[source.textOf(token)];
    if (other === undefined) continue;
    const condition = source.textOf(node).replaceAll(/\s+/g, " ");
    yield { node, title: `\`${condition}\` is turned round`, text: source.replaced(token, other) };
  }
}

const operators: readonly Operator[] = [
  {
    name: "skip-check",
    kind: "server",
    files: ["server/contract/*.ts", "server/operations/*.ts"],
    most: 14,
    changes: withoutGuards,
  },
  {
    name: "skip-domain-check",
    kind: "server",
    files: ["server/domain/*.ts", "server/*.ts"],
    most: 10,
    changes: withoutGuards,
  },
  {
    name: "drop-field",
    kind: "server",
    files: [
      "server/operations/*.ts",
      "server/errors.ts",
      "server/domain/login.ts",
      "server/domain/sessions.ts",
    ],
    most: 14,
    changes: withoutFields,
  },
  { name: "wrong-status", kind: "server", files: ["server/**/*.ts"], most: 12, changes: otherStatusOf },
  { name: "wrong-code", kind: "server", files: ["server/**/*.ts"], most: 12, changes: otherCodes },
  { name: "wrong-header", kind: "server", files: ["server/**/*.ts"], most: 6, changes: otherHeaders },
  { name: "drop-header", kind: "server", files: ["server/**/*.ts"], most: 12, changes: withoutHeaders },
  { name: "skip-check", kind: "client", files: ["client/**/*.ts"], most: 14, changes: withoutGuards },
  { name: "wrong-header", kind: "client", files: ["client/**/*.ts"], changes: otherHeaders },
  { name: "drop-header", kind: "client", files: ["client/**/*.ts"], changes: withoutHeaders },
  { name: "turn-round", kind: "client", files: ["client/**/*.ts"], most: 8, changes: flippedEqualities },
];
