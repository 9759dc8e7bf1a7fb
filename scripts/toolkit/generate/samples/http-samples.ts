/** Renders a request for `curl` and for the HTTP clients of Node and Python, which can send the body of a GET. */
import { propertyName } from "../../json-schema/code.ts";
import { javascript, literal, type Notation } from "../literal.ts";
import type { SampleRequest, SampleText } from "./sample-request.ts";

/** A shell command. */
export function curlSample({ method, url, headers, cookies, isBasic, body }: SampleRequest): string {
  const options = isBasic ? ['-u "$USERNAME:$PASSWORD"'] : [];
  for (const { name, text, hasKey } of headers)
    options.push(`-H ${word({ text: `${name}: ${text}`, hasKey })}`);
  for (const cookie of cookies) options.push(`-b ${word(cookie)}`);
  if (body !== undefined) {
    const data = body.isJson ? JSON.stringify(body.value, null, 2) : String(body.value);
    options.push(`-H ${shellQuoted(`Content-Type: ${body.mediaType}`)}`);
    options.push(`${body.isJson ? "-d" : "--data-raw"} ${shellQuoted(data)}`);
  }
  return [`curl ${method === "HEAD" ? "--head" : `-X ${method}`} ${word(url)}`, ...options].join(" \\\n  ");
}

function word({ text, hasKey = false }: SampleText): string {
  if (!hasKey) return shellQuoted(text);
  return /^[\w :=-]*$/.test(text) ? `"${text}$API_KEY"` : `${shellQuoted(text)}"$API_KEY"`;
}

export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A sample for `node:http`. */
export function javascriptSample({ method, url, headers, cookies, isBasic, body }: SampleRequest): string {
  const value = textIn("process.env.API_KEY");
  const basic = 'process.env.USERNAME + ":" + process.env.PASSWORD';
  const fields = [
    ...headers.map((header) => `${propertyName(header.name)}: ${value(header)}`),
    ...(cookies.length === 0 ? [] : [`Cookie: [${cookies.map(value).join(", ")}].join("; ")`]),
    ...(isBasic ? [`Authorization: "Basic " + btoa(${basic})`] : []),
    ...(body === undefined ? [] : [`"Content-Type": ${quoted(body.mediaType)}`]),
    // Without this header, Node sends the body of a GET unframed.
    ...(body === undefined ? [] : [`"Content-Length": Buffer.byteLength(body)`]),
  ];
  const lines = [`import { request } from "node:${isSecure(url) ? "https" : "http"}";`];
  lines.push(`import { text } from "node:stream/consumers";`, "");
  if (body?.isJson) lines.push(`const body = JSON.stringify(${literal(body.value, javascript)});`);
  else if (body !== undefined) lines.push(`const body = ${quoted(body.value)};`);
  lines.push(fields.length === 0 ? "const headers = {};" : `const headers = {\n${indented(fields, "  ")}};`);
  lines.push(`const sent = request(${value(url)}, { method: ${quoted(method)}, headers });`);
  lines.push(`sent.on("response", async (response) => console.log(await text(response)));`);
  lines.push(`sent.end(${body === undefined ? "" : "body"});`);
  return lines.join("\n");
}

const python: Notation = {
  indent: "    ",
  width: 80,
  name: quoted,
  scalar: (value) => ({ true: "True", false: "False", null: "None" })[String(value)] ?? quoted(value),
};

/** A sample for `http.client`. */
export function pythonSample({ method, url, headers, cookies, isBasic, body }: SampleRequest): string {
  const value = textIn('os.environ["API_KEY"]');
  const basic = "f\"{os.environ['USERNAME']}:{os.environ['PASSWORD']}\".encode()";
  const fields = [
    ...headers.map((header) => `${quoted(header.name)}: ${value(header)}`),
    ...(cookies.length === 0 ? [] : [`"Cookie": "; ".join([${cookies.map(value).join(", ")}])`]),
    ...(isBasic ? [`"Authorization": "Basic " + base64.b64encode(${basic}).decode()`] : []),
    ...(body === undefined ? [] : [`"Content-Type": ${quoted(body.mediaType)}`]),
  ];
  const path = url.text.includes("?") ? 'url.path + "?" + url.query' : "url.path";
  const hasSecret = isBasic || [url, ...headers, ...cookies].some(({ hasKey }) => hasKey);
  const modules = [isBasic && "base64", "http.client", body?.isJson && "json", hasSecret && "os"];
  const lines = modules.filter(Boolean).map((module) => `import ${module}`);
  lines.push("from urllib.parse import urlsplit", "", `url = urlsplit(${value(url)})`);
  if (body?.isJson) lines.push(`body = json.dumps(${literal(body.value, python)}).encode()`);
  else lines.push(body === undefined ? "body = None" : `body = ${quoted(body.value)}.encode()`);
  lines.push(fields.length === 0 ? "headers = {}" : `headers = {\n${indented(fields, python.indent)}}`);
  lines.push(`connection = http.client.${isSecure(url) ? "HTTPS" : "HTTP"}Connection(url.netloc)`);
  lines.push(`connection.request(${quoted(method)}, ${path}, body, headers)`);
  lines.push("print(connection.getresponse().read().decode())");
  return lines.join("\n");
}

function textIn(key: string): (text: SampleText) => string {
  return ({ text, hasKey = false }) =>
    hasKey && text === "" ? key : quoted(text) + (hasKey ? ` + ${key}` : "");
}

function isSecure({ text }: SampleText): boolean {
  return text.startsWith("https:");
}

function indented(fields: readonly string[], indent: string): string {
  return fields.map((field) => `${indent}${field},\n`).join("");
}

/** A JSON literal has the same meaning in both languages. */
function quoted(value: unknown): string {
  return JSON.stringify(value);
}
