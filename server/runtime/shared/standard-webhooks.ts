/** Signs and verifies webhooks as Standard Webhooks describes (https://www.standardwebhooks.com). */

export const webhookHeaders = {
  id: "webhook-id",
  timestamp: "webhook-timestamp",
  signature: "webhook-signature",
} as const;

const secretForm = /^whsec_[A-Za-z0-9+/]+={0,2}$/;
/** The scheme requires 24 to 64 bytes. */
const secretBytes = { least: 24, most: 64 };

/** Returns why the secret cannot be used, without the secret itself. */
export function problemOfWebhookSecret(secret: unknown): string | undefined {
  const form = "must be `whsec_` and 24 to 64 bytes in base64";
  if (typeof secret !== "string" || !secretForm.test(secret)) return form;
  const { length } = bytesOf(secret);
  return length < secretBytes.least || length > secretBytes.most ? form : undefined;
}

/** @param timestamp seconds since 1970 */
export async function webhookSignature(
  secret: string,
  id: string,
  timestamp: string,
  body: Uint8Array,
): Promise<string> {
  const mac = await crypto.subtle.sign("HMAC", await keyOf(secret, "sign"), signed(id, timestamp, body));
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(mac)))}`;
}

/**
 * Returns true if one of the signatures was made with one of the secrets. A sender that changes its secret signs with
 * both for some time. `verify` compares in constant time.
 */
export async function isSignedWebhook(
  secrets: readonly string[],
  id: string,
  timestamp: string,
  signatures: string,
  body: Uint8Array,
): Promise<boolean> {
  const message = signed(id, timestamp, body);
  const macs = signatures
    .split(" ")
    .flatMap((each) => (each.startsWith("v1,") ? (decoded(each.slice(3)) ?? []) : []));
  for (const secret of secrets) {
    const key = await keyOf(secret, "verify");
    for (const mac of macs.slice(0, mostSignatures))
      if (await crypto.subtle.verify("HMAC", key, mac, message)) return true;
  }
  return false;
}

/** Every signature costs the receiver time. */
const mostSignatures = 10;

function signed(id: string, timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const start = new TextEncoder().encode(`${id}.${timestamp}.`);
  const bytes = new Uint8Array(start.byteLength + body.byteLength);
  bytes.set(start);
  bytes.set(body, start.byteLength);
  return bytes;
}

function keyOf(secret: string, use: "sign" | "verify"): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", bytesOf(secret), { name: "HMAC", hash: "SHA-256" }, false, [use]);
}

function bytesOf(secret: string): Uint8Array<ArrayBuffer> {
  return decoded(secret.replace("whsec_", "")) ?? new Uint8Array();
}

function decoded(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
