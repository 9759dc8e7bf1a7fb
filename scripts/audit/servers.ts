/** Which addresses are those of the API: what a recording holds of others is no business of its spec. */
import { entriesOf, isObject, type JsonObject } from "../generate/document.ts";

/** Without a slash at its end. */
export type ServerUrl = string;

/** Why nobody can tell which entries are meant. */
export class ServerUnknownError extends Error {
  constructor(message: string) {
    super(`${message}; name the server with --server URL`);
    this.name = "ServerUnknownError";
  }
}

/**
 * The spec's own servers, with the defaults of their variables (OpenAPI 3.1, Server Variable Object).
 *
 * @throws ServerUnknownError where the spec names none with a host
 */
export function serversOf({ servers }: JsonObject): ServerUrl[] {
  const found = (Array.isArray(servers) ? servers : []).flatMap((server) => {
    if (!isObject(server) || typeof server.url !== "string") return [];
    const defaults = new Map(
      entriesOf(server.variables).map(([name, variable]) => [
        name,
        isObject(variable) ? variable.default : "",
      ]),
    );
    return (
      serverUrl(server.url.replaceAll(/\{([^{}]+)\}/g, (_, name) => String(defaults.get(name) ?? ""))) ?? []
    );
  });
  if (found.length === 0) throw new ServerUnknownError("the spec names no server with its host");
  return found;
}

/** Undefined for what is no absolute URL of HTTP. */
export function serverUrl(text: string): ServerUrl | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/** What a request to one of the servers asks for, below its address, with the query; undefined for one to another. */
export function targetBelow(
  servers: readonly ServerUrl[],
  { origin, pathname, search }: URL,
): string | undefined {
  const address = origin + pathname;
  const server = servers
    .filter((each) => address === each || address.startsWith(`${each}/`))
    .toSorted((left, right) => right.length - left.length)[0];
  return server === undefined ? undefined : (address.slice(server.length) || "/") + search;
}
