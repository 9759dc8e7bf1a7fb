/**
 * The parts of a client that depend on what a document uses. These small parts are enough for most documents. The folder
 * `parts` has parts that can do more. A page loads only those that `generated/client.ts` names.
 */
import { defaultPathSerializer, type HeadersOptions } from "openapi-fetch";
import type { OperationDescription } from "#specbind/contract";
import { type CheckBody, checkValue, type IsParameter, isParameter, type Values } from "./check-call.ts";
import type { Kinds } from "./check-options.ts";
import type { HeaderRecord } from "./headers.ts";
import type { AnyOptions } from "./options.ts";
import type { Report } from "./problems.ts";
import { type ReadBody, readJson } from "./result.ts";
import { isIdempotent } from "./retry.ts";
import { type Receive, type RequestBody, receiveWhole } from "./transport/transport.ts";

export type Parts = readonly [
  parameters: ParameterPart,
  bodies: BodyPart,
  responses: ResponsePart,
  credentials: CredentialPart,
  repetition: RepetitionPart,
];

export type Params = Readonly<Record<string, Values | undefined>>;

/** Returns the path template, and the functions of openapi-fetch that write the values of parameters. */
export type ParameterPart = (
  operation: OperationDescription,
  params: Params,
) => readonly [path: string, serialisers: Serialisers, isParameter: IsParameter];

export interface Serialisers {
  readonly pathSerializer: (template: string, values: Values) => string;
  readonly querySerializer?: (values: Values) => string;
}

/** Writes values with percent-encoding only. */
export const plainParameters: ParameterPart = ({ path }) => [
  path,
  { pathSerializer: defaultPathSerializer },
  isParameter,
];

/** Returns functions that check and write a request body. With `undefined`, the platform sets the media type. */
export type BodyPart = (
  operation: OperationDescription,
  headers: HeaderRecord,
) => readonly [
  check: CheckBody,
  write: (body: unknown) => readonly [body: RequestBody | undefined, mediaType: string | null | undefined],
];

export const jsonBodies: BodyPart = ({ requestBody }) => [
  (value, report) => checkValue(value, "", report),
  (value) => [JSON.stringify(value), requestBody?.mediaTypes[0] ?? null],
];

export type ResponsePart = (
  operation: OperationDescription,
  signal: AbortSignal | null | undefined,
) => readonly [receive: Receive, read: ReadBody];

export const jsonResponses: ResponsePart = () => [receiveWhole, readJson];

/** The options that contain credentials, their check, and the function that adds credentials to a request. */
export type CredentialPart = readonly [
  kinds: Kinds,
  check: (options: AnyOptions, report: Report) => void,
  authorise: (
    operationId: string,
    operation: OperationDescription,
    params: Params,
    options: AnyOptions,
  ) => Authorised | Promise<Authorised>,
];

/** For documents without security. */
export const noCredentials: CredentialPart = [{}, () => {}, (_id, _operation, params) => [{}, params]];

type Authorised = readonly [headers: Extract<HeadersOptions, Record<string, unknown>>, params: Params];

/** Returns headers that make a request safe to repeat, and the function that recognises a safe request. */
export type RepetitionPart = (
  operation: OperationDescription,
  requestId: string,
) => readonly [headers: Readonly<Record<string, string>>, isRepeatable: (request: Request) => boolean];

export const idempotentMethods: RepetitionPart = () => [{}, isIdempotent];
