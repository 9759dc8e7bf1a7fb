/** Records which cells of the contract the exchanges of this process show. */
import type { Contract } from "../../generated/contract.ts";
import type { SettledExchange } from "../../server/contract/exchange.ts";
import { type Cell, Coverage, keyOf, unmatchedOperation, usedCell } from "./cells.ts";
import { recordCell } from "./record.ts";

export interface Recorder {
  take(exchange: SettledExchange): void;
  /** @param parameter that a handler has used, as `in /name` */
  takeUse(operationId: string, parameter: string): void;
}

export function createRecorder(document: unknown, contract: Contract, codeAt: string): Recorder {
  const coverage = new Coverage(document, contract, codeAt);
  const left = new Set(coverage.matrix().cells.map(keyOf));
  const record = (cell: Cell): void => {
    const key = keyOf(cell);
    if (left.delete(key)) recordCell(key);
  };
  return {
    take({ operation, request, content, refusal, answer: { status, headers, body } }) {
      const operationId = operation in contract.operations ? operation : undefined;
      // Such as /healthz, which is not in the contract.
      if (operationId === undefined && operation !== unmatchedOperation) return;
      const sent = request && {
        method: request.method,
        target: request.query === "" ? request.path : `${request.path}?${request.query}`,
        headers: headersOf(contract, operationId, (name) => request.header(name)),
        content: content ?? new Uint8Array(),
      };
      const answer = { status, headers: Object.entries(headers), content: bytesOf(body) };
      coverage.shownBy({ operationId, request: sent, refusal, answer }).forEach(record);
    },
    takeUse: (operationId, parameter) => record(usedCell(operationId, parameter)),
  };
}

/** The headers that the contract declares. */
function headersOf(
  contract: Contract,
  operationId: string | undefined,
  header: (name: string) => string | undefined,
): [string, string][] {
  const parameters = contract.operations[operationId ?? ""]?.parameters ?? [];
  const declared = parameters.filter((each) => each.in === "header").map(({ name }) => name);
  return ["content-type", "cookie", ...declared].flatMap((name) => {
    const value = header(name);
    return value === undefined ? [] : [[name, value] as [string, string]];
  });
}

function bytesOf(body: SettledExchange["answer"]["body"]): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return typeof body === "string" ? Buffer.from(body) : new Uint8Array();
}
