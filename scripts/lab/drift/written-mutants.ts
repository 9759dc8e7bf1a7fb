/** Changes of the code that are written by hand, in code-changes.yaml: what no rule about syntax finds. */
import { parse } from "yaml";
import type { Group, Kind, Mutant, Sources } from "./mutant.ts";

const table = "scripts/lab/drift/code-changes.yaml";

interface Change {
  readonly name: string;
  readonly kind: Kind;
  readonly title: string;
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly find: string;
  readonly replacement: string;
}

/** The message names every change that no longer applies, and how often its text is there. */
export class WrittenChangesError extends Error {}

/** @throws WrittenChangesError */
export function writtenMutants(sources: Sources): Group {
  const changes: readonly Change[] = parse(sources.read(table));
  const faults: string[] = [];
  const mutants = changes.map(({ kind, name, title, file, find, replacement }): Mutant => {
    const text = sources.read(file);
    const count = text.split(find).length - 1;
    if (count !== 1) faults.push(`${name}: ${file} has ${count} times ${JSON.stringify(find)}`);
    const id = `${kind}:written:${name}`;
    return { id, kind, operator: "written", title, file, text: text.replace(find, () => replacement) };
  });
  if (faults.length > 0)
    throw new WrittenChangesError(`${table}: correct what is to be found exactly once\n${faults.join("\n")}`);
  return { mutants };
}
