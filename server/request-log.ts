/**
 * Logs a line for each request, in the form of pino's lines. Its fields are known, so it is written by hand, which takes a
 * fraction of the time.
 */
import type { Logger } from "pino";
import type { SettledExchange } from "./contract/exchange.ts";

/** @param code of the error that was returned */
export type RequestLog = (exchange: SettledExchange, code: string | undefined) => void;

export interface RequestLogOptions {
  /** Says which levels are logged. */
  readonly log: Pick<Logger, "isLevelEnabled">;
  readonly write: (line: string) => void;
  /** What other lines of the request say of it too. */
  readonly fields?: (() => Readonly<Record<string, string>>) | undefined;
}

/** Machines ask these every few seconds. */
const probes = ["/healthz", "/readyz"];
/** Of pino. */
const levels = { debug: 20, info: 30 };

export function createRequestLog({ log, write, fields }: RequestLogOptions): RequestLog {
  const isLogged = { debug: log.isLevelEnabled("debug"), info: log.isLevelEnabled("info") };
  return ({ requestId, operation, request, answer, address, seconds }, code) => {
    const level = probes.includes(operation) ? "debug" : "info";
    if (!isLogged[level]) return;
    const ms = Math.round(seconds * 1_000_000) / 1000;
    let line = `{"level":${levels[level]},"time":${Date.now()}`;
    if (fields !== undefined) line += written(fields());
    line += `,"request_id":${JSON.stringify(requestId)},"method":${JSON.stringify(request?.method)}`;
    line += `,"operation":${JSON.stringify(operation)},"status":${answer.status}`;
    if (code !== undefined) line += `,"code":${JSON.stringify(code)}`;
    if (address !== undefined) line += `,"address":${JSON.stringify(address)}`;
    write(`${line},"ms":${ms},"msg":"answered"}\n`);
  };
}

function written(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`)
    .join("");
}
