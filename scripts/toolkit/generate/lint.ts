/** Lints a spec like `redocly lint`, but in this process and without network access. */
import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import {
  BaseResolver,
  createConfig,
  getLineColLocation,
  isAbsoluteUrl,
  lint,
  loadConfig,
  type NormalizedProblem,
  ResolveError,
  type Source,
} from "@redocly/openapi-core";
import { SpecFiles } from "../openapi/files.ts";
import { sentenceOf } from "../openapi/redocly-messages.ts";
import { inOrder, messageOf, type SpecProblem, SpecProblemsError } from "../openapi/spec-problems.ts";
import { covers, readWaivers } from "../openapi/waivers.ts";

class OnlyFiles extends BaseResolver {
  override async loadExternalRef(reference: string): Promise<Source> {
    if (!isAbsoluteUrl(reference)) return super.loadExternalRef(reference);
    throw new ResolveError(
      new Error("a reference to another host is not followed; keep a copy next to the spec"),
    );
  }
}

/** The rules of a document without a configuration, and of a new project. */
export const usualRules = [
  "operation-operationId-unique",
  "no-invalid-media-type-examples",
  "no-invalid-parameter-examples",
  "no-invalid-schema-examples",
] as const;

interface Linted {
  readonly errors: readonly SpecProblem[];
  readonly warnings: readonly SpecProblem[];
}

/** Returns the project's configuration of Redocly: the given one, or `redocly.yaml` next to the spec or in the current folder. */
export function rulesOf(specPath: string, rules?: string): string | undefined {
  return rules ?? [join(dirname(specPath), "redocly.yaml"), "redocly.yaml"].find(existsSync);
}

/**
 * @param rules a configuration of Redocly, or else that of `rulesOf`, or else `usualRules`
 * @param waiversPath as in `readWaivers`. A waived rule is not reported
 */
export async function lintSpec(specPath: string, rules?: string, waiversPath?: string): Promise<Linted> {
  const waivers = await readWaivers(specPath, waiversPath, new SpecFiles());
  const configPath = rulesOf(specPath, rules);
  const loaded =
    configPath === undefined
      ? createConfig({ rules: Object.fromEntries(usualRules.map((rule) => [rule, "error"])) })
      : loadConfig({ configPath });
  const config = await loaded.catch((error: unknown) => {
    const message = `these rules cannot be used: ${messageOf(error)}`;
    throw new SpecProblemsError([{ location: configPath ?? "redocly.yaml", message }]);
  });
  const externalRefResolver = new OnlyFiles(config.resolve);
  const found = await lint({ ref: resolve(specPath), config, externalRefResolver }).catch(
    (error: unknown) => {
      // Some rules expect a schema where a waived problem is.
      const message = `a rule of Redocly cannot check this document: ${messageOf(error)}; turn it off in ${configPath ?? "redocly.yaml"}`;
      throw new SpecProblemsError([{ location: specPath, message }]);
    },
  );
  const isWaived = ({ ruleId, location: [place] }: NormalizedProblem): boolean =>
    waivers.some(
      (waiver) =>
        waiver.rule === ruleId &&
        covers(waiver, place?.source.absoluteRef ?? "", place?.pointer?.slice(1) ?? ""),
    );
  // Other rules miss the field that is misspelt at the same place.
  const misspelt = new Set(found.filter(({ ruleId }) => ruleId === "struct").map(locationOf));
  const problemsOf = (wanted: NormalizedProblem["severity"]): SpecProblem[] =>
    inOrder(
      found
        .filter((problem) => problem.severity === wanted && !isWaived(problem))
        .filter((problem) => problem.ruleId === "struct" || !misspelt.has(locationOf(problem)))
        .map((problem) => ({
          location: locationOf(problem),
          message: `${sentenceOf(problem)} [${problem.ruleId}]`,
        })),
    );
  return { errors: problemsOf("error"), warnings: problemsOf("warn") };
}

function locationOf({ location: [place] }: NormalizedProblem): string {
  if (place === undefined) return "spec";
  const { start } = getLineColLocation(place);
  return `${relative(process.cwd(), place.source.absoluteRef)}:${start.line}:${start.col}`;
}
