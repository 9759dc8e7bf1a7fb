/** Finds gaps between values that are sent as text. On the wire, an integer and a string of digits are the same. */
import type { Json } from "../../openapi/document.ts";
import type { SchemaPlace } from "../../openapi/schema/schema-view.ts";
import { type Facts, factsOf, finiteValues, isIntegral, kindsOf, numberOf } from "../facts.ts";
import type { Gap, Proof } from "./gaps.ts";

/** How a parameter, a header or a form sends its values. An exploded list with one item looks like a single value. */
export type TextForm = "single" | "exploded";

const integers = "^-?[0-9]+$";
const numbers = "^-?[0-9]+(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$";

/** Undefined if the second schema allows the type of the values, or allows no other type that they could be read as. */
export function textGaps(
  proof: Proof,
  facts: Facts,
  outer: SchemaPlace,
  form: TextForm,
): readonly Gap[] | undefined {
  const wanted = factsOf(outer);
  const kinds = kindsOf(wanted);
  const kind = facts.only;
  if (kind === undefined || kinds.includes(kind) || kind === "object" || kind === "array") return undefined;
  if (kind === "string") {
    const values = finiteValues(facts)?.map(readAs);
    return values?.every((value) => value !== undefined)
      ? proof.within(assumed(facts, { enum: values }), outer, 1)
      : listGaps(proof, facts, wanted, form);
  }
  if (!kinds.includes("string")) return listGaps(proof, facts, wanted, form);
  const values = finiteValues(facts);
  const texts =
    values === undefined
      ? { type: "string", pattern: isIntegral(facts) ? integers : numbers }
      : { enum: values.map((value) => JSON.stringify(value)) };
  return proof.within(assumed(facts, texts), outer, 1);
}

function listGaps(proof: Proof, facts: Facts, wanted: Facts, form: TextForm): readonly Gap[] | undefined {
  const isList = form === "exploded" && kindsOf(wanted).includes("array") && wanted.unions.length === 0;
  if (!isList || wanted.parts.some(({ value }) => (numberOf(value.minItems) ?? 0) > 1)) return undefined;
  const others = ["prefixItems", "contains", "unevaluatedItems", "enum", "const", "not"];
  const isSimple = wanted.parts.every(({ value }) => others.every((keyword) => value[keyword] === undefined));
  if (!isSimple) return undefined;
  return wanted.parts.flatMap((part) =>
    part.value.items === undefined
      ? []
      : proof.within(facts, { ...part, pointer: `${part.pointer}/items`, value: part.value.items }),
  );
}

/** The value that a text stands for, if it can stand for another value than itself. */
function readAs(text: Json): Json | undefined {
  if (text === "true" || text === "false") return text === "true";
  return String(Number(text)) === text ? Number(text) : undefined;
}

function assumed(facts: Facts, schema: { [keyword: string]: Json }): Facts {
  const pointer = `${facts.target} as ${JSON.stringify(schema)}`;
  const own = factsOf({ document: facts.parts[0]?.document, pointer, value: schema });
  return { ...own, origin: facts.origin, target: facts.target, siblings: facts.siblings };
}
