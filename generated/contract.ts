/**
 * Generated from the OpenAPI document by specbind. Edit the document, not this file.
 * @noformat
 */
/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
// biome-ignore-all assist: generated

import type { Contract, ResponseContract } from "#specbind/contract";
import { operations } from "./operations.ts";
import * as validators from "./validators.js";

const responses = {
  CommissionSubmitted: {
    headers: [
      { name: "X-Request-Id", required: true, type: "string", validate: validators.validateRequestId },
      { name: "Cache-Control", required: true, type: "string", validate: validators.validateCacheControl },
      { name: "Accept-Query", required: false, type: "string", validate: validators.validateAcceptQuery },
    ],
    mediaTypes: {
      "application/json": {
        validate: validators.validateSubmitCommissionResponse,
        project: validators.projectSubmitCommissionResponse,
      },
    },
  },
  MalformedContent: {
    headers: [
      { name: "X-Request-Id", required: true, type: "string", validate: validators.validateRequestId },
      { name: "Cache-Control", required: true, type: "string", validate: validators.validateCacheControl },
    ],
    mediaTypes: { "application/json": { validate: validators.validateError, project: validators.projectError } },
  },
  ApiKeyRefused: {
    headers: [
      { name: "X-Request-Id", required: true, type: "string", validate: validators.validateRequestId },
      { name: "Cache-Control", required: true, type: "string", validate: validators.validateCacheControl },
      {
        name: "WWW-Authenticate",
        required: true,
        type: "string",
        validate: validators.validateWwwAuthenticate,
      },
    ],
    mediaTypes: { "application/json": { validate: validators.validateError, project: validators.projectError } },
  },
  ApiKeyKindForbidden: {
    headers: [
      { name: "X-Request-Id", required: true, type: "string", validate: validators.validateRequestId },
      { name: "Cache-Control", required: true, type: "string", validate: validators.validateCacheControl },
    ],
    mediaTypes: { "application/json": { validate: validators.validateError, project: validators.projectError } },
  },
  ContentTooLarge: {
    headers: [
      { name: "X-Request-Id", required: true, type: "string", validate: validators.validateRequestId },
      { name: "Cache-Control", required: true, type: "string", validate: validators.validateCacheControl },
    ],
    mediaTypes: { "application/json": { validate: validators.validateError, project: validators.projectError } },
  },
  UnsupportedMediaType: {
    headers: [
      { name: "X-Request-Id", required: true, type: "string", validate: validators.validateRequestId },
      { name: "Cache-Control", required: true, type: "string", validate: validators.validateCacheControl },
      { name: "Accept-Query", required: false, type: "string", validate: validators.validateAcceptQuery },
    ],
    mediaTypes: { "application/json": { validate: validators.validateError, project: validators.projectError } },
  },
  InvalidRequest: {
    headers: [
      { name: "X-Request-Id", required: true, type: "string", validate: validators.validateRequestId },
      { name: "Cache-Control", required: true, type: "string", validate: validators.validateCacheControl },
    ],
    mediaTypes: { "application/json": { validate: validators.validateError, project: validators.projectError } },
  },
  InternalError: {
    headers: [
      { name: "X-Request-Id", required: true, type: "string", validate: validators.validateRequestId },
      { name: "Cache-Control", required: true, type: "string", validate: validators.validateCacheControl },
    ],
    mediaTypes: { "application/json": { validate: validators.validateError, project: validators.projectError } },
  },
  Unavailable: {
    headers: [
      { name: "X-Request-Id", required: true, type: "string", validate: validators.validateRequestId },
      { name: "Cache-Control", required: true, type: "string", validate: validators.validateCacheControl },
      { name: "Retry-After", required: true, type: "integer", validate: validators.validateRetryAfter },
    ],
    mediaTypes: { "application/json": { validate: validators.validateError, project: validators.projectError } },
  },
  LoginUser200: {
    headers: [
      { name: "X-Request-Id", required: true, type: "string", validate: validators.validateRequestId },
      { name: "Cache-Control", required: true, type: "string", validate: validators.validateCacheControl },
    ],
    mediaTypes: {
      "application/json": { validate: validators.validateLoginUserResponse, project: validators.projectLoginUserResponse },
    },
  },
  LoginRefused: {
    headers: [
      { name: "X-Request-Id", required: true, type: "string", validate: validators.validateRequestId },
      { name: "Cache-Control", required: true, type: "string", validate: validators.validateCacheControl },
      {
        name: "WWW-Authenticate",
        required: true,
        type: "string",
        validate: validators.validateWwwAuthenticate,
      },
      {
        name: "RateLimit",
        required: false,
        type: "string",
        validate: validators.validateLoginRefusedRateLimit,
      },
      {
        name: "RateLimit-Policy",
        required: false,
        type: "string",
        validate: validators.validateLoginRefusedRateLimitPolicy,
      },
    ],
    mediaTypes: { "application/json": { validate: validators.validateError, project: validators.projectError } },
  },
  InvalidLogin: {
    headers: [
      { name: "X-Request-Id", required: true, type: "string", validate: validators.validateRequestId },
      { name: "Cache-Control", required: true, type: "string", validate: validators.validateCacheControl },
    ],
    mediaTypes: { "application/json": { validate: validators.validateError, project: validators.projectError } },
  },
  TooManyAttempts: {
    headers: [
      { name: "X-Request-Id", required: true, type: "string", validate: validators.validateRequestId },
      { name: "Cache-Control", required: true, type: "string", validate: validators.validateCacheControl },
      { name: "Retry-After", required: true, type: "integer", validate: validators.validateRetryAfter },
      { name: "RateLimit", required: true, type: "string", validate: validators.validateRateLimit },
      {
        name: "RateLimit-Policy",
        required: true,
        type: "string",
        validate: validators.validateRateLimitPolicy,
      },
    ],
    mediaTypes: { "application/json": { validate: validators.validateError, project: validators.projectError } },
  },
  WebhookRetrieved: {
    headers: [
      { name: "X-Request-Id", required: true, type: "string", validate: validators.validateRequestId },
      { name: "Cache-Control", required: true, type: "string", validate: validators.validateCacheControl },
      { name: "Accept-Query", required: false, type: "string", validate: validators.validateAcceptQuery },
    ],
    mediaTypes: {
      "application/json": { validate: validators.validateGetWebhookResponse, project: validators.projectGetWebhookResponse },
    },
  },
  WebhookNotFound: {
    headers: [
      { name: "X-Request-Id", required: true, type: "string", validate: validators.validateRequestId },
      { name: "Cache-Control", required: true, type: "string", validate: validators.validateCacheControl },
    ],
    mediaTypes: { "application/json": { validate: validators.validateError, project: validators.projectError } },
  },
  Unmatched400: {
    headers: [
      { name: "X-Request-Id", required: true, type: "string", validate: validators.validateRequestId },
      { name: "Cache-Control", required: true, type: "string", validate: validators.validateCacheControl },
    ],
    mediaTypes: { "application/json": { validate: validators.validateError, project: validators.projectError } },
  },
  Unmatched404: {
    headers: [
      { name: "X-Request-Id", required: true, type: "string", validate: validators.validateRequestId },
      { name: "Cache-Control", required: true, type: "string", validate: validators.validateCacheControl },
    ],
    mediaTypes: { "application/json": { validate: validators.validateError, project: validators.projectError } },
  },
  Unmatched405: {
    headers: [
      { name: "X-Request-Id", required: true, type: "string", validate: validators.validateRequestId },
      { name: "Cache-Control", required: true, type: "string", validate: validators.validateCacheControl },
      { name: "Allow", required: true, type: "string", validate: validators.validateUnmatched405Allow },
    ],
    mediaTypes: { "application/json": { validate: validators.validateError, project: validators.projectError } },
  },
  Unmatched408: {
    headers: [
      { name: "X-Request-Id", required: true, type: "string", validate: validators.validateRequestId },
      { name: "Cache-Control", required: true, type: "string", validate: validators.validateCacheControl },
    ],
    mediaTypes: { "application/json": { validate: validators.validateError, project: validators.projectError } },
  },
  Unmatched431: {
    headers: [
      { name: "X-Request-Id", required: true, type: "string", validate: validators.validateRequestId },
      { name: "Cache-Control", required: true, type: "string", validate: validators.validateCacheControl },
    ],
    mediaTypes: { "application/json": { validate: validators.validateError, project: validators.projectError } },
  },
  Unmatched501: {
    headers: [
      { name: "X-Request-Id", required: true, type: "string", validate: validators.validateRequestId },
      { name: "Cache-Control", required: true, type: "string", validate: validators.validateCacheControl },
    ],
    mediaTypes: { "application/json": { validate: validators.validateError, project: validators.projectError } },
  },
} as const satisfies { readonly [name: string]: ResponseContract };

export const contract = {
  format: 1,
  validators: validators.format,
  operations: {
    submitCommission: {
      method: operations.submitCommission.method,
      path: operations.submitCommission.path,
      twin: operations.submitCommission.twin,
      security: [[{ scheme: "apiKey", roles: ["secret"] }]],
      parameters: [],
      requestBody: {
        required: true,
        mediaTypes: {
          "application/json": {
            validate: validators.validateSubmitCommissionRequest,
            complete: validators.completeSubmitCommissionRequest,
          },
        },
      },
      responses: {
        200: responses.CommissionSubmitted,
        400: responses.MalformedContent,
        401: responses.ApiKeyRefused,
        403: responses.ApiKeyKindForbidden,
        413: responses.ContentTooLarge,
        415: responses.UnsupportedMediaType,
        422: responses.InvalidRequest,
        500: responses.InternalError,
        503: responses.Unavailable,
      },
    },
    loginUser: {
      method: operations.loginUser.method,
      path: operations.loginUser.path,
      security: [[{ scheme: "apiKey", roles: ["secret"] }], [{ scheme: "apiKey", roles: ["publishable"] }]],
      parameters: [
        {
          in: "header",
          name: "X-End-User-Address",
          required: false,
          type: "string",
          validate: validators.validateLoginUserHeaderXEndUserAddress,
        },
      ],
      requestBody: {
        required: true,
        mediaTypes: { "application/json": { validate: validators.validateLoginUserRequest } },
      },
      responses: {
        200: responses.LoginUser200,
        400: responses.MalformedContent,
        401: responses.LoginRefused,
        403: responses.ApiKeyKindForbidden,
        413: responses.ContentTooLarge,
        415: responses.UnsupportedMediaType,
        422: responses.InvalidLogin,
        429: responses.TooManyAttempts,
        500: responses.InternalError,
        503: responses.Unavailable,
      },
    },
    getWebhook: {
      method: operations.getWebhook.method,
      path: operations.getWebhook.path,
      twin: operations.getWebhook.twin,
      security: [[{ scheme: "apiKey", roles: ["secret"] }]],
      parameters: [
        {
          in: "path",
          name: "webhook_id",
          required: true,
          type: "integer",
          validate: validators.validateGetWebhookPathWebhookId,
        },
      ],
      requestBody: {
        required: false,
        mediaTypes: {
          "application/json": { validate: validators.validateGetWebhookRequest, complete: validators.completeGetWebhookRequest },
        },
      },
      responses: {
        200: responses.WebhookRetrieved,
        400: responses.MalformedContent,
        401: responses.ApiKeyRefused,
        403: responses.ApiKeyKindForbidden,
        404: responses.WebhookNotFound,
        413: responses.ContentTooLarge,
        415: responses.UnsupportedMediaType,
        422: responses.InvalidRequest,
        500: responses.InternalError,
        503: responses.Unavailable,
      },
    },
  },
  unmatched: {
    400: responses.Unmatched400,
    404: responses.Unmatched404,
    405: responses.Unmatched405,
    408: responses.Unmatched408,
    431: responses.Unmatched431,
    501: responses.Unmatched501,
  },
  sensitive: ["Authorization", "auth_key", "key", "password", "refresh_key", "token"],
} as const satisfies Contract;
