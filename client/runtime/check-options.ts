/** Validates options for callers who do not use TypeScript. */
import { checkHooks, didYouMean } from "#transport";
import { places } from "./check-call.ts";
import { checkHeaders, headerRecord } from "./headers.ts";
import type { AnyOptions, CallOptions, CommonOptions } from "./options.ts";
import { type CallProblem, type Report, reportTo } from "./problems.ts";

const kinds = {
  any: () => true,
  "a number above 0": (value) => typeof value === "number" && value > 0,
  "a number, 0 or above": (value) => typeof value === "number" && value >= 0,
  "a function": (value) => typeof value === "function",
  "an object": (value) => typeof value === "object",
  "a list": Array.isArray,
  "an AbortSignal": (value) => Object(value).aborted !== undefined,
} satisfies Record<string, (value: unknown) => boolean>;

export type Kinds<Name extends string = string> = Readonly<Record<Name, keyof typeof kinds>>;

const optionsOfBoth: Kinds<keyof CallOptions | "headers"> = {
  headers: "an object",
  timeoutMs: "a number above 0",
  maxRetries: "a number, 0 or above",
};
/** @internal */
export const clientOptions: Kinds<Exclude<keyof CommonOptions, "baseUrl">> = {
  ...optionsOfBoth,
  maxResponseBytes: "a number above 0",
  hooks: "a list",
  validate: "a function",
  tls: "an object",
  dangerouslyAllowBrowser: "any",
  fetch: "a function",
};
const placesOfParameters: Kinds = Object.fromEntries(places.map((place) => [place, "an object"]));
/** @internal */
export const callOptions: Kinds = {
  params: "an object",
  body: "any",
  ...optionsOfBoth,
  signal: "an AbortSignal",
  middleware: "a list",
};

type CredentialCheck = (options: AnyOptions, report: Report) => void;

/** Messages contain no values, because these may be secret. */
export function problemsOfClient(
  options: AnyOptions,
  [credentialKinds, checkCredentials]: readonly [Kinds, CredentialCheck, ...unknown[]],
): CallProblem[] {
  const problems = check(options, { baseUrl: "any", ...credentialKinds, ...clientOptions });
  if (problems.length > 0) return problems;
  const report = reportTo(problems, "options");
  if (!baseOf(options.baseUrl))
    report(
      "/baseUrl",
      options.baseUrl ? "must begin with http:// or https://, without user, query or fragment" : "is missing",
    );
  checkHooks(options.hooks, report);
  checkCredentials(options, report);
  checkHeaders(headerRecord(options.headers), (pointer, message) => report(`/headers${pointer}`, message));
  return problems;
}

export function problemsOfInit(init: { readonly params?: object }): CallProblem[] {
  const problems = check(init, callOptions);
  return problems.length > 0 ? problems : check(init.params ?? {}, placesOfParameters, "/params");
}

/** Treats null like a missing option. */
export function check(options: object, known: Kinds, within = ""): CallProblem[] {
  const names = Object.keys(known);
  const problems: CallProblem[] = [];
  const report = reportTo(problems, "options");
  if (Object(options) !== options) report("", `must be an object with ${names.join(", ")}`);
  else
    for (const [name, value] of Object.entries(options)) {
      const kind = Object.hasOwn(known, name) && known[name];
      const place = `${within}/${name}`;
      if (!kind) report(place, `is unknown${didYouMean(name, known) || `. Use one of ${names.join(", ")}`}`);
      else if (value != null && !kinds[kind](value)) report(place, `must be ${kind}`);
    }
  return problems;
}

/** Returns "" for a URL that cannot be used. */
export function baseOf(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return "";
  const { origin, pathname, href } = new URL(baseUrl);
  // Only `href` contains a query, a fragment, or a user and password.
  return /^https?:/.test(href) && href === origin + pathname ? href.replace(/\/+$/, "") : "";
}
