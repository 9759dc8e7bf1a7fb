/** What a client and a call can be told, and what holds where they are told nothing. */
import type { HeadersOptions } from "openapi-fetch";

/** May be given to a client, for all of its calls, and to a call, where they win. */
export interface CallOptions {
  /**
   * How long a call may take in all, with every repeat and the waits between, in milliseconds: 30 000 where nothing is
   * said, `Infinity` for no end. A call that takes longer rejects with a TimeoutError.
   */
  readonly timeoutMs?: number;
  /** How often an attempt that failed is repeated where that is safe: 2 where nothing is said, 0 for never. */
  readonly maxRetries?: number;
}

/** One sending of a call. */
export interface Attempt {
  readonly operationId: string;
  /** The same in every attempt of a call. */
  readonly requestId: string;
  /** Counts from 1. */
  readonly attempt: number;
  readonly request: Request;
}

/** Called around every attempt. What they throw rejects the call, and what they wait for counts towards its time. */
export interface Hooks {
  /** Before an attempt is sent. May set headers of the request; its content is to be left unread. */
  readonly onRequest?: (attempt: Attempt) => void | Promise<void>;
  /** After an answer of any status was read as a whole. */
  readonly onResponse?: (
    attempt: Attempt & { readonly response: Response; readonly durationMs: number },
  ) => void | Promise<void>;
  /** Before the wait for another attempt: either an answer was no good, or none came. */
  readonly onRetry?: (
    attempt: Attempt & { readonly response?: Response; readonly error?: Error; readonly delayMs: number },
  ) => void | Promise<void>;
}

/** One fault, with its place as a JSON pointer (RFC 6901). */
export interface ResponseProblem {
  readonly pointer: string;
  readonly message: string;
}

/** What is documented for an answer and broken by it. */
export type ResponseValidator = (
  operationId: string,
  status: number,
  mediaType: string,
  content: unknown,
) => readonly ResponseProblem[];

/** PEM texts, as `tls.connect` of Node takes them. */
export interface TlsOptions {
  /** The authorities to trust instead of the well-known ones. */
  readonly ca?: string | string[];
  /** The client's own certificate and its private key. */
  readonly cert?: string;
  readonly key?: string;
  readonly passphrase?: string;
  /** The name that the server's certificate must have, where it is not the host of `baseUrl`. */
  readonly servername?: string;
}

export interface ClientOptions extends CallOptions {
  /** Where the service is, such as `https://api.example` or `https://example.com/api/`. */
  readonly baseUrl: string;
  /** A secret key must never be part of a page or an app. */
  readonly apiKey: string;
  /** Sent with every request, but for the key. A call's own headers win over these. */
  readonly headers?: HeadersOptions;
  /** The most that is read of an answer, in bytes: 10 MiB where nothing is said. */
  readonly maxResponseBytes?: number;
  /** Each is called in its turn: one of your own, for instance, and `debugLog` of this
   * package's `client/debug`. */
  readonly hooks?: readonly Hooks[];
  /** Holds answers to their schemas: `validateResponse` of this package's `client/validate`. */
  readonly validate?: ResponseValidator;
  /** How the server is known, and this client to it. In Node only. */
  readonly tls?: TlsOptions;
  /** Takes a secret key in a browser too, where everyone who loads the page can read it. */
  readonly dangerouslyAllowBrowser?: boolean;
  /**
   * Sends instead of the platform's own transport, in tests for instance. Content of a GET is not in the request's
   * `body`, but what its `text()` answers. Redirects are not to be followed.
   */
  readonly fetch?: (request: Request) => Promise<Response>;
}
