/** Runs in the browser, on the reference page: shows the document in Scalar. */

const holder = document.querySelector("#reference");

/** The ids of GETs that the page sends with QUERY. */
const withTwin = new Set();

async function show() {
  const { url, changelog, ...settings } = JSON.parse(holder.dataset.settings);
  const spec = settings.content ?? (await (await fetch(url)).json());
  const isServed = url !== undefined;
  showTwins(spec, isServed);
  fillParameters(spec);
  if (isServed) useThisOrigin(spec);
  if (changelog !== undefined) spec.externalDocs ??= { description: "Changelog", url: changelog };
  // Scalar keeps the body of a GET only if this property exists. Its value is not used.
  if (isServed) window.electron = undefined;
  openStatus();
  addEventListener("popstate", openStatus);
  // The listener runs in the capturing phase, because Scalar removes the clicked text.
  holder.addEventListener("click", linkStatus, true);
  window.Scalar.createApiReference(holder, {
    ...settings,
    content: spec,
    authentication: { preferredSecurityScheme: firstScheme(spec) },
    generateOperationSlug: ({ operationId, method, path }) => operationId ?? `${method}${path}`,
    customFetch: send,
    plugins: [() => ({ name: "page", extensions: [], apiClientPlugins: [{ hooks: { beforeRequest } }] })],
  });
}

/** Scalar does not show QUERY operations, so a GET shows its twin (`x-twin-of`). */
function showTwins(spec, isServed) {
  for (const [path, { get, query }] of Object.entries(spec.paths ?? {})) {
    if (!get || query?.["x-twin-of"] !== get.operationId) continue;
    withTwin.add(get.operationId);
    const sent = isServed
      ? " This page sends it as QUERY, because browsers cannot send a GET with a body."
      : "";
    get.description = `${get.description ?? ""}\n\n\`QUERY ${path}\` does the same.${sent}`;
    // Scalar distinguishes samples by `lang`, and trims it to colour the text.
    for (const { lang, label, source } of query["x-codeSamples"] ?? [])
      get["x-codeSamples"]?.push({ lang: `${lang} `, label: `${label}, QUERY`, source });
  }
}

/** Scalar fills in the `example` of a parameter, but only if it has no `examples`. It shows those of the schema. */
function fillParameters({ paths = {}, components = {} }) {
  const items = Object.values(paths).flatMap((item) => [item, ...Object.values(item)]);
  const lists = items.map(({ parameters }) => parameters ?? []);
  for (const parameter of [...lists, ...Object.values(components.parameters ?? {})].flat()) {
    const { required, schema, examples = {} } = parameter;
    const values = Object.values(examples).flatMap(({ value = [] }) => value);
    if (!required || !schema || values.length === 0) continue;
    delete parameter.examples;
    [parameter.example] = values;
    schema.examples ??= values;
  }
}

/** The first scheme that an operation needs. */
function firstScheme({ security, paths = {} }) {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const requirements = [security, ...operations.map((operation) => operation?.security)].flat();
  return requirements.flatMap((each) => Object.keys(each ?? {}))[0];
}

/** In samples, replaces the document's server URL with the origin of this page. */
function useThisOrigin(spec) {
  const { url = "/", variables = {} } = spec.servers?.[0] ?? {};
  const named = url.replaceAll(/\{([^{}]*)\}/g, (_, name) => variables[name]?.default ?? name);
  const base = URL.canParse(named) ? named : new URL(named, "https://api.example.com").href;
  const s = location.protocol === "https:" ? "s" : "";
  for (const item of Object.values(spec.paths ?? {}))
    for (const operation of Object.values(item))
      for (const sample of operation?.["x-codeSamples"] ?? [])
        sample.source = String(sample.source)
          .replaceAll(base.replace(/\/$/, ""), location.origin)
          .replace(/"node:https?"/, `"node:http${s}"`)
          .replace(/HTTPS?Connection/, `HTTP${s.toUpperCase()}Connection`);
  spec.servers = [{ url: location.origin }];
}

/**
 * Sends a GET without its body if the body is optional and empty, or sends the GET's twin. For any other GET with a
 * body, shows a command without the key.
 */
function beforeRequest({ requestBuilder, operation }) {
  if (withTwin.has(operation.operationId)) requestBuilder.method = "QUERY";
  if (requestBuilder.body === null || !["GET", "HEAD"].includes(requestBuilder.method)) return;
  const { required } = operation.requestBody["$ref-value"] ?? operation.requestBody;
  if (!required && /^(\s|\{\s*\})*$/.test(requestBuilder.body.value)) {
    requestBuilder.body = null;
    requestBuilder.headers.delete("Content-Type");
  } else {
    for (const credential of requestBuilder.security)
      if (credential.format !== "basic") credential.value = "$API_KEY";
  }
}

function send(url, init) {
  const headers = new Headers(init?.headers);
  // These headers are for Scalar's proxy.
  for (const name of [...headers.keys()]) if (name.startsWith("x-scalar-")) headers.delete(name);
  if (!init?.body || !["GET", "HEAD"].includes(init.method)) return fetch(url, { ...init, headers });
  const options = [...headers].map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const command = [`curl -X ${init.method} ${quoted(url)}`, ...options, `--data-raw ${single(init.body)}`];
  // The lines are short enough for a phone.
  const text = `Nothing was sent: browsers cannot send
a ${init.method} with a body. This command sends
it, with your key in the variable API_KEY:

${command.join(" \\\n  ")}
`;
  // HTTP does not define the status 299, so Scalar shows no name for it.
  const response = new Response(text, { status: 299, headers: { "Content-Type": "text/plain" } });
  return Object.defineProperty(response, "url", { value: url });
}

function quoted(text) {
  const parts = text.split(/(?:\$|%24)API_KEY/);
  return parts.map((part) => part && single(part)).join('"$API_KEY"');
}

function single(text) {
  return `'${String(text).replaceAll("'", "'\\''")}'`;
}

/** `#…/404` opens the 404 response of an operation. Scalar understands only the part before the status. */
function openStatus() {
  const link = decodeURIComponent(location.hash);
  const [, operation, status] = /^#(.+)\/([1-5](?:\d\d|XX)|default)$/.exec(link) ?? [];
  if (status === undefined) return;
  history.replaceState({}, "", `#${operation}`);
  // Scalar renders operations late, and scrolls until they are rendered. So this scrolls until the height is stable for 3 s.
  let height;
  let end;
  const stop = new AbortController();
  for (const event of ["wheel", "touchstart", "pointerdown", "keydown"])
    addEventListener(event, () => stop.abort(), { once: true, signal: stop.signal });
  const frame = () => {
    if (stop.signal.aborted) return;
    const button = triggers().find((each) => each.operation === operation && each.status === status)?.button;
    if (button?.ariaExpanded === "false") button.click();
    button?.scrollIntoView({ block: "center" });
    if (button && decodeURIComponent(location.hash) !== link) history.replaceState({}, "", link);
    const { scrollHeight } = document.documentElement;
    if (scrollHeight !== height) end = performance.now() + 3000;
    height = scrollHeight;
    if (performance.now() < end) requestAnimationFrame(frame);
  };
  frame();
}

function linkStatus({ target }) {
  const found = triggers().find(({ button }) => button.contains(target));
  if (found) history.replaceState({}, "", `#${found.operation}/${found.status}`);
}

/** The rows of the responses that are on the page. */
function triggers() {
  return [...holder.querySelectorAll("ul[aria-label=Responses] .parameter-item-trigger")].map((button) => ({
    button,
    operation: button.closest("section").id.replace(/^[^/]*\//, ""),
    status: button.querySelector(".parameter-item-name").textContent.trim(),
  }));
}

show();
