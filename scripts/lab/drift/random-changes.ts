/** Finds the places of source files where one small change may alter the behaviour, and selects some of them by a seed. */
import { hash } from "node:crypto";
import ts from "typescript";

export interface RandomChange {
  /** Depends on the seed and the statement, not on the file's path. So the same change is made after a move. */
  readonly id: string;
  readonly kind: string;
  readonly file: string;
  readonly line: number;
  readonly before: string;
  readonly after: string;
  readonly text: string;
}

interface Candidate extends Omit<RandomChange, "id" | "text"> {
  readonly start: number;
  readonly source: string;
  /** The statement and the change. Equal candidates are numbered in the order of `context`. */
  readonly key: string;
  readonly context: string;
}

type Edit = readonly [kind: string, node: ts.Node, after: string, end?: number];

const swaps: Readonly<Record<string, string>> = {
  ...{ "<": "<=", "<=": "<", ">": ">=", ">=": ">", "===": "!==", "!==": "===" },
  ...{ "+": "-", "-": "+", "*": "/", "/": "*", "%": "*", "+=": "-=", "-=": "+=", "&&": "||", "||": "&&" },
};
/** Each replaces the first place in SQL where it fits. */
const sqlSwaps: readonly (readonly [from: RegExp, to: string])[] = [
  [/ < /, " <= "],
  [/ > /, " >= "],
  [/ = /, " <> "],
  [/ AND /, " OR "],
  [/ OR /, " AND "],
  [/\bDESC\b/, "ASC"],
  [/ IS NULL/, " IS NOT NULL"],
  [/ IS NOT NULL/, " IS NULL"],
  [/\bmax\(/i, "min("],
  [/\bleast\(/, "greatest("],
  [/ ORDER BY .*$/m, ""],
  [/ LIMIT [:$?]?\w+/, ""],
];

/** Returns the `count` valid changes with the smallest hashes. */
export function randomChanges(
  files: readonly string[],
  read: (file: string) => string,
  count: number,
  seed: number,
): RandomChange[] {
  const candidates = files.flatMap((file) => candidatesIn(file, read(file)));
  const numbered = [...Map.groupBy(candidates, ({ key }) => key).values()].flatMap((equal) =>
    equal
      .toSorted((a, b) => Number(a.context > b.context) - Number(a.context < b.context) || a.start - b.start)
      .map((candidate, index) => ({ candidate, id: hash("sha256", `${seed}\n${index}\n${candidate.key}`) })),
  );
  const chosen: RandomChange[] = [];
  for (const { candidate, id } of numbered.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    if (chosen.length === count) break;
    const { start, source, before, after, kind, file, line } = candidate;
    const text = source.slice(0, start) + after + source.slice(start + before.length);
    if (isValid(text)) chosen.push({ id: id.slice(0, 12), kind, file, line, before, after, text });
  }
  return chosen;
}

function isValid(text: string): boolean {
  return ts.transpileModule(text, { reportDiagnostics: true }).diagnostics?.length === 0;
}

function candidatesIn(file: string, source: string): Candidate[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const found: Candidate[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return;
    for (const [kind, changed, after, end = changed.end] of editsOf(node)) {
      const start = changed.getStart(tree);
      const before = source.slice(start, end);
      const line = tree.getLineAndCharacterOfPosition(start).line + 1;
      const key = [kind, plain(statementOf(node)), plain(changed), after].join("\n");
      found.push({ kind, file, line, before, after, start, source, key, context: plain(topLevelOf(node)) });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** The text without paths of modules and without line breaks, so that a move does not change it. */
const plain = (node: ts.Node): string =>
  node
    .getText()
    .replaceAll(/(["'`])(?:\.{1,2}\/|#)[^"'`]*\1/g, "")
    .replaceAll(/\s+/g, " ");

function statementOf(node: ts.Node): ts.Node {
  return ts.isStatement(node) || ts.isSourceFile(node.parent) ? node : statementOf(node.parent);
}

function topLevelOf(node: ts.Node): ts.Node {
  return ts.isSourceFile(node) || ts.isSourceFile(node.parent) ? node : topLevelOf(node.parent);
}

function editsOf(node: ts.Node): Edit[] {
  return [...editsOfStatement(node), ...editsOfOperator(node), ...editsOfLiteral(node), ...removals(node)];
}

function editsOfStatement(node: ts.Node): Edit[] {
  if (ts.isIfStatement(node) || ts.isWhileStatement(node)) return [negation(node.expression)];
  if (ts.isConditionalExpression(node)) return [negation(node.condition)];
  if (ts.isThrowStatement(node) || ts.isBreakOrContinueStatement(node))
    return [["drop-statement", node, ";"]];
  if (ts.isCaseClause(node)) return [["drop-case", node, ""]];
  if (ts.isReturnStatement(node) && (node.expression?.getText() ?? "undefined") === "undefined")
    return [["drop-return", node, ";"]];
  if (ts.isReturnStatement(node)) {
    const type = ts.findAncestor(node, ts.isFunctionLike)?.type?.getText() ?? "";
    return /\b(?:undefined|void)\b/.test(type) ? [["drop-return", node, "return;"]] : [];
  }
  return ts.isExpressionStatement(node) && !ts.isStringLiteral(node.expression)
    ? [["drop-statement", node, ";"]]
    : [];
}

const negation = (condition: ts.Expression): Edit => ["negate", condition, `!(${condition.getText()})`];

function editsOfOperator(node: ts.Node): Edit[] {
  if (ts.isAwaitExpression(node)) return [["drop-await", node, node.expression.getText()]];
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return [["drop-not", node, node.operand.getText()]];
  if (!ts.isBinaryExpression(node)) return [];
  const { left, operatorToken, right } = node;
  const operator = operatorToken.getText();
  const edits: Edit[] = ["??", "||", "&&"].includes(operator) ? [["drop-right", node, left.getText()]] : [];
  const joinsText = operator.startsWith("+") && [left, right].some((side) => /["'`]/.test(side.getText()));
  const swapped = swaps[operator];
  if (swapped !== undefined && !joinsText) edits.push(["swap-operator", operatorToken, swapped]);
  return edits;
}

function editsOfLiteral(node: ts.Node): Edit[] {
  const text = node.getText();
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [["boolean", node, "false"]];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [["boolean", node, "true"]];
  if (ts.isNumericLiteral(node)) return [["number", node, String(Number(text.replaceAll("_", "")) + 1)]];
  if (ts.isRegularExpressionLiteral(node))
    return [/\^/, /\$(?=.*\/)/, /\+/].flatMap((part): Edit[] =>
      part.test(text) && !text.includes("[^")
        ? [["regex", node, text.replace(part, part.source === "\\+" ? "*" : "")]]
        : [],
    );
  if (!ts.isStringLiteralLike(node) && !ts.isTemplateExpression(node)) return [];
  if (/\b(?:SELECT|INSERT|UPDATE|DELETE|WHERE|CREATE|ALTER|ORDER BY|PRAGMA)\b/.test(text))
    return sqlSwaps.flatMap(([from, to]): Edit[] =>
      from.test(text) ? [["sql", node, text.replace(from, to)]] : [],
    );
  // A text with spaces is a message or a help text. A text with a slash at its beginning may be a path of the tree.
  const isWord = ts.isStringLiteral(node) && /^.[^\s]+.$/.test(text) && !/^.(?:\.{0,2}\/|#|node:)/.test(text);
  return isWord && !(ts.isPropertyAssignment(node.parent) && node.parent.name === node)
    ? [["empty-text", node, '""']]
    : [];
}

/** Removes an entry with the comma that follows it. */
function removals(node: ts.Node): Edit[] {
  const entries = ts.isArrayLiteralExpression(node)
    ? node.elements
    : ts.isObjectLiteralExpression(node) && node.properties;
  if (!entries) return [];
  return [...entries].map((entry, index) => [
    "drop-entry",
    entry,
    "",
    entries[index + 1]?.pos ?? (entries.hasTrailingComma ? entries.end : entry.end),
  ]);
}
