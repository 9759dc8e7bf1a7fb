/** Changes of URLs and of security schemes. */
import type { JsonObject } from "../../openapi/document.ts";
import { documentWith, get, integer, ofPath, type Row, text, withPaths } from "./notation.ts";

const oauth = (scopes: JsonObject, more: JsonObject = {}, flow = "clientCredentials"): JsonObject => ({
  type: "oauth2",
  flows: { [flow]: { tokenUrl: "https://a.test/token", scopes, ...more } },
});
const secured = (scheme: JsonObject, scopes: string[] = []): JsonObject =>
  documentWith({ security: [{ scheme: scopes }] }, { components: { securitySchemes: { scheme } } });
const read = { read: "" };
const readWrite = { read: "", write: "" };

const securities: readonly Row[] = [
  [
    "a scope that an operation requires is removed",
    secured(oauth(readWrite), ["write"]),
    secured(oauth(read), ["write"]),
    "major",
  ],
  ["a scope is added", secured(oauth(read), ["read"]), secured(oauth(readWrite), ["read"]), "patch"],
  [
    "a flow gets a refreshUrl",
    secured(oauth(read)),
    secured(oauth(read, { refreshUrl: "https://a.test/refresh" })),
    "minor",
  ],
  [
    "a flow loses its refreshUrl",
    secured(oauth(read, { refreshUrl: "https://a.test/refresh" })),
    secured(oauth(read)),
    "major",
  ],
  [
    "a flow's refreshUrl changes",
    secured(oauth(read, { refreshUrl: "https://a.test/1" })),
    secured(oauth(read, { refreshUrl: "https://a.test/2" })),
    "major",
  ],
  [
    "a second flow is added",
    secured(oauth(read)),
    secured({
      type: "oauth2",
      flows: {
        clientCredentials: { tokenUrl: "https://a.test/token", scopes: read },
        password: { tokenUrl: "https://a.test/token", scopes: read },
      },
    }),
    "minor",
  ],
  ["a flow becomes another flow", secured(oauth(read)), secured(oauth(read, {}, "password")), "major"],
  [
    "the device flow's URL changes",
    secured(oauth(read, { deviceAuthorizationUrl: "https://a.test/1" }, "deviceAuthorization")),
    secured(oauth(read, { deviceAuthorizationUrl: "https://a.test/2" }, "deviceAuthorization")),
    "major",
  ],
  [
    "the description of a scheme changes",
    secured({ ...oauth(read), description: "A." }),
    secured({ ...oauth(read), description: "B." }),
    "patch",
  ],
  ["a scheme is deprecated", secured(oauth(read)), secured({ ...oauth(read), deprecated: true }), "patch"],
  [
    "a key moves to the query",
    secured({ type: "apiKey", in: "header", name: "k" }),
    secured({ type: "apiKey", in: "query", name: "k" }),
    "major",
  ],
  [
    "the letter case of a key's header changes",
    secured({ type: "apiKey", in: "header", name: "X-Key" }),
    secured({ type: "apiKey", in: "header", name: "x-key" }),
    "patch",
  ],
  [
    "the letter case of an HTTP scheme changes",
    secured({ type: "http", scheme: "bearer" }),
    secured({ type: "http", scheme: "Bearer" }),
    "patch",
  ],
];

const at = (...urls: string[]): JsonObject => ({ servers: urls.map((url) => ({ url })) });
const served = (path: string, ...urls: string[]): JsonObject => withPaths({ [path]: get() }, at(...urls));
const variable = (url: string, variables: JsonObject): JsonObject =>
  withPaths({ "/a": get() }, { servers: [{ url, variables }] });
const users = (parameters: string[], last = text): JsonObject =>
  withPaths(
    Object.fromEntries(
      parameters.map((name, i) => [`/a/{${name}}`, get(ofPath(name, i === 1 ? { schema: last } : {}))]),
    ),
  );
const named = (path: string): JsonObject =>
  withPaths({
    [path]: get({
      parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
        name: name as string,
        in: "path",
        required: true,
        schema: text,
      })),
    }),
  });

const urls: readonly Row[] = [
  [
    "a base path moves from the server into the paths",
    served("/a", "https://a.test/v1"),
    served("/v1/a", "https://a.test"),
    "patch",
  ],
  ["a base path moves from the paths into the server", served("/v1/a", "/"), served("/a", "/v1"), "patch"],
  ["a base path changes", served("/a", "https://a.test/v1"), served("/a", "https://a.test/v2"), "major"],
  [
    "a base path is added to the server alone",
    served("/v1/a", "https://a.test"),
    served("/v1/a", "https://a.test/v1"),
    "major",
  ],
  [
    "a server variable with one value is written out",
    variable("https://{v}.test", { v: { default: "a", enum: ["a"] } }),
    served("/a", "https://a.test"),
    "patch",
  ],
  [
    "a host becomes a server variable with one value",
    served("/a", "https://a.test"),
    variable("https://{v}.test", { v: { default: "a", enum: ["a"] } }),
    "patch",
  ],
  [
    "a host becomes a server variable with two values",
    served("/a", "https://a.test"),
    variable("https://{v}.test", { v: { default: "a", enum: ["a", "b"] } }),
    "minor",
  ],
  [
    "a server variable is renamed",
    variable("https://{v}.test", { v: { default: "a", enum: ["a", "b"] } }),
    variable("https://{w}.test", { w: { default: "a", enum: ["a", "b"] } }),
    "patch",
  ],
  ["the default server is written out", withPaths({ "/a": get() }), served("/a", "/"), "patch"],
  [
    "the document's server moves to the path",
    served("/a", "https://a.test"),
    withPaths({ "/a": { ...at("https://a.test"), ...get() } }),
    "patch",
  ],
  [
    "the document's server moves to the operation",
    served("/a", "https://a.test"),
    withPaths({ "/a": get(at("https://a.test")) }),
    "patch",
  ],
  [
    "a server gets a description",
    served("/a", "https://a.test"),
    withPaths({ "/a": get() }, { servers: [{ url: "https://a.test", description: "A." }] }),
    "patch",
  ],
  [
    "the order of servers changes",
    served("/a", "https://a.test", "https://b.test"),
    served("/a", "https://b.test", "https://a.test"),
    "patch",
  ],
  [
    "two templates that differ in names stay",
    users(["x", "y"]),
    { ...users(["x", "y"]), info: { title: "Things", version: "1.0.1" } },
    undefined,
  ],
  [
    "two templates that differ in names stay, in another order",
    users(["x", "y"]),
    withPaths({ "/a/{y}": get(ofPath("y")), "/a/{x}": get(ofPath("x")) }),
    undefined,
  ],
  [
    "one of two templates that differ in names gets narrower",
    users(["x", "y"]),
    users(["x", "y"], integer),
    "major",
  ],
  ["a segment of a path changes", named("/a/{id}/b"), named("/a/{id}/c"), "major"],
  ["a fixed segment becomes a parameter", named("/a/me"), named("/a/{id}"), "major"],
  [
    "a path is added below a parameter",
    named("/a/{id}"),
    {
      ...named("/a/{id}"),
      paths: { ...(named("/a/{id}").paths as JsonObject), "/a/{id}/b": get(ofPath("id")) },
    },
    "minor",
  ],
];

export const urlCases: readonly Row[] = [...securities, ...urls];
