import {
  type Cell,
  type CellKind,
  cellKinds,
  isRight,
  keyOf,
  type Matrix,
  unmatchedOperation,
  usedColumn,
} from "./cells.ts";

interface CoverageSummary {
  /** A line for each kind, and one for each cell that no test covers. */
  readonly lines: readonly string[];
  readonly untested: readonly Cell[];
}

const nouns: { readonly [Kind in CellKind]: string } = {
  answer: "documented answers",
  code: "error codes, each under its statuses",
  credential: "credentials, valid and not",
  content: "kinds of content",
  value: "places of requests, valid and in each way invalid",
  property: "properties of answers, each in some answer",
  header: "headers of answers, each in some answer",
};

export function summarise({ cells, omissions }: Matrix, shown: ReadonlySet<string>): CoverageSummary {
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
      ...omissions.map(({ operation, place, why }) => `not generated: ${operation} ${place} ${why}`),
    ],
    untested,
  };
}

export function described({ operation, kind, row, column }: Cell): string {
  const subject = operation === unmatchedOperation ? "a request that matches no operation" : operation;
  switch (kind) {
    case "answer":
      return `${subject} ${row} (${column}); add a test in which it is answered so, as documented`;
    case "code":
      return `${subject} ${row} with the code ${column}; add a test of what gets this code`;
    case "credential":
      return `${subject} with a credential that is ${column}; add a test that sends one`;
    case "content":
      return `${subject} with content that is ${columnName(column)}; add a test that sends it`;
    case "value":
      if (column === usedColumn)
        return `${subject} ${row}; no handler has looked at it: let the operation's use it, or take it out of the spec`;
      return `${subject} ${row} (${columnName(column)}); add a test that sends ${isRight(column) ? "a valid one" : "an invalid one"}`;
    case "property":
    case "header":
      return `the ${kind} ${column} of ${row}; no answer has had it: add a test in which one has, or take it out of the spec`;
  }
}

const columnNames: { readonly [column: string]: string } = {
  required: "missing",
  absent: "left out",
  type: "other type",
  additionalProperties: "unknown name",
  readOnly: "read-only",
  tag: "unknown variant",
};

/** The name of a column; most are the violated keyword. */
function columnName(column: string): string {
  return columnNames[column] ?? column;
}
