/** Makes equal schemas one schema, so that the generated module has their code only once. */
import { createHash } from "node:crypto";
import { applicatorsTo } from "../openapi/schema/keywords.ts";
import { allWithin, reachable, type Schema } from "./schema.ts";

/** The code of a schema with fewer parts is as short as a call. */
const leastParts = 3;

const holders = applicatorsTo("value", "items", "properties", "names");

interface Shared {
  readonly roots: readonly Schema[];
  /** The schemas that need a function, with names that depend only on the content. */
  readonly names: ReadonlyMap<Schema, string>;
}

/** Changes the schemas in place. A schema that equals the target of a reference becomes this target. */
export function share(roots: readonly Schema[], targets: readonly Schema[]): Shared {
  const isTarget = new Set(targets);
  const byDigest = new Map<string, Schema>();
  const known = new Map<Schema, { digest: string; parts: number }>();
  const read = (schema: Schema) => {
    let parts = 1;
    const one = (part: Schema): Schema => {
      const same = equal(part);
      parts += known.get(same)?.parts ?? 0;
      return same;
    };
    for (const keyword of holders) {
      const held = schema[keyword];
      if (held === undefined) continue;
      const same = Array.isArray(held)
        ? held.map(one)
        : held instanceof Map
          ? new Map([...held].map(([name, part]) => [name, one(part)]))
          : one(held);
      Object.assign(schema, { [keyword]: same });
    }
    const { pointer: _, ref, ...others } = schema;
    const text = JSON.stringify([ref?.pointer, Object.entries(others)], (_, value) => {
      return known.get(value)?.digest ?? (value instanceof Map ? [...value] : value);
    });
    return { digest: createHash("sha256").update(text).digest("hex"), parts };
  };
  const equal = (schema: Schema): Schema => {
    if (known.has(schema)) return schema;
    const found = read(schema);
    const same = byDigest.get(found.digest);
    if (same !== undefined && !isTarget.has(schema)) return same;
    known.set(schema, found);
    if (same === undefined && (found.parts >= leastParts || !isTarget.has(schema)))
      byDigest.set(found.digest, schema);
    return schema;
  };
  for (const target of targets) equal(target);
  const distinct = roots.map(equal);
  const uses = new Map<Schema, number>();
  for (const schema of [...reachable([...distinct, ...targets])].flatMap(allWithin).concat(distinct))
    uses.set(schema, (uses.get(schema) ?? 0) + 1);
  const names = [...uses].flatMap(([schema, count]): [Schema, string][] => {
    const { digest = "", parts = 0 } = known.get(schema) ?? {};
    return count > 1 && parts >= leastParts && !isTarget.has(schema)
      ? [[schema, `Shape_${digest.slice(0, 8)}`]]
      : [];
  });
  return { roots: distinct, names: new Map(names.sort(([, left], [, right]) => (left < right ? -1 : 1))) };
}
