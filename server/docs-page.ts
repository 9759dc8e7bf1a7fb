/** The reference page at `/docs` loads Scalar's script, if Scalar is installed. */
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import type { Resource, Resources } from "./contract/bind.ts";

/** With these settings Scalar sends no request to another host. */
export const scalarSettings = {
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: "never",
  hideClientButton: true,
  // Scalar's samples send a GET without its body. Those of the document are shown instead.
  hiddenClients: true,
};

const scalar = new URL("../node_modules/@scalar/api-reference/", import.meta.url);

export interface ScalarScript {
  readonly file: URL;
  /** Contains the script's version, so that browsers may cache it forever. */
  readonly path: string;
}

export async function findScalar(): Promise<ScalarScript | undefined> {
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

export function docsResources(title: string, script: ScalarScript | "off" | undefined): Resources {
  if (script === "off") return {};
  const page: Resource = {
    status: 200,
    mediaType: "text/html; charset=utf-8",
    body: docsHtml(title, script === undefined ? notInstalled : loading(script)),
    headers: {
      "Content-Security-Policy": policy,
      "X-Content-Type-Options": "nosniff",
      "Referrer-Policy": "no-referrer",
    },
  };
  if (script === undefined) return { "/docs": () => page };
  let compressed: ReturnType<typeof compress> | undefined;
  const compressedOnce = () => {
    compressed ??= compress(script);
    return compressed;
  };
  return {
    "/docs": () => page,
    [script.path]: async (_, header) => {
      const isCompressed = acceptsGzip(header("accept-encoding") ?? "");
      return {
        status: 200,
        mediaType: "text/javascript; charset=utf-8",
        body: await (isCompressed ? compressedOnce() : readFile(script.file)),
        headers: {
          ...(isCompressed && { "Content-Encoding": "gzip" }),
          Vary: "Accept-Encoding",
          "Cache-Control": "public, max-age=31536000, immutable",
          "X-Content-Type-Options": "nosniff",
        },
      };
    },
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

function loading({ path }: ScalarScript): string {
  // The page's policy allows only requests to its own host.
  const settings = { ...scalarSettings, url: "/openapi.json", servers: [{ url: "/" }] };
  return `<noscript><p>This page needs JavaScript. See ${link}.</p></noscript>
<script id="api-reference" data-configuration="${escaped(JSON.stringify(settings))}"></script>
<script src="${path}"></script>`;
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
