import type { OperationContract, ParameterContract, Problem } from "#specbind/contract";
import { isJson } from "../shared/media-type.ts";
import { pointerTo } from "../shared/pointer.ts";
import type { RequestProblem } from "../shared/rejection-reasons.ts";
import { type Decoded, decodeForm } from "./forms.ts";
import { type Read, readJson } from "./json.ts";
import {
  cookiePairs,
  encodingProblems,
  type NamedTexts,
  noTexts,
  prefixFinder,
  type RawPair,
  rawPairs,
  readTexts,
} from "./pairs.ts";
import { pathReader } from "./path-templates.ts";
import { decodedIfValid, formDecoded, isPercentEncoded, malformedEncoding } from "./percent-encoding.ts";
import type { RequestView } from "./request.ts";
import { validated } from "./request-body.ts";
import { objectIn } from "./shapes.ts";
import { type Encoded, readDeepObject, readExploded, readStyled } from "./styles.ts";

export type ParameterValues = Readonly<Record<Location, Readonly<Record<string, unknown>>>>;

type Location = Exclude<ParameterContract["in"], "querystring">;

type ParameterSource = Pick<RequestView, "path" | "query" | "header">;

const none = Object.freeze({});
const noPointers: ReadonlySet<string> = new Set();

/** @returns a function that adds every problem of a request to `problems`, in the order of the contract */
export function parameterReader({
  path: template,
  parameters: contracts,
}: Pick<OperationContract, "path" | "parameters">): (
  request: ParameterSource,
  problems: RequestProblem[],
) => ParameterValues {
  const readPath = pathReader(template, contracts);
  const querystring = contracts.find((contract) => contract.in === "querystring");
  const readQuerystring = querystring && querystringReader(querystring);
  const inQuery = textsIn("query", contracts);
  const inCookie = textsIn("cookie", contracts);
  const readers = contracts.filter(isNamed).map((contract) => ({
    contract,
    read: readerOf(contract, contract.in === "cookie" ? inCookie.isClaimed : inQuery.isClaimed),
    pointer: pointerTo("", contract.name),
  }));
  const has = (place: ParameterContract["in"]) => contracts.some((contract) => contract.in === place);
  const [hasPath, hasQuery, hasHeader, hasCookie] = [has("path"), has("query"), has("header"), has("cookie")];

  return (request, problems) => {
    const texts: RequestTexts = {
      path: hasPath ? readPath(request.path) : none,
      query: hasQuery ? inQuery.read(rawPairs(request.query)) : noTexts,
      cookie: hasCookie ? inCookie.read(cookiePairs(request.header("cookie"))) : noTexts,
      request,
    };
    const values = {
      path: hasPath ? {} : none,
      query: hasQuery ? {} : none,
      header: hasHeader ? {} : none,
      cookie: hasCookie ? {} : none,
    };
    const malformed = hasQuery ? encodingProblems(request.query) : [];
    const unreadable = malformed.length === 0 ? noPointers : new Set(malformed.map((each) => each.pointer));
    for (const problem of malformed) problems.push({ in: "query", ...problem });
    for (const { contract, read, pointer } of readers) {
      const { in: place, name, required, validate, complete } = contract;
      if (place === "query" && unreadable.has(pointer)) continue;
      const parsed = read(texts);
      if (parsed === undefined) {
        if (required) problems.push({ in: place, pointer, message: "is required" });
        else if (complete) define(values[place], name, complete(undefined));
      } else if ("problem" in parsed) problems.push({ in: place, pointer, message: parsed.problem });
      else {
        const { value } = parsed;
        const found: Problem[] = [];
        if (validate(value, found)) define(values[place], name, complete ? complete(value) : value);
        else
          for (const problem of found)
            problems.push({ in: place, pointer: pointer + problem.pointer, message: problem.message });
      }
    }
    if (readQuerystring === undefined) return values;
    // An absent query is undefined, as in the types of handlers.
    return { ...values, query: readQuerystring(request.query, problems) as ParameterValues["query"] };
  };
}

type NamedParameter = ParameterContract & { readonly in: Location };

function isNamed(contract: ParameterContract): contract is NamedParameter {
  return contract.in !== "querystring";
}

/** Defines an own property, even if its name is `__proto__`. */
function define(values: Record<string, unknown>, name: string, value: unknown): void {
  if (name === "__proto__")
    Object.defineProperty(values, name, { value, enumerable: true, writable: true, configurable: true });
  else values[name] = value;
}

interface RequestTexts {
  readonly path: { readonly [name: string]: string };
  readonly query: NamedTexts;
  readonly cookie: NamedTexts;
  readonly request: ParameterSource;
}

function readerOf(
  contract: NamedParameter,
  isClaimed: (name: string) => boolean,
): (texts: RequestTexts) => Read | undefined {
  const { in: place, name, type } = contract;
  const decode = decoders[place];
  const style = contract.style ?? (place === "query" || place === "cookie" ? "form" : "simple");
  const readOwn = (texts: readonly string[]) => readStyled(name, contract, style, { texts, decode });
  if (place === "path")
    return ({ path }) => {
      if (!Object.hasOwn(path, name)) return undefined;
      const text = path[name] as string;
      return isPercentEncoded(text) ? readOwn([text]) : { problem: malformedEncoding };
    };
  if (place === "header")
    return ({ request }) => {
      const text = request.header(name);
      return readOwn(text === undefined ? [] : [text]);
    };
  if (style === "deepObject") return (texts) => readDeepObject(name, type, texts[place]);
  const isExploded =
    (contract.explode ?? style === "form") &&
    contract.mediaType === undefined &&
    objectIn(type) !== undefined;
  return (texts) => {
    const { byName } = texts[place];
    const own = byName.get(name);
    return isExploded && own === undefined
      ? readExploded(type, byName, isClaimed, decode)
      : readOwn(own ?? []);
  };
}

const decoders: { readonly [Place in Location]: Encoded["decode"] } = {
  path: decodedIfValid,
  query: formDecoded,
  header: (text) => text.trim(),
  cookie: decodedIfValid,
};

/** A name is claimed if it belongs to a declared parameter, so no other object may have it as a property. */
function textsIn(place: "query" | "cookie", contracts: readonly ParameterContract[]) {
  const own = contracts.filter((contract) => contract.in === place);
  const names = new Set(own.map(({ name }) => name));
  const objectsOf = prefixFinder(own.flatMap(({ name, style }) => (style === "deepObject" ? [name] : [])));
  return {
    read: (pairs: readonly RawPair[]) => readTexts(pairs, objectsOf, decoders[place]),
    isClaimed: (name: string) => names.has(name) || objectsOf(name).length > 0,
  };
}

/** Reads a parameter that consists of the whole query (OpenAPI 3.2, Parameter Locations). */
function querystringReader(
  contract: ParameterContract,
): (query: string, problems: RequestProblem[]) => unknown {
  const { required, mediaType = "", fields, validate, complete } = contract;
  const isForm = !isJson(mediaType);
  return (query, problems) => {
    // A form without values is serialized as an empty string (URL standard, section 5.2).
    if (query === "" && !(isForm && (required || validate({}, [])))) {
      if (required) problems.push({ in: "query", pointer: "", message: "is required" });
      return complete?.(undefined);
    }
    return validated(isForm ? decodeForm(query, fields) : decodeJson(query), contract, problems, "query");
  };
}

function decodeJson(query: string): Decoded {
  const read = isPercentEncoded(query) ? readJson(decodedIfValid(query)) : { problem: malformedEncoding };
  return "value" in read ? read : { value: undefined, problems: [{ pointer: "", message: read.problem }] };
}
