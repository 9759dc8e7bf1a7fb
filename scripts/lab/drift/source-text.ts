/** A module of TypeScript as text whose syntax is known, so that one place of it is changed and no other. */
import ts from "typescript";

export class SourceText {
  readonly text: string;
  readonly #file: ts.SourceFile;

  constructor(name: string, text: string) {
    this.text = text;
    this.#file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  }

  /** Every node, each before what it holds. */
  *nodes(): Generator<ts.Node, undefined> {
    const pending: ts.Node[] = [this.#file];
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      yield node;
      pending.push(...node.getChildren(this.#file).toReversed());
    }
  }

  textOf(node: ts.Node): string {
    return node.getText(this.#file);
  }

  /** Counted from 1. */
  lineOf(node: ts.Node): number {
    return this.#file.getLineAndCharacterOfPosition(node.getStart(this.#file)).line + 1;
  }

  replaced(node: ts.Node, text: string): string {
    return this.text.slice(0, node.getStart(this.#file)) + text + this.text.slice(node.end);
  }

  /** Without a node, what is written before it, and the comma or semicolon behind it. */
  removed(node: ts.Node): string {
    const [separator = ""] = /^\s*[,;]/.exec(this.text.slice(node.end)) ?? [];
    return this.text.slice(0, node.getFullStart()) + this.text.slice(node.end + separator.length);
  }

  /** The names of the functions, variables and properties that a node stands in, from the outside. */
  pathOf(node: ts.Node): string {
    const names: string[] = [];
    for (let at = node.parent; at !== undefined; at = at.parent) {
      if (isNamed(at) && at.name !== undefined) names.unshift(at.name.getText(this.#file));
    }
    return names.join(".");
  }
}

function isNamed(node: ts.Node) {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isPropertyAssignment(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isPropertySignature(node)
  );
}
