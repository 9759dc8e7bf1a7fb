/** Changes to paths, servers, webhooks and callbacks, and to the security of an operation. */
import type { Json, JsonObject } from "../../openapi/document.ts";
import type { Impact } from "../changes.ts";
import {
  body,
  documentWith,
  get,
  inRequest,
  inResponse,
  integer,
  json,
  number,
  ofPath,
  open,
  parameter,
  type Row,
  ref,
  responses,
  schemas,
  string,
  text,
  withPaths,
} from "./notation.ts";

const key = { type: "apiKey", in: "header", name: "X-Key" };
const bearer = { type: "http", scheme: "bearer" };
const oauth = (scopes: JsonObject, tokenUrl = "https://a.test/token"): JsonObject => ({
  type: "oauth2",
  flows: { clientCredentials: { tokenUrl, scopes } },
});
const oidc = (openIdConnectUrl: string): JsonObject => ({ type: "openIdConnect", openIdConnectUrl });

const both = { key, bearer };
const keyOnly = [{ key: [] }];
const together = [{ key: [], bearer: [] }];
const either = [{ key: [] }, { bearer: [] }];
/** Changes of an operation's `security`, with the security schemes of the document. */
const securities: readonly (readonly [
  title: string,
  old: readonly [security: Json, schemes: JsonObject],
  now: readonly [security: Json, schemes: JsonObject],
  expected: Impact,
])[] = [
  ["a key is required", [[], both], [keyOnly, both], "major"],
  ["a key is no longer required", [keyOnly, both], [[], both], "minor"],
  ["a second credential is accepted too", [keyOnly, both], [either, both], "minor"],
  ["one of two credentials is no longer accepted", [either, both], [keyOnly, both], "major"],
  ["either credential is enough instead of both", [together, both], [either, both], "minor"],
  ["both credentials are needed instead of one", [either, both], [together, both], "major"],
  ["a key becomes optional", [keyOnly, both], [[{ key: [] }, {}], both], "minor"],
  ["an optional key becomes required", [[{ key: [] }, {}], both], [keyOnly, both], "major"],
  ["the order of credentials changes", [either, both], [either.toReversed(), both], "patch"],
  ["another scope is required", [[{ bearer: ["a"] }], both], [[{ bearer: ["a", "b"] }], both], "major"],
  ["a scope is no longer required", [[{ bearer: ["a", "b"] }], both], [[{ bearer: ["a"] }], both], "minor"],
  ["a security scheme is renamed", [keyOnly, { key }], [[{ token: [] }], { token: key }], "patch"],
];

/** Changes of the only security scheme. */
const securitySchemes: readonly Row[] = [
  ["the key moves to another header", key, { ...key, name: "X-Other" }, "major"],
  ["a security scheme gets another type", key, bearer, "major"],
  ["bearer becomes basic", bearer, { ...bearer, scheme: "basic" }, "major"],
  ["bearerFormat is added", bearer, { ...bearer, bearerFormat: "JWT" }, "patch"],
  ["the token URL changes", oauth({}), oauth({}, "https://b.test/token"), "major"],
  [
    "a scope that no operation requires is removed",
    oauth({ read: "", write: "" }),
    oauth({ read: "" }),
    "patch",
  ],
  ["the description of a scope changes", oauth({ read: "" }), oauth({ read: "Read." }), "patch"],
  ["an OAuth flow is removed", oauth({}), { type: "oauth2", flows: {} }, "major"],
  ["the OpenID Connect URL changes", oidc("https://a.test"), oidc("https://b.test"), "major"],
];

const a = withPaths({ "/a": get() });
const whole = (more: JsonObject, name = "a"): JsonObject => {
  const schema = { type: "object", properties: { a: text }, ...more };
  return get({ parameters: [{ name, in: "querystring", content: json(schema) }] });
};
const streamed = (properties: JsonObject): JsonObject => {
  const content = { "application/jsonl": { itemSchema: { type: "object", properties } } };
  return get({ responses: { 200: { description: "Items.", content } } });
};
const copy = (more?: JsonObject): JsonObject => ({ additionalOperations: { COPY: get(more).get ?? {} } });
const query = (more?: JsonObject): JsonObject => ({ query: get(more).get ?? {} });
const withTwin = (more: JsonObject = {}): JsonObject => ({
  ...get({ operationId: "getA", ...more }),
  ...query({ operationId: "queryA", "x-twin-of": "getA", ...more }),
});
const at = (...urls: string[]): JsonObject => ({ servers: urls.map((url) => ({ url })) });
const servedAt = (...urls: string[]): JsonObject => withPaths({ "/a": get() }, at(...urls));
const variable = (v: JsonObject): JsonObject =>
  withPaths({ "/a": get() }, { servers: [{ url: "https://{v}.test", variables: { v } }] });
const oneOfValues = (...values: string[]): JsonObject => variable({ default: "a", enum: values });
const required = parameter({ required: true });
const hook = (schema: Json, response?: Json): JsonObject =>
  withPaths(
    {},
    {
      webhooks: {
        made: { post: { ...body(json(schema)), ...(response === undefined ? {} : inResponse(response)) } },
      },
    },
  );
const callback = (schema: Json): JsonObject =>
  get({ callbacks: { done: { "{$url}": { post: body(json(schema)) } } } });
const unmatched = (schema: Json): JsonObject =>
  withPaths({}, { "x-unmatched-responses": inResponse(schema).responses ?? {} });
const byId = (more?: JsonObject): JsonObject => withPaths({ "/a/{id}": get(ofPath("id", more)) });
const overridden = (schema: Json): JsonObject =>
  withPaths({ "/a/{id}": { ...ofPath("id", { schema }), ...get(ofPath("id")) } });
const named = (name: string): JsonObject => documentWith(inRequest(ref(name)), schemas({ [name]: text }));
const user = (id: JsonObject): JsonObject =>
  documentWith(
    { ...inRequest(ref("User")), ...inResponse(ref("User")) },
    schemas({ User: open({ id, name: text }) }),
  );
const [readOnly, writeOnly] = [string({ readOnly: true }), string({ writeOnly: true })];
const withComponent = (some: JsonObject): JsonObject => documentWith({}, schemas(some));
const paths = (item: JsonObject): JsonObject => withPaths({ "/a": get(), "/b": item });
const in30 = (operation: JsonObject): JsonObject => documentWith(operation, {}, "3.0.3");
const nullable = string({ nullable: true });
const [one, two] = [open({ a: text }), open({ a: text, b: text })];
const keyed = documentWith({}, { security: keyOnly });
const [x, y] = [ofPath("x"), ofPath("y", { schema: number })].map((each) => each.parameters as Json[]);
const xy = get({ parameters: [...(x ?? []), ...(y ?? [])] });

/** Changes of one path. */
const items: readonly Row[] = [
  ["a QUERY operation is added", get(), { ...get(), ...query() }, "minor"],
  ["a twin is added", get({ operationId: "getA" }), withTwin(), "minor"],
  ["a twin is removed", withTwin(), get({ operationId: "getA" }), "major"],
  [
    "a twin becomes a separate operation",
    withTwin(),
    { ...get({ operationId: "getA" }), ...query({ operationId: "queryA" }) },
    "major",
  ],
  ["a GET and its twin get a required parameter", withTwin(), withTwin(required), "major"],
  ["a QUERY operation is removed", { ...get(), ...query() }, get(), "major"],
  ["a QUERY operation gets a required parameter", query(), query(required), "major"],
  ["a querystring gets another name", whole({}, "a"), whole({}, "b"), "patch"],
  ["a querystring requires a property", whole({}), whole({ required: ["a"] }), "major"],
  ["an item of a stream loses a property", streamed({ a: text, b: text }), streamed({ a: text }), "major"],
  ["an additional operation is removed", { ...get(), ...copy() }, get(), "major"],
  ["an operation is added", get(), { ...get(), delete: { responses: {} } }, "minor"],
  ["an operation is removed", { ...get(), trace: { responses: {} } }, get(), "major"],
  ["a required parameter is added to the whole path", get(), { ...required, ...get() }, "major"],
  ["an operation gets another server", get(), get(at("https://b.test")), "major"],
  ["a path gets another server", get(), { ...at("/v2"), ...get() }, "major"],
  ["the body of a callback gets wider", callback(number), callback({}), "major"],
  ["a callback is removed", callback(text), get(), "major"],
  ["a callback is added", get(), callback(text), "minor"],
];

const documents: readonly Row[] = [
  ["a path is added", a, withPaths({ "/a": get(), "/b": get() }), "minor"],
  ["a path is removed", withPaths({ "/a": get(), "/b": get() }), a, "major"],
  ["a path gets a trailing slash", a, withPaths({ "/a/": get() }), "major"],
  ["a path parameter is renamed", byId(), withPaths({ "/a/{key}": get(ofPath("key")) }), undefined],
  ["path parameters change places", withPaths({ "/{x}/{y}": xy }), withPaths({ "/{y}/{x}": xy }), "major"],
  ["the style of a path parameter changes", byId(), byId({ style: "matrix" }), "major"],
  ["a parameter moves to its path", byId(), withPaths({ "/a/{id}": { ...ofPath("id"), ...get() } }), "patch"],
  ["a parameter of the path changes, but is overridden", overridden(text), overridden(number), "patch"],
  [
    "a path becomes a reference",
    a,
    withPaths({ "/a": { $ref: "#/components/pathItems/A" } }, { components: { pathItems: { A: get() } } }),
    "patch",
  ],
  ["a server is removed", servedAt("https://a.test", "https://b.test"), servedAt("https://a.test"), "major"],
  ["a server is added", servedAt("https://a.test"), servedAt("https://a.test", "https://b.test"), "minor"],
  ["a server variable's default changes", variable({ default: "a" }), variable({ default: "b" }), "major"],
  ["a value of a server variable is removed", oneOfValues("a", "b"), oneOfValues("a"), "major"],
  ["a value of a server variable is added", oneOfValues("a"), oneOfValues("a", "b"), "minor"],
  ["the title and the version change", a, { ...a, info: { title: "Other", version: "2.0.0" } }, "patch"],
  ["only the version changes", a, { ...a, info: { title: "Things", version: "2.0.0" } }, undefined],
  ["the dialect changes", a, { ...a, jsonSchemaDialect: "https://a.test/dialect" }, "major"],
  ["`security` moves to the document", documentWith({ security: keyOnly }), keyed, "patch"],
  ["the whole document requires a key", documentWith({}), keyed, "major"],
  [
    "an empty `security` is removed",
    { ...documentWith({ security: [] }), security: keyOnly },
    keyed,
    "major",
  ],
  [
    "a limit next to a reference to another component becomes stricter",
    documentWith(inRequest(ref("A")), schemas({ A: ref("B", { maxLength: 9 }), B: text })),
    documentWith(inRequest(ref("A")), schemas({ A: ref("B", { maxLength: 8 }), B: text })),
    "major",
  ],
  ["a component is renamed", named("A"), named("B"), "patch"],
  ["a component is inlined", named("A"), documentWith(inRequest(text)), "patch"],
  ["a response to unknown routes gets wider", unmatched({ const: 1 }), unmatched(number), "major"],
  ["the body of a webhook gets wider", hook(number), hook({}), "major"],
  ["the body of a webhook gets a property", hook(one), hook(two), "minor"],
  ["the body of a webhook loses a property", hook(two), hook(one), "major"],
  ["a webhook expects another response", hook(text, number), hook(text, integer), "major"],
  ["a webhook is removed", hook(text), withPaths({}), "major"],
  ["a webhook is added", withPaths({}), hook(text), "minor"],
  [
    "a webhook is also called with another method",
    withPaths({}, { webhooks: { made: { post: body(json(text)) } } }),
    withPaths({}, { webhooks: { made: { post: body(json(text)), put: body(json(text)) } } }),
    "major",
  ],
  ["a component that nothing uses is removed", withComponent({ A: text }), withComponent({}), "patch"],
  ["a component that nothing uses is added", withComponent({}), withComponent({ A: text }), "patch"],
  ["readOnly is removed from a shared schema", user(readOnly), user(text), "minor"],
  ["readOnly is added in a shared schema", user(text), user(readOnly), "major"],
  ["writeOnly is removed from a shared schema", user(writeOnly), user(text), "minor"],
  ["writeOnly is added in a shared schema", user(text), user(writeOnly), "major"],
  ["a path without operations is removed", paths({}), a, "patch"],
  ["a path with only parameters is removed", paths({ parameters: [] }), a, "patch"],
  ["a path with an operation is removed", paths(get()), a, "major"],
  ["OpenAPI 3.0: nullable is added", in30(inRequest(text)), in30(inRequest(nullable)), "minor"],
];

const secured = (security: Json, securitySchemes: JsonObject): JsonObject =>
  documentWith({ security }, { components: { securitySchemes } });
const withScheme = (scheme: JsonObject): JsonObject => secured([{ scheme: [] }], { scheme });

const [bytes, png] = ["application/octet-stream", "image/png"];
const binary = string({ format: "binary" });
const content = (type: string, schema?: Json): JsonObject => ({
  [type]: schema === undefined ? {} : { schema },
});
const upload = (schema?: Json, type = bytes): JsonObject => body(content(type, schema));
const form = (file: Json): JsonObject => body(content("multipart/form-data", open({ file, name: text })));
const byte = string({ format: "byte" });
const encoded = (contentEncoding: string): JsonObject => string({ contentEncoding });
const files = (file: Json): JsonObject => form({ type: "array", items: file });
const download = (schema?: Json): JsonObject => responses({ "200": { content: content(png, schema) } });

/** Changes of an operation. The older document uses OpenAPI 3.0, the newer one 3.1. */
const upgrades: readonly Row[] = [
  ["the schema of an upload is removed", upload(binary), upload(), "patch"],
  ["the schema of an upload becomes empty", upload(binary), upload({}), "patch"],
  ["an upload gets contentMediaType", upload(binary, png), upload({ contentMediaType: png }, png), "patch"],
  ["an upload gets a maximum length", upload(binary), upload(string({ maxLength: 9 })), "major"],
  ["the media type of an upload changes", upload(binary, png), upload(), "major"],
  ["a file in a form gets contentMediaType", form(binary), form({ contentMediaType: bytes }), "patch"],
  ["the schema of a form's files becomes empty", files(binary), files({}), "patch"],
  ["a file in a form becomes a number", form(binary), form(integer), "major"],
  ["the schema of a download is removed", download(binary), download(), "patch"],
  ["a download becomes JSON", download(binary), inResponse(text), "major"],
  ["nullable becomes the type null", inRequest(nullable), inRequest({ type: ["string", "null"] }), undefined],
  ["nullable is removed", inRequest(nullable), inRequest(text), "major"],
  ["format byte becomes base64", inRequest(byte), inRequest(encoded("base64")), "patch"],
  ["format byte becomes base64url", inRequest(byte), inRequest(encoded("base64url")), "major"],
];

export const documentCases: readonly Row[] = [
  ...securities.map(
    ([title, old, now, expected]): Row => [title, secured(...old), secured(...now), expected],
  ),
  ...securitySchemes.map(
    ([title, old, now, expected]): Row => [title, withScheme(old), withScheme(now), expected],
  ),
  ...items.map(
    ([title, old, now, expected]): Row => [
      title,
      withPaths({ "/a": old }),
      withPaths({ "/a": now }),
      expected,
    ],
  ),
  ...documents,
  ...upgrades.map(
    ([title, old, now, expected]): Row => [
      `OpenAPI 3.0 to 3.1: ${title}`,
      in30(old),
      documentWith(now),
      expected,
    ],
  ),
];
