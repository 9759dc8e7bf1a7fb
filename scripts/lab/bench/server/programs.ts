/** The measured servers. The first one, bare node:http, is the reference for the others. */
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { peersFolder, root, titleOf } from "../peers.ts";
import type { Omits } from "./calls.ts";
import type { BenchDatabase } from "./databases.ts";
import type { Program } from "./running.ts";

interface MeasuredProgram extends Program {
  readonly omits: Omits;
}

interface Choice {
  /** If given, only peers with this text in their name are measured. */
  readonly only?: string | undefined;
  /** The folder of another checkout of this repository, whose server is measured instead of this one with LOG_LEVEL=info. */
  readonly against?: string | undefined;
}

export function ownProgram(name: string, env: Readonly<Record<string, string>>, folder = root): Program {
  return { name, file: join(folder, "server/main.ts"), env };
}

export async function programs(
  database: BenchDatabase,
  { only, against }: Choice,
): Promise<readonly MeasuredProgram[]> {
  const own = async (level: string, name = "this server", folder = root): Promise<MeasuredProgram> => {
    // docs/scaling.md recommends these values for logins.
    const UV_THREADPOOL_SIZE = String(availableParallelism());
    const PASSWORD_CONCURRENCY = String(availableParallelism() + 1);
    const logins = { UV_THREADPOOL_SIZE, PASSWORD_CONCURRENCY };
    const title = `${name}, LOG_LEVEL=${level}`;
    const env = { DATABASE_URL: await database.copy(title), LOG_LEVEL: level, ...logins };
    return { ...ownProgram(title, env, folder), omits: "nothing" };
  };
  const mounted = async (): Promise<MeasuredProgram> => {
    const program = await own("warn", "this server, mounted");
    return { ...program, file: join(root, "server/testing/mounted-program.ts") };
  };
  const peer = async ({ file, title, store, omits = "nothing" }: Peer): Promise<MeasuredProgram> => {
    const DATABASE_URL = await database.copy(title);
    // express-openapi-validator rejects documents of OpenAPI 3.2.
    const env = { DATABASE_URL, STORE: `./${store}.mjs`, SPEC: join(root, "generated/openapi-3.1.json") };
    return { name: title, file: join(peersFolder, `peers/servers/${file}.mjs`), env, omits };
  };
  const [bare, ...others] = peers[database.name];
  return Promise.all([
    peer(bare),
    own("warn"),
    mounted(),
    against === undefined ? own("info") : own("warn", "other checkout", against),
    ...others.filter(({ title }) => only === undefined || title.includes(only)).map(peer),
  ]);
}

interface Peer {
  readonly file: string;
  readonly title: string;
  readonly store: string;
  readonly omits?: Omits;
}

const [hono, fastify, express] = [
  titleOf("hono", "Hono"),
  titleOf("fastify", "Fastify"),
  titleOf("express", "Express"),
];
const bare = { file: "node-http", title: "node:http", omits: "everything" } as const;
const plainHono = { file: "hono", omits: "validation" } as const;

const peers: Readonly<Record<BenchDatabase["name"], readonly [Peer, ...Peer[]]>> = {
  SQLite: [
    { ...bare, store: "sqlite" },
    { ...plainHono, title: hono, store: "sqlite" },
    { file: "fastify", title: fastify, store: "sqlite" },
    { file: "hono-zod-openapi", title: titleOf("@hono/zod-openapi"), store: "sqlite" },
    { file: "express", title: `${express} + ${titleOf("express-openapi-validator")}`, store: "sqlite" },
  ],
  PostgreSQL: [
    { ...bare, store: "pg" },
    { ...plainHono, title: `${hono} + ${titleOf("pg")}`, store: "pg" },
    { file: "fastify", title: `${fastify} + ${titleOf("pg")}`, store: "pg" },
    { ...plainHono, title: `${hono} + ${titleOf("postgres")}`, store: "postgres" },
  ],
};
