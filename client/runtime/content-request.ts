/**
 * A Request that can have a body with GET, as HTTP and OpenAPI 3.1 allow (RFC 9110, section 9.3.1). Fetch's
 * Request throws an error for such a body (Fetch standard, "Request class").
 */
const bodylessMethods = new Set(["GET", "HEAD"]);

/** Shared by a request and its copies. `taken` is true if the body of any of them was read. */
interface Content {
  readonly text: string;
  taken: boolean;
}

/** `clone()` and `new ContentRequest(request)` keep the body, so that a retry sends it again. */
export class ContentRequest extends Request {
  readonly #content: Content | undefined;

  /** True for any Request, because a middleware of openapi-fetch may replace the request by a plain Request. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && (#content in value || value instanceof Request);
  }

  constructor(input: RequestInfo | URL, init: RequestInit = {}) {
    const inherited = typeof input === "object" && #content in input ? input.#content : undefined;
    const { body = null, ...rest } = init;
    const method = (
      init.method ?? (typeof input === "object" && "method" in input ? input.method : "GET")
    ).toUpperCase();
    if (!bodylessMethods.has(method)) {
      const content = body ?? inherited?.text;
      // In Bun, `body: null` would remove the body of the input.
      super(input, content === undefined ? rest : { ...rest, body: content });
      return;
    }
    super(input, rest);
    if (typeof body === "string") this.#content = { text: body, taken: false };
    else if (body !== null) throw new TypeError(`the body of a ${method} must be text`);
    else this.#content = inherited;
  }

  /** True if a GET or HEAD has a body that was never read. */
  get contentLeftBehind(): boolean {
    return this.#content?.taken === false;
  }

  override clone(): ContentRequest {
    return new ContentRequest(this.#content === undefined ? super.clone() : this);
  }

  override async text(): Promise<string> {
    return this.#take() ?? super.text();
  }

  override async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    const content = this.#take();
    return content === undefined ? super.arrayBuffer() : new TextEncoder().encode(content).buffer;
  }

  #take(): string | undefined {
    if (this.#content !== undefined) this.#content.taken = true;
    return this.#content?.text;
  }
}
