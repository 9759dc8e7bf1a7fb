/** The servers that are measured: this one as it ships, and the peers of `scripts/lab/bench/peers/servers`. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { peersFolder, versionIn } from "../peers.ts";

export interface Program {
  readonly name: string;
  /** What it does beside answering. */
  readonly does: string;
  readonly file: string;
  readonly env: (port: number, database: string) => Readonly<Record<string, string>>;
  /** What the others are measured in, and what it leaves undone. */
  readonly isLimit?: true;
  readonly checksNothing?: true;
  /** Of this server, under another setting. */
  readonly isVariant?: true;
}

const root = fileURLToPath(new URL("../../../../", import.meta.url));

function own(name: string, does: string, env: Readonly<Record<string, string>> = {}): Program {
  return {
    name,
    does,
    file: join(root, "server/main.ts"),
    env: (port, database) => ({ PORT: String(port), DATABASE_URL: `file:${database}`, ...env }),
  };
}

function peer(file: string, name: string, does: string): Program {
  return {
    name,
    does,
    file: join(peersFolder, "peers/servers", file),
    env: (port, database) => ({
      PORT: String(port),
      DATABASE: database,
      SPEC: join(root, "generated/openapi.json"),
    }),
  };
}

const everything = "keys, SQLite, validation of requests and responses";

export const thisServer = own("this server", `${everything}, log, contract`);

/** The peers must be installed, for their versions are in their names. */
export function programs(): readonly Program[] {
  const version = (name: string): string => versionIn(peersFolder, name);
  return [
    { ...peer("node-http.mjs", "node:http", "nothing but answer"), isLimit: true, checksNothing: true },
    thisServer,
    {
      ...own("this server, report", "the same, a wrong response is only logged", {
        RESPONSE_VALIDATION: "report",
      }),
      isVariant: true,
    },
    {
      ...own("this server, off", "the same without validation of responses", { RESPONSE_VALIDATION: "off" }),
      isVariant: true,
    },
    { ...peer("hono.mjs", `Hono ${version("hono")}`, "keys, SQLite"), checksNothing: true },
    peer("fastify.mjs", `Fastify ${version("fastify")}`, everything),
    peer("hono-zod-openapi.mjs", `@hono/zod-openapi ${version("@hono/zod-openapi")}`, everything),
    peer(
      "express.mjs",
      `Express ${version("express")} + express-openapi-validator ${version("express-openapi-validator")}`,
      everything,
    ),
    peer("openapi-backend.mjs", `openapi-backend ${version("openapi-backend")}`, everything),
  ];
}
