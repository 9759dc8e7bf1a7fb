/**
 * Generated from the OpenAPI document by specbind. Edit the document, not this file.
 * @noformat
 */
/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
// biome-ignore-all assist: generated

import type { components, sent } from "./types.ts";

export const format: 1;

export interface Problem {
  pointer: string;
  message: string;
}

export function validateSubmitCommissionRequest(value: unknown, problems: Problem[]): value is components["schemas"]["SubmitCommissionRequest"];

export function completeSubmitCommissionRequest(value: unknown): unknown;

export function validateRequestId(value: unknown, problems: Problem[]): boolean;

export function validateCacheControl(value: unknown, problems: Problem[]): boolean;

export function validateAcceptQuery(value: unknown, problems: Problem[]): boolean;

export function validateSubmitCommissionResponse(value: unknown, problems: Problem[]): value is components["schemas"]["SubmitCommissionResponse"];

export function projectSubmitCommissionResponse(value: unknown): unknown;

export function validateError(value: unknown, problems: Problem[]): value is components["schemas"]["Error"];

export function projectError(value: unknown): unknown;

export function validateWwwAuthenticate(value: unknown, problems: Problem[]): boolean;

export function validateRetryAfter(value: unknown, problems: Problem[]): boolean;

export function validateLoginUserHeaderXEndUserAddress(value: unknown, problems: Problem[]): boolean;

export function validateLoginUserRequest(value: unknown, problems: Problem[]): value is components["schemas"]["LoginUserRequest"];

export function validateLoginUserResponse(value: unknown, problems: Problem[]): value is components["schemas"]["LoginUserResponse"];

export function projectLoginUserResponse(value: unknown): unknown;

export function validateLoginRefusedRateLimit(value: unknown, problems: Problem[]): boolean;

export function validateLoginRefusedRateLimitPolicy(value: unknown, problems: Problem[]): boolean;

export function validateRateLimit(value: unknown, problems: Problem[]): boolean;

export function validateRateLimitPolicy(value: unknown, problems: Problem[]): boolean;

export function validateGetWebhookPathWebhookId(value: unknown, problems: Problem[]): boolean;

export function validateGetWebhookRequest(value: unknown, problems: Problem[]): value is components["schemas"]["GetWebhookRequest"];

export function completeGetWebhookRequest(value: unknown): unknown;

export function validateGetWebhookResponse(value: unknown, problems: Problem[]): value is components["schemas"]["GetWebhookResponse"];

export function projectGetWebhookResponse(value: unknown): unknown;

export function validateUnmatched405Allow(value: unknown, problems: Problem[]): boolean;
