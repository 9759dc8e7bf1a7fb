import { type Cell, type CellKind, cellKinds, keyOf, unmatchedOperation } from "./cells.ts";

interface CoverageSummary {
  /** One line for each kind of cell, and one for each cell that no test covers. */
  readonly lines: readonly string[];
  readonly untested: readonly Cell[];
}

const nouns: { readonly [Kind in CellKind]: string } = {
  response: "documented responses",
  method: "methods of twins",
  code: "error codes by status",
  parameter: "parameters that a handler reads",
  property: "properties of responses",
  header: "headers of responses",
};

export function summarise(cells: readonly Cell[], shown: ReadonlySet<string>): CoverageSummary {
  const untested = cells.filter((cell) => !shown.has(keyOf(cell)));
  const counts = cellKinds.map((kind) => {
    const own = cells.filter((cell) => cell.kind === kind);
    const done = own.length - untested.filter((cell) => cell.kind === kind).length;
    return `  ${`${done} of ${own.length}`.padStart(11)}  ${nouns[kind]}`;
  });
  return {
    lines: [
      `contract coverage: ${cells.length - untested.length} of ${cells.length} cells`,
      ...counts,
      ...untested.map((cell) => `untested: ${described(cell)}`),
    ],
    untested,
  };
}

export function described({ operation, kind, row, column }: Cell): string {
  const subject = operation === unmatchedOperation ? "a request that matches no operation" : operation;
  switch (kind) {
    case "response":
      return `${subject} ${row} (${column}); add a test with this response${exampleOf(row)}`;
    case "method":
      return `${subject} with ${column}; add a test that sends ${column} and succeeds`;
    case "code":
      return `${subject} ${row} with the code ${column}; add a test with this response`;
    case "parameter":
      return `${subject} ${row}; no handler reads it: use it in the operation's handler, or remove it from the spec`;
    case "property":
    case "header":
      return `the ${kind} ${column} of ${row}; no response contains it: add a test with a response that does, or remove it from the spec`;
  }
}

/** If every text is a valid parameter, the conformance tests send no invalid one. */
function exampleOf(status: string): string {
  return status === "422" ? ", for example to a query parameter that is given twice" : "";
}
