/** Reads what journeys are run with: keys and accounts, which are given by file or by pipe, and never in a command line. */
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { isObject } from "../generate/document.ts";
import { codeOf } from "../generate/problems.ts";
import type { Journey } from "./arazzo.ts";
import type { Inputs } from "./run.ts";

/** Why inputs cannot be used. Repeats none of them. */
export class InputsError extends Error {
  constructor(place: string, faults: readonly string[]) {
    super(faults.map((fault) => `${place}  ${fault}`).join("\n"));
    this.name = "InputsError";
  }
}

/**
 * @param file of one JSON object; `-` for standard input
 * @throws InputsError with every fault: what is no such object, an input that no journey takes, one of another type
 */
export async function readInputs(file: string, journeys: readonly Journey[]): Promise<Inputs> {
  const place = file === "-" ? "standard input" : file;
  const inputs = parsed(file === "-" ? await text(process.stdin) : await textOf(file), place);
  const known = new Map(journeys.flatMap((journey) => [...journey.inputs]));
  const faults = Object.entries(inputs).flatMap(([name, value]) => {
    const input = known.get(name);
    if (input === undefined)
      return [`no journey takes ${name}; those taken are ${[...known.keys()].join(", ")}`];
    return isOfType(value, input.type) ? [] : [`${name} must be of type ${input.type}`];
  });
  if (faults.length > 0) throw new InputsError(place, faults);
  return inputs;
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const known: Readonly<Record<string, string>> = { ENOENT: "no such file", EISDIR: "is a folder" };
    const fault = known[codeOf(error) ?? ""] ?? `cannot be read (${codeOf(error)})`;
    throw new InputsError(file, [`${fault}; name a JSON file with --inputs FILE`]);
  }
}

function parsed(content: string, place: string): Inputs {
  try {
    const value: unknown = JSON.parse(content);
    if (isObject(value)) return value;
  } catch {
    // The parser's own words would repeat the inputs.
  }
  throw new InputsError(place, ['is no JSON object; write one such as {"name": "value"}']);
}

function isOfType(value: unknown, type: string | undefined): boolean {
  return type === undefined || (type === "integer" ? Number.isInteger(value) : typeof value === type);
}
