import { randomUUID } from "node:crypto";
import type { NewUser, NewWebhook, Store, Tenant, Totp, User, Webhook } from "../store/store.ts";
import { hashPassword } from "./passwords.ts";
import { createTotpSecret, totpUri } from "./totp.ts";
import type { TotpKeys } from "./totp-keys.ts";

/** A dial code has no `+` and no leading zeros (ITU-T E.164). Four digits allow for shared codes. */
export function isDialCode(text: string): boolean {
  return /^[1-9][0-9]{0,3}$/.test(text);
}

/** Allows only digits, at most 15 as in E.164. */
export function isMobile(text: string): boolean {
  return /^[0-9]{4,15}$/.test(text);
}

/** The longest strings that the spec allows, in characters. */
export const longest = { name: 100, email: 254, password: 1024 };

/** The shortest new password, in characters (NIST SP 800-63B, section 5.1.1.2). Stored shorter ones still work. */
export const shortestPassword = 8;

/** Matches RFC 3986, section 3, without user and password: host or IP literal, port, path, query, fragment. */
const httpUrl = (() => {
  const character = "[A-Za-z0-9\\-._~!$&'()*+,;=]|%[0-9A-Fa-f]{2}";
  const host = `(?:(?:${character})+|\\[[0-9A-Fa-f:.]+\\])`;
  const rest = (more: string) => `(?:${character}|[:@/${more}])*`;
  return new RegExp(
    `^https?://${host}(?::[0-9]+)?(?:/${rest("")})?(?:\\?${rest("?")})?(?:#${rest("?")})?$`,
    "i",
  );
})();

/** The URL must be absolute, with http or https. Characters that RFC 3986 does not allow must be percent-encoded. */
export function isWebhookUrl(text: string): boolean {
  return httpUrl.test(text) && URL.canParse(text);
}

/** Accepts any lower-case words that are joined by dots, such as `order.created`. */
export function isEventName(text: string): boolean {
  return /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$/.test(text);
}

/** `auth_type` is the login flow if a request does not set one. Only 3, Mobile and Password, is supported. */
export async function createTenant(store: Store, { name, auth_type }: Omit<Tenant, "id">): Promise<Tenant> {
  const tenant = { id: randomUUID(), name, auth_type };
  await store.tenants.create(tenant);
  return tenant;
}

export type Registration = Pick<
  User,
  "type" | "dial_code" | "mobile" | "first_name" | "last_name" | "email"
> & { password: string; mfa: boolean };

/** Only this function returns the new user's `otpauth_uri`, which contains the TOTP secret. @throws DuplicateUserError */
export async function registerUser(
  { store, totpKeys }: { store: Store; totpKeys: TotpKeys },
  tenant: Tenant,
  { mfa, ...registration }: Registration,
): Promise<{ id: string; otpauth_uri?: string }> {
  const user = await newUser(tenant, registration);
  const { id } = user;
  const enrolment = mfa ? await enrol(totpKeys, tenant, user) : undefined;
  await store.users.create({ ...user, ...enrolment?.totp });
  return enrolment === undefined ? { id } : { id, otpauth_uri: enrolment.otpauth_uri };
}

export async function newUser(
  tenant: Pick<Tenant, "id">,
  { password, ...details }: Omit<Registration, "mfa">,
): Promise<NewUser> {
  return {
    ...details,
    id: randomUUID(),
    tenant_id: tenant.id,
    password_hash: await hashPassword(password),
    profile_pic: "",
    email_verified: false,
    totp_secret: null,
    totp_key_id: null,
  };
}

/** Ends the user's sessions too. Only this function returns the new URI, which contains the TOTP secret. */
export async function enableMfa(
  { store, totpKeys }: { store: Store; totpKeys: TotpKeys },
  tenant: Tenant,
  user: Pick<User, "id" | "dial_code" | "mobile">,
): Promise<string | undefined> {
  const { totp, otpauth_uri } = await enrol(totpKeys, tenant, user);
  return (await store.users.setTotp(user.id, totp)) ? otpauth_uri : undefined;
}

async function enrol(
  totpKeys: TotpKeys,
  { name: issuer }: Tenant,
  { id, dial_code, mobile }: Pick<User, "id" | "dial_code" | "mobile">,
): Promise<{ totp: Totp; otpauth_uri: string }> {
  const secret = await createTotpSecret();
  const otpauth_uri = await totpUri({ secret, issuer, account: `+${dial_code}${mobile}` });
  return { totp: totpKeys.seal(id, secret), otpauth_uri };
}

/** Stores each event only once. */
export function createWebhook(
  store: Pick<Store, "webhooks">,
  { tenant_id, url, events }: NewWebhook,
): Promise<Webhook> {
  return store.webhooks.create({ tenant_id, url, events: [...new Set(events)] });
}

export function updateWebhook(
  store: Pick<Store, "webhooks">,
  {
    tenant_id,
    id,
    url,
    events,
  }: Pick<Webhook, "id" | "tenant_id"> & Partial<{ [Key in "url" | "events"]: Webhook[Key] | undefined }>,
): Promise<Webhook | undefined> {
  return store.webhooks.update(tenant_id, id, { url, events: events && [...new Set(events)] });
}
