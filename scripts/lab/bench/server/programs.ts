/** The measured servers. The first one, bare node:http, is the reference for the others. */
import { copyFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { peersFolder, root, titleOf } from "../peers.ts";
import type { Omits } from "./calls.ts";
import type { Program } from "./running.ts";

interface MeasuredProgram extends Program {
  readonly omits: Omits;
}

export function ownProgram(name: string, env: Readonly<Record<string, string>>): Program {
  return { name, file: join(root, "server/main.ts"), env };
}

export function programs(database: string, only: string | undefined): readonly MeasuredProgram[] {
  const copy = (name: string): string => {
    const path = `${database}-${name}`;
    copyFileSync(database, path);
    return path;
  };
  const own = (level: string): MeasuredProgram => {
    // docs/scaling.md recommends these values for logins.
    const UV_THREADPOOL_SIZE = String(availableParallelism());
    const PASSWORD_CONCURRENCY = String(availableParallelism() + 1);
    const logins = { UV_THREADPOOL_SIZE, PASSWORD_CONCURRENCY };
    const env = { DATABASE_URL: `file:${copy(level)}`, LOG_LEVEL: level, ...logins };
    return { ...ownProgram(`this server, LOG_LEVEL=${level}`, env), omits: "nothing" };
  };
  const peer = (name: string, title: string, omits: Omits = "nothing"): MeasuredProgram => {
    // express-openapi-validator rejects documents of OpenAPI 3.2.
    const env = { DATABASE: copy(name), SPEC: join(root, "generated/openapi-3.1.json") };
    return { name: title, file: join(peersFolder, `peers/servers/${name}.mjs`), env, omits };
  };
  const validator = titleOf("express-openapi-validator");
  const all = [
    peer("node-http", "node:http", "everything"),
    own("warn"),
    own("info"),
    peer("hono", titleOf("hono", "Hono"), "validation"),
    peer("fastify", titleOf("fastify", "Fastify")),
    peer("hono-zod-openapi", titleOf("@hono/zod-openapi")),
    peer("express", `${titleOf("express", "Express")} + ${validator}`),
  ];
  return all.filter(({ name }, index) => index < 3 || only === undefined || name.includes(only));
}
