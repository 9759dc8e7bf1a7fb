/** The reference page at `/docs` loads Scalar's script, if the server has it. Otherwise it lists the operations. */
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import { type Resources, shareBytes } from "../contract/bind.ts";
import { escaped, operationList } from "./docs-list.ts";

// Fixes for Scalar: greys with too little contrast (WCAG 2.2, 1.4.3), broken words in tables, wrapped statuses, and
// cut texts and an address in two rows on phones.
const customCss = `
:root .light-mode { --scalar-color-2: #555; --scalar-color-3: #666; --scalar-color-blue: #0069a8;
  --scalar-color-green: #067048; --scalar-color-orange: #a84300; }
:root .dark-mode { --scalar-color-2: #bbb; --scalar-color-3: #aaa; }
.scalar-app .markdown :is(th, td) { overflow-wrap: normal; word-break: normal; }
.scalar-app .tab-list { flex-wrap: wrap; }
.scalar-app :has(> * > .tab-list) { flex-wrap: wrap; }
.scalar-app :has(> .tab-list) { flex: 1 0 auto; max-width: 100%; }
.scalar-client tr#user-agent { display: none !important; }
@media (max-width: 767px) {
  .scalar-client .t-app__top-container { padding-left: 48px; }
  .scalar-client .t-app__top-container > .order-last { flex-wrap: nowrap; gap: 4px; }
  .scalar-client .order-last > * { width: auto; min-width: 0; margin-top: 0; }
}
`;

/** With these settings Scalar sends no request to another host. */
export const scalarSettings = {
  customCss,
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: "never",
  hideClientButton: true,
  // Scalar's samples send a GET without its body. The document's samples are shown instead.
  hiddenClients: true,
  // A key is kept in memory only.
  persistAuth: false,
};

export const pageScript = new URL("docs-page-script.js", import.meta.url);

/** Returns the path of Scalar's script, or undefined if the folder does not contain it. */
async function scalarIn(folder: string): Promise<string | undefined> {
  const names = await readdir(folder).catch(() => []);
  const name = names.find((each) => /^scalar-[\w.-]+\.js$/.test(each));
  return name && join(folder, name);
}

/**
 * Returns a function that finds the script in the folder, and loads it with `fetch` if it is not there. It logs once why
 * the folder has no script.
 * @param command that writes the script, without its option
 */
export function scriptFinder(
  folder: string | undefined,
  fetch: ((folder: string) => Promise<string>) | undefined,
  command: string,
  log: { readonly warn: (message: string) => void },
): () => Promise<string | undefined> {
  let isLogged = false;
  return async () => {
    if (folder === undefined) return undefined;
    try {
      const script = (await scalarIn(folder)) ?? (await fetch?.(folder));
      if (script === undefined)
        throw new Error(
          `${folder} does not contain the script; with the development packages, \`${command} --assets ${folder}\` writes it`,
        );
      return script;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!isLogged) log.warn(`/docs only lists the operations: ${reason}`);
      isLogged = true;
      return undefined;
    }
  };
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

export interface DocsPage {
  readonly title: string;
  /** Returns the path of Scalar's script. The page asks until there is one, and only lists the operations until then. */
  readonly findScript: () => Promise<string | undefined>;
  /** Keyed by path. The page shows the last one, which is the most complete. */
  readonly documents: { readonly [path: string]: object };
  /** The page links to this file if it exists. */
  readonly changelog: URL;
}

const scriptPath = "/docs/scalar.js";

export function docsResources({ title, findScript, documents, changelog }: DocsPage): Resources {
  const [url, document = {}] = Object.entries(documents).at(-1) ?? [];
  const hasChangelog = existsSync(changelog);
  const find = once(findScript);
  const file = (url: URL, mediaType: string): Resources[string] => {
    const read = once(() => readFile(url).then(shareBytes));
    return async () => ({ status: 200, mediaType: `${mediaType}; charset=utf-8`, body: await read() });
  };
  const read = async (): Promise<Buffer> => readFile((await find()) ?? "");
  const plain = once(() => read().then(shareBytes));
  const compressed = once(() => read().then(compress).then(shareBytes));
  const page = once(async () => {
    const script = await find();
    return script && shareBytes(docsHtml(title, loading(script, url, hasChangelog)));
  });
  const list = once(async () =>
    shareBytes(docsHtml(title, `<h1>${escaped(title)}</h1>\n${noScript}\n${operationList(document)}`)),
  );
  return {
    "/docs": async () => ({
      status: 200,
      mediaType: "text/html; charset=utf-8",
      body: (await page()) ?? (await list()),
      headers: { "Content-Security-Policy": policy, "Referrer-Policy": "no-referrer" },
    }),
    "/docs/page.js": file(pageScript, "text/javascript"),
    ...(hasChangelog && { "/docs/changelog": file(changelog, "text/plain") }),
    [scriptPath]: async (_, header) => {
      if ((await find()) === undefined) return { status: 404, mediaType: "text/plain", body: "" };
      const isCompressed = acceptsGzip(header("accept-encoding") ?? "");
      return {
        status: 200,
        mediaType: "text/javascript; charset=utf-8",
        body: await (isCompressed ? compressed() : plain()),
        headers: {
          ...(isCompressed && { "Content-Encoding": "gzip" }),
          Vary: "Accept-Encoding",
          "Cache-Control": "public, max-age=31536000, immutable",
        },
      };
    },
  };
}

/** Asks at the first call, and again only if there was no result. */
function once<Value>(ask: () => Promise<Value>): () => Promise<Value> {
  let result: Promise<Value> | undefined;
  const forget = (): void => {
    result = undefined;
  };
  return () => {
    result ??= ask();
    void result.then((value) => value ?? forget(), forget);
    return result;
  };
}

function compress(script: Uint8Array) {
  return promisify(gzip)(script, { level: constants.Z_BEST_COMPRESSION });
}

/** A weight of 0 means "not acceptable" (RFC 9110, section 12.5.3). */
function acceptsGzip(acceptEncoding: string): boolean {
  return /(?:^|,)\s*gzip\s*(?:$|,|;\s*q=(?!0(?:\.0*)?\s*(?:$|,)))/i.test(acceptEncoding);
}

export function docsHtml(title: string, body: string, head = ""): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${head}<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
</head>
<body>
${body}
</body>
</html>
`;
}

const link = '<a href="/openapi.json">/openapi.json</a>';
const noScript = `<p>This page is a list, because the server does not have the script of the reference page. The setting DOCS_ASSETS adds
it. The document is at ${link}.</p>`;

function loading(script: string, url: string | undefined, hasChangelog: boolean): string {
  const settings = { url, ...(hasChangelog && { changelog: "/docs/changelog" }) };
  return `<noscript><p>This page needs JavaScript. See ${link}.</p></noscript>
${reference({ ...scalarSettings, ...settings })}
<script src="${scriptPath}?${basename(script, ".js")}"></script>
<script src="/docs/page.js"></script>`;
}

/** The element that `docs-page-script.js` fills. */
export function reference(settings: object): string {
  return `<div id="reference" data-settings="${escaped(JSON.stringify(settings))}"></div>`;
}
