/** Runs prepared statements with `pg` and a pool of ten connections. */
import pg from "pg";
import { numbered } from "./numbered.mjs";

const int8 = 20;
pg.types.setTypeParser(int8, Number);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
let count = 0;

export function first(sql) {
  const { text, valuesOf } = numbered(sql);
  const name = `statement ${++count}`;
  return async (parameters) => (await pool.query({ name, text, values: valuesOf(parameters) })).rows[0];
}
