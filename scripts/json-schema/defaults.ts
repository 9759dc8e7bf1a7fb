import { Script } from "node:vm";
import type { Schema, Unenforceable } from "./schema.ts";

interface DefaultCheck {
  validate(value: unknown, problems: { pointer: string; message: string }[]): boolean;
  complete?(value: unknown): unknown;
}

export function checkDefaults(schemas: readonly Schema[], script: string): Unenforceable[] {
  const checks: readonly DefaultCheck[] = new Script(script).runInThisContext();
  return schemas.flatMap((schema, index) => {
    const check = checks[index];
    if (!check || !schema.default) return [];
    const problem = problemOfDefault(check, schema.default.value);
    const pointer = `${schema.pointer}/default`;
    return problem === undefined
      ? []
      : [{ rule: "default-contradicts", pointer, message: `default ${problem}` }];
  });
}

function problemOfDefault(check: DefaultCheck, value: unknown): string | undefined {
  const problems: { pointer: string; message: string }[] = [];
  if (!check.validate(value, problems)) {
    const texts = problems.map(
      ({ pointer, message }) => `${pointer === "" ? "the value" : pointer} ${message}`,
    );
    return `is not valid against its own schema (${texts.join("; ")}); correct the default or the schema`;
  }
  try {
    check.complete?.(structuredClone(value));
    return undefined;
  } catch (error) {
    if (error instanceof RangeError)
      return "contains itself when its own defaults are filled in; remove the cycle";
    throw error;
  }
}
