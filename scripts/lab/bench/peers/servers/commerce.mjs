/** The code that all peers share: key look-up, SQL statements, and rules that schemas cannot express. */
import { hash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { verify } from "@node-rs/argon2";
import canonicalize from "canonicalize";

export const port = Number(process.env.PORT);
export const host = "127.0.0.1";
export const document = JSON.parse(readFileSync(process.env.SPEC, "utf8"));

/** Returns a function that runs a statement with named parameters, and returns its first row or a promise of it. */
const { first } = await import(process.env.STORE);
const keyByHash = first("SELECT id, tenant_id, kind FROM api_keys WHERE hash = :hash AND revoked_at IS NULL");
const webhookById = first(
  "SELECT id, tenant_id, url, events FROM webhooks WHERE tenant_id = :tenant_id AND id = :id",
);
const commissionByHash = first(
  "SELECT id, rate FROM commissions WHERE tenant_id = :tenant_id AND definition_hash = :definition_hash",
);
const insertCommission = first(
  `INSERT INTO commissions (tenant_id, definition_hash, definition, rate, created_at)
   VALUES (:tenant_id, :definition_hash, :definition, :rate, :created_at) RETURNING id, rate`,
);
const userByLogin = first(
  "SELECT * FROM users WHERE tenant_id = :tenant_id AND type = :type AND dial_code = :dial_code AND mobile = :mobile",
);
const replaceSession = first(
  `INSERT INTO sessions (user_id, uuid, auth_hash, refresh_hash, auth_expires_at, refresh_expires_at, created_at)
   VALUES (:user_id, :uuid, :auth_hash, :refresh_hash, :auth_expires_at, :refresh_expires_at, :created_at)
   ON CONFLICT (user_id, uuid) DO UPDATE SET auth_hash = excluded.auth_hash, refresh_hash = excluded.refresh_hash,
     auth_expires_at = excluded.auth_expires_at, refresh_expires_at = excluded.refresh_expires_at,
     created_at = excluded.created_at RETURNING user_id`,
);

const sha256 = (text) => hash("sha256", text);
const randomKey = () => randomBytes(32).toString("base64url");

export function principalOf(authorization) {
  const key = /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
  return key === undefined ? undefined : keyByHash({ hash: sha256(key) });
}

export async function findWebhook({ tenant_id }, id) {
  const row = await webhookById({ tenant_id, id });
  return row && { id: row.id, url: row.url, events: row.events };
}

export function keepsSlabRules({ commission_data = [] }) {
  return commission_data.every(({ slab_value: slabs = [] }) =>
    slabs.every(({ from, to }, index) => {
      const reached = slabs[index - 1]?.to ?? 0;
      return from >= reached && (index === slabs.length - 1 ? to === -1 : from < to);
    }),
  );
}

export async function submit({ tenant_id }, definition) {
  const text = canonicalize(definition);
  const definition_hash = sha256(text);
  const known = await commissionByHash({ tenant_id, definition_hash });
  const values = { definition: text, rate: definition.default_value, created_at: Date.now() };
  const { id, rate } = known ?? (await insertCommission({ tenant_id, definition_hash, ...values }));
  return { id, rate };
}

/** Returns undefined if the credentials are wrong. */
export async function logIn({ tenant_id }, { type, dial_code, mobile, password, uuid }) {
  const user = await userByLogin({ tenant_id, type, dial_code, mobile });
  if (user === undefined || !(await verify(user.password_hash, password))) return undefined;
  const [auth_key, refresh_key] = [randomKey(), randomKey()];
  const now = Date.now();
  const hashes = { auth_hash: sha256(auth_key), refresh_hash: sha256(refresh_key) };
  const times = { auth_expires_at: now + 3_600_000, refresh_expires_at: now + 86_400_000, created_at: now };
  await replaceSession({ user_id: user.id, uuid, ...hashes, ...times });
  const { id, first_name, last_name, email, profile_pic, email_verified } = user;
  const key = { auth_key, refresh_key };
  return { id, first_name, last_name, email, profile_pic, email_verified: Boolean(email_verified), key };
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
