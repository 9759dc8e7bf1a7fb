/** Records which cells of the document the exchanges of this process cover. */
import type { SettledExchange } from "#specbind/server";
import { type Cell, Coverage, keyOf, unmatchedOperation, usedCell } from "./cells.ts";
import { recordCell } from "./record.ts";

export interface Recorder {
  take(exchange: SettledExchange): void;
  /** Records that a handler has read a parameter. @param parameter as `in /name` */
  takeUse(operationId: string, parameter: string): void;
}

export function createRecorder(document: object): Recorder {
  const coverage = new Coverage(document);
  const left = new Set(coverage.cells().map(keyOf));
  const record = (cell: Cell): void => {
    const key = keyOf(cell);
    if (left.delete(key)) recordCell(key);
  };
  return {
    take({ operation: name, request, reply: { status, headers, body } }) {
      const operationId = coverage.has(name) ? name : undefined;
      // Routes such as /healthz are not in the document.
      if (operationId === undefined && name !== unmatchedOperation) return;
      const response = { status, headers: Object.entries(headers), body: bytesOf(body) };
      coverage.shownBy({ operationId, method: request?.method, response }).forEach(record);
    },
    takeUse: (operationId, parameter) => record(usedCell(operationId, parameter)),
  };
}

function bytesOf(body: SettledExchange["reply"]["body"]): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return typeof body === "string" ? Buffer.from(body) : new Uint8Array();
}
