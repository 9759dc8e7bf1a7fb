/** TOTP with the parameters of authenticator apps: RFC 6238 with SHA-1, six digits and steps of 30 seconds. */

/** Loaded at the first use, because it would make each start 20 ms slower. */
const otplib = () => import("otplib");
const stepSeconds = 30;
const driftSteps = 1;
/** The clocks of replicas differ by fewer steps. A used step that is further ahead came from a wrong clock. */
const farAheadSteps = 10;

/** Makes a shared secret of 160 bits (RFC 4226 §4), in Base32. */
export async function createTotpSecret(): Promise<string> {
  const { generateSecret } = await otplib();
  return generateSecret({ length: 20 });
}

/** The URI contains the secret. */
export async function totpUri({
  secret,
  issuer,
  account,
}: {
  secret: string;
  issuer: string;
  account: string;
}): Promise<string> {
  const { generateURI } = await otplib();
  // A colon separates issuer and account in the URI's label, so neither may contain one.
  const [issuerPart, accountPart] = [issuer, account].map((part) => part.replaceAll(":", " "));
  return generateURI({ secret, issuer: issuerPart ?? "", label: accountPart ?? "" });
}

/** Returns the code's step, which is the current one or a neighbour (RFC 6238 §5.2). Compares in constant time. */
export async function matchTotp(secret: string, code: string, nowMs: number): Promise<number | undefined> {
  if (!/^[0-9]{6}$/.test(code)) return undefined;
  const { verifySync } = await otplib();
  const result = verifySync({
    secret,
    token: code,
    epoch: Math.floor(nowMs / 1000),
    epochTolerance: driftSteps * stepSeconds,
    period: stepSeconds,
  });
  return result.valid && "timeStep" in result ? result.timeStep : undefined;
}

/**
 * Limits for a user's last used step. A step after `beyond` came from a clock that was ahead and has been set
 * back, so it must be lowered to `last`. Then no used code works again, but the second code from now works.
 */
export function acceptedSteps(nowMs: number): { beyond: number; last: number } {
  const last = Math.floor(nowMs / 1000 / stepSeconds) + driftSteps;
  return { beyond: last + farAheadSteps, last };
}
