/** What sends requests, chosen by package conditions: `#transport` is node.ts in Node and fetch.ts everywhere else. */
import type { ContentRequest } from "../content-request.ts";

export interface Transport {
  /** Whether content reaches the server with this method. */
  sendsContentWith(method: string): boolean;
  /**
   * Answers whatever response came, redirects too. Rejects where none did or the request's signal aborted; reading the
   * body rejects where it broke off or the signal aborted since.
   */
  send(request: ContentRequest): Promise<Response>;
}
