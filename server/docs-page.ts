/** The reference page as it is served: what was generated, and the headers that let a browser do nothing but show it. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

export interface DocsPage {
  /** HTML. */
  readonly text: string;
  readonly mediaType: string;
  readonly headers: Readonly<Record<string, string>>;
}

const file = fileURLToPath(new URL("../generated/docs.html", import.meta.url));

/** @throws Error where the page was not generated */
export async function readDocsPage(): Promise<DocsPage> {
  const text = await readFile(file, "utf8").catch((cause) => {
    throw new Error(`${file} cannot be read; run \`npm run generate\``, { cause });
  });
  // The page carries its policy, which stands before any text of the spec. That no other page frames it, only a header says.
  const policy = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(text)?.[1];
  if (policy === undefined) throw new Error(`${file} has no policy; run \`npm run generate\``);
  return {
    text,
    mediaType: "text/html; charset=utf-8",
    headers: {
      "Content-Security-Policy": `${policy}; frame-ancestors 'none'`,
      "X-Content-Type-Options": "nosniff",
      "Referrer-Policy": "no-referrer",
    },
  };
}
