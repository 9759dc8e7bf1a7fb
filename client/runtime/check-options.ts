/** Validates options for callers who do not use TypeScript. */
import { credentials, hasOtherCredentials } from "../../generated/operations.ts";
import { checkKey } from "./api-key.ts";
import { places } from "./check-call.ts";
import { checkHeaders, headerRecord } from "./headers.ts";
import type { CallOptions, ClientOptions } from "./options.ts";
import { type CallProblem, reportTo } from "./problems.ts";

const kinds = {
  any: () => true,
  "a number above 0": (value) => typeof value === "number" && value > 0,
  "a number, 0 or above": (value) => typeof value === "number" && value >= 0,
  "a function": (value) => typeof value === "function",
  "an object": (value) => typeof value === "object",
  "a list": Array.isArray,
  "an AbortSignal": (value) => Object(value).aborted !== undefined,
} satisfies Record<string, (value: unknown) => boolean>;

type Kinds<Name extends string = string> = Readonly<Record<Name, keyof typeof kinds>>;

const optionsOfBoth: Kinds<keyof CallOptions | "headers"> = {
  headers: "an object",
  timeoutMs: "a number above 0",
  maxRetries: "a number, 0 or above",
};
const clientOptions: Kinds<Exclude<keyof ClientOptions, "credentials">> = {
  baseUrl: "any",
  apiKey: "any",
  ...(hasOtherCredentials && { credentials: "an object" }),
  ...optionsOfBoth,
  maxResponseBytes: "a number above 0",
  hooks: "a list",
  validate: "a function",
  tls: "an object",
  dangerouslyAllowBrowser: "any",
  fetch: "a function",
};
const placesOfParameters: Kinds = Object.fromEntries(places.map((place) => [place, "an object"]));
const callOptions: Kinds = {
  params: "an object",
  body: "any",
  ...optionsOfBoth,
  signal: "an AbortSignal",
  middleware: "a list",
};

/** Messages contain no values, because these may be secret. */
export function problemsOfClient(options: ClientOptions): CallProblem[] {
  const problems = check(options, clientOptions);
  if (Object(options) !== options) return problems;
  const report = reportTo(problems, "options");
  if (baseOf(options.baseUrl) === undefined)
    report("/baseUrl", "must begin with http:// or https://, without user, query or fragment");
  checkKey(options, report);
  if (hasOtherCredentials) {
    const known: Kinds = Object.fromEntries(Object.keys(credentials).map((scheme) => [scheme, "any"]));
    problems.push(...check(options.credentials ?? {}, known, "/credentials"));
  }
  if (!problems.some(({ pointer }) => pointer === "/headers"))
    checkHeaders(headerRecord(options.headers), (pointer, message) => report(`/headers${pointer}`, message));
  return problems;
}

export function problemsOfInit(init: { readonly params?: object }): CallProblem[] {
  const problems = check(init, callOptions);
  return problems.length > 0 ? problems : check(init.params ?? {}, placesOfParameters, "/params");
}

/** Treats null like a missing option. */
function check(options: object, known: Kinds, within = ""): CallProblem[] {
  const names = () => Object.keys(known).join(", ");
  const problems: CallProblem[] = [];
  const report = reportTo(problems, "options");
  if (!options || typeof options !== "object") report("", `must be an object with ${names()}`);
  else
    for (const [name, value] of Object.entries(options)) {
      const kind = Object.hasOwn(known, name) && known[name];
      if (!kind) report(`${within}/${name}`, `is unknown. Use one of ${names()}`);
      else if (value != null && !kinds[kind](value)) report(`${within}/${name}`, `must be ${kind}`);
    }
  return problems;
}

export function baseOf(baseUrl: string): string | undefined {
  if (!URL.canParse(baseUrl)) return undefined;
  const { origin, pathname, href } = new URL(baseUrl);
  // Only `href` contains a query, a fragment, or a user and password.
  return /^https?:/.test(href) && href === origin + pathname ? href.replace(/\/+$/, "") : undefined;
}
