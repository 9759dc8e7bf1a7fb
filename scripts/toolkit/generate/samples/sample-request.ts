/** Splits a request into the parts that every code sample shows. */
import { isObject, type Json } from "../../openapi/document.ts";
import { kindOf } from "../model/read-media-types.ts";
import type { Parameter, SecurityRequirement } from "../model.ts";

export interface SampleInput {
  readonly method: string;
  readonly baseUrl: string;
  readonly path: string;
  readonly parameters: readonly WrittenParameter[];
  /** Credentials that are sent together, each from an environment variable. */
  readonly security: readonly (Pick<SecurityRequirement, "credential"> & Partial<SecurityRequirement>)[];
  readonly body: { readonly mediaType: string; readonly value: Json } | undefined;
}

interface WrittenParameter extends Pick<Parameter, "in" | "name"> {
  readonly style?: Parameter["style"];
  readonly explode?: Parameter["explode"];
  readonly mediaType?: Parameter["mediaType"];
  readonly value: Json;
}

/** If `hasKey` is true, the API key is appended to the text. */
export interface SampleText {
  readonly text: string;
  readonly hasKey?: boolean | undefined;
}

export interface SampleRequest {
  readonly method: string;
  readonly url: SampleText;
  readonly headers: readonly (SampleText & { readonly name: string })[];
  readonly cookies: readonly SampleText[];
  /** True if the request sends a user name and a password. */
  readonly isBasic: boolean;
  /** `value` is a string, or a value that is sent as JSON. */
  readonly body: { readonly mediaType: string; readonly isJson: boolean; readonly value: Json } | undefined;
}

/** @returns undefined for files and for paths of the styles `label` and `matrix` */
export function sampleRequest(input: SampleInput): SampleRequest | undefined {
  const { method, path, parameters, security } = input;
  if (parameters.some(({ style }) => style === "label" || style === "matrix")) return undefined;
  const body = input.body && bodyOf(input.body);
  if (input.body !== undefined && body === undefined) return undefined;
  let url = input.baseUrl.replace(/\/$/, "") + path;
  const query: string[] = [];
  const headers: (SampleText & { name: string })[] = [];
  const cookies: SampleText[] = [];
  let keyInQuery: string | undefined;
  for (const { credential } of security) {
    if (credential === "bearer") headers.push({ name: "Authorization", text: "Bearer ", hasKey: true });
    else if (typeof credential === "string") continue;
    else if (credential.in === "header") headers.push({ name: credential.name, text: "", hasKey: true });
    else if (credential.in === "cookie") cookies.push({ text: `${credential.name}=`, hasKey: true });
    else keyInQuery = `${encodeURIComponent(credential.name)}=`;
  }
  for (const parameter of parameters) {
    const { in: place, name, value } = parameter;
    if (place === "path") url = url.replaceAll(`{${name}}`, () => list(parameter, encodeURIComponent));
    else if (place === "querystring") query.push(wholeQuery(parameter));
    else if (place === "query") query.push(...pairs(parameter));
    else if (place === "header") headers.push({ name, text: list(parameter, String) });
    else cookies.push({ text: `${name}=${plain(value)}` });
  }
  if (keyInQuery !== undefined) query.push(keyInQuery);
  const text = query.length === 0 ? url : `${url}?${query.join("&")}`;
  return {
    method,
    url: { text, hasKey: keyInQuery !== undefined },
    headers,
    cookies,
    isBasic: security.some(({ credential }) => credential === "basic"),
    body,
  };
}

function bodyOf({ mediaType, value }: { readonly mediaType: string; readonly value: Json }) {
  const kind = kindOf(mediaType);
  if (kind === "json") return { mediaType, isJson: true, value };
  if (kind === "text") return { mediaType, isJson: false, value: plain(value) };
  return kind === "form" ? { mediaType, isJson: false, value: formText(value) } : undefined;
}

function formText(value: Json): string {
  return String(new URLSearchParams(Object.entries(value ?? {}).map(([name, item]) => [name, plain(item)])));
}

function wholeQuery({ mediaType = "", value }: WrittenParameter): string {
  return kindOf(mediaType) === "form" ? formText(value) : encodeURIComponent(JSON.stringify(value));
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
