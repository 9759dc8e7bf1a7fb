/** Writes requests from the values of parameters and a body. */
import type { SecurityRequirement } from "#specbind/contract";
import type { Json } from "../openapi/document.ts";
import { type EncodedBody, writeQuerystring } from "./bodies.ts";
import type { HttpRequest, Problem } from "./exchange.ts";
import type { OperationModel, ParameterModel } from "./operation-model.ts";
import { joined, type Pair, percentEncoded, type Style, writePairs, writeText } from "./styles.ts";

/** Keyed by `in`, then by name. */
export type ParameterValues = { readonly [P in Style["in"]]?: { readonly [name: string]: Json } };

export interface Credential {
  readonly requirement: SecurityRequirement;
  readonly text: string;
  /** The value of the header `Authorization`, if it does not have the form of the scheme. */
  readonly authorization?: string;
}

export interface Draft {
  readonly parameters: ParameterValues;
  readonly body: EncodedBody | undefined;
  /** The value that the body contains. */
  readonly value?: Json | undefined;
  readonly credentials: readonly Credential[];
  /** Why the request must be rejected. */
  readonly problem?: Problem | undefined;
}

export const noBody = new Uint8Array();

export function writeRequest(
  { method, path, parameters: models }: Pick<OperationModel, "method" | "path" | "parameters">,
  { parameters, body, credentials }: Pick<Draft, "parameters" | "body" | "credentials">,
): HttpRequest {
  const given = (place: Style["in"]) =>
    models.flatMap((model): [ParameterModel, Json][] => {
      const value = model.in === place ? ownValue(parameters[place], model.name) : undefined;
      return value === undefined ? [] : [[model, value]];
    });
  const texts = new Map(given("path").map(([model, value]) => [model.name, writeText(model, value)]));
  const sentAs = (place: "query" | "header" | "cookie") =>
    credentials.flatMap(({ requirement: { credential }, text }): Pair[] =>
      typeof credential === "object" && credential.in === place ? [[credential.name, text]] : [],
    );
  const pairs = (place: "query" | "cookie") => [
    ...given(place).flatMap(([model, value]) => writePairs(model, value)),
    ...sentAs(place).map((pair) => pair.map(percentEncoded) as unknown as Pair),
  ];
  const [querystring] = given("querystring").map(([model, value]) => writeQuerystring(model, value));
  const query = querystring ?? pairs("query").map(joined).join("&");
  const cookies = pairs("cookie").map(joined).join("; ");
  const filled = path.replaceAll(/\{([^{}]+)\}/g, (unfilled, name: string) => texts.get(name) ?? unfilled);
  return {
    method,
    target: query === "" ? filled : `${filled}?${query}`,
    headers: [
      ["Accept", "*/*"],
      ...(body === undefined ? [] : [["Content-Type", body.mediaType] as const]),
      ...given("header").map(([model, value]) => [model.name, writeText(model, value)] as const),
      // Several schemes of a requirement may use this header.
      ...[...new Set(credentials.flatMap(authorization))].map((value) => ["Authorization", value] as const),
      ...sentAs("header"),
      ...(cookies === "" ? [] : [["Cookie", cookies] as const]),
    ],
    body: body?.bytes ?? noBody,
  };
}

/** Reads only own properties, because a parameter may have the name of an inherited one. */
function ownValue(values: { readonly [name: string]: Json } = {}, name: string): Json | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function authorization({ requirement: { credential }, text, authorization }: Credential): string[] {
  if (authorization !== undefined) return [authorization];
  if (credential === undefined) return [`Bearer ${text}`];
  return credential === "basic" ? [`Basic ${Buffer.from(text).toString("base64")}`] : [];
}

/** True if the path and the headers arrive unchanged (RFC 3986, section 5.2.4; RFC 9110, section 5.5). */
export function canBeSent({ target, headers }: HttpRequest): boolean {
  const [path = ""] = target.split("?", 1);
  const isPlain = ([, value]: Pair) => /^(?:[\x21-\x7e]+(?: +[\x21-\x7e]+)*)?$/.test(value);
  return new URL(`http://host${path}`).pathname === path && headers.every(isPlain);
}
