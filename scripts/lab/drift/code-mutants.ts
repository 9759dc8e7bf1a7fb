import { parse } from "yaml";
import { DriftError, type Mutant, targets } from "./mutant.ts";

const list = "scripts/lab/drift/code-changes.yaml";

interface WrittenChange {
  readonly name: string;
  readonly title: string;
  readonly file: string;
  readonly find: string;
  readonly replacement: string;
}

/** @throws DriftError with a list of the changes that do not apply */
export function codeMutants(read: (file: string) => string): Mutant[] {
  const changes: readonly WrittenChange[] = parse(read(list));
  const errors: string[] = [];
  const mutants = changes.map(({ name, title, file, find, replacement }): Mutant => {
    const source = read(file);
    const count = source.split(find).length - 1;
    if (count !== 1) errors.push(`${name}: ${file} contains ${JSON.stringify(find)} ${count} times`);
    const target = targets.find((each) => file.startsWith(`${each}/`)) ?? "server";
    const text = (): string => source.replace(find, () => replacement);
    return { id: `${target}:${name}`, target, operator: "written", title, file, text };
  });
  if (errors.length > 0) throw new DriftError(`${list}: correct these changes\n${errors.join("\n")}`);
  return mutants;
}
