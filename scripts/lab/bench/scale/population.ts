/** A database with many rows of each kind, the server on it, and calls that name any of these rows. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import canonicalize from "canonicalize";
import { RunError } from "../measure.ts";
import { counterDigits, definition, exchange, requestText } from "../server/calls.ts";
import { Child } from "../server/child.ts";
import type { Load } from "../server/load.ts";
import { thisServer } from "../server/programs.ts";
import { Running } from "../server/running.ts";
import { type Registered, register } from "../server/shop.ts";
import type { OperationName, StoreName } from "./figures.ts";
import {
  type DatabaseServerMessage,
  type FillerMessage,
  filledTables,
  type Sizes,
  type Template,
} from "./filling.ts";

const store = (path: string): string =>
  fileURLToPath(new URL(`../../../../server/store/${path}`, import.meta.url));
const fillers: Readonly<Record<StoreName, string>> = {
  SQLite: store("sqlite/testing/fill.ts"),
  PostgreSQL: store("postgres/testing/fill.ts"),
};

/** The first row's number; all have ten digits, as a webhook's id has no zeros in front. */
const first = 1_000_000_000;
const mostAtOnce = 100_000;

/** The server of all PostgreSQL databases of a run. */
export class Postgres implements AsyncDisposable {
  readonly #child = new Child("PostgreSQL", [store("postgres/testing/serve.ts")]);

  /** Makes a database and answers its URL. */
  async create(name: string): Promise<string> {
    return (await this.#ask<{ url: string }>({ ask: "database", name })).url;
  }

  /** Of all its processes so far, in milliseconds; null where the system does not tell. */
  async cpuMs(): Promise<number | null> {
    return (await this.#ask<{ cpuMs: number | null }>({ ask: "cpu" })).cpuMs;
  }

  #ask<Answer>(message: DatabaseServerMessage): Promise<Answer> {
    return this.#child.ask<Answer>(message);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#child[Symbol.asyncDispose]();
  }
}

/** Requests by the operation's name; each draws the row that it names anew. */
export type Requests = Readonly<Record<OperationName, Pick<Load, "request" | "counterAt" | "drawnFrom">>>;

export interface Population {
  readonly store: StoreName;
  readonly rows: number;
  readonly databaseUrl: string;
  readonly shop: Registered;
  readonly sizes: Sizes;
  readonly requests: Requests;
}

/** @param name of the database; makes a file in `folder` unless a PostgreSQL server is given */
export async function populate(
  { name, rows, folder, postgres }: { name: string; rows: number; folder: string; postgres?: Postgres },
  progress: (text: string) => void,
): Promise<Population> {
  const file = join(folder, `${name}.db`);
  const databaseUrl = postgres === undefined ? `file:${file}` : await postgres.create(name);
  const storeName = postgres === undefined ? "SQLite" : "PostgreSQL";
  const shop = register(databaseUrl);
  await using filler = new Child(`filling ${storeName}`, [fillers[storeName], file], {
    DATABASE_URL: databaseUrl,
  });
  const ask = <Answer>(message: FillerMessage): Promise<Answer> => filler.ask<Answer>(message);
  for (const table of filledTables) {
    for (let done = 0; done < rows; done += mostAtOnce) {
      const count = Math.min(mostAtOnce, rows - done);
      await ask({ ask: "fill", table, first: first + done, count, template: templateOf(shop) });
      progress(`${storeName}: ${done + count} of ${rows} ${table}`);
    }
  }
  await ask({ ask: "settle" });
  const sizes = await ask<Sizes>({ ask: "sizes" });
  return { store: storeName, rows, databaseUrl, shop, sizes, requests: requestsOf(shop, rows) };
}

const uuid = "bench";

function templateOf({ webhook, user }: Registered): Template {
  const made = definition(counterDigits);
  const canonical = canonicalize(made);
  if (canonical === undefined) throw new TypeError("A definition is an object.");
  return {
    webhookId: webhook.id,
    mobile: user.mobile,
    uuid,
    definition: canonical,
    digits: counterDigits,
    rate: made.default_value,
  };
}

function requestsOf({ secretKey, user, password }: Registered, rows: number): Requests {
  const drawnFrom = { first, count: rows };
  const numbered = (request: string): Pick<Load, "request" | "counterAt"> => ({
    request,
    counterAt: request.indexOf(counterDigits),
  });
  const submit = numbered(
    requestText("GET", "/", JSON.stringify({ commission: definition(counterDigits) }), secretKey),
  );
  const credentials = { uuid, ...user, mobile: counterDigits, password, auth_type: 3 };
  return {
    webhook: {
      ...numbered(requestText("GET", `/v1/webhooks/${counterDigits}`, "{}", secretKey)),
      drawnFrom,
    },
    repeated: { ...submit, drawnFrom },
    new: submit,
    login: {
      ...numbered(requestText("POST", "/v1/users/login", JSON.stringify({ user: credentials }), secretKey)),
      drawnFrom,
    },
  };
}

/**
 * This server on a population, asked for its last row of each kind.
 *
 * @param settings in the environment, beside those for the port and the database
 * @throws RunError where it does not answer with that row
 */
export async function serve(
  population: Population,
  settings: Readonly<Record<string, string>> = {},
): Promise<Running> {
  const { databaseUrl, store: storeName, rows, requests, shop } = population;
  const last = first + rows - 1;
  const text = ({ request }: Requests[OperationName]): string => request.replace(counterDigits, String(last));
  const program = { ...thisServer, name: `this server on ${storeName} with ${rows} rows` };
  const env = (port: number): Readonly<Record<string, string>> => ({
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    ...settings,
  });
  const running = await Running.startWith(program, env, text(requests.webhook));
  try {
    const expected: readonly (readonly [OperationName, object])[] = [
      ["webhook", { webhook: { ...shop.webhook, id: last, url: `${shop.webhook.url}/${last}` } }],
      ["repeated", { commission: { id: last, rate: definition("").default_value } }],
    ];
    for (const [operation, data] of expected) {
      const answer = await exchange(running.port, text(requests[operation]));
      if (JSON.stringify(answer.body) !== JSON.stringify({ status: true, data }))
        throw new RunError(`${program.name} does not find its last ${operation}: ${JSON.stringify(answer)}`);
    }
    const login = await exchange(running.port, text(requests.login));
    if (login.status !== 200)
      throw new RunError(`${program.name} does not let its last user in: ${JSON.stringify(login)}`);
    return running;
  } catch (error) {
    await running[Symbol.asyncDispose]();
    throw error;
  }
}

export const operations: readonly {
  readonly name: OperationName;
  readonly title: string;
  readonly connections: number;
}[] = [
  { name: "webhook", title: "getWebhook", connections: 32 },
  { name: "repeated", title: "submitCommission, a known definition", connections: 32 },
  { name: "new", title: "submitCommission, new definitions", connections: 32 },
  { name: "login", title: "loginUser", connections: 4 },
];
