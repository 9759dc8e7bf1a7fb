/** Measures the validators of recursive unions with 64 KiB of JSON, the body limit of this service. */
import { compileValidators } from "../../toolkit/json-schema/compile.ts";
import { table } from "./measure.ts";
import { nestedValue, type RecursiveUnion, recursiveUnions } from "./union-shapes.ts";

const bytes = 64 * 1024;
const levels = 80;

export async function recursiveUnionTable(rounds: number): Promise<string> {
  const rows: string[][] = [];
  for (const [name, union] of Object.entries(recursiveUnions)) {
    const work = await workOf(union);
    const figures = [union.innermost, union.wrong].map((innermost) => {
      const text = textOf(union, innermost);
      const times = Array.from({ length: rounds }, () => cpuMs(work, JSON.parse(text)));
      return Math.min(...times).toFixed(1);
    });
    rows.push([name, ...figures]);
  }
  return `${table(["recursive union", "valid", "invalid"], rows)}
Less is better. CPU time in ms to validate 64 KiB of JSON with ${levels} levels, and to fill in defaults and project it if it is valid; minimum of ${rounds} rounds.
`;
}

async function workOf({ root, others }: RecursiveUnion): Promise<(value: unknown) => void> {
  const List = { type: "array", items: { $ref: "#/components/schemas/Root" } };
  const document = { components: { schemas: { Root: root, List, ...others } } };
  const pointer = "/components/schemas/List";
  const { code } = compileValidators(document, [
    { name: "In", pointer, use: "request" },
    { name: "Out", pointer, use: "response" },
  ]);
  const { validateIn, completeIn, projectOut } = await import(
    `data:text/javascript,${encodeURIComponent(code)}`
  );
  return (value) => {
    if (!validateIn(value, [])) return;
    completeIn?.(value);
    projectOut(value);
  };
}

function textOf(union: RecursiveUnion, innermost: unknown): string {
  const item = JSON.stringify(nestedValue(union, levels, innermost));
  return `[${Array.from({ length: Math.floor(bytes / (item.length + 1)) }, () => item).join()}]`;
}

function cpuMs(work: (value: unknown) => void, value: unknown): number {
  const before = process.cpuUsage();
  work(value);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
