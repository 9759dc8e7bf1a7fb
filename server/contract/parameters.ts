/** Reads the parameters of an operation from a request and validates them. */
import type { ParameterContract, Problem } from "../../generated/contract.ts";
import type { RequestProblem } from "./refusal.ts";
import { objectIn } from "./shape.ts";
import {
  formDecoded,
  objectOf,
  percentDecoded,
  type RawPair,
  type Read,
  rawPairs,
  readDeepObject,
  readExploded,
  readStyled,
} from "./styles.ts";

export interface ParameterValues {
  readonly path: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly header: Record<string, unknown>;
  readonly cookie: Record<string, unknown>;
}

/** Where parameters stand, as it was sent. */
export interface ParameterSource {
  readonly path: { readonly [name: string]: string };
  /** Without the question mark. Asked for only where a parameter stands in it. */
  query(): string;
  header(name: string): string | undefined;
}

/** @param problems gets every fault, in the order of the contract */
export function readParameters(
  source: ParameterSource,
  contracts: readonly ParameterContract[],
  problems: RequestProblem[],
): ParameterValues {
  const pairs = {
    query: contracts.some((contract) => contract.in === "query") ? rawPairs(source.query()) : [],
    cookie: contracts.some((contract) => contract.in === "cookie")
      ? cookiePairs(source.header("cookie"))
      : [],
  };
  const values: { [Place in keyof ParameterValues]: [string, unknown][] } = {
    path: [],
    query: [],
    header: [],
    cookie: [],
  };
  for (const contract of contracts) {
    const { name } = contract;
    const report = (pointer: string, message: string): void => {
      problems.push({ in: contract.in, pointer: `/${escapePointer(name)}${pointer}`, message });
    };
    const read = readParameter(source, contract, contracts, pairs);
    if (read === undefined) {
      if (contract.required) report("", "is required");
      else if (contract.complete) values[contract.in].push([name, contract.complete(undefined)]);
    } else if ("fault" in read) report("", read.fault);
    else {
      const faults: Problem[] = [];
      if (contract.validate(read.value, faults))
        values[contract.in].push([name, contract.complete ? contract.complete(read.value) : read.value]);
      else for (const fault of faults) report(fault.pointer, fault.message);
    }
  }
  const { path, query, header, cookie } = values;
  return { path: objectOf(path), query: objectOf(query), header: objectOf(header), cookie: objectOf(cookie) };
}

function readParameter(
  source: ParameterSource,
  contract: ParameterContract,
  contracts: readonly ParameterContract[],
  pairs: { readonly query: readonly RawPair[]; readonly cookie: readonly RawPair[] },
): Read {
  const { in: place, name, type } = contract;
  if (place === "path") {
    const texts = presentOnly(Object.hasOwn(source.path, name) ? source.path[name] : undefined);
    return readStyled(name, contract, contract.style ?? "simple", { texts, decode: percentDecoded });
  }
  if (place === "header")
    return readStyled(name, contract, "simple", {
      texts: presentOnly(source.header(name)),
      decode: (text) => text.trim(),
    });
  const decode = place === "query" ? formDecoded : percentDecoded;
  const style = contract.style ?? "form";
  if (style === "deepObject") return readDeepObject(name, type, pairs[place], decode);
  const texts = pairs[place].filter(([each]) => each === name).map(([, text]) => text);
  const explodes = (contract.explode ?? style === "form") && contract.mediaType === undefined;
  if (explodes && texts.length === 0 && objectIn(type) !== undefined) {
    const isClaimed = (each: string): boolean =>
      contracts.some((other) => other.in === place && other !== contract && claims(other, each));
    return readExploded(type, pairs[place], isClaimed, decode);
  }
  return readStyled(name, contract, style, { texts, decode });
}

function claims({ name, style }: ParameterContract, sent: string): boolean {
  return sent === name || (style === "deepObject" && sent.startsWith(`${name}[`));
}

/** RFC 6265, section 4.2.1; a value may stand in quotes. */
function cookiePairs(header: string | undefined): RawPair[] {
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

function presentOnly(text: string | undefined): readonly string[] {
  return text === undefined ? [] : [text];
}

function escapePointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
