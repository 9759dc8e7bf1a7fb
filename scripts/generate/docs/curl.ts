/** A request as a command for a POSIX shell. Whatever the spec says stands within quotes that nothing in it can end. */
import { isObject, type Json } from "../document.ts";
import { kindOf } from "../model/content.ts";
import type { Media, Parameter, SecurityRequirement } from "../model.ts";
import { jsonText } from "./json-text.ts";

export interface CurlRequest {
  readonly method: string;
  readonly baseUrl: string;
  readonly path: string;
  readonly parameters: readonly { readonly parameter: Parameter; readonly value: Json }[];
  /** The credentials that are sent together, each from a variable of the shell. */
  readonly security: readonly SecurityRequirement[];
  readonly content: { readonly media: Media; readonly value: Json } | undefined;
}

/** The variable that a credential is taken from; `basic` needs two. */
const keyVariable = "API_KEY";

export function curlCommand(request: CurlRequest): string {
  const { method, baseUrl, security, content } = request;
  const query: string[] = [];
  const options: string[] = [];
  const cookies: string[] = [];
  let path = request.path;
  for (const { parameter, value } of request.parameters) {
    const { in: place, name } = parameter;
    if (place === "path") path = path.replaceAll(`{${name}}`, () => pathText(parameter, value));
    else if (place === "query") query.push(...queryTexts(parameter, value));
    else if (place === "header") options.push(`-H ${quoted(`${name}: ${plainText(value)}`)}`);
    else cookies.push(`${name}=${plainText(value)}`);
  }
  const credentials: string[] = [];
  for (const { sent } of security) {
    if (sent === "bearer") credentials.push(`-H "Authorization: Bearer $${keyVariable}"`);
    else if (sent === "basic") credentials.push('-u "$USERNAME:$PASSWORD"');
    else if (typeof sent === "object" && sent.in === "header")
      credentials.push(`-H ${quoted(`${sent.name}: `)}"$${keyVariable}"`);
    else if (typeof sent === "object" && sent.in === "cookie")
      credentials.push(`-b ${quoted(`${sent.name}=`)}"$${keyVariable}"`);
  }
  const key = security.flatMap(({ sent }) =>
    typeof sent === "object" && sent.in === "query" ? [sent.name] : [],
  );
  const address = `${baseUrl.replace(/\/$/, "")}${path}`;
  const search = [...query, ...key.map((name) => `${encodeURIComponent(name)}=`)].join("&");
  const url =
    quoted(search === "" ? address : `${address}?${search}`) + (key.length > 0 ? `"$${keyVariable}"` : "");
  if (cookies.length > 0) options.push(`-b ${quoted(cookies.join("; "))}`);
  return [
    `curl ${method === "HEAD" ? "--head" : `-X ${method}`} ${url}`,
    ...credentials,
    ...options,
    ...(content === undefined ? [] : contentOptions(content.media, content.value)),
  ].join(" \\\n  ");
}

function contentOptions({ mediaType, fields }: Media, value: Json): string[] {
  const kind = kindOf(mediaType);
  const entries = isObject(value) ? Object.entries(value) : [];
  if (kind === "form")
    return entries.map(([name, item]) => `--data-urlencode ${quoted(`${name}=${plainText(item)}`)}`);
  if (kind === "multipart")
    return entries.map(([name, item]) => {
      const isFile = fields.find((field) => field.name === name)?.mediaType === "application/octet-stream";
      return isFile
        ? `-F ${quoted(`${name}=@FILE`)}`
        : `--form-string ${quoted(`${name}=${plainText(item)}`)}`;
    });
  const isJson = kind === "json" || (kind === "any" && typeof value !== "string");
  const header = `-H ${quoted(`Content-Type: ${kind === "any" && isJson ? "application/json" : mediaType}`)}`;
  if (isJson) return [header, `-d ${quoted(jsonText(value))}`];
  return [header, kind === "text" ? `--data-raw ${quoted(plainText(value))}` : "--data-binary '@FILE'"];
}

function pathText({ style = "simple", explode = false, name }: Parameter, value: Json): string {
  const items = listed(value, explode, "=").map(encodeURIComponent);
  if (style === "label") return `.${items.join(explode ? "." : ",")}`;
  if (style === "matrix")
    return explode && Array.isArray(value)
      ? items.map((item) => `;${encodeURIComponent(name)}=${item}`).join("")
      : `;${encodeURIComponent(name)}=${items.join(",")}`;
  return items.join(",");
}

function queryTexts(
  { name, style = "form", explode = style === "form", mediaType }: Parameter,
  value: Json,
): string[] {
  const pair = (key: string, text: string) => `${encodeURIComponent(key)}=${text}`;
  if (mediaType !== undefined) return [pair(name, encodeURIComponent(JSON.stringify(value)))];
  if (style === "deepObject" && isObject(value))
    return Object.entries(value).map(([key, item]) =>
      pair(`${name}[${key}]`, encodeURIComponent(plainText(item))),
    );
  if (explode && Array.isArray(value))
    return value.map((item) => pair(name, encodeURIComponent(plainText(item))));
  if (explode && isObject(value))
    return Object.entries(value).map(([key, item]) => pair(key, encodeURIComponent(plainText(item))));
  const separator = { spaceDelimited: "%20", pipeDelimited: "%7C" }[String(style)] ?? ",";
  return [pair(name, listed(value, false, ",").map(encodeURIComponent).join(separator))];
}

/** The items of a list; of an object, names and values. */
function listed(value: Json, explode: boolean, between: string): string[] {
  if (Array.isArray(value)) return value.map(plainText);
  if (!isObject(value)) return [plainText(value)];
  return Object.entries(value).flatMap(([key, item]) =>
    explode ? [`${key}${between}${plainText(item)}`] : [key, plainText(item)],
  );
}

function plainText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** One word, whatever it holds. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
