/** Takes down which cells of the contract the exchanges of this process show. */
import type { Contract } from "../../generated/contract.ts";
import type { SettledExchange } from "../../server/contract/exchanges.ts";
import { Coverage, keyOf } from "./cells.ts";
import { recordCell } from "./record.ts";

export interface Recorder {
  /** Settles once the exchange has been taken down. One of another contract is passed over. */
  take(exchange: SettledExchange): Promise<void>;
}

/** @see Coverage for the parameters */
export function createRecorder(document: unknown, contract: Contract, codeAt: string): Recorder {
  const coverage = new Coverage(document, contract, codeAt);
  const left = new Set(coverage.matrix().cells.map(keyOf));
  return {
    async take({ contract: own, operationId, request, content, refusal, usedParameters, response }) {
      if (own !== undefined && own !== contract) return;
      const { status, headers } = response;
      const answer = {
        status,
        headers: [...headers],
        content: new Uint8Array(await response.clone().arrayBuffer()),
      };
      const sent = request && {
        method: request.method,
        target: request.url.replace(/^[a-z]+:\/\/[^/]*/i, ""),
        headers: [...request.headers],
        content: content ?? new Uint8Array(),
      };
      for (const cell of coverage.shownBy({ operationId, request: sent, refusal, usedParameters, answer })) {
        const key = keyOf(cell);
        if (left.delete(key)) recordCell(key);
      }
    },
  };
}
