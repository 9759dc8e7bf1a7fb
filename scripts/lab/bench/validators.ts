import { join } from "node:path";
import { type BenchOptions, machine, medianOf, table, timed } from "./measure.ts";
import { installPeers, peersFolder, titleOf } from "./peers.ts";

export async function bench({ quick, rounds = quick ? 1 : 5 }: BenchOptions): Promise<string> {
  installPeers();
  const libraries = {
    generated: "generated here",
    ajv: titleOf("ajv", "Ajv"),
    typebox: titleOf("typebox", "TypeBox"),
    zod: titleOf("zod"),
  };
  const program = join(peersFolder, "peers/validators.mjs");
  const names = Object.keys(libraries);
  const taken = new Map<string, Record<string, number>[]>(names.map((name) => [name, []]));
  for (let round = 1; round <= rounds; round += 1)
    for (const name of names) {
      console.error(`round ${round} of ${rounds}: ${name}`);
      const { stdout } = timed([program, name], peersFolder);
      taken.get(name)?.push(JSON.parse(stdout));
    }
  const kinds = Object.keys(taken.get("generated")?.[0] ?? {});
  const rate = (name: string, kind: string): number =>
    medianOf((taken.get(name) ?? []).map((rates) => rates[kind] ?? Number.NaN));
  const rows = Object.entries(libraries).map(([name, title]) => [
    title,
    ...kinds.map((kind) => {
      const own = rate(name, kind);
      return `${(own / rate("generated", kind)).toFixed(2)} (${Math.round(own / 1000)})`;
    }),
  ]);
  return `${table(["validators", ...kinds], rows)}
More is better. Each figure is a ratio to the generated validators, and the values per second of CPU time in thousands; medians of ${rounds} interleaved rounds. ${machine()}.
`;
}
