/** The options of a client and of a call, with their defaults. */
import type { HeadersOptions } from "openapi-fetch";
import type { CredentialDescription } from "#specbind/contract";

/** Options that a client sets for all calls, and a call for itself. The call's options override the client's. */
export interface CallOptions {
  /**
   * The longest time of a call in milliseconds, including all retries and waits. A longer call rejects with a
   * TimeoutError. Default: 30 000; `Infinity` for no limit.
   */
  readonly timeoutMs?: number;
  /** The maximum number of retries. An attempt is retried only if that is safe. Default: 2. */
  readonly maxRetries?: number;
}

export interface Attempt {
  readonly operationId: string;
  readonly requestId: string;
  /** The first attempt is 1. */
  readonly attempt: number;
  readonly request: Request;
}

/** Called around every attempt. Their errors reject the call. Their time counts towards `timeoutMs`. */
export interface Hooks {
  /** Called before an attempt is sent. May set request headers, but must not read the request body. */
  readonly onRequest?: (attempt: Attempt) => void | Promise<void>;
  /** Called after a response of any status was read completely. */
  readonly onResponse?: (
    attempt: Attempt & { readonly response: Response; readonly durationMs: number },
  ) => void | Promise<void>;
  /** Called before the wait for the next attempt, with the response or the error of the failed attempt. */
  readonly onRetry?: (
    attempt: Attempt & {
      readonly response: Response | undefined;
      readonly error: Error | undefined;
      readonly delayMs: number;
    },
  ) => void | Promise<void>;
}

/** One problem, with its place as a JSON pointer (RFC 6901). */
export interface ResponseProblem {
  readonly pointer: string;
  readonly message: string;
}

/** Returns the problems of a response that does not match its schema. */
export type ResponseValidator = (
  operationId: string,
  status: number,
  mediaType: string,
  body: unknown,
) => readonly ResponseProblem[];

/** In PEM format, as in the options of Node's `tls.connect`. */
export interface TlsOptions {
  /** The certificate authorities to trust instead of the default ones. */
  readonly ca?: string | string[];
  /** The client's certificate and its private key. */
  readonly cert?: string;
  readonly key?: string;
  readonly passphrase?: string;
  /** The host name in the server's certificate, if it is not the host of `baseUrl`. */
  readonly servername?: string;
}

/** A secret, or a function that returns it for each call, such as an OAuth access token. */
export type Credential = string | (() => string | Promise<string>);

/** The credential of `basic` authentication. */
export interface BasicCredential {
  readonly user: string;
  readonly password: string;
}

/** Keyed by the name of the security scheme. For mutual TLS, `tls` has the certificate. */
export type CredentialsOf<Schemes extends { readonly [scheme: string]: CredentialDescription }> = {
  readonly [Scheme in keyof Schemes as Schemes[Scheme] extends "certificate"
    ? never
    : Scheme]?: Schemes[Scheme] extends "basic" ? BasicCredential : Credential;
};

/** For documents whose security schemes are all bearer tokens. */
export interface KeyOptions {
  /** Sent as a bearer token. Never put a secret key into a page or an app. */
  readonly apiKey: string;
  readonly credentials?: never;
}

/** For documents with other security schemes. */
export interface CredentialOptions<Credentials> {
  /** The bearer token of schemes that are not in `credentials`. */
  readonly apiKey?: Credential;
  /** The client uses an operation's first security alternative for which all credentials are given. */
  readonly credentials?: Credentials;
}

/** The options of a client of any document. */
export type AnyOptions = CommonOptions &
  CredentialOptions<{ readonly [scheme: string]: Credential | BasicCredential | undefined }>;

/** The options of a client except its credentials. */
export interface CommonOptions extends CallOptions {
  /** The service's URL, such as `https://api.example` or `https://example.com/api/`. */
  readonly baseUrl: string;
  /** Sent with every request. The headers of a call override them. The API key cannot be set here. */
  readonly headers?: HeadersOptions;
  /** The maximum size of a response body in bytes. Default: 10 MiB. */
  readonly maxResponseBytes?: number;
  /** Called in the order of the list. `debugLog` of this package's `client/debug` returns hooks that log. */
  readonly hooks?: readonly Hooks[];
  /** Validates responses. Use `validateResponse` of this package's `client/validate`. */
  readonly validate?: ResponseValidator;
  /** The server's certificate authority and the client's certificate. Supported in Node only. */
  readonly tls?: TlsOptions;
  /** Allows a secret key in a browser, where everyone who loads the page can read it. */
  readonly dangerouslyAllowBrowser?: boolean;
  /**
   * Replaces the platform's transport, for example in tests. It must not follow redirects. For a GET with a body,
   * `request.body` is null, and `request.text()` returns the body.
   */
  readonly fetch?: (request: Request) => Promise<Response>;
}
