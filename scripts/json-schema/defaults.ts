import { Script } from "node:vm";
import type { Schema, Unenforceable } from "./schema.ts";

interface Judge {
  validate(value: unknown, problems: { pointer: string; message: string }[]): boolean;
  complete?(value: unknown): unknown;
}

export function judgeDefaults(schemas: readonly Schema[], script: string): Unenforceable[] {
  const judges: readonly Judge[] = new Script(script).runInThisContext();
  return schemas.flatMap((schema, index) => {
    const judge = judges[index];
    if (!judge || !schema.default) return [];
    const fault = judgeDefault(judge, schema.default.value);
    const pointer = `${schema.pointer}/default`;
    return fault === undefined ? [] : [{ rule: "default-contradicts", pointer, message: `default ${fault}` }];
  });
}

function judgeDefault(judge: Judge, value: unknown): string | undefined {
  const problems: { pointer: string; message: string }[] = [];
  if (!judge.validate(value, problems)) {
    const faults = problems.map(
      ({ pointer, message }) => `${pointer === "" ? "the value" : pointer} ${message}`,
    );
    return `is not valid against its own schema (${faults.join("; ")}); correct the default or the schema`;
  }
  try {
    judge.complete?.(structuredClone(value));
    return undefined;
  } catch (error) {
    if (error instanceof RangeError)
      return "contains itself when its own defaults are filled in; break the circle";
    throw error;
  }
}
