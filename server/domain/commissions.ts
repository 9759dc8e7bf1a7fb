import { hash } from "node:crypto";

export type Definition = {
  title: string;
  type: string;
  /** The rate if no rule applies. */
  default_value: number;
  active: boolean;
  commission_data: Rule[];
};

export type Rule =
  | { category: number[]; type: 1; fixed_value: number }
  | { category: number[]; type: 2; slab_value: Slab[] };

/** Covers `from` up to `to`. In the last slab, `to` is -1, which means no upper bound. */
export type Slab = { from: number; to: number; value: number };

/** `pointer` is a JSON pointer (RFC 6901) relative to the definition. The API returns `message` to its caller. */
export type DefinitionProblem = { pointer: string; message: string };

const noUpperBound = -1;

/**
 * Returns all problems of a definition, in the order of the document. An invalid bound is not compared with
 * neighbouring slabs, so one error is reported as one problem.
 * @param definition may violate the schema
 * @param isValid returns whether the value at a JSON pointer is valid by the schema. Invalid values are skipped
 */
export function checkCommission(
  definition: unknown,
  isValid: (pointer: string) => boolean = () => true,
): DefinitionProblem[] {
  const rules = property(definition, "commission_data");
  if (!Array.isArray(rules)) return [];
  return rules.flatMap((rule, index) => {
    const pointer = `/commission_data/${index}/slab_value`;
    const slabs = property(rule, "slab_value");
    const isChecked = property(rule, "type") === 2 && Array.isArray(slabs) && isValid(pointer);
    return isChecked ? checkSlabs(pointer, slabs) : [];
  });
}

function property(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

export function rateOf(definition: Definition): number {
  return definition.default_value;
}

/**
 * Equal definitions have the same hash. The order of their keys does not matter (canonical JSON, RFC 8785).
 * @param definition must be valid, contain its defaults and contain no half surrogate pairs
 */
export function definitionHash(definition: Definition): { hash: string; canonical: string } {
  const canonical = canonicalDefinition(definition);
  return { hash: hash("sha256", canonical), canonical };
}

/** Objects are written with sorted keys. JavaScript writes numbers and strings canonically, and -0 as 0. */
function canonicalDefinition({ active, commission_data, default_value, title, type }: Definition): string {
  const rules = commission_data.map((rule) => {
    const { category, type } = rule;
    if (rule.type === 1) return { category, fixed_value: rule.fixed_value, type };
    return {
      category,
      slab_value: rule.slab_value.map(({ from, to, value }) => ({ from, to, value })),
      type,
    };
  });
  return JSON.stringify({ active, commission_data: rules, default_value, title, type });
}

function checkSlabs(pointer: string, slabs: readonly Slab[]): DefinitionProblem[] {
  const problems: DefinitionProblem[] = [];
  let reached = 0;
  for (const [index, { from, to }] of slabs.entries()) {
    const isLast = index === slabs.length - 1;
    if (from < reached) {
      problems.push({
        pointer: `${pointer}/${index}/from`,
        message: "must not be less than the end of an earlier slab",
      });
    }
    const message = upperBoundProblem(from, to, isLast);
    if (message !== undefined) problems.push({ pointer: `${pointer}/${index}/to`, message });
    else reached = Math.max(reached, to);
  }
  return problems;
}

function upperBoundProblem(from: number, to: number, isLast: boolean): string | undefined {
  if (isLast) return to === noUpperBound ? undefined : "must be -1 in the last slab";
  if (to === noUpperBound) return "must be -1 only in the last slab";
  return from < to ? undefined : "must be greater than from";
}
