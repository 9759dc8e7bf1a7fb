/** Renders a request as a shell command. Texts from the spec are quoted. */
import { type SampleInput, type SampleText, sampleRequest } from "./sample-request.ts";

/** @returns undefined if `sampleRequest` returns undefined */
export function curlCommand(input: SampleInput): string | undefined {
  const request = sampleRequest(input);
  if (request === undefined) return undefined;
  const { method, url, headers, cookies, isBasic, body } = request;
  const options = isBasic ? ['-u "$USERNAME:$PASSWORD"'] : [];
  for (const { name, text, hasKey } of headers)
    options.push(`-H ${word({ text: `${name}: ${text}`, hasKey })}`);
  for (const cookie of cookies) options.push(`-b ${word(cookie)}`);
  if (body !== undefined) {
    const data = body.isJson ? JSON.stringify(body.value, null, 2) : String(body.value);
    options.push(`-H ${quoted(`Content-Type: ${body.mediaType}`)}`);
    options.push(`${body.isJson ? "-d" : "--data-raw"} ${quoted(data)}`);
  }
  return [`curl ${method === "HEAD" ? "--head" : `-X ${method}`} ${word(url)}`, ...options].join(" \\\n  ");
}

function word({ text, hasKey = false }: SampleText): string {
  if (!hasKey) return quoted(text);
  return /^[\w :=-]*$/.test(text) ? `"${text}$API_KEY"` : `${quoted(text)}"$API_KEY"`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
