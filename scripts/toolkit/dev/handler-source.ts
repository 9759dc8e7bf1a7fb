/** The call that makes a handler, such as `handler("getThing", …)`, and the responses that are written in it. */
import ts from "typescript";

/** Line and column, from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export class HandlerSource {
  readonly operation: string;
  readonly #source: ts.SourceFile;
  readonly #call: ts.CallExpression;

  private constructor(source: ts.SourceFile, call: ts.CallExpression, operation: string) {
    this.#source = source;
    this.#call = call;
    this.operation = operation;
  }

  /** Returns the innermost call around the place whose first argument is a string. */
  static at(text: string, place: Place): HandlerSource | undefined {
    const source = ts.createSourceFile("handler.ts", text, ts.ScriptTarget.Latest, true);
    const start = offsetOf(source, place);
    let found: HandlerSource | undefined;
    const visit = (node: ts.Node): void => {
      if (start < node.pos || node.end <= start) return;
      const [operation] = ts.isCallExpression(node) ? node.arguments : [];
      if (ts.isCallExpression(node) && operation && ts.isStringLiteral(operation))
        found = new HandlerSource(source, node, operation.text);
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  }

  contains(place: Place | undefined): boolean {
    if (place === undefined) return false;
    const offset = offsetOf(this.#source, place);
    return this.#call.getStart() <= offset && offset < this.#call.end;
  }

  /** Returns the places of the responses with this status, or of those without one. */
  responses(status: string | undefined): Place[] {
    const places: Place[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isObjectLiteralExpression(node) && statusOf(node) === status && isReturned(node)) {
        const { line, character } = this.#source.getLineAndCharacterOfPosition(node.getStart());
        places.push({ line: line + 1, column: character + 1 });
      } else ts.forEachChild(node, visit);
    };
    visit(this.#call);
    return places;
  }
}

function offsetOf(source: ts.SourceFile, { line, column }: Place): number {
  return source.getPositionOfLineAndCharacter(line - 1, column - 1);
}

function isReturned({ parent }: ts.Node): boolean {
  if (ts.isParenthesizedExpression(parent) || ts.isConditionalExpression(parent)) return isReturned(parent);
  return ts.isReturnStatement(parent) || ts.isArrowFunction(parent);
}

function statusOf({ properties }: ts.ObjectLiteralExpression): string | undefined {
  const status = properties.find((each) => each.name?.getText() === "status");
  return status && ts.isPropertyAssignment(status) ? status.initializer.getText() : undefined;
}
