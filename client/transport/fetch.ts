/** Sends by fetch, in browsers and wherever there is nothing else. It cannot send content with GET. */
import type { Transport } from "./transport.ts";

export const transport: Transport = {
  sendsContentWith: (method) => method !== "GET" && method !== "HEAD",
  send: (request) => fetch(request),
};
