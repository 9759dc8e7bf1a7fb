import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import document from "../../generated/openapi.json" with { type: "json" };
import { type Problem, validateGetWebhookResponse } from "../../generated/validators.js";
import { openStore } from "../store/open.ts";
import type { Store } from "../store/store.ts";
import { verifyPassword } from "./passwords.ts";
import {
  createTenant,
  createWebhook,
  enableMfa,
  isDialCode,
  isEventName,
  isMobile,
  isWebhookUrl,
  longest,
  registerUser,
} from "./registration.ts";
import { createTotpKeys } from "./totp-keys.ts";

let store: Store;
beforeEach(async () => {
  store = await openStore("file::memory:");
});
afterEach(() => store.close());

const details = {
  type: "customer",
  dial_code: "91",
  mobile: "9876543210",
  first_name: "",
  last_name: "",
  email: "",
};

const totpKeys = createTotpKeys([randomBytes(32)]);

test("a registered user is kept with a password that holds and no MFA unless it was asked for", async () => {
  const tenant = await createTenant(store, { name: "Acme", auth_type: 3 });
  const registration = { ...details, password: "pw", mfa: false };
  const registered = await registerUser({ store, totpKeys }, tenant, registration);
  const user = await store.users.findByLogin({ ...details, tenant_id: tenant.id });
  expect(registered).toEqual({ id: user?.id });
  expect(user).toEqual({
    ...details,
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    tenant_id: tenant.id,
    password_hash: expect.any(String),
    profile_pic: "",
    email_verified: false,
    totp_secret: null,
    totp_key_id: null,
    credential_version: 0,
  });
  expect(await verifyPassword(user?.password_hash, "pw")).toBe(true);
});

test("a user with MFA gets the URI of the secret that is kept, encrypted", async () => {
  const tenant = await createTenant(store, { name: "Acme", auth_type: 3 });
  const registration = { ...details, password: "pw", mfa: true };
  const { id, otpauth_uri } = await registerUser({ store, totpKeys }, tenant, registration);
  expect(otpauth_uri).toBe(`otpauth://totp/Acme:%2B919876543210?secret=${await secretOf(id)}&issuer=Acme`);
});

test("enabling MFA makes another secret each time, whose URI is answered", async () => {
  const tenant = await createTenant(store, { name: "Acme", auth_type: 3 });
  const { id } = await registerUser({ store, totpKeys }, tenant, { ...details, password: "pw", mfa: true });
  const former = await secretOf(id);
  const uri = await enableMfa({ store, totpKeys }, tenant, { ...details, id });
  const secret = await secretOf(id);
  expect(uri).toBe(`otpauth://totp/Acme:%2B919876543210?secret=${secret}&issuer=Acme`);
  expect(secret).not.toBe(former);
  expect(await enableMfa({ store, totpKeys }, tenant, { ...details, id: "gone" })).toBeUndefined();
});

async function secretOf(id: string): Promise<string> {
  const { totp_secret, totp_key_id } = (await store.users.find(id)) ?? {};
  if (totp_secret == null || totp_key_id == null) throw new Error("There is no encrypted secret.");
  return totpKeys.open(id, { totp_secret, totp_key_id });
}

test("an event that is named twice is subscribed to once", async () => {
  const tenant = await createTenant(store, { name: "Acme", auth_type: 3 });
  const webhook = { tenant_id: tenant.id, url: "https://a.example", events: ["b.c", "a.b", "b.c"] };
  expect(await createWebhook(store, webhook)).toEqual({ ...webhook, id: 1, events: ["b.c", "a.b"] });
});

test("webhook URLs are absolute, http or https, and hold no character that needs encoding", () => {
  const good = ["https://example.com", "http://localhost:8080/a?b=c%20d", "HTTPS://[::1]/x"];
  expect(good.filter(isWebhookUrl)).toEqual(good);
  const bad = [
    "",
    "example.com",
    "ftp://a.example",
    "javascript:alert(1)",
    "https://",
    "https://a b",
    "https://a/%zz",
  ];
  expect(bad.filter(isWebhookUrl)).toEqual([]);
});

test("event names are lower-case words joined by dots", () => {
  expect(["order.created", "a.b_2.c"].filter(isEventName)).toHaveLength(2);
  expect(
    ["", "order", "Order.created", "order.", ".created", "order..x", "order.2x"].filter(isEventName),
  ).toEqual([]);
});

test("the bounds of texts are those of the interface", () => {
  const { Credentials, User } = document.components.schemas;
  expect(longest).toEqual({
    name: User.properties.first_name.maxLength,
    email: User.properties.email.maxLength,
    password: Credentials.properties.password.maxLength,
  });
});

test.each([
  ["dial_code", isDialCode, ["91", "1", "1242", "0", "01", "12345", "+91", "9a", ""]],
  ["mobile", isMobile, ["1234", "123", "123456789012345", "1234567890123456", "12 34", "", "0123"]],
] as const)("a %s is what the interface says it is", (name, isValid, texts) => {
  const { pattern } = document.components.schemas.Credentials.properties[name];
  expect(texts.map((text) => [text, isValid(text)])).toEqual(
    texts.map((text) => [text, new RegExp(pattern, "u").test(text)]),
  );
});

test("every webhook URL that may be registered is one that the interface can answer", () => {
  const parts = [
    "http://",
    "HTTPS://",
    "a.test",
    "[::1]",
    "[",
    "]",
    "#",
    "?",
    "@",
    "/",
    ":",
    ":80",
    "%20",
    "%",
    "é",
    " ",
    "x=1",
    ".",
  ];
  // A fixed sequence (Park and Miller's generator), so that a failure can be repeated.
  let seed = 1;
  const next = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  let accepted = 0;
  for (let count = 0; count < 50_000; count += 1) {
    const tail = Array.from({ length: next(6) }, () => parts[next(parts.length)]).join("");
    const url = `${parts[next(2)]}${parts[next(parts.length)]}${tail}`;
    if (!isWebhookUrl(url)) continue;
    accepted += 1;
    const response = { status: true, data: { webhook: { id: 1, url, events: [] } } };
    const problems: Problem[] = [];
    validateGetWebhookResponse(response, problems);
    expect({ url, problems }).toEqual({ url, problems: [] });
  }
  expect(accepted).toBeGreaterThan(1000);
});
