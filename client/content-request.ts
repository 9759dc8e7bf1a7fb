/**
 * A Request that may carry content with GET. Fetch's own throws for that (Fetch standard, "Request class"), while HTTP
 * and OpenAPI 3.1 allow it (RFC 9110, section 9.3.1).
 */
const bodylessMethods = new Set(["GET", "HEAD"]);

/** Shared by a request and its copies, of which only one may have been sent. */
interface Content {
  readonly text: string;
  taken: boolean;
}

/** Copies keep the content: `clone()` and `new ContentRequest(request)` do, so that a repeated request sends it too. */
export class ContentRequest extends Request {
  readonly #content: Content | undefined;

  /** Any Request counts as one: a middleware of openapi-fetch may put a plain one in the place of this. */
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
      // Bun lets a body of null, which is none, take away the one of the input.
      super(input, content === undefined ? rest : { ...rest, body: content });
      return;
    }
    super(input, rest);
    if (typeof body === "string") this.#content = { text: body, taken: false };
    else if (body !== null) throw new TypeError(`${method} takes content only as text`);
    else this.#content = inherited;
  }

  /** Whether whatever sent this request, or a copy of it, has not even looked at the content of a GET. */
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
