/**
 * Time-based one-time passwords as authenticator apps make them: RFC 6238 with SHA-1, six digits, steps of 30 seconds.
 * That a code works once is kept by the store, from the step that is answered here.
 */
import { generateSecret, generateURI, verifySync } from "otplib";

const stepSeconds = 30;
const driftSteps = 1;
/** No clocks of replicas differ by as much: a step that lies further ahead was used by a clock that was wrong. */
const farAheadSteps = 10;

/** A new shared secret of 160 bits (RFC 4226 §4), in Base32. */
export function createTotpSecret(): string {
  return generateSecret({ length: 20 });
}

/** The `otpauth://` URI that an authenticator app reads, usually from a QR code. It contains the secret. */
export function totpUri({
  secret,
  issuer,
  account,
}: {
  secret: string;
  issuer: string;
  account: string;
}): string {
  // A colon separates issuer from account in the URI's label, so neither may contain one.
  const [issuerPart, accountPart] = [issuer, account].map((part) => part.replaceAll(":", " "));
  return generateURI({ secret, issuer: issuerPart ?? "", label: accountPart ?? "" });
}

/**
 * The number of the time step whose code this is, of the present one and one either way (RFC 6238 §5.2); undefined
 * where it is none of theirs. Codes are compared in constant time.
 */
export function matchTotp(secret: string, code: string, nowMs: number): number | undefined {
  if (!/^[0-9]{6}$/.test(code)) return undefined;
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
 * What to make of a last used step that a clock has left behind which was wrong and has been set back since: where it
 * lies `beyond`, the `last` step whose code the present admits is to count as the last used one. Whichever codes were
 * used before the clock went wrong, none works again, and the next but one does.
 */
export function plausibleSteps(nowMs: number): { beyond: number; last: number } {
  const last = Math.floor(nowMs / 1000 / stepSeconds) + driftSteps;
  return { beyond: last + farAheadSteps, last };
}
