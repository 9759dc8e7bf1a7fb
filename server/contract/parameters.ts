/** Reads the parameters of an operation from a request and validates them. */
import type { ParameterContract, Problem } from "../../generated/contract.ts";
import type { RequestProblem } from "./refusal.ts";
import type { RequestView } from "./request-view.ts";
import { objectIn } from "./shape.ts";
import {
  type Encoded,
  formDecoded,
  percentDecoded,
  type RawPair,
  type Read,
  rawPairs,
  readDeepObject,
  readExploded,
  readStyled,
} from "./styles.ts";

export interface ParameterValues {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly header: Readonly<Record<string, unknown>>;
  readonly cookie: Readonly<Record<string, unknown>>;
}

/** The text of each parameter of a path. */
export type PathTexts = { readonly [name: string]: string };

/** Where the other parameters stand, as they were sent. */
export type ParameterSource = Pick<RequestView, "header" | "query">;

/** The query and the cookies of a request in pieces. */
type Pairs = { readonly [Place in "query" | "cookie"]: readonly RawPair[] };

const none = Object.freeze({});

/**
 * Prepares to read the parameters of an operation.
 *
 * @returns a function that adds every problem of a request to `problems`, in the order of the contract
 */
export function parameterReader(
  contracts: readonly ParameterContract[],
): (path: PathTexts, source: ParameterSource, problems: RequestProblem[]) => ParameterValues {
  const readers = contracts.map((contract) => ({
    contract,
    read: readerOf(contract, contracts),
    pointer: `/${escapePointer(contract.name)}`,
  }));
  const has = (place: ParameterContract["in"]) => contracts.some((contract) => contract.in === place);
  const [hasPath, hasQuery, hasHeader, hasCookie] = [has("path"), has("query"), has("header"), has("cookie")];

  return (path, source, problems) => {
    const values = {
      path: hasPath ? {} : none,
      query: hasQuery ? {} : none,
      header: hasHeader ? {} : none,
      cookie: hasCookie ? {} : none,
    };
    const pairs: Pairs = {
      query: hasQuery ? rawPairs(source.query) : [],
      cookie: hasCookie ? cookiePairs(source.header("cookie")) : [],
    };
    for (const { contract, read, pointer } of readers) {
      const place = contract.in;
      const found = read(path, source, pairs);
      if (found === undefined) {
        if (contract.required) problems.push({ in: place, pointer, message: "is required" });
        else if (contract.complete) define(values[place], contract.name, contract.complete(undefined));
      } else if ("fault" in found) problems.push({ in: place, pointer, message: found.fault });
      else {
        const faults: Problem[] = [];
        if (contract.validate(found.value, faults))
          define(
            values[place],
            contract.name,
            contract.complete ? contract.complete(found.value) : found.value,
          );
        else
          for (const fault of faults)
            problems.push({ in: place, pointer: pointer + fault.pointer, message: fault.message });
      }
    }
    return values;
  };
}

/** As {@link parameterReader}, for a single request. */
export function readParameters(
  { path, query, header }: { path: PathTexts; query(): string; header(name: string): string | undefined },
  contracts: readonly ParameterContract[],
  problems: RequestProblem[],
): ParameterValues {
  return parameterReader(contracts)(path, { query: query(), header }, problems);
}

/** A property like any other, also for `__proto__`. */
function define(values: Record<string, unknown>, name: string, value: unknown): void {
  if (name === "__proto__")
    Object.defineProperty(values, name, { value, enumerable: true, writable: true, configurable: true });
  else values[name] = value;
}

type Reader = (path: PathTexts, source: ParameterSource, pairs: Pairs) => Read;

function readerOf(contract: ParameterContract, contracts: readonly ParameterContract[]): Reader {
  const { in: place, name, type } = contract;
  const decode = decoders[place];
  const style = contract.style ?? (place === "query" || place === "cookie" ? "form" : "simple");
  const readTexts = (texts: readonly string[]) => readStyled(name, contract, style, { texts, decode });
  if (place === "path") return (path) => readTexts(Object.hasOwn(path, name) ? [path[name] as string] : []);
  if (place === "header")
    return (_, source) => {
      const text = source.header(name);
      return readTexts(text === undefined ? [] : [text]);
    };
  if (style === "deepObject")
    return (_path, _source, pairs) => readDeepObject(name, type, pairs[place], decode);
  const isExploded =
    (contract.explode ?? style === "form") &&
    contract.mediaType === undefined &&
    objectIn(type) !== undefined;
  const isClaimed = (each: string): boolean =>
    contracts.some((other) => other.in === place && other !== contract && claims(other, each));
  return (_path, _source, pairs) => {
    const texts = pairs[place].filter(([each]) => each === name).map(([, text]) => text);
    return isExploded && texts.length === 0
      ? readExploded(type, pairs[place], isClaimed, decode)
      : readTexts(texts);
  };
}

const decoders: { readonly [Place in ParameterContract["in"]]: Encoded["decode"] } = {
  path: percentDecoded,
  query: formDecoded,
  header: (text) => text.trim(),
  cookie: percentDecoded,
};

function claims({ name, style }: ParameterContract, sent: string): boolean {
  return sent === name || (style === "deepObject" && sent.startsWith(`${name}[`));
}

/** RFC 6265, section 4.2.1; a value may stand in quotes. */
export function cookiePairs(header: string | undefined): RawPair[] {
  return (header ?? "").split(";").flatMap((part): RawPair[] => {
    const end = part.indexOf("=");
    if (end === -1) return [];
    return [
      [
        part.slice(0, end).trim(),
        part
          .slice(end + 1)
          .trim()
          .replace(/^"(.*)"$/, "$1"),
      ],
    ];
  });
}

function escapePointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
