/** The code that all peers share: key look-up, SQL statements, and rules that schemas cannot express. */
import { hash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { verify } from "@node-rs/argon2";
import canonicalize from "canonicalize";

export const port = Number(process.env.PORT);
export const host = "127.0.0.1";
export const document = JSON.parse(readFileSync(process.env.SPEC, "utf8"));

const db = new DatabaseSync(process.env.DATABASE);
db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
const keyByHash = db.prepare(
  "SELECT id, tenant_id, kind FROM api_keys WHERE hash = :hash AND revoked_at IS NULL",
);
const webhookById = db.prepare(
  "SELECT id, tenant_id, url, events FROM webhooks WHERE tenant_id = :tenant_id AND id = :id",
);
const commissionByHash = db.prepare(
  "SELECT id, rate FROM commissions WHERE tenant_id = :tenant_id AND definition_hash = :definition_hash",
);
const insertCommission = db.prepare(
  `INSERT INTO commissions (tenant_id, definition_hash, definition, rate, created_at)
   VALUES (:tenant_id, :definition_hash, :definition, :rate, :created_at) RETURNING id, rate`,
);
const userByLogin = db.prepare(
  "SELECT * FROM users WHERE tenant_id = :tenant_id AND type = :type AND dial_code = :dial_code AND mobile = :mobile",
);
const replaceSession = db.prepare(
  `INSERT OR REPLACE INTO sessions
   (user_id, uuid, auth_hash, refresh_hash, auth_expires_at, refresh_expires_at, created_at)
   VALUES (?, ?, ?, ?, ?, ?, ?)`,
);

const sha256 = (text) => hash("sha256", text);
const randomKey = () => randomBytes(32).toString("base64url");

export function principalOf(authorization) {
  const key = /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
  return key === undefined ? undefined : keyByHash.get({ hash: sha256(key) });
}

export function findWebhook({ tenant_id }, id) {
  const row = webhookById.get({ tenant_id, id });
  return row && { id: row.id, url: row.url, events: JSON.parse(row.events) };
}

export function keepsSlabRules({ commission_data = [] }) {
  return commission_data.every(({ slab_value: slabs = [] }) =>
    slabs.every(({ from, to }, index) => {
      const reached = slabs[index - 1]?.to ?? 0;
      return from >= reached && (index === slabs.length - 1 ? to === -1 : from < to);
    }),
  );
}

export function submit({ tenant_id }, definition) {
  const text = canonicalize(definition);
  const definition_hash = sha256(text);
  const known = commissionByHash.get({ tenant_id, definition_hash });
  const values = { definition: text, rate: definition.default_value, created_at: Date.now() };
  const { id, rate } = known ?? insertCommission.get({ tenant_id, definition_hash, ...values });
  return { id, rate };
}

/** Returns undefined if the credentials are wrong. */
export async function logIn({ tenant_id }, { type, dial_code, mobile, password, uuid }) {
  const user = userByLogin.get({ tenant_id, type, dial_code, mobile });
  if (user === undefined || !(await verify(user.password_hash, password))) return undefined;
  const [auth_key, refresh_key] = [randomKey(), randomKey()];
  const now = Date.now();
  const [auth_hash, refresh_hash] = [sha256(auth_key), sha256(refresh_key)];
  replaceSession.run(user.id, uuid, auth_hash, refresh_hash, now + 3_600_000, now + 86_400_000, now);
  const { id, first_name, last_name, email, profile_pic, email_verified } = user;
  const key = { auth_key, refresh_key };
  return { id, first_name, last_name, email, profile_pic, email_verified: email_verified === 1, key };
}

export const succeeded = (data) => ({ status: true, data });
export function failed(code, message = code) {
  return { status: false, error: { code, message, request_id: "peer" } };
}

/** Reads the body of a GET request for frameworks that do not read it. */
export function textOf(incoming) {
  return new Promise((resolve, reject) => {
    const chunks = [];
    incoming.on("data", (chunk) => chunks.push(chunk));
    incoming.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
    incoming.on("error", reject);
  });
}
