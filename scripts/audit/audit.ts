/** Judges a whole recording by a contract, and counts what cannot be judged: nothing passes in silence. */
import type { Contract } from "../../generated/contract.ts";
import { carriesCredential } from "./credentials.ts";
import type { RecordedExchange } from "./har.ts";
import { type AuditFinding, judgeRecorded, type UnjudgedReason } from "./judge.ts";
import { ServerUnknownError, type ServerUrl, targetBelow } from "./servers.ts";

export interface Audit {
  readonly servers: readonly ServerUrl[];
  /** Of the recording, by what became of them. */
  readonly entries: {
    /** The spec describes all that could be judged. */
    readonly described: number;
    /** Described, and refused by the server as the spec says. */
    readonly refused: number;
    /** What browsers ask before a request of another origin. */
    readonly preflights: number;
    readonly unanswered: number;
    readonly undescribed: number;
    /** Of other servers, by origin. */
    readonly others: Readonly<Record<string, number>>;
  };
  readonly findings: readonly AuditFinding[];
  /** By reason, the entries of which something was not judged. */
  readonly unjudged: Readonly<Partial<Record<UnjudgedReason, readonly number[]>>>;
}

/**
 * @param onEntry told how many entries have been judged
 * @throws ServerUnknownError where no entry is of the servers, so that nothing could be judged
 */
export async function audit(
  contract: Contract,
  servers: readonly ServerUrl[],
  recording: readonly RecordedExchange[],
  onEntry: (judged: number) => void = () => {},
): Promise<Audit> {
  const own: { exchange: RecordedExchange; target: string }[] = [];
  const others: Record<string, number> = {};
  for (const exchange of recording) {
    const target = targetBelow(servers, exchange.url);
    if (target !== undefined) own.push({ exchange, target });
    else others[placeOf(exchange.url)] = (others[placeOf(exchange.url)] ?? 0) + 1;
  }
  if (own.length === 0)
    throw new ServerUnknownError(
      `no entry is of ${servers.join(" or ")}, but of ${Object.keys(others).join(", ")}`,
    );
  const hasCredentials = own.some(({ exchange }) => carriesCredential(contract, exchange));
  const entries = { described: 0, refused: 0, preflights: 0, unanswered: 0, undescribed: 0, others };
  const findings: AuditFinding[] = [];
  const unjudged: Partial<Record<UnjudgedReason, number[]>> = {};
  for (const [done, { exchange, target }] of own.entries()) {
    const verdict = await judgeRecorded(contract, exchange, target, hasCredentials);
    for (const finding of verdict.findings) findings.push(finding);
    for (const reason of verdict.unjudged) {
      const known = unjudged[reason];
      if (known === undefined) unjudged[reason] = [exchange.index];
      else known.push(exchange.index);
    }
    entries[verdict.kind] += 1;
    onEntry(done + 1);
  }
  return { servers, entries, findings, unjudged };
}

/** Addresses such as those of `data:` have no origin. */
function placeOf({ origin, protocol }: URL): string {
  return origin === "null" ? protocol : origin;
}
