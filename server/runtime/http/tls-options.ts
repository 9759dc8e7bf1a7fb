import { constants, createPrivateKey, X509Certificate } from "node:crypto";
import type { TlsOptions } from "node:tls";

/** In PEM format, as in the options of Node's `tls.createServer`. */
export interface TlsServerOptions {
  /** The server's certificate, and those between it and its authority. */
  readonly cert: string;
  readonly key: string;
  /** The authorities that issue the certificates of callers. If it is set, callers are asked for a certificate. */
  readonly clientCa?: string | undefined;
}

/** @throws Error if an option is invalid */
export function tlsOptionsOf(tls: TlsServerOptions): TlsOptions {
  const problems = problemsOfTls(tls, { cert: "tls.cert", key: "tls.key", clientCa: "tls.clientCa" });
  if (problems.length > 0) throw new Error(problems.join("\n"));
  const { cert, key, clientCa } = tls;
  return {
    cert,
    key,
    // In a renegotiation, a caller could present another certificate, which Node does not check.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    // The check of an operation rejects a caller whose certificate is missing or not valid.
    ...(clientCa !== undefined && { ca: clientCa, requestCert: true, rejectUnauthorized: false }),
  };
}

/**
 * Finds errors that Node ignores: with an empty `clientCa` it trusts all public authorities, and with a damaged one it
 * trusts none.
 */
export function problemsOfTls(
  { cert, key, clientCa }: TlsServerOptions,
  names: { readonly [Name in keyof Required<TlsServerOptions>]: string },
): string[] {
  const problems: string[] = [];
  if (!hasCertificates(cert)) problems.push(`${names.cert} must contain a certificate in PEM format`);
  else if (!isKeyOf(cert, key))
    problems.push(`${names.key} must contain the key of ${names.cert} in PEM format, without a passphrase`);
  if (clientCa !== undefined && !hasCertificates(clientCa))
    problems.push(`${names.clientCa} must contain certificates of authorities in PEM format`);
  return problems;
}

function hasCertificates(pem: string): boolean {
  const begin = "-----BEGIN CERTIFICATE-----";
  const [, ...rest] = pem.split(begin);
  return rest.length > 0 && rest.every((each) => succeeds(() => new X509Certificate(begin + each)));
}

function isKeyOf(cert: string, key: string): boolean {
  return succeeds(() => new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)));
}

function succeeds(attempt: () => unknown): boolean {
  try {
    return Boolean(attempt());
  } catch {
    return false;
  }
}
