/**
 * A Request that can have a body with GET, as HTTP and OpenAPI 3.1 allow (RFC 9110, section 9.3.1). Fetch's
 * Request throws an error for such a body (Fetch standard, "Request class").
 */
const bodylessMethods = new Set(["GET", "HEAD"]);

/** Shared by a request and its copies. `taken` is true if the body of any of them was read. */
interface SharedBody {
  readonly text: string;
  taken: boolean;
}

/** `clone()` and `new RequestWithBody(request)` keep the body, so that a retry sends it again. */
export class RequestWithBody extends Request {
  readonly #body: SharedBody | undefined;

  /** True for any Request, because a middleware of openapi-fetch may replace the request by a plain Request. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && (#body in value || value instanceof Request);
  }

  constructor(input: RequestInfo | URL, init: RequestInit = {}) {
    const inherited = typeof input === "object" && #body in input ? input.#body : undefined;
    const { body = null, ...rest } = init;
    const method = (
      init.method ?? (typeof input === "object" && "method" in input ? input.method : "GET")
    ).toUpperCase();
    if (!bodylessMethods.has(method)) {
      const sent = body ?? inherited?.text;
      // In Bun, `body: null` would remove the body of the input.
      super(input, sent === undefined ? rest : { ...rest, body: sent });
      return;
    }
    super(input, rest);
    if (typeof body === "string") this.#body = { text: body, taken: false };
    else if (body !== null) throw new TypeError(`the body of a ${method} must be text`);
    else this.#body = inherited;
  }

  /** True if a GET or HEAD has a body that was never read. */
  get isBodyUnread(): boolean {
    return this.#body?.taken === false;
  }

  override clone(): RequestWithBody {
    return new RequestWithBody(this.#body === undefined ? super.clone() : this);
  }

  override async text(): Promise<string> {
    return this.#take() ?? super.text();
  }

  override async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    const text = this.#take();
    return text === undefined ? super.arrayBuffer() : new TextEncoder().encode(text).buffer;
  }

  #take(): string | undefined {
    if (this.#body !== undefined) this.#body.taken = true;
    return this.#body?.text;
  }
}
