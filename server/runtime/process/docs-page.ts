/** The reference page at `/docs` loads Scalar's script, if Scalar is installed. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import { type Resource, type Resources, type SharedBytes, shareBytes } from "../contract/bind.ts";

// Fixes for Scalar: greys with too little contrast (WCAG 2.2, 1.4.3), broken words in tables, cut texts on phones.
const customCss = `
:root .light-mode { --scalar-color-2: #555; --scalar-color-3: #666; --scalar-color-blue: #0069a8;
  --scalar-color-green: #067048; --scalar-color-orange: #a84300; }
:root .dark-mode { --scalar-color-2: #bbb; --scalar-color-3: #aaa; }
.scalar-app .markdown :is(th, td) { overflow-wrap: normal; word-break: normal; }
.scalar-app .tab-list { flex-wrap: wrap; }
.scalar-client tr#user-agent { display: none !important; }
@media (max-width: 767px) { .scalar-client .t-app__top-container { padding-left: 48px; } }
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

export interface ScalarScript {
  readonly file: URL;
  /** Contains the script's version, so that browsers may cache it forever. */
  readonly path: string;
}

/** @param project the folder that contains node_modules */
export async function findScalar(project: URL): Promise<ScalarScript | undefined> {
  const scalar = new URL("node_modules/@scalar/api-reference/", project);
  const text = await readFile(new URL("package.json", scalar), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const { version }: { version: string } = JSON.parse(text);
  return { file: new URL("dist/browser/standalone.js", scalar), path: `/docs/scalar-${version}.js` };
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
  /** If it is undefined, the page only links to the document. */
  readonly script: ScalarScript | undefined;
  /** Keyed by path. The page shows the last one, which is the most complete. */
  readonly documents: object;
  /** The page links to this file if it exists. */
  readonly changelog: URL;
}

export function docsResources({ title, script, documents, changelog }: DocsPage): Resources {
  const url = Object.keys(documents).at(-1);
  const hasChangelog = existsSync(changelog);
  const page: Resource = {
    status: 200,
    mediaType: "text/html; charset=utf-8",
    body: shareBytes(
      docsHtml(title, script === undefined ? notInstalled : loading(script, url, hasChangelog)),
    ),
    headers: {
      "Content-Security-Policy": policy,
      "Referrer-Policy": "no-referrer",
    },
  };
  if (script === undefined) return { "/docs": () => page };
  const file = (url: URL, mediaType: string): Resources[string] => {
    const read = once(() => readFile(url));
    return async () => ({
      status: 200,
      mediaType: `${mediaType}; charset=utf-8`,
      body: await read(),
    });
  };
  const plain = once(() => readFile(script.file));
  const compressed = once(() => compress(script));
  return {
    "/docs": () => page,
    "/docs/page.js": file(pageScript, "text/javascript"),
    ...(hasChangelog && { "/docs/changelog": file(changelog, "text/plain") }),
    [script.path]: async (_, header) => {
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

/** Reads at the first call, and again only after a failure. */
function once(read: () => Promise<Buffer>): () => Promise<SharedBytes> {
  let bytes: Promise<SharedBytes> | undefined;
  return () => {
    bytes ??= read().then(shareBytes, (error: unknown) => {
      bytes = undefined;
      throw error;
    });
    return bytes;
  };
}

async function compress({ file }: ScalarScript) {
  return promisify(gzip)(await readFile(file), { level: constants.Z_BEST_COMPRESSION });
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
const notInstalled = `<p>The reference page is not installed on this server. See ${link}.</p>`;

function loading({ path }: ScalarScript, url: string | undefined, hasChangelog: boolean): string {
  const settings = { url, ...(hasChangelog && { changelog: "/docs/changelog" }) };
  return `<noscript><p>This page needs JavaScript. See ${link}.</p></noscript>
${reference({ ...scalarSettings, ...settings })}
<script src="${path}"></script>
<script src="/docs/page.js"></script>`;
}

/** The element that `docs-page-script.js` fills. */
export function reference(settings: object): string {
  return `<div id="reference" data-settings="${escaped(JSON.stringify(settings))}"></div>`;
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
