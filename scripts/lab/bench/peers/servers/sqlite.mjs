import { DatabaseSync } from "node:sqlite";

const db = new DatabaseSync(process.env.DATABASE_URL.replace("file:", ""));
db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");

export function first(sql) {
  const statement = db.prepare(sql);
  return (parameters) => {
    const row = statement.get(parameters);
    return row?.events === undefined ? row : { ...row, events: JSON.parse(row.events) };
  };
}
