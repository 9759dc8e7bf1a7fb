/** As authenticator apps do: RFC 6238 with SHA-1, six digits, steps of 30 seconds. */

/** Loaded at the first use, because it takes 20 ms of a start. */
const otplib = () => import("otplib");
const stepSeconds = 30;
const driftSteps = 1;
/** Clocks of replicas differ by less. A step further ahead was used by a wrong clock. */
const farAheadSteps = 10;

/** A new shared secret of 160 bits (RFC 4226 §4), in Base32. */
export async function createTotpSecret(): Promise<string> {
  const { generateSecret } = await otplib();
  return generateSecret({ length: 20 });
}

/** Contains the secret. */
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

/** The current step or a neighbour (RFC 6238 §5.2), compared in constant time. The store rejects a reuse. */
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
 * Corrects a last used step from a clock that was wrong and has been set back. If it is after `beyond`, it
 * becomes `last`. So no used code works again, and the next but one works.
 */
export function acceptedSteps(nowMs: number): { beyond: number; last: number } {
  const last = Math.floor(nowMs / 1000 / stepSeconds) + driftSteps;
  return { beyond: last + farAheadSteps, last };
}
