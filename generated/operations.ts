/**
 * Generated from the OpenAPI document by specbind. Edit the document, not this file.
 * @noformat
 */
/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
// biome-ignore-all assist: generated

import type { CredentialDescription, Format, OperationDescription } from "#specbind/contract";

/** A compile error here means that the installed runtime has another version than the generator. */
export const format: Format = 1;

/** Keys with these prefixes are secret and must not be used in a page or an app. */
export const secretKeyPrefixes: readonly string[] = ["sk_"];

/** The credentials, keyed by security scheme. Empty if all of them are bearer tokens. */
export const credentials = {} as const satisfies { readonly [scheme: string]: CredentialDescription };

const json = ["application/json"] as const;

export const operations = {
  submitCommission: {
    method: "GET",
    path: "/",
    twin: "QUERY",
    requestBody: { required: true, mediaTypes: json },
    responses: { 200: json, 400: json, 401: json, 403: json, 413: json, 415: json, 422: json, 500: json, 503: json },
  },
  loginUser: {
    method: "POST",
    path: "/v1/users/login",
    parameters: [{ in: "header", name: "X-End-User-Address" }],
    requestBody: { required: true, mediaTypes: json },
    responses: {
      200: json,
      400: json,
      401: json,
      403: json,
      413: json,
      415: json,
      422: json,
      429: json,
      500: json,
      503: json,
    },
  },
  getWebhook: {
    method: "GET",
    path: "/v1/webhooks/{webhook_id}",
    twin: "QUERY",
    requestBody: { required: false, mediaTypes: json, default: {} },
    responses: {
      200: json,
      400: json,
      401: json,
      403: json,
      404: json,
      413: json,
      415: json,
      422: json,
      500: json,
      503: json,
    },
  },
} as const satisfies { readonly [operationId: string]: OperationDescription };
