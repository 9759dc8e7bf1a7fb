/** Measures how the time of the generator grows with the number of operations. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { medianOf, table, timed } from "./measure.ts";
import { root } from "./peers.ts";

const sizes = [10, 100, 1000, 5000];

export function growthTable(rounds: number, work: string): string {
  const [path, out] = [join(work, "many.json"), join(work, "many")];
  const rows = sizes.map((size) => {
    writeFileSync(path, JSON.stringify(documentOf(size)));
    const seconds = Array.from({ length: rounds }, (_, round) => {
      console.error(`${size} operations, round ${round + 1} of ${rounds}`);
      const args = ["scripts/generate.ts", "--spec", path, "--out", out, "--lenient"];
      const { ms } = timed(args, root);
      rmSync(out, { recursive: true });
      return ms / 1000;
    });
    const median = medianOf(seconds);
    return [String(size), median.toFixed(2), ((median / size) * 1000).toFixed(1)];
  });
  return table(["operations", "seconds", "ms per operation"], rows);
}

/** Each pair of operations has its own schema, which refers to itself. */
function documentOf(operations: number) {
  const numbers = Array.from({ length: operations / 2 }, (_, index) => index + 1);
  const paths = numbers.flatMap((number) => {
    const content = { "application/json": { schema: { $ref: `#/components/schemas/Item${number}` } } };
    const responses = { 200: { description: "The item.", content } };
    const id = { name: "id", in: "path", required: true, schema: { type: "integer" } };
    const get = { operationId: `getItem${number}`, parameters: [id], responses };
    const post = { operationId: `createItem${number}`, requestBody: { required: true, content }, responses };
    return [
      [`/items${number}/{id}`, { get }],
      [`/items${number}`, { post }],
    ] as const;
  });
  const schemas = numbers.map((number) => {
    const properties = {
      id: { type: "integer", minimum: 1 },
      name: { type: "string", maxLength: 100 },
      tags: { type: "array", items: { enum: ["new", "old"] } },
      next: { $ref: `#/components/schemas/Item${number}` },
    };
    return [`Item${number}`, { type: "object", required: ["id", "name"], properties }] as const;
  });
  return {
    openapi: "3.1.0",
    info: { title: "Items", version: "1.0.0" },
    paths: Object.fromEntries(paths),
    components: { schemas: Object.fromEntries(schemas) },
  };
}
