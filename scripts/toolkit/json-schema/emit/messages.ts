/** The messages of validation errors. They never contain the received value, because it may be a secret. */
import { assertions, isScalar, type JsonType, type Schema } from "../schema.ts";

const listed = 20;

const nouns: Record<JsonType, string> = {
  null: "null",
  boolean: "a boolean",
  integer: "an integer",
  number: "a number",
  string: "a string",
  array: "an array",
  object: "an object",
};

export function typeMessage(types: readonly JsonType[]): string {
  const named = types.filter((type) => !(type === "integer" && types.includes("number")));
  // `null` comes last, because "must be a string or null" reads better.
  const words = [...named.filter((type) => type !== "null"), ...named.filter((type) => type === "null")];
  return `must be ${enumerate(words.map((type) => nouns[type]))}`;
}

function enumerate(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

export function valuesMessage(values: readonly unknown[]): string {
  if (values.length === 0) return "is not allowed";
  if (!values.every(isScalar)) {
    const text = JSON.stringify(values[0]);
    return values.length === 1 && text.length <= 80 ? `must be ${text}` : "must be a permitted value";
  }
  const texts = values.map((value) => JSON.stringify(value));
  if (texts.length === 1) return `must be ${texts[0]}`;
  const rest = texts.length - listed;
  return `must be one of ${texts.slice(0, listed).join(", ")}${rest > 0 ? ` or ${rest} more` : ""}`;
}

export function sizeMessage(
  bound: "least" | "most",
  limit: number,
  unit: "characters" | "items" | "properties",
): string {
  if (bound === "least" && limit === 1) return "must not be empty";
  const noun = limit !== 1 ? unit : unit === "properties" ? "property" : unit.slice(0, -1);
  return `must ${unit === "characters" ? "be" : "have"} at ${bound} ${limit} ${noun}`;
}

export function containsMessage(bound: "least" | "most", limit: number): string {
  return `must have at ${bound} ${limit} matching item${limit === 1 ? "" : "s"}`;
}

export function notMessage(excluded: Schema): string {
  const [only, ...others] = assertions(excluded);
  const negate = (message: string) => message.replace(/^must be/, "must not be");
  if (others.length > 0) return "must not match the excluded shape";
  if (only === "type" && excluded.type) return negate(typeMessage(excluded.type));
  if (only === "const" && excluded.const) return negate(valuesMessage([excluded.const.value]));
  if (only === "enum" && excluded.enum) return negate(valuesMessage(excluded.enum));
  return "must not match the excluded shape";
}

/** Returns one message if the branches have only a type, a const or an enum, and otherwise undefined. */
export function simpleBranchesMessage(branches: readonly Schema[]): string | undefined {
  const types: JsonType[] = [];
  const values: unknown[] = [];
  for (const branch of branches) {
    const [only, ...others] = assertions(branch);
    if (others.length > 0) {
      const literal = branch.const ? [branch.const.value] : branch.enum;
      if (others.length > 1 || !branch.type || !literal) return undefined;
      values.push(...literal);
    } else if (only === "type" && branch.type) types.push(...branch.type);
    else if (only === "const" && branch.const) values.push(branch.const.value);
    else if (only === "enum" && branch.enum) values.push(...branch.enum);
    else return undefined;
  }
  if (!values.every(isScalar)) return undefined;
  if (types.length === 0) return valuesMessage([...new Set(values)]);
  const said = typeMessage([...new Set(types)]);
  return values.length === 0
    ? said
    : `${said} or ${valuesMessage([...new Set(values)]).replace(/^must be /, "")}`;
}
