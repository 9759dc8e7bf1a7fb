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

  constructor(input: RequestInfo | URL, init: RequestInit = {}) {
    const inherited = input instanceof ContentRequest ? input.#content : undefined;
    const { body = null, ...rest } = init;
    const method = (init.method ?? (input instanceof Request ? input.method : "GET")).toUpperCase();
    if (!bodylessMethods.has(method)) {
      super(input, { ...rest, body: body ?? inherited?.text ?? null });
      return;
    }
    super(input, rest);
    if (typeof body === "string") this.#content = { text: body, taken: false };
    else if (body !== null) throw new TypeError(`${method} takes content only as text`);
    else this.#content = inherited;
  }

  /** What Fetch would not send: the content of a GET or HEAD, undefined where there is none. */
  takeContent(): string | undefined {
    if (this.#content !== undefined) this.#content.taken = true;
    return this.#content?.text;
  }

  /** Whether whatever sent this request, or a copy of it, has not even looked at the content. */
  get contentLeftBehind(): boolean {
    return this.#content?.taken === false;
  }

  override clone(): ContentRequest {
    return new ContentRequest(this.#content === undefined ? super.clone() : this);
  }

  override async text(): Promise<string> {
    return this.takeContent() ?? super.text();
  }

  override async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    const content = this.takeContent();
    return content === undefined ? super.arrayBuffer() : new Blob([content]).arrayBuffer();
  }
}
