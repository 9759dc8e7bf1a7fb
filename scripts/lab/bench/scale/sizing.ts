/** What a deployment's size is computed from, and the size of some: docs/scaling.md says how and why. */
import type { Figures, Measured, OperationName } from "./figures.ts";
import { type FilledTable, filledTables } from "./filling.ts";

/** A quantity as docs/scaling.md names it. */
export interface Quantity {
  readonly symbol: string;
  readonly value: number;
  readonly unit: string;
  readonly meaning: string;
}

const names: Readonly<Record<OperationName, string>> = {
  webhook: "getWebhook",
  repeated: "a known definition",
  new: "a new definition",
  login: "loginUser",
};
const rowNames: Readonly<Record<FilledTable, string>> = {
  webhooks: "webhook",
  users: "user",
  sessions: "session",
  commissions: "definition",
};

/** Those that the parts tell that have been measured. */
export function sizingOf({ rows, replicas, memory }: Figures): Quantity[] {
  const quantities: Quantity[] = [];
  const add = (symbol: string, value: number | undefined, unit: string, meaning: string): void => {
    if (value !== undefined) quantities.push({ symbol, value, unit, meaning });
  };
  for (const { operation, points } of replicas?.series ?? []) {
    const [one] = points;
    add(`c_${operation}`, one?.cpuMicroseconds.min, "µs", `CPU time of a replica for ${names[operation]}`);
    add(
      `d_${operation}`,
      one?.databaseCpuMicroseconds?.min,
      "µs",
      `CPU time of PostgreSQL for ${names[operation]}`,
    );
  }
  for (const { operation, points } of replicas?.pools ?? [])
    add(
      `b_${operation}`,
      lentMicroseconds(points),
      "µs",
      `how long ${names[operation]} has a connection: one over the rate with a pool of one`,
    );
  for (const store of ["SQLite", "PostgreSQL"] as const) {
    const largest = rows?.databases.filter((each) => each.store === store).at(-1);
    for (const table of filledTables)
      add(
        `s_${rowNames[table]}_${store.toLowerCase()}`,
        largest && largest.tableBytes[table] / largest.rows,
        "bytes",
        `a row of ${table} on ${store}, indexes included`,
      );
  }
  for (const { store, marks } of memory?.servers ?? []) {
    add(`m_idle_${store.toLowerCase()}`, megabytesOf(marks.at(0)), "MB", `resident at idle, on ${store}`);
    add(
      `m_most_${store.toLowerCase()}`,
      Math.max(...marks.map((mark) => megabytesOf(mark) ?? 0)),
      "MB",
      `resident at most when it was looked, on ${store}`,
    );
  }
  return quantities;
}

/** In microseconds for each request; the pool of one is never idle under that load. */
function lentMicroseconds(points: readonly (Measured & { readonly poolSize: number })[]): number | undefined {
  const one = points.find(({ poolSize }) => poolSize === 1);
  return one && 1e6 / one.requestsPerSecond.max;
}

function megabytesOf(mark: { readonly residentBytes: number } | undefined): number | undefined {
  return mark && mark.residentBytes / 1e6;
}

/** Requests a second at the busiest time. */
export interface Demand {
  readonly webhook: number;
  readonly repeated: number;
  readonly new: number;
  readonly login: number;
}

export interface Deployment {
  readonly demand: Demand;
  /** Of all replicas, for everything but logins, which is what one thread of each does. */
  readonly requestCores: number;
  /** Of all replicas, for logins, on their other threads. */
  readonly loginCores: number;
  readonly replicas: number;
  readonly databaseCores: number;
  /** In use at once, in the mean, by Little's law. */
  readonly connections: number;
}

export const demands: readonly Demand[] = [1, 10, 100].map((times) => ({
  webhook: 50 * times,
  repeated: 40 * times,
  new: 10 * times,
  login: times,
}));

/** The share of a core that is planned to be busy: beyond it waiting grows fast. */
export const utilisation = 0.6;
/** So that one may be away. */
const fewestReplicas = 2;

/** @returns undefined where a quantity has not been measured */
export function deploymentOf(quantities: readonly Quantity[], demand: Demand): Deployment | undefined {
  const of = (symbol: string): number =>
    quantities.find((each) => each.symbol === symbol)?.value ?? Number.NaN;
  const total = (prefix: string, operations: readonly OperationName[]): number =>
    operations.reduce((sum, each) => sum + demand[each] * of(`${prefix}_${each}`), 0) / 1e6;
  const withoutLogin = ["webhook", "repeated", "new"] as const;
  const requestCores = total("c", withoutLogin);
  const lent = (demand.webhook + demand.repeated) * of("b_webhook") + demand.new * of("b_new");
  const deployment = {
    demand,
    requestCores,
    loginCores: total("c", ["login"]),
    replicas: Math.max(fewestReplicas, Math.ceil(requestCores / utilisation)),
    databaseCores: total("d", [...withoutLogin, "login"]),
    connections: lent / 1e6,
  };
  return Object.values(deployment).some(Number.isNaN) ? undefined : deployment;
}
