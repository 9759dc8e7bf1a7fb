/**
 * Kills the server at random moments, and tests that all data that it has acknowledged is stored. CRASH_SEED
 * determines the moments, and CRASH_ROUNDS their number.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { definitionHash } from "../domain/commissions.ts";
import { databases } from "../testing/databases.ts";
import { send } from "../testing/http.ts";
import { startServer } from "../testing/program.ts";
import { randomFrom } from "../testing/random.ts";
import { populate } from "../testing/tenants.ts";

const rounds = Number(process.env.CRASH_ROUNDS || 10);
const seed = Number(process.env.CRASH_SEED || 1);
const callersAtOnce = 16;
/** The server is killed while it works, after at most this many responses. */
const maxResponses = 300;

describe.each(databases)("a server on $name that is killed while it works", ({ create, runSql }) => {
  let databaseUrl: string;
  let key: string;
  let remove: () => Promise<void>;
  beforeAll(async () => {
    ({ url: databaseUrl, remove } = await create());
    ({ secretKey: key } = await populate(databaseUrl));
  });
  afterAll(() => remove());

  const timeout = rounds * 10_000;
  test(`has stored every commission that it has acknowledged, in ${rounds} rounds`, { timeout }, async () => {
    const random = randomFrom(seed);
    /** Canonical definitions, keyed by the id in the response. */
    const confirmed = new Map<number, string>();
    for (let round = 0; round < rounds; round++) {
      const enough = confirmed.size + 1 + Math.floor(random() * maxResponses);
      await workUntilKilled(round, enough, confirmed);
      const rows = await runSql(databaseUrl, "SELECT id, definition FROM commissions");
      const stored = new Map(
        (rows as { id: number | string; definition: string }[]).map(({ id, definition }) => [
          Number(id),
          definition,
        ]),
      );
      const lost = [...confirmed].filter(([id, definition]) => stored.get(id) !== definition);
      expect(lost).toEqual([]);
    }
    expect(confirmed.size).toBeGreaterThanOrEqual(rounds);
  });

  /** Submits from many callers without a pause, and kills the server after `enough` responses in total. */
  async function workUntilKilled(round: number, enough: number, confirmed: Map<number, string>) {
    await using server = await startServer(databaseUrl, { LOG_LEVEL: "info" });
    let submitted = 0;
    let isKilled = false;
    const call = async () => {
      while (!isKilled) {
        const commission = {
          title: `${round}-${submitted++}`,
          type: "supply",
          default_value: round,
          active: true,
          commission_data: [],
        };
        const response = await send(server.url, {
          method: "GET",
          path: "/",
          key,
          body: { commission },
        }).catch((error) => {
          if (!isKilled) throw error;
        });
        if (response === undefined) return;
        expect(response.status).toBe(200);
        const { id } = (response.body as { data: { commission: { id: number } } }).data.commission;
        confirmed.set(id, definitionHash(commission).canonical);
        if (confirmed.size >= enough) isKilled ||= server.child.kill("SIGKILL");
      }
    };
    await Promise.all(Array.from({ length: callersAtOnce }, call));
    await server.ended;
  }
});
