/** Renders a request as a shell command. Texts of the spec are quoted. */
import { isObject, type Json } from "../openapi/document.ts";
import { kindOf } from "./model/read-content.ts";
import type { Parameter, SecurityRequirement } from "./model.ts";

export interface CurlRequest {
  readonly method: string;
  readonly baseUrl: string;
  readonly path: string;
  readonly parameters: readonly WrittenParameter[];
  /** Credentials that are sent together, each from a shell variable. */
  readonly security: readonly (Pick<SecurityRequirement, "sent"> & Partial<SecurityRequirement>)[];
  readonly body: { readonly mediaType: string; readonly value: Json } | undefined;
}

interface WrittenParameter extends Pick<Parameter, "in" | "name"> {
  readonly style?: Parameter["style"];
  readonly explode?: Parameter["explode"];
  readonly mediaType?: Parameter["mediaType"];
  readonly value: Json;
}

/** @returns undefined for files and for paths of the styles `label` and `matrix` */
export function curlCommand({
  method,
  baseUrl,
  path,
  parameters,
  security,
  body,
}: CurlRequest): string | undefined {
  const kind = body && kindOf(body.mediaType);
  const isSendable = kind === undefined || kind === "json" || kind === "form" || kind === "text";
  if (!isSendable || parameters.some(({ style }) => style === "label" || style === "matrix"))
    return undefined;
  let url = baseUrl.replace(/\/$/, "") + path;
  const query: string[] = [];
  const options: string[] = [];
  for (const parameter of parameters) {
    const { in: place, name, value } = parameter;
    if (place === "path") url = url.replaceAll(`{${name}}`, () => list(parameter, encodeURIComponent));
    else if (place === "query") query.push(...pairs(parameter));
    else if (place === "header") options.push(`-H ${quoted(`${name}: ${list(parameter, String)}`)}`);
    else options.push(`-b ${quoted(`${name}=${plain(value)}`)}`);
  }
  const variable = '"$API_KEY"';
  let keyInQuery = "";
  for (const { sent } of security) {
    if (sent === "bearer") options.unshift('-H "Authorization: Bearer $API_KEY"');
    else if (sent === "basic") options.unshift('-u "$USERNAME:$PASSWORD"');
    else if (sent === "unknown") continue;
    else if (sent.in === "header") options.unshift(`-H ${quoted(`${sent.name}: `)}${variable}`);
    else if (sent.in === "cookie") options.unshift(`-b ${quoted(`${sent.name}=`)}${variable}`);
    else {
      query.push(`${encodeURIComponent(sent.name)}=`);
      keyInQuery = variable;
    }
  }
  if (body !== undefined && kind === "form") {
    for (const [name, item] of Object.entries(body.value ?? {}))
      options.push(`--data-urlencode ${quoted(`${name}=${plain(item)}`)}`);
  } else if (body !== undefined) {
    const data =
      kind === "json"
        ? `-d ${quoted(JSON.stringify(body.value, null, 2))}`
        : `--data-raw ${quoted(plain(body.value))}`;
    options.push(`-H ${quoted(`Content-Type: ${body.mediaType}`)}`, data);
  }
  const address = quoted(query.length === 0 ? url : `${url}?${query.join("&")}`) + keyInQuery;
  return [`curl ${method === "HEAD" ? "--head" : `-X ${method}`} ${address}`, ...options].join(" \\\n  ");
}

/** OpenAPI 3.1, "Style Values". */
function pairs(parameter: WrittenParameter): string[] {
  const { name, value, style = "form", explode = style === "form", mediaType } = parameter;
  const pair = (key: string, item: Json) => `${encodeURIComponent(key)}=${encodeURIComponent(plain(item))}`;
  if (mediaType !== undefined) return [pair(name, JSON.stringify(value))];
  if (isObject(value) && (explode || style === "deepObject"))
    return Object.entries(value).map(([key, item]) =>
      pair(style === "deepObject" ? `${name}[${key}]` : key, item),
    );
  if (Array.isArray(value) && explode) return value.map((item) => pair(name, item));
  const separator = { spaceDelimited: "%20", pipeDelimited: "%7C" }[String(style)];
  return [`${encodeURIComponent(name)}=${list(parameter, encodeURIComponent, separator)}`];
}

function list(
  { value, explode = false }: { readonly value: Json; readonly explode?: boolean | undefined },
  encode: (text: string) => string,
  separator = ",",
): string {
  const items = isObject(value)
    ? Object.entries(value).map(([key, item]) =>
        [encode(key), encode(plain(item))].join(explode ? "=" : separator),
      )
    : (Array.isArray(value) ? value : [value]).map((item) => encode(plain(item)));
  return items.join(separator);
}

function plain(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
