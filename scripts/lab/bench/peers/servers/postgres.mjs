/** Runs prepared statements with `postgres`, which sends several on a connection without waiting (pipelines). */
import postgres from "postgres";
import { numbered } from "./numbered.mjs";

const int8 = 20;
const bigint = { to: int8, from: [int8], parse: Number, serialize: String };
const sql = postgres(process.env.DATABASE_URL, { max: 10, types: { bigint }, onnotice: () => {} });

export function first(statement) {
  const { text, valuesOf } = numbered(statement);
  return async (parameters) => (await sql.unsafe(text, valuesOf(parameters), { prepare: true }))[0];
}
